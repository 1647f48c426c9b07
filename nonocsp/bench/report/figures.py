"""Format figures for people, the same everywhere; ``web/src/report/format.ts`` has them for the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

NONE = "–"
_UNITS = ((1.0, "s"), (1e3, "ms"), (1e6, "µs"))


def seconds(value: float | None) -> str:
    """Return a duration with three significant digits and its unit; a dash for None."""
    if value is None:
        return NONE
    if value == 0:
        return "0 s"
    factor, unit = next((entry for entry in _UNITS if value * entry[0] >= 1.0), _UNITS[-1])
    scaled = value * factor
    whole = len(str(int(float(f"{scaled:.3g}"))))
    return f"{scaled:.{max(0, 3 - whole)}f} {unit}"


def ratio(value: float | None) -> str:
    """Return a ratio with three significant digits; a dash for None."""
    if value is None:
        return NONE
    return f"{value:.0f}" if value >= 1000 else f"{value:#.3g}".rstrip(".")


def p_value(value: float | None) -> str:
    """Return a p-value to three decimals; a dash for None."""
    if value is None:
        return NONE
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def points(value: float | None) -> str:
    """Return a sum of points to one decimal; a dash for None."""
    return NONE if value is None else _grouped(f"{value:.1f}")


def percent(share: float) -> str:
    """Return a share in whole percent."""
    return f"{100 * share:.0f} %"


def count(value: int | None) -> str:
    """Return a number of things; a dash for None."""
    return NONE if value is None else _grouped(str(value))


def _grouped(number: str) -> str:
    """Return a number with thin spaces between thousands, from 10 000 on."""
    digits = number.partition(".")[0]
    return number if len(digits) < 5 else f"{int(digits):,}".replace(",", "\u202f") + number[len(digits) :]


def one_line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def shortened(text: str, letters: int = 120) -> str:
    """Return a text of at most so many letters; of a longer one its two ends."""
    if len(text) <= letters:
        return text
    ahead = letters - 1 - letters // 3
    return f"{text[:ahead]}…{text[-(letters // 3) :]}"


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
    """Return names for files, without suffix, that differ in more than capitals and punctuation."""
    plain = (re.sub(r"[^\w.-]+", "-", shortened(text)).strip(".-") or "campaign" for text in texts)
    return told_apart(plain, "{}-{}", lambda name: latex_label(name).lower())


def latex_label(name: str) -> str:
    """Return the name of a file as a label that any version of LaTeX reads."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name)
