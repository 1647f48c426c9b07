"""What a command found in a file, whose suffix decides what it holds."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import typer

from nonocsp.cli.views.solve import Result
from nonocsp.model import UsageError


def _text(result: Result) -> bytes:
    return f"{result.text()}\n\n".encode()


def _json_line(result: Result) -> bytes:
    return f"{json.dumps(result.record())}\n".encode()


def _svg(result: Result) -> bytes:
    from nonocsp.render.svg import to_svg

    return to_svg(result.source.puzzle, result.best_grid()).encode()


def _png(result: Result) -> bytes:
    from nonocsp.render.png import to_png

    return to_png(result.source.puzzle, result.best_grid())


RESULT_ENCODERS = {".txt": _text, ".json": _json_line, ".svg": _svg, ".png": _png}
"""Of `nonocsp solve`."""
PICTURES = (".svg", ".png", ".gif", ".html")
"""Suffixes of files that hold one puzzle."""

_Found = TypeVar("_Found")


@contextmanager
def saving(
    path: Path, inputs: Iterable[str], encoders: Mapping[str, Callable[[_Found], bytes]]
) -> Iterator[Callable[[_Found], None]]:
    """Provide the function that writes what was found to the file at `path`, at once; without any, no file.

    Parameters
    ----------
    encoders
        How it is written, by suffix.

    Raises
    ------
    UsageError
        For a suffix without a meaning, a path that is one of the `inputs`, or a second picture: a file holds
        one.
    """
    suffix = path.suffix.lower()
    encode = encoders.get(suffix)
    if encode is None:
        raise UsageError(f"{path}: the suffix of --output says what to write: {', '.join(encoders)}")
    refuse_inputs(path, inputs, "--output")
    with path.open("wb") as file:

        def write(found: _Found) -> None:
            if file.tell() and suffix in PICTURES:
                raise UsageError(f"{path} holds one picture; choose one puzzle with --index")
            file.write(encode(found))
            file.flush()

        try:
            yield write
        finally:
            if not file.tell():
                path.unlink()


def refuse_inputs(path: Path, inputs: Iterable[str], option: str) -> None:
    """Raise UsageError if what an option writes would replace one of the `inputs`."""
    if path.exists() and any(Path(file).exists() and path.samefile(file) for file in inputs):
        raise UsageError(f"{path} is read; {option} would replace it")


@contextmanager
def whole(output: str | Path) -> Iterator[None]:
    """Say after Ctrl-C that a file or folder was not written, because it is never there in part."""
    try:
        yield
    except KeyboardInterrupt:
        if str(output) != "-":
            typer.echo(f"{output} was not written, neither wholly nor in part", err=True)
        raise


def check_folder(path: Path) -> None:
    """Raise UsageError if a file cannot be written at `path`, before what it will hold is computed."""
    if not os.access(path.parent, os.W_OK):
        raise UsageError(f"{path} cannot be written: there is no folder {path.parent}, or it is read-only")
