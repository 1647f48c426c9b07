"""Save the findings of a command in a file, whose suffix decides what it holds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from nonocsp.cli.shared.console import counted, printable
from nonocsp.cli.shared.endings import usage_error

if TYPE_CHECKING:
    from nonocsp.model import Puzzle
    from nonocsp.render.drawing import Drawing
    from nonocsp.render.sheet import Sheets

FINE_CELL = 2.5
"""Cells with a shorter side, in millimetres, are hard to fill in."""
PROOF_SECONDS = 60.0
"""The time limit for the certificate of a puzzle that a command makes, unless the command has another one."""
_MOST_UNKNOWN = 20
PICTURES = (".svg", ".png", ".gif", ".html")
"""Suffixes of files that hold one puzzle."""

_Found = TypeVar("_Found")


@contextmanager
def saving(
    path: Path,
    inputs: Iterable[str],
    encoders: Mapping[str, Callable[[_Found], bytes]],
    option: str = "--output",
) -> Iterator[Callable[[_Found], None]]:
    """Provide the function that writes a finding to a file at once; without a finding there is no file."""
    suffix = path.suffix.lower()
    encode = encoders.get(suffix)
    if encode is None:
        raise usage_error(f"{path}: the suffix of {option} says what to write: {', '.join(encoders)}")
    refuse_inputs(path, inputs, option)
    with path.open("wb") as file:

        def write(found: _Found) -> None:
            if file.tell() and suffix in PICTURES:
                raise usage_error(f"{path} holds one picture; choose one puzzle with --index")
            file.write(encode(found))
            file.flush()

        try:
            yield write
        finally:
            if not file.tell():
                path.unlink()


def refuse_inputs(path: Path, inputs: Iterable[str], option: str) -> None:
    """Refuse to replace one of the files that a command reads."""
    if path.exists() and any(Path(file).exists() and path.samefile(file) for file in inputs):
        raise usage_error(f"{path} is read; {option} would replace it")


def refuse_results(path: Path, folders: Iterable[Path], option: str) -> None:
    """Refuse to write over what ``nonocsp bench`` wrote in the folders that a command reads."""
    from nonocsp.bench.store import WRITTEN

    target = Path(os.path.realpath(path))
    for folder in folders:
        written = {Path(os.path.realpath(folder / name)) for name in WRITTEN}
        if not written.isdisjoint((target, *target.parents)):
            raise usage_error(f"{path} belongs to the campaign in {folder}: name another place with {option}")


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
        raise usage_error(f"{path} cannot be written: there is no folder {path.parent}, or it is read-only")


def picture_bytes(drawing: Drawing, suffix: str) -> bytes:
    """Return a drawing as an .svg or .png file."""
    from nonocsp.render import png, svg

    return svg.document(drawing).encode() if suffix == ".svg" else png.file(drawing)


def save_picture(drawing: Drawing, path: Path) -> None:
    """Save a drawing as .svg or .png, as the suffix says."""
    from nonocsp.formats.target import open_target

    with open_target(path) as stream:
        stream.write(picture_bytes(drawing, path.suffix.lower()))


def save_proofs(puzzles: Iterable[Puzzle], folder: Path | None, wall: float | None = None) -> None:
    """Write certificates of puzzles into a folder, if there is one, and say where they are.

    Warn of a puzzle whose certificate takes more than `wall` seconds, by default `PROOF_SECONDS`.
    """
    if folder is None:
        return
    from nonocsp.backends.base import Interrupted, Unsupported
    from nonocsp.certificates.maker import certify, save
    from nonocsp.model import PuzzleError

    wall = wall or PROOF_SECONDS
    for puzzle in puzzles:
        name = puzzle.title or "puzzle"
        try:
            certificate = certify(puzzle, wall=wall)
            typer.echo(f"{save(certificate, folder, name)}: proof of {certificate.claim}", err=True)
        except (PuzzleError, Unsupported) as error:
            typer.echo(f"warning: {printable(name)}: no proof: {error}", err=True)
        except Interrupted:
            late = f"no certificate within {wall:g} s, and none saved; nonocsp solve --proof has no limit"
            typer.echo(f"warning: {printable(name)}: {late}", err=True)


def save_sheets(sheets: Sheets, output: Path, *, title: str = "") -> None:
    """Write sheets; say where they are, and warn of cells that are too small and letters that no font has."""
    from nonocsp import extras
    from nonocsp.render.fonts import missing
    from nonocsp.render.sheet import write_sheets

    unknown = "" if output.suffix.lower() == ".svg" else missing(sheets.texts)
    if unknown:
        some = printable(unknown if len(unknown) <= _MOST_UNKNOWN else f"{unknown[:_MOST_UNKNOWN]}…")
        advice = f"; {extras.missing('japanese') or 'SVG pages show them in the fonts of the reader'}"
        typer.echo(f"warning: no font here has these characters, printed as ?: {some}{advice}", err=True)
    if sheets.smallest_cell < FINE_CELL:
        advice = "; a lower --per-page makes them larger" if sheets.on_page > 1 else ""
        typer.echo(f"warning: the smallest cells are {sheets.smallest_cell:.2g} mm wide{advice}", err=True)
    paths = write_sheets(sheets, output, title=title)
    last = f" to {paths[-1].name}" if len(paths) > 1 else ""
    typer.echo(f"{paths[0]}{last}: {counted(len(sheets.pages), 'page')}", err=True)
