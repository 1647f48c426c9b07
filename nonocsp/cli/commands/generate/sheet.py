"""``nonocsp generate`` without a look: a contact sheet of renderings, of which ``--pick`` makes one."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import print_rows, terminal
from nonocsp.cli.shared.endings import ExitCode
from nonocsp.cli.shared.saving import check_folder
from nonocsp.model import UsageError

if TYPE_CHECKING:
    from nonocsp.cli.commands.generate.options import Destination, Look, Wanted
    from nonocsp.cli.commands.generate.output import Target
    from nonocsp.making.image import PictureOptions
    from nonocsp.making.picture import Size
    from nonocsp.making.renderings import Rendering

PAGE = ".html"
BEST = 3
"""Renderings to draw on a terminal."""
_OF_ONE_LOOK = {"count", "vary", "difficulty", "apart"}
"""Options beside those of the look that ask for puzzles of one look."""
_LIMITS = {"time", "jobs"}
"""Options that do not change what is made."""


def wants_choice(ctx: typer.Context, look: Look) -> bool:
    """Return whether the command line leaves the look of the puzzle open."""
    return not any(opt.is_given(ctx, name) for name in _OF_ONE_LOOK | {field.name for field in fields(look)})


def choose(
    ctx: typer.Context,
    picture: str,
    *,
    size: Size | None,
    pick: int | None,
    wanted: Wanted,
    look: Look,
    destination: Destination,
    target: Target | None,
) -> Rendering:
    """Return the rendering to make; without `pick` and a file for puzzles, show all and end the command."""
    from nonocsp.making.renderings import COUNT, ranked, renderings
    from nonocsp.run.many import with_progress

    if pick is not None and (given := [f.name for f in fields(look) if opt.is_given(ctx, f.name)]):
        raise UsageError(f"--pick chooses a look; leave out {_flag(ctx, given[0])}")
    for_pages = target is None or target.path.lower().endswith(PAGE)
    shows = pick is None and for_pages and not (destination.compare or destination.proof)
    page = _page(picture, destination) if shows else None
    options = replace(wanted.options(), count=1, vary=0, difficulty=None)
    in_colours = target is None or target.format is None or target.format.holds_colours
    command = partial(command_for, ctx, picture, wanted)
    began = time.perf_counter()
    found: list[Rendering] = []
    try:
        source = renderings(picture, size, options, in_colours=in_colours)
        found += with_progress(source, COUNT)
    except KeyboardInterrupt:
        if shows and found:
            _show(ranked(found), command, page, destination)
        typer.echo(f"{len(found)} renderings were made", err=True)
        raise
    choices = ranked(found)
    is_late = options.time is not None and time.perf_counter() - began >= options.time
    if is_late:
        typer.echo(f"time is up: {len(found)} of up to {COUNT} renderings were made", err=True)
    if not choices:
        raise typer.Exit(ExitCode.LIMIT)
    if pick is not None and pick > len(choices):
        raise UsageError(f"there is no rendering {pick}; choose --pick 1 to {len(choices)}")
    if shows and len(choices) > 1:
        _show(choices, command, page, destination)
        raise typer.Exit(ExitCode.LIMIT if is_late else ExitCode.FINE)
    chosen = choices[(pick or 1) - 1]
    if len(choices) > 1:
        told = f"rendering {pick or 1} of {len(choices)}: {chosen.description}"
        typer.echo(f"{told}; this makes it again:\n  {command(chosen)}", err=True)
    return chosen


def _page(picture: str, destination: Destination) -> Path | None:
    """Return where the page goes, checked before anything is made; None for none."""
    from nonocsp.making.gallery import is_sheet

    if destination.output:
        return Path(destination.output)
    if destination.as_json:
        return None
    path = Path("picture" if picture == "-" else Path(picture).stem).with_suffix(PAGE)
    check_folder(path)
    if path.exists() and not (path.is_file() and is_sheet(path)):
        raise UsageError(f"{path} is there already and is no contact sheet; name a page with --output")
    return path


def _show(
    choices: list[Rendering], command: Callable[[Rendering], str], page: Path | None, destination: Destination
) -> None:
    """Print the table or the records, and write the page."""
    from nonocsp.making.gallery import write_sheet

    commands = [command(one) for one in choices]
    if page:
        write_sheet(page, list(zip(choices, commands, strict=True)))
    _print_renderings(choices, commands, as_json=destination.as_json)
    if not destination.as_json:
        _print_best(choices)
    if page:
        more = "" if destination.as_json else "; --pick N makes one"
        typer.echo(f"{page}: {len(choices)} renderings to choose from{more}", err=True)


def command_for(ctx: typer.Context, picture: str, wanted: Wanted, one: Rendering) -> str:
    """Return the command line that makes the puzzle of a rendering."""
    rows, columns = one.made.puzzle.shape
    words = ["nonocsp", "generate", picture]
    if not one.prepared.picture.is_drawing:
        words += ["--size", f"{rows}x{columns}"]
    settled = _settled(one.look)
    if not settled:
        settled = {"count": 1} if one.prepared.picture.is_drawing else {"threshold": one.look.threshold}
    for field in fields(wanted):
        if opt.is_given(ctx, field.name) and field.name not in _LIMITS:
            settled[field.name] = ctx.params[field.name]
    if one.required:
        settled["class_"] = one.required
    for name, value in settled.items():
        words += _words(ctx, name, value)
    return shlex.join(words)


def _settled(look: PictureOptions) -> dict[str, Any]:
    """Return the options of a look that are not the usual ones, by the names of their parameters."""
    plain = type(look)(black=look.black)
    names = [field.name for field in fields(look)]
    settled = {name: getattr(look, name) for name in names if getattr(look, name) != getattr(plain, name)}
    if look.black is not None:
        settled["black"] = look.black
    return settled


def _words(ctx: typer.Context, name: str, value: Any) -> list[str]:
    """Return an option and its value as one would type them."""
    if isinstance(value, bool):
        return [_flag(ctx, name, is_on=value)]
    if isinstance(value, tuple):
        value = "..".join(map(str, value))
    return [_flag(ctx, name), f"{value:g}" if isinstance(value, float) else str(value)]


def _flag(ctx: typer.Context, name: str, *, is_on: bool = True) -> str:
    """Return the long form of an option."""
    option = next(parameter for parameter in ctx.command.params if parameter.name == name)
    forms = option.opts if is_on else option.secondary_opts
    return max(forms, key=len)


def _print_renderings(choices: Sequence[Rendering], commands: Sequence[str], *, as_json: bool) -> None:
    from nonocsp.making.gallery import facts

    if not as_json:
        rows = [facts(one) for one in choices]
        heads = ["pick", *rows[0]]
        print_rows(heads, [[str(number), *row.values()] for number, row in enumerate(rows, start=1)])
        return
    for number, (one, command) in enumerate(zip(choices, commands, strict=True), start=1):
        print(json.dumps(_record(number, one, command)))


def _record(number: int, one: Rendering, command: str) -> dict[str, object]:
    """Return the JSON record, with the keys that every report of the project uses."""
    puzzle = one.made.puzzle
    rows, columns = puzzle.shape
    return {
        "index": number,
        "rows": rows,
        "columns": columns,
        "colours": len(one.palette) - 1,
        "look": one.description,
        "likeness": round(one.likeness, 4),
        "changes": [change._asdict() for change in one.made.changes],
        "level": one.level and str(one.level),
        "class": one.made.class_,
        "sweeps": one.made.difficulty,
        "command": command,
        "solutions": [puzzle.goal.strings(puzzle.palette) if puzzle.goal else []],
    }


def _print_best(choices: Sequence[Rendering]) -> None:
    """Draw the first renderings side by side on a terminal that shows colours and blocks."""
    console = terminal()
    if console is None or console.no_color or console.color_system is None or console.options.ascii_only:
        return
    from nonocsp.render.terminal import abreast

    drawn = [(f"{number}", one.made.puzzle) for number, one in enumerate(choices[:BEST], start=1)]
    if shown := abreast(drawn, width=console.width):
        console.print(shown)
