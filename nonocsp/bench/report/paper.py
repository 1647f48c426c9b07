"""Write the folder of ``nonocsp report --paper``: all that a paper on a campaign needs, and its citation.

It holds each table as LaTeX, Markdown and CSV, each plot as PDF and SVG, the configs, a paragraph on how the
figures were measured, a citation of the run, and ``paper.tex``, which includes all of it and compiles.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import yaml

from nonocsp.bench.report.digest import Digest, Part
from nonocsp.bench.report.figures import file_names
from nonocsp.bench.report.growth import chosen
from nonocsp.bench.report.html import write_page
from nonocsp.bench.report.latex import breakable, escaped, latex_table
from nonocsp.bench.report.measurement import provenance, setting
from nonocsp.bench.report.plots import write_plots
from nonocsp.bench.report.tables import tables
from nonocsp.bench.report.writing import csv_table, markdown_notes, markdown_table, markdown_text, to_records
from nonocsp.formats.target import make_folder, write_text
from nonocsp.render.plot import check_plot

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

_FIGURES = {
    "cactus": "How many runs each backend decides if each run may take the time on the vertical axis. The "
    "virtual best picks the fastest backend for each instance.",
    "heat": "The time of each backend on each instance, the easiest instances first.",
    "scatter": "The times of two backends on the same instances. Below the diagonal, the backend of the "
    "vertical axis is faster.",
    "size": "Time against the number of cells. A line joins the medians of a backend.",
}
"""Captions of the plots, by the first word of their names."""
_BAND = "A line joins the middle values, and a band shows their spread."
_PAPER = r"""\documentclass[10pt,twocolumn]{article}
\usepackage{array,booktabs,graphicx}
\title{%s}
\author{}
\date{%s}
\begin{document}
\maketitle
\input{measurement}

%s
\nocite{*}
\bibliographystyle{plain}
\bibliography{citation}
\end{document}
"""


_FLOATS = 8
"""Tables and figures that may wait for a page together."""


@dataclass(frozen=True, slots=True)
class Citation:
    """What identifies the runs of a campaign."""

    name: str
    title: str
    first: str  # day of the first run, ISO 8601; empty if rows do not say
    last: str
    made_with: str
    rows_sha256: str

    @classmethod
    def of(cls, part: Part) -> Citation:
        """Describe a campaign; this reads all its rows."""
        backends, instances = len(part.table.backends), len(part.runs.instances)
        first, last = _days(part)
        versions = {dict(setting.versions).get("nonocsp", "") for setting in part.table.settings} - {""}
        return cls(
            part.label,
            f"{part.label}: {backends} backends on {instances} instances of nonograms",
            first,
            last,
            " and ".join(sorted(versions)) or "of unknown version",
            rows_hash(part.campaign.rows),
        )

    @property
    def key(self) -> str:
        """By which a document cites it."""
        return (
            f"{re.sub(r'[^A-Za-z0-9]+', '-', self.name).strip('-')[:40] or 'campaign'}-{self.rows_sha256[:8]}"
        )

    @property
    def authors(self) -> str:
        """Who stands for the authors, whom no campaign names."""
        return f"The authors of the campaign {self.name}"

    def bibtex(self) -> str:
        """Return the entry of a bibliography."""
        days = self.first if self.first == self.last else f"{self.first} to {self.last}"
        fields = {
            "title": f"{{{_bib(self.title)}}}",
            "author": f"{{{_bib(self.authors)}}}",
            "year": self.last[:4],
            "howpublished": f"Benchmark results, measured with nonocsp {_bib(self.made_with)}",
            "note": f"{f'Measured {days}. ' if days else ''}SHA-256 of the rows: "
            + r"\allowbreak{}".join(re.findall(".{8}", self.rows_sha256)),
        }
        lines = (f"  {key:<12} = {{{value}}},\n" for key, value in fields.items() if value)
        return f"@misc{{{self.key},\n{''.join(lines)}}}\n"

    def cff(self, description: str) -> dict[str, Any]:
        """Return the content of a ``CITATION.cff`` (version 1.2.0)."""
        return {
            "cff-version": "1.2.0",
            "message": "Please cite these results as below. (Replace the authors by yours.)",
            "type": "dataset",
            "title": self.title,
            "authors": [{"name": self.authors}],
            **({"abstract": description} if description else {}),
            **({"date-released": self.last} if self.last else {}),
            "identifiers": [
                {
                    "type": "other",
                    "value": f"sha256:{self.rows_sha256}",
                    "description": "hash of the rows (nonocsp.bench.report.paper.rows_hash)",
                }
            ],
            "keywords": ["nonogram", "constraint programming", "benchmark"],
            "references": [
                {
                    "type": "software",
                    "title": "nonocsp",
                    "authors": [{"name": "The nonocsp contributors"}],
                    "version": self.made_with,
                }
            ],
        }


def rows_hash(rows: Iterable[RunRow]) -> str:
    """Return a SHA-256 of rows that does not depend on their order, nor on the files that hold them.

    Each row is hashed as JSON with sorted keys and without spaces, in UTF-8. These hashes are sorted, and
    hashed one after the other. 10 µs a row.
    """
    hashes = bytearray()
    for row in rows:
        text = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        hashes += hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    words = np.frombuffer(bytes(hashes), ">u8").reshape(-1, 4)
    return hashlib.sha256(words[np.lexsort(words.T[::-1])].tobytes()).hexdigest()


def write_paper(digest: Digest, folder: Path, command: str) -> list[Path]:
    """Write the folder; return its files, the first one tells what the others are."""
    check_plot(folder / "figures.pdf")  # before anything is written
    make_folder(folder)
    plots = write_plots(digest, folder / "figures", "pdf", "svg")
    citations = [Citation.of(part) for part in digest.parts]
    texts, listed = dict[str, str](), list[tuple[str, str]]()
    for table in tables(digest):
        path = f"tables/{table.file}"
        texts[f"{path}.tex"] = latex_table(table, table.caption)
        texts[f"{path}.md"] = markdown_table(table) + "\n"
        texts[f"{path}.csv"] = csv_table(table, digest)
        listed.append((f"`{path}` .tex .md .csv", table.caption))
    names = [path.stem for path in plots if path.suffix == ".pdf"]
    growth = {name: f"{chart.title}. {_BAND}" for name, chart in chosen(digest).items()}
    for name in names:
        caption = growth[name] if name in growth else _FIGURES[name.partition("-")[0]]
        texts[f"figures/{name}.tex"] = _float(name, caption)
        listed.append((f"`figures/{name}` .pdf .svg .tex", caption))
    configs = [(part.label, text) for part in digest.parts for text in _configs(part)]
    for name, (label, text) in zip(file_names(label for label, _ in configs), configs, strict=True):
        texts[path := f"configs/{name}.yaml"] = text
        listed.append((f"`{path}`", f"config of {label}; paths relative to its original folder"))
    paragraphs = [_paragraph(part, citation) for part, citation in zip(digest.parts, citations, strict=True)]
    texts["measurement.tex"] = "\n\n".join(map(breakable, paragraphs)) + "\n"
    texts["measurement.md"] = "\n\n".join(map(markdown_text, paragraphs)) + "\n"
    texts["citation.bib"] = "\n".join(
        [*(citation.bibtex() for citation in citations), _SOFTWARE % version("nonocsp")]
    )
    cffs = [it.cff(part.description) for it, part in zip(citations, digest.parts, strict=True)]
    texts["CITATION.cff"] = _cff(digest, cffs)
    texts["report.jsonl"] = "".join(f"{json.dumps(record)}\n" for record in to_records(digest))
    texts["paper.tex"] = _paper(digest, citations, [path for path in texts if path.endswith(".tex")])
    texts = {"README.md": _readme(digest, listed, paragraphs, command), **texts}
    for path, text in texts.items():
        write_text(folder / path, text)
    write_page(digest, folder / "report.html")
    return [*(folder / path for path in texts), folder / "report.html", *plots]


_SOFTWARE = """@misc{nonocsp,
  title   = {nonocsp: solve, prove, compare, grade and make nonograms},
  author  = {{The nonocsp contributors}},
  version = {%s},
}
"""


def _float(name: str, caption: str) -> str:
    return (
        "\\begin{figure}[htbp]\n\\centering\n"
        f"\\includegraphics[width=\\columnwidth]{{figures/{name}}}\n"
        f"\\caption{{{escaped(caption)}}}\n\\label{{fig:{name}}}\n\\end{{figure}}\n"
    )


def _paper(digest: Digest, citations: Iterable[Citation], files: Iterable[str]) -> str:
    last = max(citation.last for citation in citations)
    floats = [path.removesuffix(".tex") for path in files if "/" in path]
    flush = "\n\\clearpage\n"  # TeX keeps a few dozen floats at most
    groups = (floats[start : start + _FLOATS] for start in range(0, len(floats), _FLOATS))
    inputs = flush.join("\n".join(f"\\input{{{path}}}" for path in group) for group in groups) + flush
    return _PAPER % (escaped(digest.name), escaped(last), inputs)


def _readme(
    digest: Digest, listed: Iterable[tuple[str, str]], paragraphs: Iterable[str], command: str
) -> str:
    """Return what tells what each file is, and how to make all again."""
    files = [
        *listed,
        (
            "`paper.tex`",
            "a document with all of it: `pdflatex paper; bibtex paper; pdflatex paper; pdflatex paper`",
        ),
        ("`measurement` .tex .md", "a paragraph on how this was measured"),
        ("`citation.bib`, `CITATION.cff`", "citation of these runs; replace the authors by yours"),
        ("`report.html`", "the whole report as one page that works offline, with every run"),
        ("`report.jsonl`", "all figures unrounded, one JSON object a line"),
    ]
    described = [markdown_text(part.description) for part in digest.parts if part.description]
    rows = "\n".join(f"| {name} | {text if '`' in text else markdown_text(text)} |" for name, text in files)
    return (
        "\n\n".join(
            [
                f"# {markdown_text(digest.name)}",
                *described,
                *markdown_notes(digest),
                f"Made by nonocsp {version('nonocsp')}. This command makes the folder again:",
                f"```sh\n{command}\n```",
                "A table needs the LaTeX packages `array` and `booktabs`, a figure needs `graphicx`. In CSV "
                "files, remove one leading apostrophe from each text.",
                f"| file | what it is |\n| :--- | :--- |\n{rows}",
                "## How this was measured",
                *map(markdown_text, paragraphs),
            ]
        )
        + "\n"
    )


def _paragraph(part: Part, citation: Citation) -> str:
    """Return in sentences how a campaign was measured."""
    facts = dict(provenance(part))
    when = f"from {citation.first} to {citation.last}" if citation.first else "on unknown days"
    when = f"on {citation.first}" if citation.first and citation.first == citation.last else when
    core = {"all": "Every run had a core to itself.", "none": "No run is known to have had a core to itself."}
    reliable = facts["times reliable"]
    return " ".join(
        [
            f"{citation.title}, {len(part.table)} runs in all ({setting(part)}), measured {when}, UTC.",
            f"Limits of a run: {facts['limits']}; executor: {facts['executor']}.",
            core.get(reliable, f"{reliable} had a core to themselves."),
            f"Machine: {facts['machine']}.",
            f"Versions: {facts['versions']}.",
            f"SHA-256 of the rows: {citation.rows_sha256}.",
        ]
    )


def _days(part: Part) -> tuple[str, str]:
    """Return the days of the first and the last run; empty if nothing says."""
    started = part.table["started_s"][~np.isnan(part.table["started_s"])]
    if len(started):
        first, last = (datetime.fromtimestamp(float(it), UTC) for it in (started.min(), started.max()))
        return first.date().isoformat(), last.date().isoformat()
    starts = sorted(session["start"][:10] for session in part.campaign.info["sessions"])
    dated = [start for start in starts if re.fullmatch(r"\d{4}-\d\d-\d\d", start)]
    return (dated[0], dated[-1]) if dated else ("", "")


def _configs(part: Part) -> Iterator[str]:
    """Yield the distinct configs of a campaign, as their author wrote them."""
    sessions = part.campaign.info["sessions"]
    yield from dict.fromkeys(session["config_text"] for session in sessions if session["config_text"])


def _cff(digest: Digest, cffs: list[dict[str, Any]]) -> str:
    """Return the file: that of the only campaign, or of a collection that refers to all of them."""
    first, *others = cffs
    if others:
        kept = {key: first[key] for key in ("cff-version", "message", "type", "authors", "keywords")}
        inner = [
            {key: value for key, value in cff.items() if key not in ("cff-version", "message", "references")}
            for cff in cffs
        ]
        software = {it["version"]: it for cff in cffs for it in cff["references"]}
        kept["authors"] = [{"name": f"The authors of the campaigns {digest.name}"}]
        first = {**kept, "title": digest.name, "references": [*inner, *software.values()]}
    return yaml.safe_dump(first, sort_keys=False, allow_unicode=True, width=100)


def _bib(text: str) -> str:
    """Return a text for BibTeX, which counts braces even behind a backslash."""
    return escaped(text).replace(r"\{", r"{\char123}").replace(r"\}", r"{\char125}")
