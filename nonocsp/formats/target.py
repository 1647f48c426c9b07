"""Open what is written: standard output, or a file that appears complete or not at all."""

from __future__ import annotations

import gzip
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, cast

from nonocsp.model import UsageError

_DEVICES = Path("/dev")


@contextmanager
def open_target(
    target: str | Path, *, follow_links: bool = True, check: Callable[[Path], None] | None = None
) -> Iterator[BinaryIO]:
    """Open a file, or standard output for ``-``; the suffix ``.gz`` compresses, reproducibly.

    A file is written beside its final place, given to `check`, which may raise, and then renamed: an error
    leaves what was there before. With `follow_links`, links are written through, and pipes and devices
    written to. Otherwise both are errors outside ``/dev``: a folder from somebody else can hold a link to a
    file of the reader's. UsageError if the file cannot be made, or takes no more.
    """
    if not follow_links:
        refuse_link(Path(target))
    if str(target) == "-":
        with _passed_on(sys.stdout.buffer, check) as stream:
            yield stream
        sys.stdout.buffer.flush()
        return
    path = Path(target).resolve()
    if path.is_dir():
        raise UsageError(f"{target} is a folder; name a file in it")
    try:
        with ExitStack() as stack:
            is_special = path.exists() and not path.is_file()  # a pipe or device must not be replaced
            if is_special:
                stream = stack.enter_context(_passed_on(stack.enter_context(path.open("wb")), check))
            else:
                stream = stack.enter_context(_replacing(path, check))
            if path.suffix == ".gz":
                compressed = gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0)
                stream = cast("BinaryIO", stack.enter_context(compressed))
            yield stream
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror or error}") from None


def write_text(path: Path, text: str) -> None:
    """Write a report to a file that appears complete or not at all; its folder is made if missing.

    A link, a pipe or a device outside ``/dev`` is an error. A lone surrogate becomes a question mark.
    """
    make_folder(path.parent, follow_links=True)
    with open_target(path, follow_links=False) as stream:
        stream.write(text.encode("utf-8", "replace"))


def make_folder(path: Path, *, follow_links: bool = False) -> None:
    """Make a folder, if it is not there; a link to one will do if links are followed."""
    if not follow_links:
        refuse_link(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{path} cannot be made a folder: {error.strerror or error}") from None


def refuse_link(path: Path) -> None:
    """Raise UsageError if a path outside ``/dev`` is a link, a pipe or a device."""
    if _DEVICES in path.absolute().parents:
        return
    if path.is_symlink():
        what = f"a link to {path.readlink()}, which is not followed"
    elif path.exists() and not (path.is_file() or path.is_dir()):
        what = "neither a file nor a folder"
    else:
        return
    raise UsageError(f"{path} is {what}: remove it, or name another place")


@contextmanager
def _replacing(path: Path, check: Callable[[Path], None] | None) -> Iterator[BinaryIO]:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with draft.open("xb") as stream:
            yield stream
        if check:
            check(draft)
        if path.exists():
            shutil.copymode(path, draft)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def _passed_on(stream: BinaryIO, check: Callable[[Path], None] | None) -> Iterator[BinaryIO]:
    """Yield a stream or, if there is a check, a temporary file that is copied to the stream after it."""
    if not check:
        yield stream
        return
    with NamedTemporaryFile(prefix="nonocsp-") as draft:
        yield cast("BinaryIO", draft)
        draft.flush()
        check(Path(draft.name))
        draft.seek(0)
        shutil.copyfileobj(draft, stream)
