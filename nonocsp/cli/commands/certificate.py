"""``nonocsp certificate``: verify proofs, such as that a solution is the only one."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import printable, progress_bars
from nonocsp.cli.shared.endings import ExitCode
from nonocsp.cli.shared.manual import command, command_line

if TYPE_CHECKING:
    from nonocsp.certificates.verifier import Verification

app = command_line("certificate")


@app.callback()
def _certificate() -> None:
    """Verify proofs, such as that a solution is the only one."""


@command(
    app,
    "nonocsp certificate verify proofs/cat.json",
    "nonocsp certificate verify --json proofs/*.json",
    fine="every certificate proves its claim",
    negative="a certificate does not prove its claim",
    see="solve, check",
)
def verify(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Certificates, as nonocsp solve --proof FOLDER writes them."),
    ],
    *,
    as_json: opt.AsJson = False,
) -> None:
    """Verify certificates from their clues alone.

    Compares the solutions with the clues, builds the formula again and checks its proof step by step, without
    a solver. If a certificate does not prove its claim, the message names the file and line at fault.
    """
    from nonocsp.certificates.verifier import verify as check

    code = ExitCode.FINE
    for file in files:
        with progress_bars() as move:
            found = check(file, partial(_show, move, file.name))
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


def _show(move: Callable[[str, float, float, str], None], name: str, done: int, total: int) -> None:
    move("", done, total, name)


def _text(file: Path, found: Verification) -> str:
    if not found.claim or not found.puzzle or not found.valid:
        return f"{file}: INVALID\n  {printable(found.fault)}"
    says = {"unique": "exactly one solution", "multiple": "more than one solution", "unsat": "no solution"}[
        found.claim
    ]
    rows, columns = found.puzzle.shape
    title = f' "{printable(found.puzzle.title)}"' if found.puzzle.title else ""
    proof = f"{found.variables} variables, {found.clauses} clauses, {found.lemmas} lemmas, "
    figures = f"{proof if found.clauses else ''}{found.seconds:.2f} s"
    return f"{file}: valid\n  the {rows}x{columns} puzzle{title} has {says} ({figures})"
