"""The options of ``nonocsp generate``, in the groups that its parts share."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared import values

if TYPE_CHECKING:
    from nonocsp.making.image import PictureOptions
    from nonocsp.making.puzzles import PuzzleOptions

PICTURE, WEIGHTS = "Picture", "Weights"


def _of_picture(help: str, **more: Any) -> Any:
    return typer.Option(help=help, rich_help_panel=PICTURE, **more)


def _weight(help: str) -> Any:
    return opt.option(f"Weight of {help}.", metavar="X", min=0.0, panel=WEIGHTS)


@dataclass(frozen=True, slots=True)
class Look:
    """How the picture becomes an image to begin with; see `nonocsp.making.image.PictureOptions`."""

    threshold: Annotated[
        Literal["otsu", "share", "adaptive"] | None,
        _of_picture(
            "What is black: Otsu's choice, the darkest share, or what is darker than its neighbourhood.  "
            "[default: otsu; share if --black is given]"
        ),
    ] = None
    black: Annotated[float | None, _of_picture("Share of black cells to begin with: 0.35.", metavar="X")] = (
        None
    )
    edges: Annotated[
        Literal["none", "only", "both"],
        opt.option("Draw dark areas, only the edges, or the edges and the darker half."),
    ] = "none"
    edge_filter: Annotated[
        Literal["canny", "sobel", "xdog"],
        _of_picture("How edges are found: thin lines, strong contrast, or an ink drawing."),
    ] = "canny"
    dither: Annotated[
        Literal["none", "diffusion", "ordered"],
        _of_picture("Mix cells to shades in between, by error diffusion or in a pattern."),
    ] = "none"
    cut: Annotated[
        bool, _of_picture("Cut the subject from a background of one colour, or a transparent one.")
    ] = False
    colours: Annotated[
        int | None,
        opt.number("Number of foreground colours; 0: black and white.  [default: those of a drawing, or 0]"),
    ] = None
    palette: Annotated[
        str | None, _of_picture("Colours to use, background first: white,black,#d7191c.", metavar="A,B,…")
    ] = None
    fill_empty: Annotated[bool, _of_picture("Put a cell into each empty line, as the paper does.")] = False

    def options(self) -> PictureOptions:
        """Return what `nonocsp.making` takes."""
        from nonocsp.making.colours import parse_palette
        from nonocsp.making.image import PictureOptions

        given = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "cut"}
        if self.palette:
            given["palette"] = parse_palette(self.palette.split(","))
        return PictureOptions(**given)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which puzzles to make; see `nonocsp.making.puzzles.PuzzleOptions`."""

    count: opt.Count = 1
    vary: Annotated[
        int, opt.number("Change N more cells in each, which makes it easier.", panel=opt.MORE)
    ] = 0
    difficulty: Annotated[
        values.Target | None,
        opt.option(
            "Target: easy, medium, hard, expert; or sweeps: 20..30.",
            metavar="LEVEL|A..B",
            parser=values.target,
        ),
    ] = None
    class_: Annotated[
        Literal["simple", "fp1", "unique"] | None,
        opt.option(
            "Method that must suffice: line solving, probing, or any.  "
            "[default: unique for a drawing, simple for a photo]",
            "--class",
            panel=opt.MORE,
        ),
    ] = None
    max_changes: Annotated[int | None, opt.number("Change at most N cells.", panel=opt.MORE)] = None
    apart: Annotated[
        int | None,
        opt.number(
            "Fewest cells in which two puzzles differ.  [default: 1 % of the cells]", least=1, panel=opt.MORE
        ),
    ] = None
    clear: Annotated[
        bool,
        opt.option(
            "Cells may also become background, where that shows less.", "--clear/--no-clear", panel=opt.MORE
        ),
    ] = True
    prune: Annotated[
        bool,
        opt.option(
            "Undo changes that are not needed, replace visible ones.", "--prune/--no-prune", panel=opt.MORE
        ),
    ] = True
    alpha: Annotated[float, _weight("cells that line solving leaves open")] = 8.0
    beta: Annotated[float, _weight("the resemblance to the picture")] = 1.0
    gamma: Annotated[float, _weight("the difference from earlier puzzles")] = 8.0
    seed: opt.Seed = 0
    time: opt.TotalTime = None
    jobs: opt.JobsOnCores = None

    def options(self) -> PuzzleOptions:
        """Return what `nonocsp.making` takes."""
        from nonocsp.making.draft import Weights
        from nonocsp.making.puzzles import PuzzleOptions

        given = {field.name: getattr(self, field.name) for field in fields(self)}
        weights = Weights(*(given.pop(name) for name in ("alpha", "beta", "gamma")))
        given["difficulty"] = self.difficulty and self.difficulty.wanted
        return PuzzleOptions(**given, weights=weights)


@dataclass(frozen=True, slots=True)
class Destination:
    """Where the puzzles go, and how."""

    output: Annotated[
        str | None,
        opt.output(
            "Puzzle file or folder/; .pdf or .svg to print; .html gallery; - is the standard output.", "PATH"
        ),
    ] = None
    compare: Annotated[
        Path | None,
        opt.file(
            "Save a .svg or .png of the picture before and after, the changed cells framed.", panel=opt.MORE
        ),
    ] = None
    proof: opt.Proofs = None
    title: Annotated[str, opt.titled(opt.MORE)] = ""
    output_format: opt.OutputFormat = None
    as_json: opt.AsJson = False
