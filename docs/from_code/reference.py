"""Make the reference from the code: backends, formats, configs, outcomes, errors, Python."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml
from markup import annotations, code, member_docs, parameters, summary, table

DOCS = Path(__file__).parents[1]


def backends() -> str:
    """Return a section for each registered backend: method, source, abilities, options."""
    from nonocsp.backends import registry

    return "\n".join(map(_backend, map(registry.info, registry.names())))


def _backend(info: Any) -> str:
    able = info.backend.capabilities
    options = [(code(o.name), code(o.type), code(o.default), o.help) for o in info.options()]
    paragraphs = (
        f"## {info.name}",
        f"{info.backend.summary[0].upper()}{info.backend.summary[1:]}. Source: {info.backend.paper}.",
        f"{'Complete' if able.complete else 'Incomplete'}, in {'several' if able.colours else 'no'} colours. "
        f"[How it works](../explanation/backends/{info.name}.md).",
        table(("option", "values", "default", "effect"), options) if options else "No options.\n",
    )
    return "\n\n".join(paragraphs)


def formats_table() -> str:
    """Return the names of the file formats and what each can hold."""
    from nonocsp.formats import formats

    return table(
        ("name", "suffixes", "several puzzles", "colours", "read and written", "description"),
        (
            (
                code(known.name),
                " ".join(map(code, known.suffixes)) or "by name only",
                _yes(known.holds_many),
                _yes(known.holds_colours),
                "both" if known.can_write else "read only",
                known.summary,
            )
            for known in sorted(formats(), key=lambda known: known.name)
        ),
    )


def _yes(able: bool) -> str:
    return "yes" if able else "no"


def configs() -> str:
    """Return every key of a campaign with type, default, meaning, and its value in the page's example."""
    from nonocsp.bench import backend_entry, config, sources

    [text] = re.findall(r"```yaml.*?\n(.*?)```", (DOCS / "reference" / "configs.md").read_text(), re.DOTALL)
    example = yaml.safe_load(text)
    origins = {key: value for source in example["puzzles"] for key, value in source.items()}
    entry = next(entry for entry in example["backends"] if isinstance(entry, dict))
    sections = [
        ("The campaign", config.CampaignConfig, example),
        ("`puzzles`: each source", sources.PuzzleSource, origins),
        ("`backends`: each entry that is a mapping", backend_entry.BackendEntry, entry),
        ("`random`", sources.RandomImages, origins["random"]),
        ("`limits`", config.LimitsSection, example["limits"]),
        ("`cluster`", config.Cluster, example["cluster"]),
    ]
    return "\n".join(f"## {title}\n\n{_keys(section, values)}" for title, section, values in sections)


def programs() -> str:
    """Return every key of a declared program, its placeholders, and the values in the page's example."""
    from nonocsp.backends.command.declaration import PLACEHOLDERS, Declaration, Rules

    [text] = re.findall(r"```yaml.*?\n(.*?)```", (DOCS / "reference" / "programs.md").read_text(), re.DOTALL)
    example = yaml.safe_load(text)
    keys = f"## The program\n\n{_keys(Declaration, example)}\n## `rules`\n\n{_keys(Rules, example['rules'])}"
    meaning = ((code(f"{{{name}}}"), text) for name, text in PLACEHOLDERS.items())
    return f"{keys}\n## Placeholders in a command\n\n{table(('word', 'stands for'), meaning)}"


def _keys(section: Any, example: dict[str, Any]) -> str:
    meaning = parameters(section)
    required = section.model_json_schema().get("required", ())
    return table(
        ("key", "type", "default", "meaning", "example"),
        (
            (
                code(key),
                _type(schema),
                "required"
                if key in required
                else _value(None if "$ref" in schema else schema.get("default")),
                meaning[key],
                _value(example[key]),
            )
            for key, schema in section.model_json_schema()["properties"].items()
        ),
    )


def _type(schema: dict[str, Any]) -> str:
    """Return a JSON schema in words."""
    if options := schema.get("anyOf"):
        return " or ".join(_type(option) for option in options if option.get("type") != "null")
    if "$ref" in schema:
        return {"Task": "a task"}.get(schema["$ref"].rpartition("/")[2], "mapping")
    if schema.get("duration"):
        return "seconds, or a duration"
    if schema.get("several"):
        return f"{_type(schema['items'])}, or several"
    if schema["type"] == "array":
        return f"list of {_type(schema['items'])}" if "items" in schema else "rows x columns"
    bounds = {"exclusiveMinimum": "above", "minimum": "from", "maximum": "up to"}
    limits = [f"{word} {schema[key]:g}" for key, word in bounds.items() if key in schema]
    return " ".join(
        [
            {"string": "text", "boolean": "yes or no", "object": "mapping"}.get(
                schema["type"], schema["type"]
            ),
            *limits,
        ]
    )


def _value(value: object) -> str:
    return (
        "" if value is None or value == {} else code(value if isinstance(value, str) else json.dumps(value))
    )


def outcomes() -> str:
    """Return the tasks, answers and terminations with their meaning."""
    from nonocsp import Answer, Task, Termination

    return "\n".join(
        f"## {kind.__name__}\n\n{summary(kind)}\n\n"
        + table(("value", "meaning"), ((code(m.value), member_docs(kind).get(m.name, "")) for m in kind))
        for kind in (Task, Answer, Termination)
    )


def exit_codes() -> str:
    """Return the meaning of each exit code."""
    from nonocsp.cli.shared.endings import ExitCode

    docs = member_docs(ExitCode)
    return table(
        ("code", "name", "meaning"), ((c.value, code(c.name.lower()), docs.get(c.name, "")) for c in ExitCode)
    )


def errors() -> str:
    """Return the tree of errors with the meaning and the attributes of each."""
    import nonocsp.formats.sites
    import nonocsp.testing.checks
    from nonocsp.model import errors as module

    modules = {module.__name__, nonocsp.formats.sites.__name__, nonocsp.testing.checks.__name__}

    def branch(error: type[Exception], depth: int) -> Iterator[str]:
        text = f"{'    ' * depth}- `{error.__name__}`: {summary(error)}"
        known = parameters(error)
        yield text + (f" It has {', '.join(map(code, known))}." if known else "")
        for below in sorted(error.__subclasses__(), key=lambda below: below.__name__):
            if below.__module__ in modules:
                yield from branch(below, depth + 1)

    return "\n".join(branch(module.NonocspError, 0)) + "\n"


def rows() -> str:
    """Return every key of a row, section by section, and those of the mappings `limits` and `conditions`."""
    from nonocsp.bench.rows import SECTIONS, LimitsRecord
    from nonocsp.run.jobs import Conditions

    tables = {title: annotations(section) for title, section in SECTIONS.items()}
    tables |= {"`limits`": annotations(LimitsRecord), "`conditions`": parameters(Conditions)}
    return "\n".join(
        f"## {title}\n\n" + table(("key", "meaning"), ((code(key), text) for key, text in meanings.items()))
        for title, meanings in tables.items()
    )


API: dict[str, tuple[str, ...]] = {
    "Campaigns": tuple(f"bench.{name}" for name in ("load_config", "run_campaign", "read_campaign", "plan")),
    "Backends": (
        *(f"backends.base.{name}" for name in ("Backend", "Run", "Capabilities")),
        "testing.check_backend",
    ),
    "The core": ("engine",),
}
"""Names beside the public ones of the package, by section."""


def _public() -> list[str]:
    import nonocsp

    return sorted(nonocsp.__all__, key=lambda name: (name[0].isupper(), name))


def api() -> str:
    """Return a marker for mkdocstrings for every public name, functions first."""
    sections = [_public(), *(names for names in API.values())]
    titles = ["", *(f"## {title}\n\n" for title in API)]
    return "\n\n".join(
        title + "\n\n".join(f"::: nonocsp.{name}" for name in names)
        for title, names in zip(titles, sections, strict=True)
    )


def api_table() -> str:
    """Return a table of every public name and what it is."""
    rows = [(f"`nonocsp.{name}`", _said(name)) for names in (_public(), *API.values()) for name in names]
    return table(("name", "what it is"), rows)


def _said(name: str) -> str:
    module, _, last = f"nonocsp.{name}".rpartition(".")
    found = import_module(f"nonocsp.{name}") if name == "engine" else getattr(import_module(module), last)
    return summary(found)
