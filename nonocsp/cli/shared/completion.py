"""Complete values at the Tab key: backends with their options, formats, campaigns, executors, terminations.

A shell starts the whole program at each press, so every function imports what it needs.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path


def complete_backend(incomplete: str) -> list[str]:
    """Return the backends whose name starts so; after a colon, the options that are not given yet."""
    from nonocsp.backends.installed import registered

    name, colon, text = incomplete.partition(":")
    if not colon:
        return [known for known in registered() if known.startswith(name)]
    if name not in registered():
        return []
    from nonocsp.backends.registry import info, option_name

    given, comma, _ = text.rpartition(",")
    taken = {option_name(part.partition("=")[0]) for part in given.split(",")}
    return [
        f"{name}:{given}{comma}{option.name}={value}"
        for option in info(name).options()
        if option.name not in taken
        for value in (option.type.split("|") if "|" in option.type else [option.default])
    ]


def complete_backends(incomplete: str) -> list[str]:
    """Return how a list of specs, separated by commas, may go on."""
    *before, last = re.split(r",(?=[^=]*(?:$|:))", incomplete)
    begun = "".join(f"{spec}," for spec in before)
    return [begun + spec for spec in complete_backend(last)]


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
    here = sorted(Path(begun or ".").glob("*"))
    configs = [
        f"{begun}{path.name}{'/' if path.is_dir() else ''}"
        for path in here
        if path.suffix in (".yaml", ".yml") or (path.is_dir() and not path.name.startswith("."))
    ]
    return [*shipped, *(name for name in configs if name.startswith(incomplete))]


def complete_site(incomplete: str) -> list[str]:
    """Return the sites that puzzles are fetched from whose name starts so."""
    from nonocsp.formats.sites import SITES

    return [f"{name}:" for name in SITES if name.startswith(incomplete)]


def complete_executor(incomplete: str) -> list[str]:
    """Return the executors whose name starts so."""
    from nonocsp.run import NAMES

    return [name for name in NAMES if name.startswith(incomplete)]


def complete_termination(incomplete: str) -> list[str]:
    """Return the terminations whose name starts so."""
    from nonocsp.backends.base import Termination

    return [name for name in Termination if name.startswith(incomplete)]


@contextmanager
def whole_words() -> Iterator[None]:
    """Let bash complete specs, whose pieces it splits at ``:`` and ``=``: join them, print what is new."""
    if os.environ.get("_NONOCSP_COMPLETE") != "complete_bash":
        yield
        return
    pieces, place = os.environ["COMP_WORDS"].split("\n"), int(os.environ["COMP_CWORD"])
    words: list[str] = []
    word_of: list[int] = []  # for each piece, the word that it belongs to
    for number, piece in enumerate(pieces):
        if words and (piece in (":", "=") or pieces[number - 1] in (":", "=")):
            words[-1] += piece
        else:
            words.append(piece)
        word_of.append(len(words) - 1)
    current = word_of[min(place, len(pieces) - 1)]
    os.environ |= {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(current)}
    kept = re.match(r".*[:=]", re.sub("^-[^=]*=", "", words[current]))
    try:
        with redirect_stdout(io.StringIO()) as found:
            yield
    finally:
        for line in found.getvalue().splitlines():
            print(line.removeprefix(kept[0] if kept else ""))
