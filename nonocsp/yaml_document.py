"""Read YAML files and report mistakes with file, line and column, in the words of `nonocsp.faults`.

Keys are text. Only decimal numbers are numbers: PyYAML follows YAML 1.1, where ``010`` is 8, ``1:30`` is 90
and ``2024-01-01`` a date, which nobody means.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from nonocsp.faults import describe
from nonocsp.model import FormatError, UsageError, bounds, meant

Loc = tuple[int | str, ...]

_SHOWN = 40
"""Characters of a value that an error repeats."""
_TAG = "tag:yaml.org,2002:"
_TEXT, _MERGE = f"{_TAG}str", f"{_TAG}merge"
_NOT_TEXT = [f"{_TAG}{kind}" for kind in ("int", "float", "timestamp", "value")]
"""What PyYAML takes ``010``, ``1:30.5``, ``2024-01-01`` and ``=`` for."""
_DECIMAL = re.compile(r"[-+]?(0|[1-9]\d*)?(\.\d*)?(e[-+]\d+)?|[-+]?\.inf|\.nan", re.ASCII | re.IGNORECASE)
"""What of these is a number here."""
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
        """Return the most urgent error of a validation: a misspelt key comes before a missing one."""
        detail = min(failed.errors(), key=lambda detail: detail["type"] != "extra_forbidden")
        loc = detail["loc"] = _written(self.root, detail["loc"])
        message, expected = describe(detail), ""
        if is_unknown := detail["type"] == "extra_forbidden":
            *outer, key = [part for part in loc if isinstance(part, str)]
            known = section_of(outer).model_fields
            message, expected = f"unknown key {key!r}{meant(key, known)}", f"one of {', '.join(known)}"
        elif detail["type"] == "missing":
            loc = loc[:-1]
        line, column = _place(self.root, loc, of_key=is_unknown)
        return FormatError(message, file=str(self.path), line=line, column=column, expected=expected)


def read_yaml(path: Path) -> YamlDocument:
    """Read a YAML file; FormatError for mistakes in it, UsageError if it cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(bounds.CONFIG_BYTES + 1)
        if len(content) > bounds.CONFIG_BYTES:
            expected = f"a config of at most {bounds.CONFIG_BYTES >> 10} KiB"
            raise FormatError("the file is too large", file=str(path), expected=expected)
        text = content.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read the config {path}: {error}") from None
    try:
        loader = _Loader(io.StringIO(text))
        root = loader.get_single_node()
        _check_nodes(root, path)
        return YamlDocument(path, text, loader.construct_document(root) if root else None, root)
    except yaml.MarkedYAMLError as error:
        mark, problem = error.problem_mark, error.problem
        if mark and error.context_mark and (error.context or "").endswith(("flow sequence", "flow mapping")):
            opening = text.lstrip("\ufeff")[error.context_mark.index]
            problem = f"{opening!r} is not closed before line {mark.line + 1}: {problem}"
            mark = error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise FormatError(f"not YAML: {problem}", file=str(path), line=line, column=column) from None
    except RecursionError:
        raise FormatError(
            "nested too deeply", file=str(path), expected=f"at most {bounds.CONFIG_DEPTH} levels"
        ) from None
    except yaml.reader.ReaderError as error:
        line, shown = text.count("\n", 0, error.position) + 1, f"U+{error.character:04X}"
        raise FormatError(
            f"not YAML: the character {shown} is not allowed", file=str(path), line=line
        ) from None
    except (ValueError, OverflowError):  # of an escape such as \UFFFFFFFF, or a directive
        line = loader.get_mark().line + 1
        raise FormatError("not YAML: a number is too large", file=str(path), line=line) from None


class _Loader(yaml.SafeLoader):
    """Takes all keys for text, and only decimal numbers for numbers.

    It refuses deeply nested brackets at once; its base takes quadratic time for them.
    """

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> Any:
        """Return the tag of a node that is written without one."""
        tag = super().resolve(kind, value, implicit)  # type: ignore[no-untyped-call]
        return _TEXT if tag in _NOT_TEXT and not _DECIMAL.fullmatch(value) else tag

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        """Return the next mapping, or mappings that an anchor names."""
        mapping = super().compose_mapping_node(anchor)
        for key, _ in mapping.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != _MERGE:
                key.tag = _TEXT
        return mapping

    def fetch_flow_collection_start(self, token: Any) -> None:
        """Take an opening bracket or brace."""
        if self.flow_level == bounds.CONFIG_DEPTH:
            raise yaml.scanner.ScannerError(None, None, "nested too deeply", self.get_mark())
        super().fetch_flow_collection_start(token)

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        """Return the value of a node; its base lets errors of Python through if a tag does not fit."""
        try:
            return super().construct_object(node, deep)
        except (AttributeError, LookupError, OverflowError, TypeError, ValueError):
            kind, shown = node.tag.rpartition(":")[2], "the value"
            if isinstance(node, yaml.ScalarNode):
                shown = repr(node.value) if len(node.value) <= _SHOWN else f"{node.value[:_SHOWN]!r}…"
            problem = f"{shown} does not fit the type {kind!r:.40}"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark) from None


def _written(node: yaml.Node | None, loc: Loc) -> Loc:
    """Return the keys and positions that lead to a value, without the 0 of one that stands for a list."""
    found: list[int | str] = []
    for part in loc:
        if isinstance(part, int) and not isinstance(node, yaml.SequenceNode):
            continue
        found.append(part)
        if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
        elif isinstance(node, yaml.MappingNode):
            node = next((value for key, value in node.value if key.value == part), None)
    return tuple(found)


def _place(node: yaml.Node | None, loc: Loc, *, of_key: bool) -> tuple[int, int]:
    """Return line and column of the value (or key) at `loc`, as far as the file goes."""
    if node is None:
        return 0, 0
    mark = node.start_mark
    for part in loc:
        if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            mark = node.start_mark
        elif isinstance(node, yaml.MappingNode):
            entries = {key.value: (key, value) for key, value in node.value}
            if part not in entries:
                break
            key, node = entries[part]
            mark = key.start_mark if of_key else node.start_mark
    return mark.line + 1, mark.column + 1


def _check_nodes(root: yaml.Node | None, path: Path) -> None:
    """Refuse too many values, counting aliases, and a key that stands twice: YAML would take the last."""
    nodes, left = [root] if root else [], bounds.CONFIG_VALUES
    while nodes:
        node, left = nodes.pop(), left - 1
        if left < 0:
            expected = f"at most {bounds.CONFIG_VALUES} values; an alias counts as what it stands for"
            raise FormatError("the config is too large", file=str(path), expected=expected)
        if isinstance(node, yaml.SequenceNode):
            nodes += node.value
        elif isinstance(node, yaml.MappingNode):
            _refuse_repeated_keys(node, path)
            nodes += [part for entry in node.value for part in entry]


def _refuse_repeated_keys(mapping: yaml.MappingNode, path: Path) -> None:
    seen: set[str] = set()
    for key, _ in mapping.value:
        mark = key.start_mark
        place: dict[str, Any] = {"file": str(path), "line": mark.line + 1, "column": mark.column + 1}
        if not isinstance(key, yaml.ScalarNode):
            raise FormatError("a key is not text", expected="a name", **place)
        if key.value in seen:
            raise FormatError(f"the key {key.value!r} stands here a second time", **place)
        seen.add(key.value)
