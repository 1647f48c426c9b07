"""``nonocsp backends``: the backends that are installed, and their options."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nonocsp.cli.shared.completion import complete_backend
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import AsJson, WallLimit

if TYPE_CHECKING:
    from nonocsp.backends.registry import BackendInfo

EPILOG = epilog(
    "nonocsp backends",
    "nonocsp backends sat",
    "nonocsp backends --json",
    "nonocsp backends --try ./mine.yaml",
    exits={
        ExitCode.FINE: "listed; with --try: nothing is wrong",
        ExitCode.NEGATIVE: "with --try: something is wrong",
    },
    see=("solve", "doctor"),
)


def backends(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", autocompletion=complete_backend, help="Backend to show with its options."
        ),
    ] = None,
    *,
    is_trial: Annotated[
        bool,
        typer.Option(
            "--try", help="Try NAME on ten small puzzles, and say what is right and what is missing."
        ),
    ] = False,
    limit: WallLimit = None,
    as_json: AsJson = False,
) -> None:
    """List the backends: what each does, and whether it can run here.

    With NAME, shows that backend and its options. To set them, write name:key=value,key=value wherever an
    option takes a backend. Each backend is also a command: nonocsp NAME --help. NAME can also be a YAML file
    that declares a program.
    """
    if is_trial:
        _try(name, limit, as_json=as_json)
        return
    from nonocsp.backends.registry import info, names
    from nonocsp.cli.shared.console import print_rows
    from nonocsp.model import UsageError

    if limit is not None:
        raise UsageError("--limit is for --try")
    found = [info(known) for known in ([name] if name else names())]
    if as_json:
        for backend in found:
            record = {"name": backend.name, "version": backend.version, "available": not backend.unavailable}
            if backend.unavailable:
                record["reason"] = backend.unavailable
            if backend.missing_choices:
                record["missing_choices"] = backend.missing_choices
            if backend.backend is not None:
                record |= {"method": backend.backend.summary, "paper": backend.backend.paper}
                record |= asdict(backend.backend.capabilities)
                record["options"] = [asdict(option) for option in backend.options()]
            print(json.dumps(record))
    elif name:
        _print_one(found[0])
    else:
        print_rows(
            ("backend", "version", "method", "complete", "colours", "available"),
            [(backend.name, backend.version, *_properties(backend)) for backend in found],
        )
    group: Any = context.find_root().command
    for hidden in {backend.name for backend in found} & set(getattr(group, "commands", ())):
        note = f"{hidden} is also another command: use nonocsp solve --backend {hidden}"
        typer.echo(note, err=as_json)


def _try(spec: str | None, wall: float | None, *, as_json: bool) -> None:
    """Try a backend, and print what is right and what is missing; the same fault is told once."""
    from nonocsp.cli.shared.console import printable
    from nonocsp.model import UsageError
    from nonocsp.testing.trial import WALL_S, Verdict, kind_of, summary, trials

    if spec is None:
        raise UsageError("--try needs a backend, such as nonocsp backends --try ./mine.yaml")
    tried, told = [], set()
    for trial in trials(spec, WALL_S if wall is None else wall):
        tried.append(trial)
        if as_json:
            print(json.dumps(trial.record()), flush=True)
            continue
        rows, columns = trial.puzzle.shape
        size, said = f"{rows}x{columns}", f"{trial.outcome.answer} {trial.outcome.termination}"
        time = f"{1000 * trial.outcome.wall_s:.0f} ms"
        typer.echo(f"{trial.verdict:<6} {size:<4} {trial.puzzle.title:<31} {said:<17} {time}")
        if trial.verdict is Verdict.WRONG and (kind := kind_of(trial.reason)) not in told:
            told.add(kind)
            for line in (trial.reason, *trial.comparison()):
                typer.echo(f"       {printable(line)}")
    if not as_json:
        typer.echo()
        for line in summary(spec, tried):
            typer.echo(printable(line))
    if any(trial.verdict is Verdict.WRONG for trial in tried):
        raise typer.Exit(ExitCode.NEGATIVE)


def _properties(found: BackendInfo) -> tuple[str, str, str, str]:
    """Return method, complete, colours and available, as the table has them."""
    without = "; ".join(f"not {choice}: {reason}" for choice, reason in found.missing_choices.items())
    available = (
        f"no: {found.unavailable}" if found.unavailable else f"yes, but {without}" if without else "yes"
    )
    if found.backend is None:
        return "", "", "", available
    can = found.backend.capabilities
    return found.backend.summary, _yes_no(can.complete), _yes_no(can.colours), available


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"


def _print_one(found: BackendInfo) -> None:
    from nonocsp.cli.shared.console import print_rows

    method, complete, colours, available = _properties(found)
    paper = found.backend.paper if found.backend else ""
    lines = {
        "backend": f"{found.name} {found.version}",
        "method": method,
        "paper": paper,
        "complete": complete,
        "colours": colours,
        "available": available,
    }
    for key, value in lines.items():
        if value:
            typer.echo(f"{key:<10} {value}")
    if options := found.options():
        typer.echo()
        print_rows(
            ("option", "values", "default", "meaning"),
            [(option.name, option.type, option.default, option.help) for option in options],
        )
