"""The ``nonocsp`` command: its subcommands, and what all of them do with errors, Ctrl-C and closed pipes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from nonocsp.cli import backends, bench, certificate, check, convert, dataset, doctor, solve
from nonocsp.cli.exit_codes import EXPLANATION, ExitCode

if TYPE_CHECKING:
    from typing import TextIO


class Commands(TyperGroup):
    """Turns what may end a command early into a message and an exit code; a bug still shows its traceback."""

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
    """Solve, prove, compare and make nonograms."""


app.command(epilog=solve.EXAMPLES)(solve.solve)
app.command(epilog=check.EXAMPLES)(check.check)
app.command(epilog=bench.EXAMPLES)(bench.bench)
app.command(epilog=convert.EXAMPLES)(convert.convert)
app.command(epilog=backends.EXAMPLES)(backends.backends)
app.add_typer(dataset.app)
app.add_typer(certificate.app)
app.command(epilog=doctor.EXAMPLES)(doctor.doctor)
