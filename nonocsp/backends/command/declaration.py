"""Declare a program as a backend: its command, what it reads, what it prints.

A declaration is a mapping: a YAML file, an entry of a config, or a JSON object. The JSON object is its
canonical form, a spec that means the same in any folder. It can go to any process and any machine that has
the program.
"""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from nonocsp.faults import first_fault
from nonocsp.formats import formats
from nonocsp.model import UsageError, bounds, meant, unknown
from nonocsp.model.palette import MAX_COLOURS, UNKNOWN_CHAR
from nonocsp.shipped import find_solver
from nonocsp.yaml_document import read_yaml

ProgramClaim = Literal["unsat", "unique", "multiple", "all", "solved", "unknown"]
"""What a program says: no solution, one, several; all solutions are printed; one is found; nothing is."""
Word = Annotated[str, StringConstraints(min_length=1, max_length=bounds.PATH_CHARS)]
Pattern = Annotated[str, StringConstraints(min_length=1, max_length=bounds.SPEC_CHARS)]

DIMACS, FLATZINC = "dimacs", "flatzinc"
DEFAULT_INPUT = "non"
PLACEHOLDERS = {
    "puzzle": "the file with the puzzle",
    "folder": "an empty folder for the run, in which the program starts",
    "here": "the folder of the YAML file",
    "found": "the file with the grids found so far, for `exclude`",
    "solutions": "how many solutions are wanted: 1 to solve, 2 to decide",
    "proof": "the file that the program writes its proof to, for `proof`",
    "seed": "the seed of the run",
    "wall": "seconds that are left of the wall limit; 1000000 without a limit",
    "rows": "rows of the puzzle",
    "columns": "columns of the puzzle",
}
"""What may stand in braces in a word of a command."""
PLACEHOLDER = re.compile(r"\{(\w+)\}")
"""A name in braces."""
_BETWEEN_PATHS = re.compile(r"[=:,]")
_SOLUTIONS = frozenset({"text", "image"})
"""Formats that hold solutions and no clues."""


class _Mapping(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Rules(_Mapping):
    """How to read what a program prints.

    Parameters
    ----------
    unsat, unique, multiple, all, solved, unknown
        Regular expressions: if one is found in the output, the program claims that there is no solution, one,
        or several; that it printed all; that it found one, or nothing. ``^`` and ``$`` match at each line.
    row
        Regular expression of a line that shows a row of the grid; its group, if it has one, is the cells. By
        default a line that consists of nothing but one cell for each column.
    cells
        The characters of the colours in a grid, the background first. By default those of the puzzle; for one
        colour also the usual ones: ``#``, ``X``, ``1``, ``█`` and others, on ``.``, ``0``, ``-``, ``_``.
    width
        Characters of a cell, if the program repeats them.
    exit_codes
        Claims by exit code. Codes other than 0 and these are crashes.
    statistics
        Regular expressions with a group that is a number, by the name of the statistic.
    """

    unsat: Pattern | None = None
    unique: Pattern | None = None
    multiple: Pattern | None = None
    all: Pattern | None = None
    solved: Pattern | None = None
    unknown: Pattern | None = None
    row: Pattern | None = None
    cells: Annotated[str, StringConstraints(min_length=2, max_length=MAX_COLOURS + 1)] | None = None
    width: Annotated[int, Field(ge=1, le=16)] = 1
    exit_codes: dict[Annotated[int, Field(ge=0, le=255)], ProgramClaim] = {}
    statistics: Annotated[dict[str, Pattern], Field(max_length=64)] = {}

    @field_validator("unsat", "unique", "multiple", "all", "solved", "unknown", "row")
    @classmethod
    def _is_regular(cls, pattern: str | None) -> str | None:
        return None if pattern is None else _compiled(pattern).pattern

    @field_validator("statistics")
    @classmethod
    def _have_a_group(cls, patterns: dict[str, str]) -> dict[str, str]:
        for name, pattern in patterns.items():
            if not 1 <= len(name) <= 100:
                raise ValueError("the name of a statistic has 1 to 100 characters")
            if _compiled(pattern).groups != 1:
                raise ValueError(f"{name}: expected one group, such as in 'nodes: (\\d+)'")
        return patterns

    @field_validator("cells")
    @classmethod
    def _differ(cls, cells: str | None) -> str | None:
        if cells and len({*cells, UNKNOWN_CHAR}) <= len(cells):
            raise ValueError(
                f"expected different characters other than {UNKNOWN_CHAR}, which is an open cell"
            )
        return cells

    @property
    def claims(self) -> dict[ProgramClaim, str]:
        """The regular expressions of the claims that have one."""
        patterns: dict[ProgramClaim, str | None] = {
            "unsat": self.unsat,
            "unique": self.unique,
            "multiple": self.multiple,
            "all": self.all,
            "solved": self.solved,
            "unknown": self.unknown,
        }
        return {claim: pattern for claim, pattern in patterns.items() if pattern is not None}


class Declaration(_Mapping):
    """A program as a backend.

    Parameters
    ----------
    name
        What the backend is called in tables.
    command
        The program and its arguments, with placeholders such as ``{puzzle}``. A program without a slash is
        looked for in ``PATH``; a word that begins with ``./`` or ``../`` starts from the folder of the YAML
        file.
    input
        A format that ``nonocsp convert`` writes, or ``dimacs`` or ``flatzinc``: the puzzle as a formula or a
        model.
    given
        Where the puzzle goes: ``file`` (the word with ``{puzzle}``) or ``stdin``. By default ``file`` if the
        command has ``{puzzle}``. ``set``: a campaign gives it many puzzles in one file, or on its standard
        input, and it prints a grid for each, behind ``$n`` or in their order.
    output
        ``grid`` (lines of text), ``json``, ``dimacs`` or ``flatzinc``. By default ``grid``; for the inputs
        ``dimacs`` and ``flatzinc`` the output is that, too.
    output_file
        The file in ``{folder}`` that the program writes its answer to; by default it prints it.
    solutions
        ``one``: the program ends with its first solution. ``all``: it prints every solution, or as many as
        ``{solutions}``; if it prints fewer, and makes no other claim, there are no others.
    rules
        How to read what it prints.
    exclude
        The command that finds a solution other than those in the file ``{found}``; it is asked to settle
        whether a solution is unique.
    colours
        Whether the program takes puzzles of several colours.
    encoding
        For ``dimacs``: how the formula says where blocks are, as for backend ``sat``.
    proof
        For ``dimacs``: ``drat`` or ``lrat``, the form of the proof that the program writes to ``{proof}`` if
        the formula has no model. It is verified against the formula.
    version
        The command that prints the program's version.
    files
        Files and folders that belong to the program beside those that its commands name, such as a library or
        a table: a change in them means new runs. Relative paths start from the folder of the YAML file.
    summary, paper
        The method in a line, and where it comes from, for ``nonocsp backends``.
    """

    name: Annotated[str, StringConstraints(pattern=r"^[^\W_][\w.-]*$", max_length=64)]
    command: Annotated[tuple[Word, ...], Field(min_length=1, max_length=256)]
    input: str = DEFAULT_INPUT
    given: Literal["file", "stdin", "set"] | None = None
    output: Literal["grid", "json", "dimacs", "flatzinc"] | None = None
    output_file: Annotated[str, StringConstraints(pattern=r"^\w[\w.-]*$", max_length=100)] | None = None
    solutions: Literal["one", "all"] = "one"
    rules: Rules = Rules()
    exclude: Annotated[tuple[Word, ...], Field(max_length=256)] = ()
    colours: bool = False
    encoding: Literal["order", "direct", "automaton"] = "order"
    proof: Literal["drat", "lrat"] | None = None
    version: Annotated[tuple[Word, ...], Field(max_length=64)] = ()
    files: Annotated[tuple[Word, ...], Field(max_length=256)] = ()
    summary: Annotated[str, StringConstraints(max_length=200)] = "a program of its own"
    paper: Annotated[str, StringConstraints(max_length=300)] = ""

    @field_validator("command", "exclude", "version", mode="before")
    @classmethod
    def _is_quoted(cls, command: Any) -> Any:
        for word in command if isinstance(command, list) else ():
            if isinstance(word, dict) and len(word) == 1 and (name := str(next(iter(word)))) in PLACEHOLDERS:
                raise ValueError(f'{{{name}}} without quotes is a mapping in YAML; write "{{{name}}}"')
        return command

    @field_validator("command", "exclude", "version")
    @classmethod
    def _has_known_placeholders(cls, command: tuple[str, ...]) -> tuple[str, ...]:
        for word in command:
            if "\0" in word:
                raise ValueError("a word of a command holds no NUL character")
            for name in PLACEHOLDER.findall(word):
                if name not in PLACEHOLDERS:
                    raise ValueError(str(unknown("placeholder", name, PLACEHOLDERS)))
        return command

    @field_validator("input")
    @classmethod
    def _can_be_written(cls, name: str) -> str:
        written = [known.name for known in formats() if known.can_write and known.name not in _SOLUTIONS]
        if name not in (able := [*written, DIMACS, FLATZINC]):
            raise ValueError(str(unknown("input format", name, able)))
        return name

    @model_validator(mode="after")
    def _fits_together(self) -> Declaration:
        words = [*self.command, *self.exclude]
        if self.given == "file" and not any("{puzzle}" in word for word in self.command):
            raise ValueError("given: file, but the command lacks {puzzle}; add it, or set given: stdin")
        if self.output in (DIMACS, FLATZINC) and self.output != self.input:
            raise ValueError(f"output: {self.output} needs input: {self.output}")
        if self.given == "set":
            many = [known.name for known in formats() if known.holds_many and known.can_write]
            if self.input not in many or self.printed != "grid" or self.exclude or self.colours:
                kinds = ", ".join(name for name in many if name not in _SOLUTIONS)
                raise ValueError(
                    f"given: set needs an input with many puzzles ({kinds}) in one colour, and output: grid"
                )
        if self.exclude and self.input in (DIMACS, FLATZINC):
            raise ValueError(f"input: {self.input} excludes solutions by itself; remove exclude")
        if self.proof and self.input != DIMACS:
            raise ValueError(f"proof: {self.proof} needs input: {DIMACS}")
        if bool(self.proof) != any("{proof}" in word for word in words):
            raise ValueError("proof: drat or lrat and {proof} in the command belong together; give both")
        if self.exclude and not any("{found}" in word for word in self.exclude):
            raise ValueError("exclude: expected a command with {found}, the file of the grids to exclude")
        if not self.exclude and any("{found}" in word for word in words):
            raise ValueError("{found} is for the command of exclude")
        return self

    @property
    def reads_stdin(self) -> bool:
        """Whether the program gets the puzzle on its standard input."""
        return self.given == "stdin" or not any("{puzzle}" in word for word in self.command)

    @property
    def printed(self) -> str:
        """In which form the program prints its answer."""
        own = self.input if self.input in (DIMACS, FLATZINC) else "grid"
        return self.output or own

    @property
    def can_exclude(self) -> bool:
        """Whether the program can be asked for another solution."""
        return bool(self.exclude) or self.input in (DIMACS, FLATZINC)

    @property
    def canonical(self) -> str:
        """The declaration as a spec: JSON without what is the default."""
        return json.dumps(self.model_dump(mode="json", exclude_defaults=True), separators=(",", ":"))

    @property
    def program(self) -> str | None:
        """The path of the program; None if it is not there or cannot be executed."""
        return shutil.which(self.command[0])

    @property
    def problem(self) -> str:
        """Why the program cannot run here, and what to do; empty if it can."""
        if self.program:
            lost = next((path for path in self.files if not Path(path).exists()), None)
            return f"there is no file {lost}; correct its path in files" if lost else ""
        first = self.command[0]
        if "/" not in first:
            return f"the program {first!r} is not in PATH; install it, or name its place, such as ./{first}"
        if not Path(first).exists():
            return f"there is no file {first}; build the program, or correct the first word of its command"
        return f"{first} cannot be executed; make it executable: chmod +x {first}"

    @property
    def code_files(self) -> list[Path]:
        """The program, what its commands name by full paths, and `files`: all that counts as its code.

        A path may be a word, or a part of one, as in ``--data=/a/file`` and ``-cp /a/classes:/a/b.jar``. A
        folder that the program writes to should be ``{folder}``: what changes there would count as new code.
        """
        words = [word for word in (*self.command, *self.exclude) if "/" in word]
        parts = (part for word in words for part in (word, *_BETWEEN_PATHS.split(word)))
        named = dict.fromkeys(part for part in parts if part.startswith("/") and "\0" not in part)
        found = [path for path in (Path(self.program or ""), *map(Path, named)) if _can_be_code(path)]
        return [*found, *map(Path, self.files)]


def declaration_of(spec: str) -> Declaration:
    """Return the declaration that a spec is or names; shipped ones are found by name. Else UsageError."""
    if spec.lstrip().startswith("{"):
        return _of_json(spec)
    return read_declaration(find_solver(Path(spec.strip())))


def read_declaration(path: Path) -> Declaration:
    """Return the declaration in a YAML file; FormatError with its place, or UsageError if unreadable."""
    document = read_yaml(path)
    try:
        return Declaration.model_validate(_resolved(document.data, path.parent))
    except ValidationError as error:
        raise document.error(error, lambda keys: Rules if keys else Declaration) from None


def declared(values: dict[str, Any], folder: Path) -> Declaration:
    """Return the declaration that a mapping, written in a folder, is; UsageError in plain words if none."""
    try:
        return Declaration.model_validate(_resolved(values, folder))
    except ValidationError as error:
        detail = min(error.errors(), key=lambda detail: detail["type"] != "extra_forbidden")
        if detail["type"] != "extra_forbidden":
            raise UsageError(first_fault(error)) from None
        key = str(detail["loc"][-1])
        known = (Rules if len(detail["loc"]) > 1 else Declaration).model_fields
        expected = f"one of {', '.join(known)}"
        raise UsageError(f"unknown key {key!r}{meant(key, known)}; expected {expected}") from None


def _resolved(declared: Any, folder: Path) -> Any:
    """Return what was written in a folder, a mapping or anything else, with full paths of files."""
    if not isinstance(declared, dict):
        return declared
    here = folder.absolute()
    return {
        key: [_in_folder(word, here, is_path=key == "files") for word in value]
        if key in ("command", "exclude", "version", "files") and isinstance(value, list)
        else value
        for key, value in declared.items()
    }


def _in_folder(word: Any, here: Path, *, is_path: bool) -> Any:
    """Return a word of a declaration with its full path, if it is a path or begins like one."""
    if isinstance(word, int | float) and not isinstance(word, bool):
        return str(word)
    if not isinstance(word, str):
        return word
    word = word.replace("{here}", str(here))
    return str(here / word) if is_path or word.startswith(("./", "../")) else word


@cache
def _of_json(text: str) -> Declaration:
    try:
        if len(text) > bounds.SPEC_CHARS:
            raise UsageError(f"a declaration as JSON has at most {bounds.SPEC_CHARS} characters")
        return declared(json.loads(text), Path())
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the spec begins with {{, but is no JSON object: {error}") from None


def _can_be_code(path: Path) -> bool:
    """Return whether a path is that of a file, or of a folder below the topmost ones, such as ``/tmp``."""
    try:
        return path.is_file() or (path.is_dir() and len(path.resolve().parts) > 2)
    except (OSError, RuntimeError):  # a name too long, a circle of links
        return False


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.MULTILINE)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"{pattern!r} is not a regular expression: {error}") from None
