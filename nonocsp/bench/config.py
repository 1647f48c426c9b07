"""What a campaign is: puzzles, backends, a task and limits, read from a YAML file.

A wrong key or value is an error with file, line and, where one is near, the key that was probably meant.
Paths are relative to the config file.
"""

from __future__ import annotations

import difflib
import glob
import re
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ByteSize,
    ConfigDict,
    Field,
    PositiveFloat,
    PositiveInt,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import ErrorDetails

from nonocsp.backends.base import Limits, Request, Task
from nonocsp.backends.registry import canonical_spec
from nonocsp.model import BackendError, FormatError, UsageError

Loc = tuple[int | str, ...]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Slice(_Section):
    """Which puzzles of a file: like a Python slice, counted from 0, without negative numbers."""

    start: Annotated[int, Field(ge=0)] | None = None
    stop: Annotated[int, Field(ge=0)] | None = None
    step: PositiveInt | None = None


def _parse_slice(value: object) -> object:
    """Turn ``"start:stop:step"`` into a mapping."""
    if not isinstance(value, str):
        return value
    if not re.fullmatch(r"\d*:\d*(:\d*)?", value):
        raise ValueError("expected start:stop:step such as '::10' (every tenth)")
    numbers = (int(part) if part else None for part in value.split(":"))
    return dict(zip(("start", "stop", "step"), numbers, strict=False))


def _parse_size(value: object) -> object:
    """Turn ``"25x30"`` into (rows, columns)."""
    if isinstance(value, str):
        if not (match := re.fullmatch(r"(\d+)x(\d+)", value)):
            raise ValueError("expected rows and columns such as '25x30'")
        return match.groups()
    return value


class PuzzleSource(_Section):
    """Puzzles of one file, or of all files that a glob matches.

    Parameters
    ----------
    file
        A path or glob, relative to the config file. ``.gz`` is read too.
    slice
        Which puzzles of each file: ``"::10"`` or a mapping of `start`, `stop`, `step`.
    format
        The file format, where it cannot be told from the content.
    size
        ``"25x30"`` (rows x columns), for formats that do not say.
    """

    file: str
    slice: Annotated[Slice, BeforeValidator(_parse_slice)] = Slice()
    format: str | None = None
    size: Annotated[tuple[PositiveInt, PositiveInt], BeforeValidator(_parse_size)] | None = None

    _folder: Path = PrivateAttr(default=Path())

    @field_validator("file")
    @classmethod
    def _matches_something(cls, file: str, info: ValidationInfo) -> str:
        if not _matching(file, _folder(info.context)):
            raise ValueError(f"no file matches {file!r} (seen from the folder of the config)")
        return file

    def model_post_init(self, context: Any, /) -> None:
        """Remember where paths start."""
        self._folder = _folder(context)

    def paths(self) -> dict[str, Path]:
        """Return the files, sorted, by the name they go under in the results: the same on every machine."""
        return {_portable(name): self._folder / name for name in _matching(self.file, self._folder)}


class LimitsSection(_Section):
    """Limits of one run: `wall` and `cpu` in seconds, `memory` in bytes or as text such as ``"2 GiB"``."""

    wall: PositiveFloat | None = None
    cpu: PositiveFloat | None = None
    memory: ByteSize | None = None


class CampaignConfig(_Section):
    """A campaign: every backend on every puzzle, for every seed and repeat, under the same limits.

    Parameters
    ----------
    name
        Names the campaign and its folder of results.
    puzzles
        Where the puzzles come from.
    backends
        Backend specs such as ``sat`` or ``sat:solver=cadical195``.
    task, bound
        What is asked; `bound` is the most solutions that task ``count`` looks for.
    limits
        Of every single run.
    seeds, repeats
        Each run is done once for every seed and every repeat.
    jobs
        Runs at a time.
    """

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][\w.-]*$")]
    puzzles: Annotated[tuple[PuzzleSource, ...], Field(min_length=1)]
    backends: Annotated[tuple[str, ...], Field(min_length=1)]
    task: Task = Task.DECIDE
    bound: PositiveInt = 1000
    limits: LimitsSection = LimitsSection()
    seeds: Annotated[tuple[int, ...], Field(min_length=1)] = (0,)
    repeats: PositiveInt = 1
    jobs: PositiveInt = 1

    _text: str = PrivateAttr(default="")

    @field_validator("backends")
    @classmethod
    def _are_registered(cls, specs: tuple[str, ...]) -> tuple[str, ...]:
        try:
            return tuple(canonical_spec(spec) for spec in specs)
        except (UsageError, BackendError) as error:
            raise ValueError(str(error)) from None

    def model_post_init(self, context: Any, /) -> None:
        """Remember the text that the config was read from."""
        self._text = context["text"] if context else ""

    @property
    def text(self) -> str:
        """The YAML text that the config was read from; empty if it was made otherwise."""
        return self._text

    def request(self, seed: int) -> Request:
        """Return what is asked of a backend."""
        limits = Limits(self.limits.wall, self.limits.cpu, self.limits.memory)
        return Request(self.task, limits, seed, self.bound)

    def with_wall(self, seconds: float) -> CampaignConfig:
        """Return this campaign with another wall limit."""
        return self.model_copy(update={"limits": self.limits.model_copy(update={"wall": seconds})})


def load_config(path: str | Path) -> CampaignConfig:
    """Read a campaign from a YAML file.

    Raises
    ------
    FormatError
        With file, line and column, for text that is not YAML, an unknown, missing or repeated key, a value
        that does not fit, a path that matches nothing, or a backend that is not there.
    UsageError
        If the file cannot be read.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the config {path}: {error}") from None
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        _refuse_repeated_keys(node, path)
        return CampaignConfig.model_validate(
            yaml.safe_load(text), context={"folder": path.parent, "text": text}
        )
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise FormatError(f"not YAML: {error.problem}", file=str(path), line=line, column=column) from None
    except ValidationError as error:
        raise _located(min(error.errors(), key=_urgency), node, path) from None


def _folder(context: Any) -> Path:
    return Path(context["folder"]) if context else Path()


def _matching(pattern: str, folder: Path) -> list[str]:
    """Return the files that match, relative to `folder` where the pattern is."""
    found = sorted(glob.glob(pattern, root_dir=folder, recursive=True))  # noqa: PTH207  (takes absolute ones)
    return [name for name in found if (folder / name).is_file()]


def _portable(name: str) -> str:
    """Return a path without what differs between machines: leading ``..``, folders of an absolute one."""
    return Path(name).name if Path(name).is_absolute() else re.sub(r"^(\.\./)+", "", name)


_KEYS: dict[str, type[_Section]] = {"puzzles": PuzzleSource, "limits": LimitsSection, "slice": Slice}
"""The section that is written under each key; the outermost is `CampaignConfig`."""


def _located(detail: ErrorDetails, node: yaml.Node | None, path: Path) -> FormatError:
    """Turn a pydantic error into one that says where and what would be right."""
    loc = detail["loc"]
    keys = [part for part in loc if isinstance(part, str)]
    expected = ""
    if detail["type"] == "extra_forbidden":
        section = _KEYS[keys[-2]] if len(keys) > 1 else CampaignConfig
        message = f"unknown key {keys[-1]!r}{_suggestion(keys[-1], section)}"
        expected = f"one of {', '.join(section.model_fields)}"
    elif detail["type"] == "missing":
        message, loc = f"the key {keys[-1]!r} is missing", loc[:-1]
    else:
        place = ".".join(map(str, loc)) or "the config"
        message = f"{place}: {detail['msg'].removeprefix('Value error, ')}"
    line, column = _position(node, loc, of_key=detail["type"] == "extra_forbidden")
    return FormatError(message, file=str(path), line=line, column=column, expected=expected)


def _suggestion(key: str, section: type[_Section]) -> str:
    near = difflib.get_close_matches(key, section.model_fields, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _urgency(detail: ErrorDetails) -> int:
    """Rank errors: a misspelt key first, since that it is missing too follows from it."""
    return 0 if detail["type"] == "extra_forbidden" else 1


def _position(node: yaml.Node | None, loc: Loc, *, of_key: bool) -> tuple[int, int]:
    """Return line and column of the value (or key) at `loc`, as far as the file goes."""
    if node is None:
        return 0, 0
    mark = node.start_mark
    for part in loc:
        if isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            node = node.value[part]
            mark = node.start_mark
        elif isinstance(node, yaml.MappingNode):
            entries = {key.value: (key, value) for key, value in node.value}
            if part not in entries:
                break
            key, node = entries[part]
            mark = key.start_mark if of_key else node.start_mark
    return mark.line + 1, mark.column + 1


def _refuse_repeated_keys(node: yaml.Node | None, path: Path) -> None:
    """Raise for a mapping that has a key twice: YAML itself would silently take the last."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _refuse_repeated_keys(item, path)
    elif isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                mark = key.start_mark
                message = f"the key {key.value!r} stands here a second time"
                raise FormatError(message, file=str(path), line=mark.line + 1, column=mark.column + 1)
            seen.add(key.value)
            _refuse_repeated_keys(value, path)
