"""Find or make a campaign's puzzles: from files, globs, folders, or a rule and a seed.

Every puzzle has a name that is the same on every machine, because it is part of a run's identity: the path of
its file as the config gives it, or the name and arguments of its rule. Of an absolute path it is the name of
the file. If several files of a source share it, it is their path below the part without wildcards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import chain, islice, product
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    model_validator,
)

from nonocsp import shipped
from nonocsp.bench.puzzle_files import Scan, fixed_part, why_no_file
from nonocsp.bench.values import NUMBER, Several
from nonocsp.formats import NamedPuzzle, formats, load_named
from nonocsp.formats.files import is_archive
from nonocsp.formats.json_text import is_unicode
from nonocsp.formats.naming import sampled
from nonocsp.formats.unpacking import without_packing
from nonocsp.model import UsageError, bounds

Lines = Annotated[int, Field(gt=0, le=bounds.LINES), NUMBER]
Index = Annotated[int, Field(ge=0, lt=1 << 63), NUMBER]


class Section(BaseModel):
    """A mapping of a config: its keys are known, its values do not change; null means the default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        optional = {key for key, field in cls.model_fields.items() if not field.is_required()}
        return {key: value for key, value in data.items() if value is not None or key not in optional}


class Slice(Section):
    """Which puzzles of a file: like a Python slice, counted from 0, without negative numbers."""

    start: Index | None = None
    stop: Index | None = None
    step: Annotated[int, Field(gt=0, lt=1 << 63), NUMBER] | None = None


class Sample(Section):
    """How many puzzles of a source, chosen by chance: the same ones for the same seed."""

    count: Annotated[int, Field(gt=0, le=bounds.SAMPLED), NUMBER]
    seed: Index = 0


@dataclass(frozen=True, slots=True)
class RandomSet:
    """Random images of one size, density and number of colours: the arguments of `random_set`."""

    rows: int
    columns: int
    density: float
    colours: int
    count: int
    seed: int

    @property
    def name(self) -> str:
        """What the set is called in the results; `random_rule` reads it."""
        short = f"{self.density:g}"
        density = short if float(short) == self.density else self.density
        colours = f"-{self.colours}colours" if self.colours > 1 else ""
        return f"random-{self.rows}x{self.columns}-{density}{colours}-seed{self.seed}"


class RandomImages(Section):
    """Random images, all cells independent of each other.

    Sizes, densities and colours may each be a value, a range such as ``0.1..0.9 by 0.1``, or a list of both.
    Several make a set of images for every combination.

    Parameters
    ----------
    rows, columns
        The size of each. Without columns the images are square.
    count
        How many of each combination.
    density
        The probability of a cell to be filled.
    colours
        In how many colours, each as likely as the others.
    seed
        The same seed gives the same images.
    """

    rows: Several[Lines]
    columns: Several[Lines] | None = None
    count: Annotated[int, Field(gt=0, le=bounds.RUNS), NUMBER]
    density: Several[Annotated[float, Field(gt=0, le=1), NUMBER]] = (0.5,)
    colours: Several[Annotated[int, Field(ge=1, le=63), NUMBER]] = (1,)
    seed: Index = 0

    @model_validator(mode="after")
    def _is_small(self) -> RandomImages:
        kinds = len(self.density) * len(self.colours)
        if self.set_count > bounds.RANDOM_SETS:
            raise ValueError(
                f"{self.set_count} combinations of sizes, densities and colours are too many; "
                f"expected at most {bounds.RANDOM_SETS}"
            )
        cells = max(self.rows) * max(self.columns or self.rows)
        if cells > bounds.RANDOM_CELLS:
            raise ValueError(f"an image has at most {bounds.RANDOM_CELLS} cells, not {cells}")
        if self.columns is None:
            in_all = sum(rows * rows for rows in self.rows)
        else:
            in_all = sum(self.rows) * sum(self.columns)
        total = self.count * kinds * in_all
        if total > bounds.RANDOM_SET_CELLS:
            raise ValueError(f"a source has at most {bounds.RANDOM_SET_CELLS} cells, not {total}")
        return self

    @property
    def set_count(self) -> int:
        """How many sets there are."""
        return len(self.rows) * len(self.columns or (1,)) * len(self.density) * len(self.colours)

    def _sizes(self) -> Iterator[tuple[int, int]]:
        if self.columns is None:
            return zip(self.rows, self.rows, strict=True)
        return product(self.rows, self.columns)

    def sets(self) -> Iterator[RandomSet]:
        """Yield the set of each combination: size by size, and in each density by density."""
        for (rows, columns), density, colours in product(self._sizes(), self.density, self.colours):
            yield RandomSet(rows, columns, density, colours, self.count, self.seed)


_RANDOM_NAME = re.compile(r"random-\d+x\d+-([\d.e-]+?)(?:-(\d+)colours)?-seed\d+#\d+", re.ASCII)


def random_rule(name: str) -> tuple[float, int] | None:
    """Return density and number of colours of the rule that made a puzzle, from its name; None for others."""
    match = _RANDOM_NAME.fullmatch(name)
    try:
        return (float(match[1]), int(match[2] or 1)) if match else None
    except ValueError:
        return None


def _parse_slice(value: object) -> object:
    """Turn ``"start:stop:step"`` into a mapping."""
    if not isinstance(value, str):
        return value
    if not re.fullmatch(r"\d*:\d*(:\d*)?", value):
        raise ValueError("expected start:stop:step such as '::10' (every tenth)")
    numbers = (int(part) if part else None for part in value.split(":"))
    return dict(zip(("start", "stop", "step"), numbers, strict=False))


def _parse_sample(value: object) -> object:
    return {"count": value} if isinstance(value, int) else value


def _parse_size(value: object) -> object:
    """Turn ``"25x30"`` into (rows, columns)."""
    if isinstance(value, str):
        if not (match := re.fullmatch(r"(\d+)x(\d+)", value)):
            raise ValueError("expected rows and columns such as '25x30'")
        return match.groups()
    return value


def _check_path(path: str) -> str:
    if not path or "\0" in path:
        raise ValueError("expected a path, without NUL characters")
    return path


def _check_dominoes(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if sum(numbers) > bounds.DOMINOES:
        raise ValueError(f"expected numbers whose sum is at most {bounds.DOMINOES}, not {sum(numbers)}")
    return numbers


FilePath = Annotated[str, Field(max_length=bounds.PATH_CHARS), AfterValidator(_check_path)]
Dominoes = Annotated[
    Several[Annotated[int, Field(gt=0, le=(bounds.LINES - 1) // 2), NUMBER]], AfterValidator(_check_dominoes)
]
_ORIGINS = ("file", "directory", "random", "dominoes")


class PuzzleSource(Section):
    """Puzzles from one origin: `file`, `directory`, `random` or `dominoes`.

    Parameters
    ----------
    file
        A path or glob, relative to the config file; also compressed files and archives. If there is no such
        file, ``../datasets/…`` means the data of nonocsp.
    directory
        A folder, relative to the config file. It takes all files in and below it that have a suffix of
        `format`, or of any format, and archives.
    random
        Random images (`nonocsp.datasets.random_set`).
    dominoes
        Each n of the n-Dom puzzles (`nonocsp.datasets.n_dom`), such as ``4..10 by 2``.
    slice
        Puzzles to take from each file or rule: ``"::10"`` or a mapping of `start`, `stop`, `step`.
    sample
        How many of these puzzles to take, chosen by chance: ``100``, or a mapping of `count` and `seed`.
    format
        The file format, if nonocsp cannot recognise it by its content.
    size
        ``"25x30"`` (rows x columns), for formats that do not give the size.
    optional
        Whether a campaign continues with a warning if there is no such file.
    """

    file: FilePath | None = None
    directory: FilePath | None = None
    random: RandomImages | None = None
    dominoes: Dominoes | None = None
    slice: Annotated[Slice, BeforeValidator(_parse_slice)] = Slice()
    sample: Annotated[Sample, BeforeValidator(_parse_sample)] | None = None
    format: str | None = None
    size: Annotated[tuple[Lines, Lines], BeforeValidator(_parse_size)] | None = None
    optional: bool = False

    _paths: dict[str, Path] = PrivateAttr(default_factory=dict)
    _no_file: str = PrivateAttr(default="")

    def model_post_init(self, context: Any, /) -> None:
        """Find the files, once."""
        folder, scan = (context["folder"], context["scan"]) if context else (Path(), Scan())
        if given := self.directory or self.file:
            found = self._files(scan, folder, given)
            self._no_file = why_no_file(folder, given)
            if not found and _portable(given).startswith("datasets/"):
                folder = shipped.root()
                found = self._files(scan, folder, _portable(given))
            names = [*map(_portable, found)]
            if len({*names}) < len(names):  # an absolute pattern can lead to several folders
                base = given if self.directory else fixed_part(given)
                names = [PurePosixPath(name).relative_to(base).as_posix() for name in found]
            self._paths = {name: folder / path for name, path in zip(names, found, strict=True)}

    @model_validator(mode="after")
    def _has_one_origin(self) -> PuzzleSource:
        given = [key for key in _ORIGINS if getattr(self, key) is not None]
        if len(given) != 1:
            raise ValueError(
                f"a source has one of {', '.join(_ORIGINS)}; this has {' and '.join(given) or 'none'}"
            )
        if not (self.file or self.directory) and (self.format or self.size or self.optional):
            raise ValueError(f"format, size and optional are for files; {given[0]} needs none")
        if self.absence and not self.optional:
            raise ValueError(f"{self.absence}; 'optional: true' goes on without")
        return self

    @property
    def absence(self) -> str:
        """What is not there; empty if there is something."""
        if self.random or self.dominoes or self.paths():
            return ""
        found = f"no puzzle file in {self.directory!r}" if self.directory else self._no_file
        return f"{found} (seen from the folder of the config)"

    def paths(self) -> dict[str, Path]:
        """Return the files, sorted, by the name they go under in the results: the same on every machine."""
        return self._paths

    def _files(self, scan: Scan, folder: Path, given: str) -> list[str]:
        """Return the files that a path or glob means, as seen from a folder, sorted."""
        if not self.directory:
            return sorted(scan.matching(folder, given))
        known = [entry for entry in formats() if self.format in (None, entry.name)]
        suffixes = {suffix for entry in known for suffix in entry.suffixes}
        return sorted(
            name
            for name in scan.below(folder, given)
            if is_archive(name) or PurePosixPath(without_packing(name)).suffix.lower() in suffixes
        )

    @property
    def count(self) -> int:
        """How many puzzles there are, at least: a file has one or more."""
        if not self.random:
            return 1 if self.sample else len(self.dominoes or self._paths)
        each = range(self.random.count)[self.slice.start : self.slice.stop : self.slice.step]
        images = len(each) * self.random.set_count
        return min(images, self.sample.count) if self.sample else images

    def puzzles(self) -> Iterator[NamedPuzzle]:
        """Yield the puzzles, read or made as they are asked for."""
        sets: Iterable[Iterator[NamedPuzzle]]
        if self.random:
            sets = map(_made, self.random.sets())
        elif self.dominoes:
            from nonocsp.datasets import n_dom

            sets = [(NamedPuzzle(f"{n}-Dom", n, n_dom(n)) for n in self.dominoes)]
        else:
            sets = (
                load_named(path, name=name, format=self.format, size=self.size)
                for name, path in self.paths().items()
            )
        chosen: Iterable[NamedPuzzle] = chain.from_iterable(
            islice(puzzles, self.slice.start, self.slice.stop, self.slice.step) for puzzles in sets
        )
        if self.sample:
            chosen = sampled(chosen, self.sample.count, self.sample.seed)
        for puzzle in chosen:
            if not is_unicode(puzzle.name):
                shown = puzzle.name.encode(errors="surrogateescape").decode(errors="backslashreplace")
                raise UsageError(
                    f"the file name {shown} is not UTF-8, so results cannot name its puzzles: rename it"
                )
            yield puzzle


def _made(chosen: RandomSet) -> Iterator[NamedPuzzle]:
    """Yield the puzzles of a set of random images, named by its rule and counted from 1."""
    from nonocsp.datasets import random_set

    for index, puzzle in enumerate(random_set(**asdict(chosen)), start=1):
        yield NamedPuzzle(f"{chosen.name}#{index}", index, puzzle)


def _portable(name: str) -> str:
    """Return a path without what differs between machines: leading ``..``, folders of an absolute one."""
    return Path(name).name if Path(name).is_absolute() else re.sub(r"^(\.\./)+", "", name)
