"""Set tables in LaTeX, so that they fit a column of a paper and compile whatever texts a campaign holds.

The tables need the packages ``array`` and ``booktabs``. One that is wider than `COLUMN_PT` is broken into
blocks of columns; one that is longer than a page becomes several. Texts are escaped to plain ASCII.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from nonocsp.bench.report.figures import latex_label
from nonocsp.bench.report.tables import Line, Table

COLUMN_PT = 229.0
"""Width of a column in points: that of ``article`` in two columns on letter paper, the narrowest in use."""
_TEXT_PT, _GAP_PT = (84.0, 60.0), 6.0
"""The widest column of text if a line begins with one such column or with several, and the space between two
columns."""
_MOST_LINES = 44
"""Lines of text of one float."""

_COMMANDS = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\textasciigrave{}", '"': r"{\char34}",
    "'": r"{\char39}", "-": "{-}", "[": "{[}", "]": "{]}", "*": "{*}", "?": "{?}", "!": "{!}", ",": "{,}",
    **{char: f"\\{char}" for char in "{}$&#%_"},
    "–": "--", "—": "---", "…": r"\dots{}", "×": r"$\times$", "µ": r"$\mu$", "μ": r"$\mu$", "·": r"$\cdot$",
    "≤": r"$\leq$", "≥": r"$\geq$", "±": r"$\pm$", "°": r"$^\circ$", "\u00a0": "~", "\u202f": r"\,",
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}",
    "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}",
}  # fmt: skip
"""What stands for a character; braces keep pairs such as ``--`` or ``?` `` from becoming another one."""
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c",
}  # fmt: skip
_PLAIN = re.compile(r"[A-Za-z0-9 .:;=+/()@]")
_NARROW = frozenset("iljtfrI.,:;'|![]() ")
_WIDE = frozenset("mwMW@%&–—…QOGD")


def escaped(text: str) -> str:
    """Escape a text for LaTeX, as one line of ASCII, so that any encoding of the document works."""
    return "".join(map(_command, " ".join(text.split())))


def _command(char: str) -> str:
    """Return what stands for a character."""
    if _PLAIN.fullmatch(char):
        return char
    if char in _COMMANDS:
        return _COMMANDS[char]
    base, *marks = list(unicodedata.normalize("NFD", char))
    if len(marks) == 1 and marks[0] in _ACCENTS and base.isascii() and base.isalpha():
        letter = f"\\{base}" if base in "ij" else base  # without a dot below the accent
        return f"\\{_ACCENTS[marks[0]]}{{{letter}}}"
    return f"{{[}}U+{ord(char):04X}{{]}}"


def breakable(text: str) -> str:
    """Return a text for LaTeX that can be broken behind punctuation, and within long words."""
    return " ".join(r"\allowbreak{}".join(map(escaped, _pieces(word))) for word in text.split())


def _pieces(word: str) -> Iterator[str]:
    """Yield the parts of a word between which a line may end, none wider than half a column of text."""
    part, width = "", 0.0
    for char in word:
        ends = part[-1:] in {*":,=/@-_;"} and char.isalnum()
        if part and (ends or width + _char_pt(char) > _TEXT_PT[1] / 1.2):
            yield part
            part, width = "", 0.0
        part += char
        width += _char_pt(char)
    yield part


def width_pt(text: str) -> float:
    """Return at least the width of a text in Computer Modern at 8 points, the size of the tables."""
    return sum(map(_char_pt, text))


def _char_pt(char: str) -> float:
    if _command(char).startswith("{[}U"):
        return 48.0
    if char in _NARROW or char in _WIDE:
        return 3.2 if char in _NARROW else 8.2
    return 4.3 if char.isdigit() else 6.6 if char.isupper() else 4.8


def latex_table(table: Table, caption: str) -> str:
    """Return a table as one or more floats."""
    layout = _Layout.of(table)
    best = table.best_values()
    floats = []
    for number, lines in enumerate(layout.pages(table)):
        again = " (continued)" if number else ""
        label = "" if number else f"\\label{{tab:{latex_label(table.file)}}}\n"
        text = escaped(table.title) + again if number else escaped(caption)
        blocks = "\\\\[1ex]\n".join(_block(table, columns, lines, layout, best) for columns in layout.blocks)
        floats.append(
            "\\begin{table}[!htbp]\n\\centering\\footnotesize\n\\setlength{\\tabcolsep}{3pt}\n"
            f"\\caption{{{text}}}\n{label}{blocks}\n\\end{{table}}\n"
        )
    return "\n".join(floats)


@dataclass(frozen=True, slots=True)
class _Layout:
    """How the columns of a table are set: their widths in points, and which wrap as paragraphs.

    The columns of a block stand beside each other, always with those of text that begin a line.
    """

    widths: list[float]
    wraps: list[bool]
    blocks: list[list[int]]

    @classmethod
    def of(cls, table: Table) -> _Layout:
        widths, wraps = list[float](), list[bool]()
        keys = [*range(next((i for i, it in enumerate(table.columns) if not it.is_text), 1))][:2] or [0]
        widest_text = _TEXT_PT[len(keys) - 1]
        for i, column in enumerate(table.columns):
            texts = [column.text(line.values[i]) for line in table.lines]
            heads = column.heading.split() if not column.is_text else [column.heading]
            widest = max(map(width_pt, [*texts, *heads]), default=0.0) * (1.1 if column.best else 1.0)
            wraps.append(column.is_text and widest > widest_text)
            widths.append(widest_text if wraps[-1] else widest)
        whole = COLUMN_PT - sum(widths[key] for key in keys) - _GAP_PT * (len(keys) - 1)
        blocks, room = [[*keys]], whole
        for i in range(len(keys), len(widths)):
            if widths[i] + _GAP_PT > room and len(blocks[-1]) > len(keys):
                blocks.append([*keys])
                room = whole
            blocks[-1].append(i)
            room -= widths[i] + _GAP_PT
        return cls(widths, wraps, blocks)

    def pages(self, table: Table) -> Iterator[tuple[Line, ...]]:
        """Yield the lines of each float."""
        heights = [self._height(table, line) for line in table.lines]
        page: list[Line] = []
        used = 0
        for line, height in zip(table.lines, heights, strict=True):
            if page and used + height > _MOST_LINES - 3 * len(self.blocks):
                yield tuple(page)
                page, used = [], 0
            page.append(line)
            used += height
        yield tuple(page)

    def _height(self, table: Table, line: Line) -> int:
        """Return how many lines of text a line takes in all blocks."""
        heights = [
            ceil(width_pt(column.text(value)) / width * 1.25) if wraps else 1
            for column, value, width, wraps in zip(
                table.columns, line.values, self.widths, self.wraps, strict=True
            )
        ]
        return sum(max(heights[i] for i in block) for block in self.blocks)


def _block(
    table: Table, columns: Sequence[int], lines: Iterable[Line], layout: _Layout, best: Sequence[object]
) -> str:
    """Return some columns of a table."""
    shown = [table.columns[i] for i in columns]
    kinds = [
        f">{{\\raggedright\\arraybackslash}}p{{{layout.widths[i]:.0f}pt}}" if layout.wraps[i]
        else "l" if table.columns[i].is_text else "r"
        for i in columns
    ]  # fmt: skip
    heads = [escaped(column.heading) if column.is_text else _head(column.heading) for column in shown]
    rows = []
    for line in lines:
        cells = []
        for i in columns:
            column, value = table.columns[i], line.values[i]
            text = column.text(value)
            cell = breakable(text) if layout.wraps[i] else escaped(text)
            if not column.is_text:
                cell = cell.replace(" ", r"\,")
            is_best = best[i] is not None and value == best[i] and not line.kind
            cells.append(f"\\textbf{{{cell}}}" if is_best else f"\\emph{{{cell}}}" if line.kind else cell)
        rows.append(" & ".join(cells) + r" \\")
    body = "\n".join(rows)
    return (
        f"\\begin{{tabular}}{{@{{}}{''.join(kinds)}@{{}}}}\n\\toprule\n{' & '.join(heads)} \\\\\n\\midrule\n"
        f"{body}\n\\bottomrule\n\\end{{tabular}}"
    )


def _head(heading: str) -> str:
    """Return a heading, its words below each other."""
    words = [escaped(word) for word in heading.split()]
    stack = r" \\ ".join(words)
    return words[0] if len(words) == 1 else f"\\shortstack[r]{{{stack}}}"
