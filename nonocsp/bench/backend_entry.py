"""Read the entries of ``backends:`` in a config: a spec, or a mapping that also gives it a name.

A name is what a backend is called wherever it is shown and scored. So one spec can stand in a campaign
several times, and a later version of a config can change the spec without losing the comparison.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from nonocsp.backends.registry import canonical_spec
from nonocsp.bench.sources import Section
from nonocsp.bench.values import sweep_values, swept
from nonocsp.model import BackendError, UsageError, bounds

_Name = Annotated[str, StringConstraints(pattern=r"^[^\W_][\w.-]*$", max_length=64)]


class BackendEntry(Section):
    """A backend of a campaign. An entry that is only text is a spec.

    Parameters
    ----------
    spec
        Backend and options, such as ``sat:solver=glucose4``.
    name
        What it is called in rows and reports; without it, its spec.
    sweep
        Values of options, such as ``{budget: [0, 100, 1000]}``. The entry stands for all combinations, each
        called by its spec, or by the name and its options: ``fast-budget-100``.
    """

    spec: Annotated[str, StringConstraints(max_length=bounds.SPEC_CHARS)]
    name: _Name | None = None
    sweep: Annotated[dict[str, list[str]], BeforeValidator(sweep_values)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _may_be_a_spec(cls, value: object) -> object:
        return {"spec": value} if isinstance(value, str) else value

    @field_validator("spec")
    @classmethod
    def _is_registered(cls, spec: str) -> str:
        try:
            return canonical_spec(spec)
        except (UsageError, BackendError) as error:
            raise ValueError(str(error)) from None

    @field_validator("name")
    @classmethod
    def _is_free(cls, name: str | None, info: ValidationInfo) -> str | None:
        if name in registry.names() and name != info.data.get("spec"):
            raise ValueError(f"{name!r} is a backend of its own; expected another name")
        return name

    @field_validator("sweep")
    @classmethod
    def _fits(cls, sweep: dict[str, list[str]] | None, info: ValidationInfo) -> dict[str, list[str]] | None:
        if sweep and (spec := info.data.get("spec")):
            list(swept(spec, info.data.get("name"), sweep))
        return sweep

    @model_serializer(mode="wrap")
    def _as_written(self, whole: SerializerFunctionWrapHandler) -> Any:
        return self.spec if self.name is None else whole(self)

    @property
    def label(self) -> str:
        """What it is called: its name, else its spec."""
        return self.name or self.spec

    def combinations(self) -> tuple[BackendEntry, ...]:
        """Return the entries that this one stands for: itself, or one for each combination of its sweep."""
        if self.sweep is None:
            return (self,)
        combined = swept(self.spec, self.name, self.sweep)
        return tuple(BackendEntry.model_construct(spec=spec, name=name) for spec, name in combined)


def check_labels(entries: Sequence[BackendEntry]) -> None:
    """Raise ValueError if several entries have one name; a spec without a name may stand twice."""
    first: dict[str, BackendEntry] = {}
    for entry in entries:
        if (earlier := first.setdefault(entry.label, entry)) is not entry and (entry.name or earlier.name):
            raise ValueError(f"the name {entry.label!r} stands here twice; expected another name for each")


def labels(config: Mapping[str, Any]) -> list[str]:
    """Return what the backends of a stored config are called, in their order."""
    entries = config.get("backends")
    named = [
        (entry.get("name") or entry.get("spec")) if isinstance(entry, dict) else entry
        for entry in (entries if isinstance(entries, list) else ())
    ]
    return [label for label in named if isinstance(label, str)]
