"""The one-call Python interface to puzzles from pictures."""

from __future__ import annotations

from collections.abc import Sequence

from nonocsp.making.colours import parse_palette
from nonocsp.making.draft import Weights
from nonocsp.making.image import Dither, EdgeFilter, Edges, PictureOptions, Threshold, prepare
from nonocsp.making.judging import RequiredClass
from nonocsp.making.picture import AnyPicture, Size, read_picture
from nonocsp.making.puzzles import Production, PuzzleOptions
from nonocsp.model import Palette


def generate(
    image: AnyPicture,
    *,
    size: Size | None = None,
    count: int = 1,
    vary: int = 0,
    difficulty: tuple[int, int] | str | None = None,
    class_: RequiredClass | str | None = None,
    max_changes: int | None = None,
    threshold: Threshold | str | None = None,
    black: float | None = None,
    edges: Edges | str = Edges.NONE,
    edge_filter: EdgeFilter | str = EdgeFilter.CANNY,
    dither: Dither | str = Dither.NONE,
    cut: bool = False,
    colours: int | None = None,
    palette: Palette | Sequence[str] | None = None,
    fill_empty: bool = False,
    apart: int | None = None,
    clear: bool = True,
    prune: bool = True,
    alpha: float = 8.0,
    beta: float = 1.0,
    gamma: float = 8.0,
    seed: int = 0,
    time: float | None = None,
    jobs: int | None = None,
) -> Production:
    """Make puzzles from a picture, each with exactly one solution (Batenburg et al. 2009, section 5).

    The picture is read and prepared at once, so this call raises its errors. The puzzles are made when
    asked for.

    Parameters
    ----------
    image
        A file, ``"-"`` for standard input, a pillow image, an array of pixels or a `Picture`.
    size
        (rows, columns), one of which may be None; by default it suits the picture.
    count
        Number of puzzles, each different from those before.
    vary
        Number of cells to change further in each, one after the other, which usually makes it easier.
    difficulty
        Target: lowest and highest number of sweeps, or a level: ``"easy"``, ``"medium"``, ``"hard"`` or
        ``"expert"``. If it is missed, the closest puzzle is returned.
    class_
        Method that must suffice: ``"simple"``, line solving; ``"fp1"``, fully probing; ``"unique"``, anything
        that proves the solution to be the only one. By default ``"unique"`` for a drawing, which is at most
        64x64 pixels in few colours, and ``"simple"`` for anything else.
    max_changes
        The most cells in which a puzzle may differ from the prepared picture; None for any number. If it is
        missed, the closest puzzle is returned.
    threshold
        What is black: ``"otsu"``, ``"share"`` or ``"adaptive"``. By default the darker of two groups that are
        as distinct as possible, or, if `black` is given, a share.
    black
        The share of black before anything is changed, above 0 and below 1; not for ``"otsu"``.
    edges
        What is drawn: ``"none"`` for dark areas, ``"only"`` the edges of the picture, ``"both"`` the edges
        and the darker half of the areas.
    edge_filter
        How edges are found: ``"canny"``, ``"sobel"`` or ``"xdog"``, which makes an ink drawing.
    dither
        Whether cells mix to shades in between: ``"none"``, ``"diffusion"`` or ``"ordered"``.
    cut
        Whether to cut the subject from a background of one colour.
    colours
        Number of foreground colours to find in the picture; 0 for black on white. By default a drawing keeps
        its own colours, and anything else becomes black on white.
    palette
        Colours to use instead, the background first: ``["white", "#d7191c", "black"]``.
    fill_empty
        Whether each empty line of the prepared picture gets a cell.
    apart
        The fewest cells in which two of the puzzles differ; None for 1 % of the cells.
    clear
        Whether cells may also lose their colour, where that changes less.
    prune
        Whether changes that are not needed are undone, and others replaced by fewer or less visible ones.
    alpha, beta, gamma
        Weights for choosing a cell: cells left open, resemblance, difference from earlier puzzles.
    seed
        Decides between changes of equal value.
    time
        Seconds for all puzzles together; when they are over, there are fewer puzzles.
    jobs
        Threads; by default one a core.

    Returns
    -------
    Production
        An iterator over the puzzles; its `prepared` has the picture and the images made of it on the way.

    Raises
    ------
    UsageError
        If there is no such file, or a parameter is out of its range.
    FormatError
        If the file is not a complete picture, has too many pixels, or shows one shade only.
    """
    chosen = palette if isinstance(palette, Palette) or palette is None else parse_palette(palette)
    picture_options = PictureOptions(
        threshold, black, edges, colours, chosen, fill_empty, edge_filter, dither
    )
    weights = Weights(alpha, beta, gamma)
    puzzle_options = PuzzleOptions(
        count, vary, difficulty, class_, max_changes, apart, weights, clear, prune, seed, time, jobs
    )
    return Production(prepare(read_picture(image, size, cut=cut), picture_options), puzzle_options)
