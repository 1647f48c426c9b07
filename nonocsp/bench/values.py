"""Read values of configs that stand for several: a value, a range, or a list of both; and sweeps of options.

A range is ``A..B`` or ``A..B by STEP``, both ends included, with decimal steps. Values and combinations are
counted before they are written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import product
from math import prod
from typing import Annotated, TypeVar

from pydantic import BeforeValidator, Field, PlainSerializer

from nonocsp.backends.registry import canonical_spec, option_name, option_text
from nonocsp.formats.json_text import is_unicode
from nonocsp.model import BackendError, UsageError, bounds
from nonocsp.model.units import seconds

_NUMBER = r"-?\d{1,19}(?:\.\d{1,12})?"
_RANGE = re.compile(rf"({_NUMBER})\s*\.\.\s*({_NUMBER})(?:\s+by\s+({_NUMBER}))?", re.ASCII)
_EXAMPLE = "such as 5..30 by 5 or 0.1..0.9 by 0.1"
_NAME_CHARS = 64
_SIZE = re.compile(r"\s*\d{0,20}\.?\d{1,20}\s*([kmgtpe]?b?|[kmgtpe]ib)\s*", re.ASCII | re.IGNORECASE)
_UNIT_CHARS = 40
"""Characters of a duration or a size."""


def several(value: object) -> object:
    """Return a value as a list, and expand the ranges in it."""
    entries = value if isinstance(value, list | tuple) else [value]
    listed: list[object] = []
    for entry in entries:
        listed += written_out(entry) if isinstance(entry, str) and ".." in entry else [entry]
        if len(listed) > bounds.RANGE_VALUES:
            raise ValueError(f"expected at most {bounds.RANGE_VALUES} values, not {len(listed)}")
    return listed


def written_out(text: str) -> list[int] | list[float]:
    """Return the numbers of a range ``A..B`` or ``A..B by STEP``, whole ones if all in it is whole."""
    if not (match := _RANGE.fullmatch(text.strip())):
        raise ValueError(f"expected a range {_EXAMPLE}, not {text!r:.60}")
    first, last = Decimal(match[1]), Decimal(match[2])
    is_whole = "." not in text.replace("..", "", 1)
    if not match[3] and not is_whole:
        raise ValueError(f"expected a range with its step, {_EXAMPLE}, not {text!r}")
    step = Decimal(match[3] or 1)
    if step <= 0 or last < first:
        raise ValueError(f"expected a range that ascends, {_EXAMPLE}, not {text!r}")
    count = int((last - first) / step) + 1
    if count > bounds.RANGE_VALUES:
        raise ValueError(f"expected at most {bounds.RANGE_VALUES} values; {text!r} stands for {count}")
    if is_whole:
        return [int(first + i * step) for i in range(count)]
    return [float(first + i * step) for i in range(count)]


def numbers_in(value: object) -> int:
    """Return how many values a part of a config stands for, without writing out its ranges."""
    if isinstance(value, dict):
        return sum(map(numbers_in, value.values()))
    if isinstance(value, list):
        return sum(map(numbers_in, value))
    match = _RANGE.fullmatch(value.strip()) if isinstance(value, str) and ".." in value else None
    if not match or not (step := Decimal(match[3] or 1)):
        return 1
    steps = (Decimal(match[2]) - Decimal(match[1])) / step
    return int(min(max(steps, Decimal(0)), Decimal(bounds.RANGE_VALUES))) + 1


def combinations_in(sweep: object) -> int:
    """Return how many combinations a sweep stands for, without writing them out."""
    return prod(map(numbers_in, sweep.values())) if isinstance(sweep, dict) else 1


def seed_list(value: object) -> object:
    """Return the list of seeds that a value stands for; a number is how many, counted from 0."""
    if isinstance(value, int) and not isinstance(value, bool):
        if not 1 <= value <= bounds.RANGE_VALUES:
            raise ValueError(f"expected from 1 to {bounds.RANGE_VALUES} seeds, not {value}")
        return list(range(value))
    is_several = isinstance(value, list | tuple) or (isinstance(value, str) and ".." in value)
    return several(value) if is_several else value


def as_seconds(value: object) -> object:
    """Return a duration such as ``10s`` in seconds; a number stands for itself."""
    if isinstance(value, str) and len(value) > _UNIT_CHARS:  # the error would repeat all of it
        raise ValueError(f"expected a duration such as 10s, 2m or 100ms, not {value[:_UNIT_CHARS]!r}…")
    try:
        return seconds(value) if isinstance(value, str) else value
    except ValueError as error:
        raise ValueError(f"expected a duration: {error}") from None


def as_bytes(value: object) -> object:
    """Return the text of a size if all of it is one: pydantic reads ``1,5 GB`` and ``8 bit`` as a byte."""
    if isinstance(value, str) and not _SIZE.fullmatch(value):
        shown = repr(value) if len(value) <= _UNIT_CHARS else f"{value[:_UNIT_CHARS]!r}…"
        raise ValueError(f"expected a size such as 512 MiB or 2 GiB, not {shown}")
    return value


def refuse_boolean(value: object) -> object:
    """Return a value that is not a boolean: pydantic would read ``true`` as 1."""
    if isinstance(value, bool):
        raise ValueError(f"expected a number, not {'true' if value else 'false'}")
    return value


NUMBER = BeforeValidator(refuse_boolean)
"""Belongs to each number of a config."""


T = TypeVar("T")
Several = Annotated[
    tuple[T, ...],
    Field(min_length=1, json_schema_extra={"several": True}),
    BeforeValidator(several),
    PlainSerializer(lambda values: values[0] if len(values) == 1 else list(values)),
]
"""One value or several; serialized as one where there is one."""


def sweep_values(value: object) -> dict[str, list[str]]:
    """Return the values of each option that a sweep names, as a spec writes them."""
    if not isinstance(value, Mapping) or not value:
        raise ValueError("expected options with their values, such as {budget: [0, 100, 1000]}")
    swept: dict[str, list[str]] = {}
    for key, given in value.items():
        values = several(given)
        assert isinstance(values, list)
        if not values or not all(isinstance(one, str | int | float) and one != "" for one in values):
            raise ValueError(f"{key}: expected values of this option, {_EXAMPLE} or [low, high]")
        if not all(is_unicode(str(one)) for one in (key, *values)):
            raise ValueError(f"{key!r:.60}: expected text without half characters")
        swept[option_name(str(key))] = list(dict.fromkeys(map(option_text, values)))
    if (count := prod(map(len, swept.values()))) > bounds.BACKENDS:
        raise ValueError(
            f"{count} combinations are too many; expected at most {bounds.BACKENDS}, "
            "which is as many backends as a campaign compares"
        )
    return swept


def swept(spec: str, name: str | None, sweep: Mapping[str, list[str]]) -> Iterator[tuple[str, str | None]]:
    """Yield the spec and the name of each combination of a sweep, the last option varying fastest."""
    written = {option_name(part.partition("=")[0]) for part in spec.partition(":")[2].split(",")}
    if both := written & sweep.keys():
        raise ValueError(f"{min(both)} stands in the spec too; expected it in one of them")
    combinations = [
        [f"{key}={value}" for key, value in zip(sweep, values, strict=True)]
        for values in product(*sweep.values())
    ]
    texts = [f"{spec}{',' if ':' in spec else ':'}{','.join(options)}" for options in combinations]
    if (longest := max(map(len, texts))) > bounds.SPEC_CHARS:
        raise ValueError(f"expected specs of at most {bounds.SPEC_CHARS} characters, not {longest}")
    for options, text in zip(combinations, texts, strict=True):
        label = name and re.sub(r"[^\w.-]+", "-", "-".join([name, *options]))
        if label and len(label) > _NAME_CHARS:
            raise ValueError(
                f"the name {label!r} is too long; expected at most {_NAME_CHARS} characters: shorten name"
            )
        try:
            yield canonical_spec(text), label
        except (UsageError, BackendError) as error:
            raise ValueError(str(error)) from None
