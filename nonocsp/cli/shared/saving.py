"""Save the findings of a command in a file, whose suffix decides what it holds."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import typer

from nonocsp.cli.views.solve import Result
from nonocsp.model import UsageError


def _encoded(result: Result, suffix: str) -> bytes:
    """Return a result as what a file with the suffix holds."""
    puzzle, grid = result.source.puzzle, result.best_grid()
    if suffix == ".png":
        from nonocsp.render.png import to_png

        return to_png(puzzle, grid)
    if suffix == ".svg":
        from nonocsp.render.svg import to_svg

        return to_svg(puzzle, grid).encode()
    text = f"{json.dumps(result.record())}\n" if suffix == ".json" else f"{result.text()}\n\n"
    return text.encode()


RESULT_ENCODERS = {suffix: partial(_encoded, suffix=suffix) for suffix in (".txt", ".json", ".svg", ".png")}
"""Write the results of `nonocsp solve`, by suffix."""
PICTURES = (".svg", ".png", ".gif", ".html")
"""Suffixes of files that hold one puzzle."""

_Found = TypeVar("_Found")


@contextmanager
def saving(
    path: Path, inputs: Iterable[str], encoders: Mapping[str, Callable[[_Found], bytes]]
) -> Iterator[Callable[[_Found], None]]:
    """Provide the function that writes a finding to a file at once; without a finding there is no file.

    Parameters
    ----------
    path
        The file; its suffix selects the encoder.
    inputs
        The files that the command reads.
    encoders
        For each suffix, the function that returns the bytes of a finding.

    Raises
    ------
    UsageError
        For a suffix without an encoder, a path that is one of the `inputs`, or a second picture for one file.
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
    """Refuse to replace one of the files that a command reads.

    Parameters
    ----------
    path
        The file to write.
    inputs
        The files that the command reads.
    option
        The option that gave the path, for the message.

    Raises
    ------
    UsageError
        If the path is one of the inputs.
    """
    if path.exists() and any(Path(file).exists() and path.samefile(file) for file in inputs):
        raise UsageError(f"{path} is read; {option} would replace it")


@contextmanager
def whole(output: str | Path) -> Iterator[None]:
    """Say after Ctrl-C that the output was not written: a file or folder that appears only when complete."""
    try:
        yield
    except KeyboardInterrupt:
        if str(output) != "-":
            typer.echo(f"{output} was not written, neither wholly nor in part", err=True)
        raise


def check_folder(path: Path) -> None:
    """Raise UsageError if no file can be written at `path`; call this before a long computation."""
    if not os.access(path.parent, os.W_OK):
        raise UsageError(f"{path} cannot be written: there is no folder {path.parent}, or it is read-only")
