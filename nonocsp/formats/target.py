"""Open what is written: standard output, or a file that appears complete or not at all."""

from __future__ import annotations

import gzip
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from nonocsp.model import UsageError


@contextmanager
def open_target(target: str | Path) -> Iterator[BinaryIO]:
    """Open a file, or standard output for ``-``; the suffix ``.gz`` compresses, reproducibly.

    A file is written beside its final place and then renamed, so an error leaves what was there before.

    Raises
    ------
    UsageError
        If the file cannot be made, or takes no more.
    """
    if str(target) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(target).resolve()
    if path.is_dir():
        raise UsageError(f"{target} is a folder; name a file in it")
    try:
        with ExitStack() as stack:
            is_special = path.exists() and not path.is_file()  # a pipe or device must not be replaced
            stream = stack.enter_context(path.open("wb") if is_special else _replacing(path))
            if path.suffix == ".gz":
                compressed = gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0)
                stream = cast("BinaryIO", stack.enter_context(compressed))
            yield stream
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror or error}") from None


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with draft.open("xb") as stream:
            yield stream
        if path.exists():
            shutil.copymode(path, draft)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
