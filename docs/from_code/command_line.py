"""List all commands of nonocsp with their options, taken from the help texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from markup import code, markdown, table
from typer.core import TyperGroup
from typer.main import get_command


def commands() -> str:
    """Return a section for each command and each backend."""
    from nonocsp.cli.app import app

    main = get_command(app)
    return "\n\n".join(_sections(main, main.make_context("nonocsp", ["--"], resilient_parsing=True)))


def commands_table() -> str:
    """Return a table of all commands but those of the backends, and what each does."""
    from nonocsp.backends import registry
    from nonocsp.cli.app import app

    main = get_command(app)
    found = _leaves(main, main.make_context("nonocsp", ["--"], resilient_parsing=True))
    backends = {f"nonocsp {name}" for name in registry.names()}
    rows = ((f"`{path}`", markdown(text)) for path, text in found if path not in backends)
    return table(("command", "what it does"), rows)


def _leaves(command: Any, context: Any) -> Iterator[tuple[str, str]]:
    """Yield the path and the first paragraph of the help of each command."""
    if isinstance(command, TyperGroup):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            yield from _leaves(found, type(context)(found, info_name=name, parent=context))
    else:
        yield context.command_path, (command.help or "").partition("\n\n")[0]


def _sections(command: Any, context: Any) -> Iterator[str]:
    if not isinstance(command, TyperGroup):
        yield _section(command, context)
        return
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        yield from _sections(found, type(context)(found, info_name=name, parent=context))


def _section(command: Any, context: Any) -> str:
    options = Options()
    command.format_options(context, options)
    return "\n\n".join(
        [
            f"## {context.command_path}",
            re.sub(r"\n *\n", "\n\n", (command.help or "").replace("\b\n", "")),
            f"```text\n{context.get_usage().removeprefix('Usage: ')}\n```",
            table(("option", "effect"), options.rows),
            *map(_ending, (command.epilog or "").split("\n\n")),
        ]
    )


class Options:
    """Collects the options of a command as rows of a table, each group below its name."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str]] = []

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Begin a group with this name."""
        self.rows.append((f"**{name}**", ""))
        yield

    def write_dl(self, records: Sequence[tuple[str, str]]) -> None:
        """Add the options of a group."""
        self.rows += [(code(name), re.sub(r"([<>*[])", r"\\\1", text)) for name, text in records]


def _ending(part: str) -> str:
    """Return one part of the text below the options."""
    heading, *lines = part.replace("\b\n", "").splitlines() or [""]
    match heading:
        case "Examples:":
            return "```sh\n" + "\n".join(line.strip() for line in lines) + "\n```"
        case "Exit codes:":
            return table(("exit code", "meaning"), (line.split(maxsplit=1) for line in lines))
        case _:
            return f"{heading} {' '.join(lines)}"
