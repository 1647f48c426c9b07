"""All commands of nonocsp with their options, as the help texts have them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tables import code, table
from typer.core import TyperGroup
from typer.main import get_command


def commands() -> str:
    """Return a section for each command and each backend."""
    from nonocsp.cli.app import app

    main = get_command(app)
    return "\n".join(_sections(main, main.make_context("nonocsp", ["--"], resilient_parsing=True)))


def _sections(command: Any, context: Any) -> Iterator[str]:
    if not isinstance(command, TyperGroup):
        yield _section(command, context)
        return
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        yield from _sections(found, type(context)(found, info_name=name, parent=context))


def _section(command: Any, context: Any) -> str:
    records = [record for parameter in command.get_params(context) if (record := _record(parameter, context))]
    return "\n\n".join(
        [
            f"## {context.command_path}",
            re.sub(r"\n *\n", "\n\n", (command.help or "").replace("\b\n", "")),
            f"```text\n{context.get_usage()}\n```",
            table(("argument or option", "what it does"), records),
            _examples(command.epilog or ""),
        ]
    )


def _record(parameter: Any, context: Any) -> tuple[str, str] | None:
    record = parameter.get_help_record(context)
    return record and (code(record[0]), re.sub(r"([<>*])", r"\\\1", record[1]))


def _examples(epilog: str) -> str:
    lines = re.findall(r"^ *(nonocsp .*)$", epilog, re.MULTILINE)
    return "```sh\n" + "\n".join(lines) + "\n```\n" if lines else ""
