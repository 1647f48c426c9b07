"""Read and write certificates: NAME.json holds the claim, NAME.cnf and NAME.drat hold formula and proof.

::

    {"format": "nonocsp certificate", "version": 2, "claim": "unique",
     "puzzle": {"rows": [[1, 1], [3], [1]], "columns": [[2], [2], [2]]},
     "solutions": [["#.#", "###", ".#."]],
     "formula": {"file": "cat.cnf", "sha256": "…"},
     "proof": {"file": "cat.drat", "sha256": "…"},
     "sha256": "…"}

The claim is ``unique`` (one solution), ``multiple`` (two) or ``unsat`` (none); the puzzle is in the project's
own JSON, without a goal; solutions have one string a row. ``formula`` and ``proof`` are there unless the
claim is ``multiple``. The last key seals the others (`seal`) against damage. Formula and proof have the
standard forms DIMACS and binary DRAT, so that other checkers read them. In version 1 the proof was text, and
the formula of puzzles in several colours another one (`nonocsp.certificates.formula`).
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from nonocsp.certificates.formula import VERSION
from nonocsp.formats.codecs.data.json_files import decode, encode
from nonocsp.model import FormatError, Grid, NonocspError, Puzzle, bounds

FORMAT = "nonocsp certificate"
VERSIONS = range(1, VERSION + 1)
_WRITTEN = "what nonocsp solve --proof FOLDER writes"


class Claim(StrEnum):
    """What a certificate says about the solutions of a puzzle; the words are those of an answer."""

    UNIQUE = "unique"
    MULTIPLE = "multiple"
    UNSAT = "unsat"

    @property
    def shown(self) -> int:
        """How many solutions are shown."""
        return {Claim.UNIQUE: 1, Claim.MULTIPLE: 2, Claim.UNSAT: 0}[self]

    @property
    def has_proof(self) -> bool:
        """Whether the claim says that there are no other solutions."""
        return self is not Claim.MULTIPLE


class Invalid(Exception):
    """A certificate that proves nothing; the message says why and in which file and line."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """Another file of a certificate in the same folder, with the SHA-256 of its bytes."""

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Document:
    """The content of a certificate's JSON file."""

    claim: Claim
    puzzle: Puzzle
    solutions: tuple[Grid, ...]
    formula: Attachment | None = None
    proof: Attachment | None = None
    version: int = VERSION

    def text(self) -> str:
        """Return the file's text, one key a line."""
        content = {
            "format": FORMAT,
            "version": self.version,
            "claim": str(self.claim),
            "puzzle": encode(self.puzzle, with_goal=False),
            "solutions": [grid.strings(self.puzzle.palette) for grid in self.solutions],
        }
        for key, attached in (("formula", self.formula), ("proof", self.proof)):
            if attached:
                content[key] = asdict(attached)
        sealed = content | {"sha256": seal(content)}
        lines = (f'  "{key}": {json.dumps(value)}' for key, value in sealed.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"


def seal(content: dict[str, Any]) -> str:
    """Return the SHA-256 of a document's other keys: sorted, in ASCII, without white space."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def read_document(path: Path) -> Document:
    """Read a certificate's JSON file; FormatError if it is none of this version, `Invalid` if at fault."""
    with path.open("rb") as file:
        text = file.read(bounds.CERTIFICATE_BYTES + 1)
    if len(text) > bounds.CERTIFICATE_BYTES:
        raise FormatError(
            "the file is too large", file=str(path), expected=f"up to {bounds.CERTIFICATE_BYTES} bytes"
        )
    try:
        content = json.loads(text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {error}", file=str(path), expected=_WRITTEN) from None
    if not isinstance(content, dict):
        raise FormatError("not a JSON object", file=str(path), expected=_WRITTEN)
    if content.get("format") != FORMAT or type(content.get("version")) is not int:
        raise FormatError("not a certificate", file=str(path), expected=_WRITTEN)
    if content["version"] not in VERSIONS:
        raise FormatError(f"version {content['version']}", file=str(path), expected=f"version 1 to {VERSION}")
    try:
        return _decode(content)
    except Invalid as fault:
        raise Invalid(f"{path}: {fault}") from None
    except RecursionError:
        raise Invalid(f"{path}: nested too deeply") from None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(keys := dict(pairs)) < len(pairs):
        raise ValueError(f"a key is repeated among {', '.join(keys)}")
    return keys


def _decode(content: dict[str, Any]) -> Document:
    if not isinstance(content.get("claim"), str) or content["claim"] not in list(Claim):
        raise Invalid(f'"claim" is none of {", ".join(Claim)}')
    claim = Claim(content["claim"])
    keys = {"format", "version", "claim", "puzzle", "solutions", "sha256"}
    if claim.has_proof:
        keys |= {"formula", "proof"}
    if wrong := keys ^ content.keys():
        raise Invalid(
            f"a certificate of {claim} has the keys {', '.join(sorted(keys))}; at fault: {min(wrong)}"
        )
    if content["sha256"] != seal({key: value for key, value in content.items() if key != "sha256"}):
        raise Invalid('"sha256" does not fit the rest: the file was changed')
    try:
        puzzle = decode(content["puzzle"])
    except NonocspError as error:
        raise Invalid(f'"puzzle": {error}') from None
    if content["puzzle"] != encode(puzzle, with_goal=False):
        raise Invalid('"puzzle" is not written as nonocsp writes it, without a goal and without other keys')
    solutions = _decode_solutions(content["solutions"], claim, puzzle)
    formula, proof = (
        _decode_attachment(key, content[key]) if claim.has_proof else None for key in ("formula", "proof")
    )
    return Document(claim, puzzle, solutions, formula, proof, content["version"])


def _decode_attachment(key: str, content: Any) -> Attachment:
    match content:
        case {"file": str(file), "sha256": str(sha256)} if (
            len(content) == 2
            and re.fullmatch(r"\w[\w.-]*", file, re.ASCII)
            and re.fullmatch(r"[0-9a-f]{64}", sha256)
        ):
            return Attachment(file, sha256)
    raise Invalid(f'"{key}" is not {{"file": a name without a folder, "sha256": 64 hexadecimal digits}}')


def _decode_solutions(content: Any, claim: Claim, puzzle: Puzzle) -> tuple[Grid, ...]:
    rows, columns = puzzle.shape
    if not isinstance(content, list) or len(content) != claim.shown:
        raise Invalid(f'"solutions": a certificate of {claim} has a list of {claim.shown}')
    for grid in content:
        right = isinstance(grid, list) and len(grid) == rows
        if not right or not all(isinstance(row, str) and len(row) == columns for row in grid):
            raise Invalid(f'"solutions": a grid has {rows} strings of {columns} characters')
    try:
        return tuple(Grid.from_strings(grid, puzzle.palette) for grid in content)
    except NonocspError as error:
        raise Invalid(f'"solutions": {error}') from None
