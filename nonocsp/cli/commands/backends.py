"""``nonocsp backends``: the backends that are installed, and their options."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nonocsp.cli.commands import SUMMARIES
from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.completion import complete_backend
from nonocsp.cli.shared.console import facts, print_rows, printable
from nonocsp.cli.shared.endings import ExitCode, usage_error
from nonocsp.cli.shared.manual import command, command_line

if TYPE_CHECKING:
    from nonocsp.backends.registry import BackendInfo

app = command_line()


@command(
    app,
    "nonocsp backends",
    "nonocsp backends sat",
    "nonocsp backends --json",
    "nonocsp backends --try ./mine.yaml",
    fine="listed; with --try: nothing is wrong",
    negative="with --try: something is wrong",
    see="solve, doctor",
)
def backends(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", autocompletion=complete_backend, help="Backend to show with its options."
        ),
    ] = None,
    *,
    is_trial: Annotated[
        bool, opt.option("Try NAME on ten small puzzles, and say what is right and what is missing.", "--try")
    ] = False,
    limit: opt.WallLimit = None,
    as_json: opt.AsJson = False,
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

    if limit is not None:
        raise usage_error("--limit is for --try")
    found = [info(known) for known in ([name] if name else names())]
    if as_json:
        for backend in found:
            print(json.dumps(_record(backend)))
    elif name:
        _print_one(found[0])
    else:
        _print_list(found)
    for hidden in {backend.name for backend in found} & SUMMARIES.keys():
        note = f"{hidden} is also another command: use nonocsp solve --backend {hidden}"
        typer.echo(note, err=as_json)


def _record(found: BackendInfo) -> dict[str, Any]:
    record = {"name": found.name, "version": found.version, "available": not found.unavailable}
    if found.unavailable:
        record["reason"] = found.unavailable
    if found.missing_choices:
        record["missing_choices"] = found.missing_choices
    if found.backend is not None:
        record |= {"method": found.backend.summary, "paper": found.backend.paper}
        record |= asdict(found.backend.capabilities)
        record["options"] = [option._asdict() for option in found.options()]
    return record


def _print_list(found: list[BackendInfo]) -> None:
    """Print each backend with its method, and what it cannot do or lacks here."""
    lines = {}
    for backend in found:
        method, complete, colours, available = _properties(backend)
        limits = ["incomplete"] * (complete == "no") + ["one colour only"] * (colours == "no")
        limits += [f"available: {available}"] * (available != "yes")
        lines[backend.name] = "; ".join(part for part in (method, *limits) if part)
    print(facts(lines, width=max(map(len, lines)) + 1))
    print("\nnonocsp backends NAME shows its options; nonocsp NAME FILE... solves with it")


def _try(spec: str | None, wall: float | None, *, as_json: bool) -> None:
    """Try a backend, and print what is right and what is missing; the same fault is told once."""
    from nonocsp.testing.trial import WALL_S, Verdict, kind_of, summary, trials

    if spec is None:
        raise usage_error("--try needs a backend, such as nonocsp backends --try ./mine.yaml")
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
    """Return method, complete, colours and available."""
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
    method, complete, colours, available = _properties(found)
    lines = {
        "backend": f"{found.name} {found.version}",
        "method": method,
        "paper": found.backend.paper if found.backend else "",
        "complete": complete,
        "colours": colours,
        "available": available,
    }
    typer.echo(facts(lines, width=10))
    if options := found.options():
        typer.echo()
        print_rows(
            ("option", "values", "default", "meaning"),
            [(option.name, option.type, option.default, option.help) for option in options],
        )
