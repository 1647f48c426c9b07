"""List the installed backends, built-in and third-party ones alike, from the entry points of `GROUP`.

Nothing of a backend is imported here, nor NumPy, so that a list of all backends is there at once.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "nonocsp.backends"
DECLARED = ".yaml"
"""How the name of a file ends that declares a program as a backend."""


@cache
def registered() -> dict[str, EntryPoint]:
    """Return the entry points of all backends by name, sorted."""
    from importlib.metadata import entry_points  # takes as long as typer

    return {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda e: e.name)}


def summary(name: str) -> str:
    """Return a backend's summary, read off its source if plain, or why it cannot be loaded."""
    entry = registered()[name]
    try:
        if (file := declared_file(entry)) is not None:
            found = re.search(r"^summary: *(.*?) *$", file.read_text(encoding="utf-8"), re.MULTILINE)
            return found[1] if found else f"a program, declared in {file.name}"
        spec = find_spec(entry.module)
        if spec and spec.origin and spec.origin.endswith(".py"):
            source = Path(spec.origin).read_text(encoding="utf-8")
            indented = r"(?:(?!\S).*\n)*?"  # the lines of the class, up to its summary
            plain = rf'^class {entry.attr}\b.*\n{indented}    summary = "([^"\\]*)"$'
            if match := re.search(plain, source, re.MULTILINE):
                return match[1]
        return str(entry.load().summary)
    except (Exception, SystemExit) as error:  # a third-party module may fail in any way
        return f"cannot be loaded: {error}"


def declared_file(entry: EntryPoint) -> Path | None:
    """Return the YAML file that an entry point such as ``package:mine.yaml`` names; none of its code runs."""
    if not entry.value.endswith(DECLARED):
        return None
    module, _, name = entry.value.partition(":")
    spec = find_spec(module.partition(".")[0])
    folders = (spec and spec.submodule_search_locations) or ()
    for folder in folders:
        if (path := Path(folder, *module.split(".")[1:], name)).is_file():
            return path
    raise FileNotFoundError(f"package {module} has no file {name}")
