"""Tables in LaTeX: any text is printed as it is, nothing is wider than a column, and all of it compiles."""

from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nonocsp.bench.report import Digest
from nonocsp.bench.report.latex import breakable, escaped, latex_table
from nonocsp.bench.report.paper import write_paper
from nonocsp.bench.report.tables import tables
from nonocsp.bench.report.writing import to_text
from nonocsp.bench.store import Campaign
from nonocsp.model import UsageError
from tests.bench.held import Held

COMMANDS = {
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<", "textgreater": ">",
    "textbar": "|", "textasciigrave": "`", "dots": "…", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "i": "ı",
}  # fmt: skip
MATHS = {"times": "×", "mu": "µ", "cdot": "·", "leq": "≤", "geq": "≥", "pm": "±", "^\\circ": "°"}
ACCENTS = dict(
    zip(
        "`'^~=u.\"rHvc",
        "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327",
        strict=True,
    )
)
SPACES = {"--": "–", "---": "—", "\\,": "\u202f", "~": "\u00a0"}
TOKEN = re.compile(
    r"(?P<escape>\\[{}$&#%_])|\\(?P<command>[A-Za-z]+)\{\}"
    r"|\\(?P<accent>[`'^~=u.\"rHvc])\{\\?(?P<letter>[A-Za-z])\}"
    r"|\{\\char(?P<char>\d+)\}|\{\[\}U\+(?P<number>[0-9A-F]+)\{\]\}|\{(?P<braced>[-\[\]*?!,])\}"
    r"|\$\\?(?P<maths>[^$]+)\$"
    r"|(?P<dash>---?)|(?P<thin>\\,)|(?P<tie>~)|(?P<plain>[A-Za-z0-9 .:;=+/()@])"
)
"""All that `escaped` may return: the characters of TeX stand in commands only."""
NAMES = (
    "100% \\input{x} #1_$x$ {a}",
    "--fast «é ß 中文»",
    "a^b~c&d|e<f>g",
    "``'quoted\"''",
    "[x]*?`!`" + "b" * 90,
)


def read(latex: str) -> str:
    """Return the text that some LaTeX prints; fail if it is not made of tokens."""
    out, at = "", 0
    while at < len(latex):
        token = TOKEN.match(latex, at)
        assert token, latex[at:]
        found, at = token.groupdict(), token.end()
        if found["escape"]:
            out += token[0][1]
        elif found["command"]:
            out += COMMANDS[found["command"]]
        elif found["accent"]:
            out += unicodedata.normalize("NFC", found["letter"] + ACCENTS[found["accent"]])
        elif found["char"] or found["number"]:
            out += chr(int(found["char"])) if found["char"] else chr(int(found["number"], 16))
        elif found["maths"]:
            out += MATHS[found["maths"]]
        else:
            out += {"--": "–", "---": "—", "\\,": "\u202f", "~": "\u00a0"}.get(token[0]) or token[0].strip(
                "{}"
            )
    return out


@given(st.text(max_size=20) | st.sampled_from(NAMES))
def test_any_text_is_escaped_to_ascii_and_printed_as_it_is(text: str) -> None:
    latex = escaped(text)
    assert latex.isascii()
    assert read(latex) == " ".join(text.split()).replace("μ", "µ")
    assert read(breakable(text).replace(r"\allowbreak{}", "")) == read(latex)


@pytest.fixture(scope="module")
def strange(sound: Campaign) -> Digest:
    """A report of a campaign with strange names of backends and of itself."""
    names = dict(zip(sound.table.backends, NAMES, strict=False))
    rows = [row | {"backend": names.get(row["backend"], row["backend"])} for row in sound.rows]
    return Digest.of([replace(sound, name=NAMES[0], rows=Held(rows))])


def test_every_table_has_booktabs_rules_a_caption_and_a_label(strange: Digest) -> None:
    for table in tables(strange):
        latex = latex_table(table, table.caption)
        assert latex.isascii()
        blocks = latex.count("\\begin{tabular}")
        assert latex.count("\\toprule") == latex.count("\\midrule") == latex.count("\\bottomrule") == blocks
        assert latex.count("\\begin{table}") == latex.count("\\caption{")
        assert latex.count(f"\\label{{tab:{table.name}}}") == 1
        for kinds, body in re.findall(r"\{@\{\}(.*)@\{\}\}\n\\toprule\n((?:.*\n)*?)\\bottomrule", latex):
            columns = len(re.findall(r"[lr]|p\{", re.sub(r">\{.*?\}p", "p", kinds)))
            rows = [line for line in body.splitlines() if line.endswith(r"\\")]
            assert {len(re.split(r"(?<!\\)&", row)) for row in rows} == {columns}


def test_every_figure_of_a_table_stands_in_its_latex_and_the_best_is_bold(sound: Campaign) -> None:
    digest = Digest.of([sound])
    (table,) = [table for table in tables(digest) if table.name == "scores"]
    latex = latex_table(table, table.caption)
    for line in table.lines:
        for column, value in zip(table.columns[1:], line.values[1:], strict=True):
            assert escaped(column.text(value)).replace(" ", r"\,") in latex
    best = [value for value in table.best_values() if value is not None]
    assert latex.count("\\textbf{") >= len(best) > 0


def test_tables_are_chosen_by_name_in_every_format(sound: Campaign) -> None:
    digest = Digest.of([sound])
    for format, mark in (("latex", "\\begin{table}"), ("markdown", "### ")):
        assert to_text(digest, format).count(mark) >= len(tables(digest))
        one = to_text(digest, format, ["scores"])
        assert one.count(mark) == 1
        assert "Scores" in one
    assert to_text(digest, "csv", ["times"]).startswith("backend,p25,median")
    with pytest.raises(UsageError, match="CSV has room for one table, not 6"):
        to_text(digest, "csv")
    with pytest.raises(UsageError, match="no table 'nothing'; there are scores, times"):
        to_text(digest, "latex", ["nothing"])


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="there is no pdflatex")
def test_the_paper_compiles_and_nothing_is_wider_than_a_column(strange: Digest, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    write_paper(strange, tmp_path, "nonocsp report")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]
    log = (tmp_path / "paper.log").read_text(errors="replace")
    assert not re.findall(r"Overfull \\hbox.*|Float too large.*", log)
