"""``nonocsp certificate``: verify proofs, such as that a solution is the only one."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import Command, epilog
from nonocsp.cli.shared.options import AsJson

if TYPE_CHECKING:
    from nonocsp.certificates.verifier import Progress, Verification

EPILOG = epilog(
    "nonocsp certificate verify proofs/cat.json",
    "nonocsp certificate verify --json proofs/*.json",
    exits={
        ExitCode.FINE: "every certificate proves its claim",
        ExitCode.NEGATIVE: "a certificate does not prove its claim",
    },
    see=("check",),
)

app = typer.Typer(name="certificate", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _certificate() -> None:
    """Verify proofs, such as that a solution is the only one."""


@app.command(cls=Command, epilog=EPILOG)
def verify(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Certificates that nonocsp check --certificate wrote."),
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Verify certificates from their clues alone.

    Compares the solutions with the clues, builds the formula again and checks its proof step by step, without
    a solver. If a certificate does not prove its claim, the message names the file and line at fault.
    """
    from nonocsp.certificates.verifier import verify as check

    code = ExitCode.FINE
    for file in files:
        with _proof_progress(file.name) as progress:
            found = check(file, progress)
        if as_json:
            record: dict[str, Any] = {"certificate": str(file), "valid": found.valid}
            if found.fault:
                record["fault"] = found.fault
            if found.claim:
                record["claim"] = str(found.claim)
            if found.puzzle:
                rows, columns = found.puzzle.shape
                record |= {"title": found.puzzle.title, "rows": rows, "columns": columns}
            record |= {"variables": found.variables, "clauses": found.clauses, "lemmas": found.lemmas}
            typer.echo(json.dumps(record | {"wall_s": found.seconds}))
        else:
            typer.echo(_text(file, found))
        code = max(code, ExitCode.FINE if found else ExitCode.NEGATIVE)
    raise typer.Exit(code)


@contextmanager
def _proof_progress(name: str) -> Iterator[Progress | None]:
    """Show how far a proof is checked, on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Display

    with Display(*Display.get_default_columns(), console=Console(stderr=True), transient=True) as display:
        task = display.add_task(name, total=None)
        yield lambda done, total: display.update(task, completed=done, total=total)


def _text(file: Path, found: Verification) -> str:
    from nonocsp.cli.shared.console import printable

    if not found.claim or not found.puzzle or not found.valid:
        return f"{file}: INVALID\n  {printable(found.fault)}"
    says = {
        "unique": "exactly one solution",
        "multiple": "more than one solution",
        "unsat": "no solution",
    }[found.claim]
    rows, columns = found.puzzle.shape
    title = f' "{printable(found.puzzle.title)}"' if found.puzzle.title else ""
    proof = f"{found.variables} variables, {found.clauses} clauses, {found.lemmas} lemmas, "
    figures = f"{proof if found.clauses else ''}{found.seconds:.2f} s"
    return f"{file}: valid\n  the {rows}x{columns} puzzle{title} has {says} ({figures})"
