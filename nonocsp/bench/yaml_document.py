"""A YAML file whose mistakes are told with their place: those of YAML and those that a model finds in it."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from nonocsp.model import FormatError, UsageError

Loc = tuple[int | str, ...]
SectionOf = Callable[[list[str]], type[BaseModel]]
"""Returns the model of the mapping that some keys lead to."""


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """A YAML file, as text, as data, and as nodes that know their place."""

    path: Path
    text: str
    data: Any
    root: yaml.Node | None

    def error(self, failed: ValidationError, section_of: SectionOf) -> FormatError:
        """Return the most urgent error of a validation, with its place and what would be right.

        A misspelt key comes first: that the right one is missing follows from it.
        """
        detail = min(failed.errors(), key=lambda detail: detail["type"] != "extra_forbidden")
        loc, keys = detail["loc"], [part for part in detail["loc"] if isinstance(part, str)]
        expected = ""
        if is_unknown := detail["type"] == "extra_forbidden":
            section = section_of(keys[:-1])
            message = f"unknown key {keys[-1]!r}{_suggestion(keys[-1], section)}"
            expected = f"one of {', '.join(section.model_fields)}"
        elif detail["type"] == "missing":
            message, loc = f"the key {keys[-1]!r} is missing", loc[:-1]
        else:
            message = _complaint(detail)
        line, column = _place(self.root, loc, of_key=is_unknown)
        return FormatError(message, file=str(self.path), line=line, column=column, expected=expected)


def read_yaml(path: Path) -> YamlDocument:
    """Read a YAML file.

    Raises
    ------
    FormatError
        For text that is not YAML, and for a mapping that has a key twice.
    UsageError
        If the file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the config {path}: {error}") from None
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        _refuse_repeated_keys(root, path)
        return YamlDocument(path, text, yaml.safe_load(text), root)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise FormatError(f"not YAML: {error.problem}", file=str(path), line=line, column=column) from None


def _complaint(detail: ErrorDetails) -> str:
    place = ".".join(map(str, detail["loc"])) or "the config"
    return f"{place}: {detail['msg'].removeprefix('Value error, ')}"


def _suggestion(key: str, section: type[BaseModel]) -> str:
    near = difflib.get_close_matches(key, section.model_fields, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _place(node: yaml.Node | None, loc: Loc, *, of_key: bool) -> tuple[int, int]:
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
