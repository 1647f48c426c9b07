"""Write the help of a command: usage, options in groups, examples, exit codes, see also.

``--help`` fits a screen: it leaves out rare options and the exit codes if everything takes more lines.
``--help-all`` and the manual's reference have all. The epilog of a command, made by `epilog`, holds what
follows the options.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from nonocsp.cli.shared.endings import OF_COMMAND_LINE, ExitCode

OUTPUT = "Output"
"""Heading of the options that say what is written where; those below any other heading are rare."""
HELP: dict[str, Any] = {"help_option_names": ["-h", "--help"]}
"""Settings of a command that takes ``-h``, too."""
SCREEN = 40
"""The most lines of ``--help``."""
_EXAMPLES = 4
"""The most examples in a help without rare options."""
_KEEP = "\b\n"
"""Prefix of a paragraph whose lines stay as they are."""
_EVERYWHERE = {ExitCode.USAGE: "wrong usage or invalid input", ExitCode.INTERRUPTED: "Ctrl-C"}
_TRIVIAL_RANGE = re.compile(r"x>=[01](\.0)?(; )?")
_ALL = "nonocsp.help-all"
_OPTIONS = ("help", "version")
"""Options that people write as commands."""


class Commands(TyperGroup):
    """A group of commands that suggests one for a name that it does not have."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the name, the command and the rest of `args`; if there is no such command, suggest one."""
        name, *rest = args
        command = self.get_command(ctx, name)
        if command is None and not ctx.resilient_parsing:
            from nonocsp.model import meant  # help does without it

            names, line = self.list_commands(ctx), ctx.command_path
            near = meant(name, names)
            if Path(name).exists() or (not near and Path(name).suffix):
                near = f" (did you mean '{line} {names[0]} {name}'?)"
            elif name in _OPTIONS:
                near = f" (did you mean '{line} --{name}'?)"
            ctx.fail(f"no such command {name!r}{near}; {line} --help lists them")
        return command and name, command, rest


def command_line(name: str | None = None) -> typer.Typer:
    """Return what a module adds its command to; with a name, a group of commands."""
    return typer.Typer(
        name=name,
        cls=Commands,
        no_args_is_help=name is not None,
        rich_markup_mode=None,
        add_completion=False,
        context_settings=HELP,
    )


def command(
    app: typer.Typer, *examples: str, name: str | None = None, **ending: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the decorator that adds a command; the rest is for `epilog`."""
    return app.command(name, cls=Command, epilog=epilog(*examples, **ending))


def epilog(*examples: str, see: str, **exits: str) -> str:
    """Return the text below the options; `exits` has what exit codes mean here, `see` other commands."""
    own = {ExitCode[name.upper()]: meaning for name, meaning in exits.items()}
    codes = sorted({**_EVERYWHERE, **own}.items())
    parts = (
        ["Examples:", *(f"  {example}" for example in examples)],
        ["Exit codes:", *(f"  {code:<4} {meaning}" for code, meaning in codes)],
        ["See also:", f"  {see}"],
    )
    return "\n\n".join(_KEEP + "\n".join(part) for part in parts)


def write_epilog(command: Any, formatter: Any) -> None:
    """Write the epilog of a command, line by line as it is."""
    formatter.write(f"\n{command.epilog.replace(_KEEP, '')}\n")


class Command(TyperCommand):
    """A command whose help fits a screen, with the options in groups, as their ``rich_help_panel`` says."""

    def __init__(self, *args: Any, **rest: Any) -> None:
        super().__init__(*args, **rest)
        everything = TyperOption(
            param_decls=["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            help="Show all options and exit codes.",
        )
        self.params.append(everything)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words behind the command; let errors know it where Typer forgets that."""
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

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write everything if it was asked for or fits a screen, else what is needed every day."""
        page = ctx.make_formatter()
        super().format_help(ctx, page)
        text = page.getvalue()
        if _ALL in ctx.meta or text.count("\n") <= SCREEN:
            formatter.write(text)
            return
        summary, *more = (self.help or "").split("\n\n")
        self.format_usage(ctx, formatter)
        with formatter.indentation():
            formatter.write_paragraph()
            formatter.write_text("\n\n".join([summary, *more[:1]]))
        groups = self._groups(ctx)
        daily = {name: groups.pop(name) for name in ("Arguments", "Options", OUTPUT)}
        options = daily["Options"]
        daily["Options"] = [*options[:-2], *daily.pop(OUTPUT), options[-1]]  # the last line names --help-all
        _write_groups(daily, formatter)
        examples, _, see_also = (self.epilog or "").replace(_KEEP, "").split("\n\n")
        formatter.write("\n" + "\n".join(examples.split("\n")[: _EXAMPLES + 1]))
        others = see_also.partition("\n")[2].strip()
        formatter.write(f"\n\nSee also: {others}\nMore options: {ctx.command_path} --help-all\n")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write all arguments and options, each group below a heading."""
        _write_groups(self._groups(ctx), formatter)

    def _groups(self, ctx: Any) -> dict[str, list[tuple[str, str]]]:
        """Return the arguments and options with their helps, by heading; ``Output`` is last."""
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
        groups[OUTPUT] = groups.pop(OUTPUT, [])
        return groups

    def format_epilog(self, _: Any, formatter: Any) -> None:
        """Write examples, exit codes and further reading."""
        write_epilog(self, formatter)


def _show_all(ctx: Any, _: Any, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        ctx.meta[_ALL] = True
        typer.echo(ctx.get_help())
        ctx.exit()


def _write_groups(groups: Mapping[str, list[tuple[str, str]]], formatter: Any) -> None:
    for heading, records in groups.items():
        if records:
            with formatter.section(heading):
                formatter.write_dl(records)
