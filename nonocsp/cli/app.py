"""The ``nonocsp`` command: its subcommands, and how all of them handle errors, Ctrl-C and closed pipes.

Every installed backend is a command too (`nonocsp.cli.commands.backend_command`). Backends are looked up
only for the help, for completion, and for a name that no command below has: commands win over backends.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from nonocsp.cli.commands import (
    backends,
    bench,
    census,
    certificate,
    check,
    convert,
    dataset,
    difficulty,
    doctor,
    explain,
    fetch,
    line,
    play,
    report,
    results,
    solve,
    studio,
    tune,
)
from nonocsp.cli.commands import print as printing
from nonocsp.cli.commands.making import generate, repair
from nonocsp.cli.shared.endings import told
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import Command, epilog, write_epilog


class Commands(TyperGroup):
    """The commands and the backends; errors and Ctrl-C become a message and an exit code."""

    def list_commands(self, _: Any) -> list[str]:
        """Return the names of all commands, backends last."""
        return [*self.commands, *self._backends()]

    def get_command(self, _: Any, name: str) -> Any:
        """Return the command of that name, of a backend too, or None.

        Parameters
        ----------
        _
            Not used.
        name
            The first word after ``nonocsp``.
        """
        if name in self.commands or name not in self._backends():
            return self.commands.get(name)
        from nonocsp.cli.commands.backend_command import backend_command

        return backend_command(name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that `args` begin with; suggest a similar one if there is none.

        Parameters
        ----------
        ctx
            While completing, an unknown name gives no command instead of an error.
        args
            The words after the options of ``nonocsp``, at least one.

        Returns
        -------
        tuple
            The name, the command and the rest of the words.

        Raises
        ------
        click.UsageError
            If there is no such command.
        """
        name, *rest = args
        command = self.get_command(ctx, name)
        if command is None and not ctx.resilient_parsing:
            from nonocsp.model import meant  # brings NumPy along

            near = meant(name, self.list_commands(ctx))
            ctx.fail(f"no such command {name!r}{near}; nonocsp --help lists them")
        return command and name, command, rest

    def format_commands(self, _: Any, formatter: Any) -> None:
        """Write a line about each command and each backend.

        Parameters
        ----------
        _
            Not used.
        formatter
            Gets the two lists of the help.
        """
        from nonocsp.backends.installed import summary

        commands = self.commands.items()
        with formatter.section("Commands"):
            formatter.write_dl([(name, found.get_short_help_str(80)) for name, found in commands])
        with formatter.section("Backends (nonocsp NAME FILE... solves with it)"):
            formatter.write_dl([(name, summary(name)) for name in self._backends()])

    def format_epilog(self, _: Any, formatter: Any) -> None:
        """Write examples and exit codes.

        Parameters
        ----------
        _
            Not used.
        formatter
            Gets the end of the help.
        """
        write_epilog(self, formatter)

    def _backends(self) -> list[str]:
        """Return the names of the backends that have a command of their own."""
        from nonocsp.backends.installed import registered

        return [name for name in registered() if name not in self.commands]

    def make_context(self, *args: Any, **rest: Any) -> Any:
        """Read the options before the command, which may already print and exit."""
        with told():
            return super().make_context(*args, **rest)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with told():
            return super().invoke(ctx)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"nonocsp {version('nonocsp')}")
        raise typer.Exit


EPILOG = epilog(
    "nonocsp solve cat.non",
    "nonocsp generate photo.jpg --output photo.non",
    "nonocsp difficulty set.txt",
    "nonocsp bench configs/smoke.yaml",
    exits={
        ExitCode.FINE: "fine",
        ExitCode.NEGATIVE: "a negative finding: not unique, no solution, backends disagree",
        ExitCode.LIMIT: "a limit was hit",
    },
    see=("nonocsp COMMAND --help",),
)

app = typer.Typer(
    name="nonocsp",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,  # help through rich takes 0.1 s longer
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EPILOG,
)


@app.callback()
def _nonocsp(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Solve, prove, compare, grade and make nonograms."""


app.command(cls=Command, epilog=solve.EPILOG)(solve.solve)
app.command(cls=Command, epilog=check.EPILOG)(check.check)
app.command(cls=Command, epilog=difficulty.EPILOG)(difficulty.difficulty)
app.command(cls=Command, epilog=census.EPILOG)(census.census)
app.command(cls=Command, epilog=explain.EPILOG)(explain.explain)
app.command(cls=Command, epilog=line.EPILOG)(line.line)
app.command(cls=Command, epilog=bench.EPILOG)(bench.bench)
app.command(cls=Command, epilog=tune.EPILOG)(tune.tune)
app.command(cls=Command, epilog=report.EPILOG)(report.report)
app.command(cls=Command, epilog=convert.EPILOG)(convert.convert)
app.command(cls=Command, epilog=fetch.EPILOG)(fetch.fetch)
app.command(cls=Command, epilog=play.EPILOG)(play.play)
app.command("print", cls=Command, epilog=printing.EPILOG)(printing.print_puzzles)
app.command(cls=Command, epilog=generate.EPILOG)(generate.generate)
app.command(cls=Command, epilog=repair.EPILOG)(repair.repair)
app.command(cls=Command, epilog=studio.EPILOG)(studio.studio)
app.command(cls=Command, epilog=backends.EPILOG)(backends.backends)
app.add_typer(results.app)
app.add_typer(dataset.app)
app.add_typer(certificate.app)
app.command(cls=Command, epilog=doctor.EPILOG)(doctor.doctor)
