"""Read the entries of ``backends:`` in a config: a spec, a mapping that also gives it a name, or a program.

The spec of a program is its declaration as JSON. A name is what a backend is called wherever it is shown and
scored, so one spec can stand in a campaign several times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    SerializerFunctionWrapHandler,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_serializer,
    model_validator,
)

from nonocsp.backends import registry
from nonocsp.backends.command.declaration import Declaration, declared
from nonocsp.backends.registry import canonical_spec, is_declared, label, portable
from nonocsp.bench.sources import Section
from nonocsp.bench.values import sweep_values, swept
from nonocsp.model import BackendError, FormatError, NonocspError, UsageError, bounds

_Name = Annotated[str, StringConstraints(pattern=r"^[^\W_][\w.-]*$", max_length=64)]


class BackendEntry(Section):
    """A backend of a campaign. An entry that is only text is a spec.

    Parameters
    ----------
    optional
        Whether to go on without it, and to say so, if it is not available.
    spec
        Backend and options, such as ``sat:solver=glucose4``, or the path of a program's declaration.
    name
        What it is called in rows and reports; without it, its spec, or the name that a program declares.
    sweep
        Values of options, such as ``{budget: [0, 100, 1000]}``. The entry stands for all combinations, each
        called by its spec, or by the name and its options: ``fast-budget-100``.
    """

    optional: bool = False  # first: whether the spec is valid depends on it
    spec: Annotated[str, StringConstraints(max_length=bounds.SPEC_CHARS)]
    name: _Name | None = None
    sweep: Annotated[dict[str, list[str]], BeforeValidator(sweep_values)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _may_be_a_spec_or_a_program(cls, value: object, info: ValidationInfo) -> object:
        folder = Path(info.context["folder"] if info.context else ".")
        if isinstance(value, str):
            value = {"spec": value}
        if not isinstance(value, dict):
            return value
        spec, own = value.get("spec"), {key: value[key] for key in value if key != "optional"}
        if spec is None and Declaration.model_fields.keys() & own.keys() - {"name"}:
            try:
                return {"optional": value.get("optional", False), "spec": declared(own, folder).canonical}
            except UsageError as error:
                raise ValueError(str(error)) from None
        if isinstance(spec, str) and is_declared(spec) and (folder / spec).exists():
            return {**value, "spec": str(folder / spec)}
        return value

    @field_validator("spec")
    @classmethod
    def _is_registered(cls, spec: str, info: ValidationInfo) -> str:
        try:
            if is_declared(spec):
                _check_free(label(spec))
            return canonical_spec(spec)
        except BackendError as error:
            if info.data.get("optional"):
                return portable(spec)
            raise ValueError(str(error)) from None
        except (UsageError, FormatError) as error:
            raise ValueError(str(error)) from None

    @field_validator("name")
    @classmethod
    def _is_free(cls, name: str | None, info: ValidationInfo) -> str | None:
        if name is not None and name != info.data.get("spec"):
            _check_free(name)
        return name

    @field_validator("sweep")
    @classmethod
    def _fits(cls, sweep: dict[str, list[str]] | None, info: ValidationInfo) -> dict[str, list[str]] | None:
        if sweep and (spec := info.data.get("spec")) and is_declared(spec):
            raise ValueError("a program has no options; expected an entry for each of its commands")
        if sweep and spec:
            list(swept(spec, info.data.get("name"), sweep))
        return sweep

    @model_serializer(mode="wrap")
    def _as_written(self, whole: SerializerFunctionWrapHandler) -> Any:
        if self.name is None and not self.optional:
            return self.spec
        return {key: value for key, value in whole(self).items() if value}

    @property
    def label(self) -> str:
        """What it is called: its name, else its spec, or the name that a program declares."""
        return self.name or label(self.spec)

    @property
    def absence(self) -> str:
        """Why an optional backend is left out; empty if it is not."""
        if self.optional:
            try:
                canonical_spec(self.spec)
            except BackendError as error:
                return str(error)
        return ""

    def combinations(self) -> tuple[BackendEntry, ...]:
        """Return the entries that this one stands for: itself, or one for each combination of its sweep."""
        if self.sweep is None or self.absence:
            return (self,)
        combined = swept(self.spec, self.name, self.sweep)
        return tuple(BackendEntry.model_construct(spec=spec, name=name) for spec, name in combined)


def _check_free(name: str) -> None:
    """Raise ValueError if an installed backend has a name."""
    if name in registry.names():
        raise ValueError(f"{name!r} is an installed backend; expected another name")


def check_labels(entries: Sequence[BackendEntry]) -> None:
    """Raise ValueError if several entries have one name; a spec without a name may stand twice."""
    first: dict[str, BackendEntry] = {}
    for entry in entries:
        if (earlier := first.setdefault(entry.label, entry)) is not entry and (entry.name or earlier.name):
            raise ValueError(f"the name {entry.label!r} is used twice; expected a different name for each")


def labels(config: Mapping[str, Any]) -> list[str]:
    """Return what the backends of a stored config are called, in their order."""
    entries = config.get("backends")
    found = []
    for entry in entries if isinstance(entries, list) else ():
        name, spec = (entry.get("name"), entry.get("spec")) if isinstance(entry, dict) else (None, entry)
        if isinstance(name, str):
            found.append(name)
        elif isinstance(spec, str):
            with suppress(NonocspError):  # the stored config can be anybody's: no file that it names is read
                found.append(label(spec) if spec.startswith("{") else spec)
    return found
