"""``nonocsp backends``: the backends that are installed, and their options."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nonocsp.cli.shared.completion import complete_backend
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import AsJson

if TYPE_CHECKING:
    from nonocsp.backends.registry import BackendInfo

EPILOG = epilog(
    "nonocsp backends",
    "nonocsp backends sat",
    "nonocsp backends --json",
    exits={
        ExitCode.FINE: "listed",
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
    as_json: AsJson = False,
) -> None:
    """List the backends: what each does, and whether it can run here.

    With NAME, shows that backend and its options. To set them, write name:key=value,key=value wherever an
    option takes a backend. Each backend is also a command: nonocsp NAME --help.
    """
    from nonocsp.backends.registry import info, names
    from nonocsp.cli.shared.console import print_rows

    found = [info(known) for known in ([name] if name else names())]
    if as_json:
        for backend in found:
            record = {"name": backend.name, "version": backend.version, "available": not backend.unavailable}
            if backend.unavailable:
                record["reason"] = backend.unavailable
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


def _properties(found: BackendInfo) -> tuple[str, str, str, str]:
    """Return method, complete, colours and available, as the table has them."""
    available = f"no: {found.unavailable}" if found.unavailable else "yes"
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
