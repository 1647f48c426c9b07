"""Read campaigns from YAML files: puzzles, backends, a task, limits and a way to measure.

A wrong key or value is an error with file and line, and names a similar key if there is one. Paths are
relative to the config file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ByteSize,
    Field,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from nonocsp import run as executors
from nonocsp.backends.base import Limits, Request, Task
from nonocsp.bench.backend_entry import BackendEntry, check_labels
from nonocsp.bench.puzzle_files import Scan
from nonocsp.bench.sources import PuzzleSource, RandomImages, Sample, Section, Slice
from nonocsp.bench.values import NUMBER, as_bytes, as_seconds, combinations_in, numbers_in, seed_list
from nonocsp.model import FormatError, UsageError, bounds
from nonocsp.run.jobs import Access
from nonocsp.yaml_document import read_yaml

Seconds = Annotated[
    float,
    BeforeValidator(as_seconds),
    Field(gt=0, le=bounds.SECONDS, json_schema_extra={"duration": True}),
    NUMBER,
]
Seed = Annotated[int, Field(ge=-(1 << 63), lt=1 << 63), NUMBER]


def _absolute(path: str) -> str:
    """Return an absolute path of this machine; ``~`` stands for the home folder."""
    folder = Path(path).expanduser() if f"{path}/".startswith("~/") else Path(path)
    if not folder.is_absolute():
        raise ValueError(f"expected an absolute path, or one that begins with ~/, not {path!r}")
    return str(folder)


Folder = Annotated[str, Field(max_length=bounds.PATH_CHARS), AfterValidator(_absolute)]


class LimitsSection(Section):
    """Limits of one run.

    Parameters
    ----------
    wall
        Time of the clock: seconds, or text such as ``"10s"``, ``"2m"`` or ``"100ms"``.
    cpu
        CPU time of all processes of the run, written likewise.
    memory
        Resident memory of all processes of the run, in bytes or as text such as ``"2 GiB"``.
    """

    wall: Seconds | None = None
    cpu: Seconds | None = None
    memory: (
        Annotated[ByteSize, BeforeValidator(as_bytes), Field(gt=0, le=bounds.MEMORY_BYTES), NUMBER] | None
    ) = None


class Cluster(Section):
    """The cluster of executor ``dask``.

    Parameters
    ----------
    executor
        Executor that measures on its workers: ``fork``, ``warm`` or ``benchexec``.
    """

    executor: Literal["fork", "warm", "benchexec"] = "fork"

    @model_validator(mode="before")
    @classmethod
    def _has_no_address(cls, values: Any) -> Any:
        if isinstance(values, dict) and "address" in values:
            raise ValueError(
                "a config cannot name a scheduler, because whoever controls it runs code here; "
                "remove the key address; give nonocsp bench --scheduler ADDRESS, or set NONOCSP_SCHEDULER"
            )
        return values


class CampaignConfig(Section):
    """A campaign: every backend on every puzzle, for every seed and repeat, under the same limits.

    Parameters
    ----------
    name
        Name of the campaign and of its folder of results.
    description
        What the campaign is about, for its report.
    puzzles
        Sources of puzzles.
    backends
        Backend specs such as ``sat:solver=cadical195``, or mappings that also give a name or a sweep. A sweep
        stands for its combinations.
    task
        Task of every run.
    bound
        The most solutions that task ``count`` looks for, and lists; None, or ``all`` in YAML: it tells the
        number of all of them.
    limits
        Limits of each run.
    certify
        Whether backends that can prove what they find have to, and each proof is verified. Rows and reports
        then say of each verdict whether it is proved.
    seeds
        Seeds. Each run is done once for every seed. A number is how many, so ``20`` means ``0..19``.
    repeats
        Number of repeats. Each run is done once for every repeat.
    jobs
        Number of runs at a time.
    executor
        Executor that measures the runs: one of `nonocsp.run.NAMES`.
    pin
        Whether each run is confined to its own cores, which no other pinned campaign gets.
    cores
        Number of cores of each run. A backend that uses several threads needs several.
    network
        For executor ``benchexec``: whether runs may use the network.
    writable
        For executor ``benchexec``: absolute paths of folders where runs may write, besides a ``/tmp`` of
        their own.
    cluster
        What executor ``dask`` does on its workers.
    """

    name: Annotated[str, Field(max_length=bounds.NAME_CHARS, pattern=r"^[A-Za-z0-9][\w.-]*$")]
    description: Annotated[str, Field(max_length=bounds.DESCRIPTION_CHARS)] = ""
    puzzles: Annotated[tuple[PuzzleSource, ...], Field(min_length=1)]
    backends: Annotated[tuple[BackendEntry, ...], Field(min_length=1, max_length=bounds.BACKENDS)]
    task: Task = Task.DECIDE
    bound: Annotated[int, Field(gt=0, le=bounds.SOLUTIONS), NUMBER] | None = None
    limits: LimitsSection = LimitsSection()
    certify: bool = False
    seeds: Annotated[
        tuple[Seed, ...],
        BeforeValidator(seed_list),
        Field(min_length=1, max_length=bounds.RANGE_VALUES, json_schema_extra={"several": True}),
    ] = (0,)
    repeats: Annotated[int, Field(gt=0, le=bounds.RUNS), NUMBER] = 1
    jobs: Annotated[int, Field(gt=0, le=bounds.JOBS), NUMBER] = 1
    executor: str = "fork"
    pin: bool = False
    cores: Annotated[int, Field(gt=0, le=bounds.JOBS), NUMBER] = 1
    network: bool = False
    writable: Annotated[tuple[Folder, ...], Field(max_length=bounds.JOBS)] = ()
    cluster: Cluster | None = None

    _text: str = PrivateAttr(default="")

    @field_validator("puzzles")
    @classmethod
    def _have_own_names(cls, sources: tuple[PuzzleSource, ...]) -> tuple[PuzzleSource, ...]:
        """Refuse two files of the same name: their puzzles could not be told apart in the results."""
        known: dict[str, Path] = {}
        for name, path in (entry for source in sources for entry in source.paths().items()):
            other = known.setdefault(name, path)
            if other != path and not other.samefile(path):
                raise ValueError(
                    f"{other} and {path} would both be called {name!r} in the results; "
                    "rename one, or give a folder or pattern that leads to both"
                )
        return sources

    @field_validator("backends", mode="before")
    @classmethod
    def _are_few(cls, entries: Any) -> Any:
        """Refuse too many combinations before they are made; a sweep alone says so itself."""
        if isinstance(entries, list):
            each = [combinations_in(entry.get("sweep")) for entry in entries if isinstance(entry, dict)]
            count = sum(one for one in each if one <= bounds.BACKENDS)
            if count > bounds.BACKENDS:
                raise ValueError(f"expected at most {bounds.BACKENDS} backends, not {count} with all sweeps")
        return entries

    @field_validator("backends")
    @classmethod
    def _have_names(cls, entries: tuple[BackendEntry, ...]) -> tuple[BackendEntry, ...]:
        entries = tuple(one for entry in entries for one in entry.combinations())
        if len(entries) > bounds.BACKENDS:
            raise ValueError(
                f"expected at most {bounds.BACKENDS} backends, not {len(entries)} with all sweeps"
            )
        check_labels(entries)
        return entries

    @field_validator("executor")
    @classmethod
    def _exists(cls, name: str) -> str:
        try:
            executors.check_name(name)
        except UsageError as error:
            raise ValueError(str(error)) from None
        return name

    @field_validator("network", "writable")
    @classmethod
    def _is_for_containers(cls, value: Any, info: ValidationInfo) -> Any:
        if value and info.data.get("executor", "benchexec") not in ("benchexec", "dask"):
            raise ValueError(executors.NOT_ISOLATED)
        return value

    @field_validator("bound", mode="before")
    @classmethod
    def _may_be_all(cls, bound: Any) -> Any:
        return None if bound == "all" else bound

    @field_validator("cluster")
    @classmethod
    def _is_for_dask(cls, cluster: Cluster | None, info: ValidationInfo) -> Cluster | None:
        if cluster and info.data.get("executor") != "dask":
            raise ValueError("only executor dask takes a cluster; remove this key, or set executor: dask")
        return cluster

    @model_validator(mode="after")
    def _is_small(self) -> CampaignConfig:
        if self._runs > bounds.RUNS:
            raise ValueError(f"a campaign has at most {bounds.RUNS} runs, not {self._runs}; split it up")
        return self

    @property
    def _runs(self) -> int:
        """The number of runs, counting a file as one puzzle."""
        puzzles = sum(source.count for source in self.puzzles)
        return puzzles * len(self.backends) * len(self.seeds) * self.repeats

    def model_post_init(self, context: Any, /) -> None:
        """Remember the text that the config was read from."""
        self._text = context["text"] if context else ""

    @property
    def text(self) -> str:
        """The YAML text that the config was read from; empty if there is none."""
        return self._text

    @property
    def absences(self) -> list[str]:
        """A sentence for each optional source of puzzles, and each optional backend, that is missing."""
        absent = [*(source.absence for source in self.puzzles), *(entry.absence for entry in self.backends)]
        return [f"{absence}: left out" for absence in absent if absence]

    @property
    def present_backends(self) -> list[BackendEntry]:
        """The backends without those optional ones that are not available."""
        return [entry for entry in self.backends if not entry.absence]

    @property
    def access(self) -> Access:
        """What runs in containers may use besides."""
        return Access(self.network, self.writable)

    def request(self, seed: int) -> Request:
        """Return what is asked of a backend."""
        memory = self.limits.memory
        # a plain number: a run that had to import pydantic to read its limits would spend its time on that
        limits = Limits(self.limits.wall, self.limits.cpu, None if memory is None else int(memory))
        return Request(self.task, limits, seed, self.bound, self.certify)

    def override(
        self,
        *,
        wall: float | None = None,
        jobs: int | None = None,
        executor: str | None = None,
        repeats: int | None = None,
    ) -> CampaignConfig:
        """Return this campaign with given values in place of its own; UsageError if they are too large."""
        changed: dict[str, object] = {}
        if wall is not None:
            changed["limits"] = self.limits.model_copy(update={"wall": wall})
        if jobs is not None and jobs > bounds.JOBS:
            raise UsageError(f"{jobs} jobs are too many: at most {bounds.JOBS}")
        if jobs is not None:
            changed["jobs"] = jobs
        if executor is not None:
            executors.check_name(executor)
            changed["executor"] = executor
            changed["cluster"] = self.cluster if executor == "dask" else None
        if repeats is not None:
            changed["repeats"] = repeats
        new = self.model_copy(update=changed)
        if new._runs > bounds.RUNS:
            raise UsageError(f"{repeats} repeats are too many: a campaign has at most {bounds.RUNS} runs")
        return new


def load_config(path: str | Path) -> CampaignConfig:
    """Read a campaign from a YAML file.

    FormatError, with file, line and column, for text that is not YAML, an unknown, missing or repeated key, a
    wrong value, a path that matches nothing, or an unknown backend; UsageError if the file cannot be read.
    """
    document = read_yaml(Path(path))
    if (count := numbers_in(document.data)) > bounds.CONFIG_NUMBERS:
        expected = f"at most {bounds.CONFIG_NUMBERS} in a config"
        raise FormatError(f"ranges that stand for {count} values", file=str(path), expected=expected)
    context = {"folder": document.path.parent, "text": document.text, "scan": Scan()}
    try:
        return CampaignConfig.model_validate(document.data, context=context)
    except ValidationError as error:
        raise document.error(error, lambda keys: _SECTIONS[keys[-1]] if keys else CampaignConfig) from None


_SECTIONS: dict[str, type[Section]] = {
    "puzzles": PuzzleSource,
    "backends": BackendEntry,
    "limits": LimitsSection,
    "cluster": Cluster,
    "slice": Slice,
    "sample": Sample,
    "random": RandomImages,
}
