"""How the help of a command reads: usage, options by what they are for, examples, exit codes, see also.

What comes after the options stands in the epilog of the command, made by `epilog`, so that whatever shows
commands (the help, the manual's reference) has it from one place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from typer.core import TyperCommand

from nonocsp.cli.shared.exit_codes import ExitCode

_KEEP = "\b\n"
"""Before a paragraph whose lines are not to be joined."""
_EVERYWHERE = {ExitCode.USAGE: "wrong usage or invalid input", ExitCode.INTERRUPTED: "Ctrl-C"}
_TRIVIAL_RANGE = re.compile(r"x>=[01](\.0)?(; )?")


def epilog(*examples: str, exits: Mapping[ExitCode, str], see: Iterable[str]) -> str:
    """Return what stands below the options of a command.

    Parameters
    ----------
    examples
        Command lines as one would type them.
    exits
        What the exit codes of this command say, beside those that mean the same everywhere.
    see
        Commands without ``nonocsp``, and pages of the manual.
    """
    codes = sorted({**_EVERYWHERE, **exits}.items())
    parts = (
        ["Examples:", *(f"  {example}" for example in examples)],
        ["Exit codes:", *(f"  {code:<4} {meaning}" for code, meaning in codes)],
        ["See also:", f"  {', '.join(see)}"],
    )
    return "\n\n".join(_KEEP + "\n".join(part) for part in parts)


class Command(TyperCommand):
    """A command whose help has the options in groups, as their ``rich_help_panel`` says."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the arguments as they are written in other manuals: ``FILE...``, ``[NAME]``."""
        arguments = [part for part in self.get_params(ctx) if part.param_type_name == "argument"]
        names = [(part.metavar or "", part.required) for part in arguments]
        return ["[OPTIONS]", *(name if required else f"[{name}]" for name, required in names)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, each group below a heading."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for part in self.get_params(ctx):
            if record := part.get_help_record(ctx):
                name, text = record
                if part.param_type_name == "argument":
                    groups["Arguments"].append((name, text.replace("  [required]", "")))
                else:
                    heading = getattr(part, "rich_help_panel", None) or "Options"
                    groups.setdefault(heading, []).append((name, _plain(text)))
        groups["Output"] = groups.pop("Output", [])
        for heading, records in groups.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def format_epilog(self, _: Any, formatter: Any) -> None:
        """Write examples, exit codes and what else there is to read."""
        write_epilog(self, formatter)


def write_epilog(command: Any, formatter: Any) -> None:
    """Write the epilog of a command, line by line as it is."""
    formatter.write(f"\n{command.epilog.replace(_KEEP, '')}\n")


def _plain(text: str) -> str:
    """Return a help text without the ranges that go without saying."""
    return _TRIVIAL_RANGE.sub("", text).replace("; ]", "]").replace("  []", "")
