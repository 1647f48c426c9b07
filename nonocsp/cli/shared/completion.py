"""What the Tab key offers beside commands, options and files: backends with their options, and formats.

A shell starts the whole program at each press, so nothing is imported here before it is needed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

_BREAKS = re.compile(r".*[:=]")
"""What bash leaves as it is: everything up to the last sign at which it takes words apart."""


def complete_backend(incomplete: str) -> list[str]:
    """Return the backends whose name starts so; after a colon, the backend's options with their values."""
    from nonocsp.backends.installed import registered

    name, colon, text = incomplete.partition(":")
    if not colon:
        return [known for known in registered() if known.startswith(name)]
    return _options(name, text) if name in registered() else []


def complete_backends(incomplete: str) -> list[str]:
    """Return how a list of specs, separated by commas, may go on."""
    *before, last = re.split(r",(?=[^=]*(?:$|:))", incomplete)
    begun = "".join(f"{spec}," for spec in before)
    return [begun + spec for spec in complete_backend(last)]


def _options(name: str, text: str) -> list[str]:
    """Return how a spec may go on that has `text` after the colon: with each option not given yet."""
    from nonocsp.backends.registry import info

    given, comma, _ = text.rpartition(",")
    taken = {part.partition("=")[0] for part in given.split(",")}
    begun = f"{name}:{given}{comma}"
    return [
        f"{begun}{option.name}={value}"
        for option in info(name).options()
        if option.name not in taken
        for value in (option.type.split("|") if "|" in option.type else [option.default])
    ]


def complete_format(incomplete: str) -> list[str]:
    """Return the file formats whose name starts so."""
    from nonocsp.formats import formats

    return [known.name for known in formats() if known.name.startswith(incomplete)]


def complete_config(incomplete: str) -> list[str]:
    """Return the shipped campaigns whose name starts so, and the YAML files and folders here."""
    from nonocsp.shipped import campaigns

    shipped = [name for name in campaigns() if name.startswith(incomplete)]
    folder, _, _ = incomplete.rpartition("/")
    begun = f"{folder}/" if "/" in incomplete else ""
    here = [(f"{begun}{path.name}", path) for path in sorted(Path(begun or ".").glob("*"))]
    configs = [f"{name}/" if path.is_dir() else name for name, path in here if _may_be_config(path)]
    return [*shipped, *(name for name in configs if name.startswith(incomplete))]


def _may_be_config(path: Path) -> bool:
    """Whether a path is one of a config, or leads to some."""
    return path.suffix in (".yaml", ".yml") or (path.is_dir() and not path.name.startswith("."))


def complete_executor(incomplete: str) -> list[str]:
    """Return the executors whose name starts so."""
    from nonocsp.runner import NAMES

    return [name for name in NAMES if name.startswith(incomplete)]


def complete_termination(incomplete: str) -> list[str]:
    """Return the terminations whose name starts so."""
    from nonocsp.backends.base import Termination

    return [name for name in Termination if name.startswith(incomplete)]


@contextmanager
def whole_words() -> Iterator[None]:
    """Let bash complete specs, which it takes apart at ``:`` and ``=``.

    It hands over the pieces, which are put together here, and wants only what follows the last such sign.
    """
    if os.environ.get("_NONOCSP_COMPLETE") != "complete_bash":
        yield
        return
    from io import StringIO

    words, place = _joined(os.environ["COMP_WORDS"].split("\n"), int(os.environ["COMP_CWORD"]))
    os.environ |= {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(place)}
    kept = _BREAKS.match(re.sub("^-[^=]*=", "", words[place]))
    try:
        with redirect_stdout(StringIO()) as found:
            yield
    finally:
        for line in found.getvalue().splitlines():
            print(line.removeprefix(kept[0] if kept else ""))


def _joined(pieces: list[str], place: int) -> tuple[list[str], int]:
    """Return whole words, and which of them the piece at `place` belongs to."""
    words: list[str] = []
    ends: list[int] = []
    for number, piece in enumerate(pieces):
        if words and (piece in (":", "=") or pieces[number - 1] in (":", "=")):
            words[-1] += piece
        else:
            words.append(piece)
        ends.append(len(words) - 1)
    return words, ends[min(place, len(pieces) - 1)]
