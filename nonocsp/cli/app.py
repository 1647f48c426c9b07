"""The ``nonocsp`` command: its subcommands, and how all of them handle errors, Ctrl-C and closed pipes.

A command's module is imported when that command is asked for; the help lists all from a table. Every
installed backend is a command too (`nonocsp.cli.backend_command`). Backends are looked up only for
the help, for completion, and for a name that no command has: commands win over backends.
"""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer

import nonocsp
from nonocsp.cli.commands import SUMMARIES
from nonocsp.cli.shared.endings import told
from nonocsp.cli.shared.manual import HELP, Commands, epilog, write_epilog


class AllCommands(Commands):
    """The commands and the backends; errors and Ctrl-C become a message and an exit code."""

    def list_commands(self, _: Any) -> list[str]:
        """Return the names of all commands, backends last."""
        return [*SUMMARIES, *_backends()]

    def get_command(self, _: Any, name: str) -> Any:
        """Return the command of that name, of a backend too, or None."""
        if name in SUMMARIES:
            return typer.main.get_command(import_module(f"nonocsp.cli.commands.{name}").app)
        if name not in _backends():
            return None
        from nonocsp.cli.backend_command import backend_command

        return backend_command(name)

    def format_commands(self, _: Any, formatter: Any) -> None:
        """Write a line about each command and each backend."""
        from nonocsp.backends.installed import summary

        with formatter.section("Commands"):
            formatter.write_dl([*SUMMARIES.items()])
        with formatter.section("Backends (nonocsp NAME FILE... solves with it)"):
            formatter.write_dl([(name, summary(name)) for name in _backends()])

    def format_epilog(self, _: Any, formatter: Any) -> None:
        """Write examples and exit codes."""
        write_epilog(self, formatter)

    def make_context(self, *args: Any, **rest: Any) -> Any:
        """Read the options before the command, which may already print and exit."""
        with told():
            return super().make_context(*args, **rest)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with told():
            return super().invoke(ctx)


def _backends() -> list[str]:
    """Return the names of the backends that have a command of their own."""
    from nonocsp.backends.installed import registered

    return [name for name in registered() if name not in SUMMARIES]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"nonocsp {nonocsp.__version__}")
        raise typer.Exit


app = typer.Typer(
    name="nonocsp",
    cls=AllCommands,
    no_args_is_help=True,
    rich_markup_mode=None,  # help through rich takes 0.1 s longer
    pretty_exceptions_enable=False,
    context_settings=HELP,
    epilog=epilog(
        "nonocsp solve cat.non",
        "nonocsp generate photo.jpg --output photo.non",
        "nonocsp difficulty set.txt",
        "nonocsp bench configs/smoke.yaml",
        fine="fine",
        negative="a negative finding: not unique, no solution, backends disagree",
        limit="a limit was hit",
        see="nonocsp COMMAND --help",
    ),
)


@app.callback()
def _nonocsp(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Solve, prove, compare, grade and make nonograms."""
