"""``nonocsp NAME FILE…``: every installed backend as a command of its own, made from its options.

The command of backend NAME is `nonocsp solve --backend NAME` with the backend's options as options of the
command. Values are checked where those of a spec are, so that both give the same error.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from nonocsp.cli.commands.solve import EXITS, app, solve
from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.manual import Command, command_line, epilog

if TYPE_CHECKING:
    from nonocsp.backends.registry import BackendInfo, OptionHelp

_LONGEST_METAVAR = 30
_LESS_USED = ("task", "jobs", "index")
"""Options of `nonocsp solve` that give way to those of the backend in a short help."""


def backend_command(name: str) -> Any:
    """Return the command of an installed backend, whether it can run here or not."""
    from nonocsp.backends.registry import info

    found = info(name)
    flags = _flags(found)

    def run(**given: Any) -> None:
        own = {option: given.pop(parameter) for parameter, (option, _) in flags.items()}
        chosen = ",".join(f"{option.name}={value}" for option, value in own.items() if value is not None)
        solve(backend=f"{name}:{chosen}" if chosen else name, **given)

    # The command has the options of `solve`, with those of the backend in place of the option for a spec.
    shared = inspect.signature(solve).parameters.values()
    hints = get_type_hints(solve, include_extras=True)
    files, *rest = (part.replace(annotation=hints[part.name]) for part in shared if part.name != "backend")
    own = [
        inspect.Parameter(parameter, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_hint(*flag))
        for parameter, flag in flags.items()
    ]
    signature = inspect.Signature([files, *own, *rest])
    vars(run)["__signature__"] = signature  # where typer looks, as for a decorated function
    run.__annotations__ = {part.name: part.annotation for part in signature.parameters.values()}

    examples = [f"nonocsp {name} cat.non", f"nonocsp {name} --limit 10s --json set.txt"]
    for option, flag in flags.values():
        others = [value for value in option.type.split("|") if value != option.default]
        if "|" in option.type and others:
            examples.append(f"nonocsp {name} {flag} {others[-1]} cat.non")
            break
    ending = epilog(*examples, **EXITS, see=f"solve, backends {name}")
    own_app = command_line()
    own_app.command(name, cls=Command, help=_help(found), epilog=ending)(run)
    command: Any = typer.main.get_command(own_app)
    for parameter in command.params:
        if parameter.name in _LESS_USED:
            parameter.rich_help_panel = opt.MORE
    return command


def _flags(found: BackendInfo) -> dict[str, tuple[OptionHelp, str]]:
    """Return the options of a backend by the name of their parameter, each with its flag."""
    taken = {flag for parameter in typer.main.get_command(app).params for flag in parameter.opts} | {"--help"}
    flags = {}
    for option in found.options():
        flag = f"--{option.name.replace('_', '-')}"
        # one that `solve` has already gets the name of the backend in front
        flags[f"own_{option.name}"] = option, f"--{found.name}{flag[1:]}" if flag in taken else flag
    return flags


def _hint(option: OptionHelp, flag: str) -> Any:
    """Return the annotation from which typer makes the option."""
    choices = option.type.split("|") if "|" in option.type else []
    short = len(option.type) <= _LONGEST_METAVAR
    listed = "" if short else f"  One of {', '.join(choices)}."

    def complete(incomplete: str) -> list[str]:
        return [choice for choice in choices if choice.startswith(incomplete)]

    return Annotated[
        str | None,
        opt.option(
            f"{_sentence(option.help)}{listed}  [default: {option.default}]",
            flag,
            metavar=option.type.replace(" ", "") if short else "CHOICE",
            autocompletion=complete,
        ),
    ]


def _help(found: BackendInfo) -> str:
    """Return the text about the method, its paper, and whether the backend can run here."""
    same = f"Works like nonocsp solve --backend {found.name}."
    reason = f"Not available here: {found.unavailable}." if found.unavailable else ""
    if found.backend is None:
        return f"{reason}\n\n{same}"
    can = found.backend.capabilities
    complete = "Complete" if can.complete else "Incomplete: if it gets stuck, the answer is partial"
    colours = "several colours" if can.colours else "one colour only"
    method = f"{_sentence(found.backend.summary)} {complete}; {colours}."
    paper = _sentence(found.backend.paper) if found.backend.paper else ""
    return "\n\n".join(part for part in (method, paper, same, reason) if part)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
