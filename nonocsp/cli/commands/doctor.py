"""``nonocsp doctor``: what works on this machine."""

from __future__ import annotations

import json
from dataclasses import asdict

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import print_rows
from nonocsp.cli.shared.endings import ExitCode
from nonocsp.cli.shared.manual import command, command_line

app = command_line()


@command(
    app,
    "nonocsp doctor",
    "nonocsp doctor --json",
    fine="nonocsp works here",
    negative="nonocsp lacks something it needs",
    see="backends",
)
def doctor(as_json: opt.AsJson = False) -> None:
    """List what works on this machine, and how to get the rest.

    Covers versions, cores, memory, control groups, backends and optional tools.
    """
    from nonocsp.doctor import diagnoses

    found = list(diagnoses())
    if as_json:
        for diagnosis in found:
            print(json.dumps(asdict(diagnosis) | {"state": diagnosis.state}))
    else:
        print_rows(("what", "state", "found"), [(f.name, f.state, f.value) for f in found])
        advice: dict[str, list[str]] = {}
        for diagnosis in found:
            if diagnosis.fix:
                advice.setdefault(diagnosis.fix, []).append(diagnosis.name)
        for fix, names in advice.items():
            typer.echo(f"{', '.join(names)}:\n  {fix}")
    broken = any(diagnosis.state == "problem" for diagnosis in found)
    raise typer.Exit(ExitCode.NEGATIVE if broken else ExitCode.FINE)
