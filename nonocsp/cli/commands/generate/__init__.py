"""``nonocsp generate``: puzzles from a picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nonocsp.cli.commands.generate.options import Destination, Look, Wanted
from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared import values
from nonocsp.cli.shared.endings import usage_error
from nonocsp.cli.shared.manual import command, command_line

if TYPE_CHECKING:
    from nonocsp.making.puzzles import Generated


app = command_line()


@command(
    app,
    "nonocsp generate photo.jpg",
    "nonocsp generate photo.jpg --pick 7 --output photo.json",
    "nonocsp generate photo.jpg --count 8 --vary 60 --edges only -o photo.html",
    "nonocsp generate drawing.png --max-changes 3 --compare changes.svg",
    "nonocsp generate parrot.webp --colours 4 --difficulty medium -o parrot.xml",
    "nonocsp generate --pack photos/ --title 'Our summer' --output book.pdf",
    fine="all puzzles were made",
    negative="missed the target difficulty or --max-changes, or found too few puzzles",
    limit="time was up before all were made",
    see="difficulty, print, dataset",
)
@opt.grouped
def generate(
    ctx: typer.Context,
    picture: Annotated[
        str | None,
        typer.Argument(
            metavar="PICTURE",
            show_default=False,
            help="An image file; - is the standard input; with --pack, a folder.",
        ),
    ] = None,
    *,
    pack: Annotated[
        bool,
        opt.option(
            "Make a set, easy to hard, of a folder's images or of thirty built-in drawings.", "--pack"
        ),
    ] = False,
    size: Annotated[
        values.PictureSize | None,
        opt.option(
            "Size of the puzzle; 30x or x38 keeps the picture's aspect.  [default: suits the picture]",
            metavar="ROWSxCOLUMNS",
            parser=values.picture_size,
        ),
    ] = None,
    pick: Annotated[int | None, opt.number("Make puzzle N of the contact sheet.", least=1)] = None,
    wanted: Wanted,
    look: Look,
    destination: Destination,
) -> None:
    """Make puzzles from a picture: a photo, a drawing, a logo.

    Without a look, such as --edges or --colours, a page and a table show up to a dozen puzzles to choose
    from; --pick makes one of them, and a file gets the first. A drawing, which is at most 64x64 pixels in few
    colours, is taken as it is if it is unique.

    With a look, as few cells as possible change, those that show least, until the solution is the only one,
    and line solving finds it if the picture is a photo. Every puzzle is proved unique and graded. The changed
    cells are listed, and stand between parentheses. With --vary the last variation of each is printed too.
    """
    from nonocsp.cli.commands.generate.pack import generate_pack
    from nonocsp.cli.commands.generate.sheet import choose, wants_choice

    if pack:
        generate_pack(ctx, picture, wanted, look, destination)
    if destination.title:
        raise usage_error("--title is for a book; --pack --output FILE.pdf makes one")
    if picture is None:
        raise usage_error("name a picture; only --pack works without one")
    if Path(picture).is_dir():
        raise usage_error(f"{picture} is a folder; --pack makes a set of its pictures")
    from nonocsp.cli.commands.generate import output as outputs
    from nonocsp.cli.shared.saving import save_proofs
    from nonocsp.making.image import prepare
    from nonocsp.making.picture import read_picture
    from nonocsp.making.puzzles import Production

    target = outputs.Target.of(destination.output, destination.output_format, picture)
    if destination.compare:
        outputs.check_comparison(destination.compare, picture)
    options = wanted.options()
    if pick is not None or wants_choice(ctx, look):
        chosen = choose(
            ctx,
            picture,
            size=size,
            pick=pick,
            wanted=wanted,
            look=look,
            destination=destination,
            target=target,
        )
        prepared, options = chosen.prepared, replace(options, class_=chosen.required)
    else:
        prepared = prepare(read_picture(picture, size, cut=look.cut), look.options())
    found = Production(prepared, options)
    is_drawing, is_saved = prepared.picture.is_drawing, target is not None
    made: list[Generated] = []
    try:
        for one in found:
            made.append(one)
            as_json = destination.as_json
            outputs.print_made(one, len(made), is_drawing=is_drawing, as_json=as_json, is_saved=is_saved)
    except KeyboardInterrupt:
        kept = " and are kept" if target else ""
        typer.echo(f"{len(made)} of {wanted.count} puzzles were made{kept}", err=True)
        raise
    finally:
        if target and made:
            target.save(found.prepared, made)
        if destination.compare and made:
            outputs.save_comparison(destination.compare, found.prepared, made)
    save_proofs(
        (puzzle for one in made for puzzle in outputs.puzzles_of(one)), destination.proof, wanted.time
    )
    raise typer.Exit(outputs.conclude(found, made, options))
