"""The ``nonocsp`` command: its subcommands, and what all of them do with errors, Ctrl-C and closed pipes.

Beside the commands below there is one for every installed backend (`nonocsp.cli.backend_command`). They are
looked up only for the help, for completion, and for a name that is none of the commands below, which wins.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from nonocsp.cli import (
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
    generate,
    printing,
    report,
    results,
    solve,
)
from nonocsp.cli.exit_codes import EXPLANATION, ExitCode

if TYPE_CHECKING:
    from typing import TextIO


class Commands(TyperGroup):
    """The commands and the backends; what may end one early becomes a message and an exit code.

    A bug still shows its traceback.
    """

    def list_commands(self, _: Any) -> list[str]:
        """Return the names of all commands, backends last."""
        return [*self.commands, *self._backends()]

    def get_command(self, _: Any, name: str) -> Any:
        """Return a command, or that of a backend, or None."""
        if name in self.commands or name not in self._backends():
            return self.commands.get(name)
        from nonocsp.cli.backend_command import backend_command

        return backend_command(name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that `args` begin with; if there is none, say which is near."""
        name, *rest = args
        command = self.get_command(ctx, name)
        if command is None and not ctx.resilient_parsing:
            from difflib import get_close_matches

            near = " or ".join(map(repr, get_close_matches(name, self.list_commands(ctx))))
            ctx.fail(f"No such command {name!r}.{f' Did you mean {near}?' if near else ''}")
        return command and name, command, rest

    def format_commands(self, _: Any, formatter: Any) -> None:
        """Write what each command does, and each backend."""
        from nonocsp.backends.installed import summary

        commands = self.commands.items()
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, found.get_short_help_str(formatter.width)) for name, found in commands]
            )
        with formatter.section("Backends (nonocsp NAME FILE... solves with one)"):
            formatter.write_dl([(name, summary(name)) for name in self._backends()])

    def _backends(self) -> list[str]:
        """Return the names of the backends that have a command of their own."""
        from nonocsp.backends.installed import registered

        return [name for name in registered() if name not in self.commands]

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()  # so that a closed pipe is noticed here and not while Python shuts down
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(ExitCode.INTERRUPTED) from None
        except BrokenPipeError:
            _discard(sys.stdout)
            raise typer.Exit(ExitCode.BROKEN_PIPE) from None
        except Exception as error:
            if not (message := _told_to_people(error)):
                raise
            typer.echo(f"error: {message}", err=True)
            raise typer.Exit(ExitCode.USAGE) from None
        return result


def _told_to_people(error: Exception) -> str:
    """Return the message of an error that is no bug; empty for one that is."""
    from nonocsp.model import NonocspError  # here, because it brings NumPy along

    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error) if isinstance(error, NonocspError) else ""


def _discard(stream: TextIO) -> None:
    """Let what is still buffered for a closed pipe go nowhere, silently."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"nonocsp {version('nonocsp')}")
        raise typer.Exit


app = typer.Typer(
    name="nonocsp",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,  # help through rich takes 0.1 s longer
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EXPLANATION,
)


@app.callback()
def _nonocsp(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Solve, prove, compare, grade and make nonograms."""


app.command(epilog=solve.EXAMPLES)(solve.solve)
app.command(epilog=check.EXAMPLES)(check.check)
app.command(epilog=difficulty.EXAMPLES)(difficulty.difficulty)
app.command(epilog=census.EXAMPLES)(census.census)
app.command(epilog=explain.EXAMPLES)(explain.explain)
app.command(epilog=bench.EXAMPLES)(bench.bench)
app.command(epilog=report.EXAMPLES)(report.report)
app.command(epilog=convert.EXAMPLES)(convert.convert)
app.command("print", epilog=printing.EXAMPLES)(printing.print_puzzles)
app.command(epilog=generate.EXAMPLES)(generate.generate)
app.command(epilog=backends.EXAMPLES)(backends.backends)
app.add_typer(results.app)
app.add_typer(dataset.app)
app.add_typer(certificate.app)
app.command(epilog=doctor.EXAMPLES)(doctor.doctor)
