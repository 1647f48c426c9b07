"""Tell apart what a report names: campaigns and backends for people, and the files that it writes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from nonocsp.bench.report.figures import shortened


def told_apart(labels: Iterable[str], form: str = "{} ({})", same: Callable[[str], str] = str) -> list[str]:
    """Return labels with a number in those that an earlier one equals."""
    found, numbers = dict[str, str](), Counter[str]()
    for label in labels:
        numbered = label
        while same(numbered) in found:
            numbers[same(label)] += 1
            numbered = form.format(label, numbers[same(label)] + 1)
        found[same(numbered)] = numbered
    return [*found.values()]


def file_names(texts: Iterable[str]) -> list[str]:
    """Return names for files, without suffix.

    They differ in more than capitals and punctuation, which some file systems and the labels of LaTeX ignore.
    """
    plain = (re.sub(r"[^\w.-]+", "-", shortened(text)).strip(".-") or "campaign" for text in texts)
    return told_apart(plain, "{}-{}", lambda name: latex_label(name).lower())


def latex_label(name: str) -> str:
    """Return the name of a file as a label that any version of LaTeX reads."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name)
