"""Write the help of a command: usage, options in groups, examples, exit codes, see also.

The epilog of a command, made by `epilog`, holds all that follows the options; the help and the manual's
reference both show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from typer.core import TyperCommand

from nonocsp.cli.shared.endings import OF_COMMAND_LINE
from nonocsp.cli.shared.exit_codes import ExitCode

_KEEP = "\b\n"
"""Prefix of a paragraph whose lines stay as they are."""
_EVERYWHERE = {ExitCode.USAGE: "wrong usage or invalid input", ExitCode.INTERRUPTED: "Ctrl-C"}
_TRIVIAL_RANGE = re.compile(r"x>=[01](\.0)?(; )?")


def epilog(*examples: str, exits: Mapping[ExitCode, str], see: Iterable[str]) -> str:
    """Return the text below the options of a command.

    Parameters
    ----------
    examples
        Command lines as one would type them.
    exits
        Meanings of the exit codes of this command, without those that mean the same everywhere.
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

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words behind the command; each error knows the command.

        Typer forgets it where an option lacks its value, or has one and takes none.

        Parameters
        ----------
        ctx
            The context of the command.
        args
            The words.
        """
        try:
            return super().parse_args(ctx, args)
        except OF_COMMAND_LINE as error:
            error.ctx = error.ctx or ctx
            raise

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the arguments as they are written in other manuals: ``FILE...``, ``[NAME]``."""
        arguments = [part for part in self.get_params(ctx) if part.param_type_name == "argument"]
        names = [(part.metavar or "", part.required) for part in arguments]
        return ["[OPTIONS]", *(name if required else f"[{name}]" for name, required in names)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, each group below a heading.

        Parameters
        ----------
        ctx
            The context of the command.
        formatter
            The writer of the help page.
        """
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for part in self.get_params(ctx):
            if record := part.get_help_record(ctx):
                name, text = record
                if part.param_type_name == "argument":
                    groups["Arguments"].append((name, text.replace("  [required]", "")))
                else:
                    heading = getattr(part, "rich_help_panel", None) or "Options"
                    text = _TRIVIAL_RANGE.sub("", text).replace("; ]", "]").replace("  []", "")
                    groups.setdefault(heading, []).append((name, text))
        groups["Output"] = groups.pop("Output", [])
        for heading, records in groups.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def format_epilog(self, _: Any, formatter: Any) -> None:
        """Write examples, exit codes and further reading.

        Parameters
        ----------
        _
            The context of the command, which is not needed.
        formatter
            The writer of the help page.
        """
        write_epilog(self, formatter)


def write_epilog(command: Any, formatter: Any) -> None:
    """Write the epilog of a command, line by line as it is.

    Parameters
    ----------
    command
        A command with an epilog.
    formatter
        The writer of the help page.
    """
    formatter.write(f"\n{command.epilog.replace(_KEEP, '')}\n")
