"""``nonocsp studio``: draw, judge and print puzzles in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.manual import command, command_line

app = command_line()


@command(
    app,
    "nonocsp studio",
    "nonocsp studio cat.non",
    "nonocsp studio --no-browser --port 8080 --folder puzzles",
    interrupted="Ctrl-C, which is how it ends",
    see="play, repair, generate, print",
)
def studio(
    file: Annotated[
        str | None,
        typer.Argument(metavar="FILE", show_default=False, help="Puzzle to open: a file, or FILE#3."),
    ] = None,
    *,
    no_browser: Annotated[bool, opt.option("Open no browser; print the address.", "--no-browser")] = False,
    port: Annotated[
        int, opt.option("Port of this machine; 0 takes a free one.", metavar="N", min=0, max=65535)
    ] = 0,
    folder: Annotated[
        Path | None,
        opt.option(
            "Folder to open and save puzzles in.  [default: that of FILE, or the current one]", metavar="DIR"
        ),
    ] = None,
) -> None:
    """Draw puzzles in a browser that says whether they are unique.

    Prints the address of a page that only this machine can open, and opens it. As long as this command runs,
    the page also reads and writes all formats, makes puzzles of photos, prints PDF and saves in the folder.
    The address holds a key that is new at every start. With --port the browser finds again what it kept.
    """
    from nonocsp import pages

    pages.built("studio")  # fails now if it is not
    from nonocsp.studio.app import Studio
    from nonocsp.studio.folder import Folder
    from nonocsp.studio.server import bind, open_browser, serve
    from nonocsp.studio.worker import opened

    name, puzzle = opened(file) if file else ("", None)
    default = Path(file).parent if file and file != "-" else Path()
    served = Studio(Folder(folder or default), name, puzzle)

    def started(address: str) -> None:
        print(address, flush=True)
        typer.echo(f"the studio saves in {served.folder.root}; Ctrl-C ends it", err=True)
        if not no_browser:
            open_browser(address)

    serve(served, bind(port), started)
