"""``nonocsp doctor``: what works on this machine."""

from __future__ import annotations

import json
from dataclasses import asdict

import typer

from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import AsJson

EPILOG = epilog(
    "nonocsp doctor",
    "nonocsp doctor --json",
    exits={
        ExitCode.FINE: "nonocsp works here",
        ExitCode.NEGATIVE: "nonocsp lacks something it needs",
    },
    see=("backends",),
)


def doctor(
    as_json: AsJson = False,
) -> None:
    """List what works on this machine, and how to get the rest.

    Covers versions, cores, memory, control groups, backends and optional tools.
    """
    from nonocsp.cli.shared.console import print_rows
    from nonocsp.doctor import diagnoses

    found = list(diagnoses())
    if as_json:
        for diagnosis in found:
            print(json.dumps(asdict(diagnosis) | {"state": diagnosis.state}))
    else:
        print_rows(("what", "state", "found"), [(f.name, f.state, f.value) for f in found])
        for diagnosis in found:
            if diagnosis.fix:
                typer.echo(f"{diagnosis.name}: {diagnosis.value}\n  {diagnosis.fix}")
    broken = any(diagnosis.state == "problem" for diagnosis in found)
    raise typer.Exit(ExitCode.NEGATIVE if broken else ExitCode.FINE)
