"""Print or save the explanation of a puzzle, as text, JSON, a page or an animation."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from nonocsp.cli.shared.console import print_grid, printable
from nonocsp.cli.views.solve import heading
from nonocsp.formats import NamedPuzzle
from nonocsp.grading.explain import Explanation, Hint
from nonocsp.grading.explain.paragraphs import ending_text, hint_text, steps_text
from nonocsp.render.plain import plain


@dataclass(frozen=True, slots=True)
class Explained:
    """A puzzle and its explanation.

    Parameters
    ----------
    source
        The puzzle.
    explanation
        Its steps.
    pace
        Seconds per step in an animation.
    """

    source: NamedPuzzle
    explanation: Explanation
    pace: float

    def records(self, *, with_steps: bool = True) -> Iterator[dict[str, Any]]:
        """Yield a record for each step, and one for the end."""
        about = {"puzzle": self.source.name, "index": self.source.index}
        for step in self.explanation.steps if with_steps else ():
            yield about | step.record(self.source.puzzle.palette)
        yield about | self.explanation.record()

    def text(self) -> str:
        """Return everything as plain text."""
        end = [plain(self.source.puzzle, self.explanation.end), ending_text(self.explanation)]
        return "\n\n".join([heading(self.source), *steps_text(self.explanation), *end])


def _encoded(found: Explained, suffix: str) -> bytes:
    """Return an explanation as what a file with the suffix holds."""
    if suffix == ".gif":
        from nonocsp.grading.explain.animation import to_gif

        return to_gif(found.explanation, pace=found.pace)
    if suffix == ".svg":
        from nonocsp.grading.explain.animation import to_animated_svg

        return to_animated_svg(found.explanation, pace=found.pace).encode()
    if suffix == ".html":
        from nonocsp.grading.explain.html import to_html

        return to_html(found.explanation, pace=found.pace).encode()
    if suffix == ".json":
        return "".join(f"{json.dumps(record)}\n" for record in found.records()).encode()
    return f"{found.text()}\n\n".encode()


ENCODERS = {suffix: partial(_encoded, suffix=suffix) for suffix in (".html", ".gif", ".svg", ".txt", ".json")}
"""Write explanations, by suffix."""


def print_json(found: Explained, *, with_steps: bool) -> None:
    """Print the records, one per line.

    Parameters
    ----------
    found
        A puzzle and its explanation.
    with_steps
        Also print a record for each step, not only one for the end.
    """
    for record in found.records(with_steps=with_steps):
        print(json.dumps(record))
    sys.stdout.flush()


def print_text(found: Explained, *, with_steps: bool) -> None:
    """Print the explanation as text.

    Parameters
    ----------
    found
        A puzzle and its explanation.
    with_steps
        Also print the steps and the grid, not only how the explanation ends.
    """
    print(heading(found.source), end="\n\n" if with_steps else "\n")
    if with_steps:
        for paragraph in steps_text(found.explanation, width=_width()):
            print(_safe(paragraph), end="\n\n")
        print_grid(found.source.puzzle, found.explanation.end)
        print()
    print(ending_text(found.explanation, width=_width()), end="\n\n", flush=True)


def print_hint(source: NamedPuzzle, hint: Hint, *, as_json: bool) -> None:
    """Print a hint.

    Parameters
    ----------
    source
        The puzzle.
    hint
        The next step of it.
    as_json
        Print a JSON record instead of text.
    """
    if as_json:
        print(json.dumps({"puzzle": source.name, "index": source.index, **hint.record()}), flush=True)
        return
    print(heading(source), *map(_safe, hint_text(hint, width=_width())), sep="\n\n", flush=True)


def _safe(paragraph: str) -> str:
    """Return a paragraph without control characters, which the name of a colour may have."""
    return "\n".join(map(printable, paragraph.split("\n")))


def _width() -> int:
    """Return the characters of a line: a terminal's, at most 100; 79 elsewhere."""
    return min(100, shutil.get_terminal_size().columns) - 1 if sys.stdout.isatty() else 79
