"""Say which options of a backend can be tuned, and choose candidates among their combinations.

The types of its `Options` say which: all values of a choice, and of a number its default, some smaller and
some larger ones. Options of any text are left out unless values are named; options in the spec are fixed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from nonocsp.backends import registry
from nonocsp.backends.registry import OptionHelp, canonical_spec, option_name
from nonocsp.bench.values import several
from nonocsp.model import BackendError, UsageError, bounds, unknown

_FACTORS = (0.01, 0.1, 0.3, 1, 3, 10, 100)
"""Multiples of a number's default that are tried."""
_FROM_ZERO = (0, 1, 10, 100, 1000)
"""Values that are tried of a number whose default is 0."""
_TRIES = 20
"""Combinations drawn for each wanted candidate: the backend may refuse some."""


_UNTUNED = ("root",)
"""Options that say what a verdict rests on, not how fast it comes; ``--option`` tries them all the same."""


@dataclass(frozen=True, slots=True)
class Space:
    """The combinations of the options of a backend."""

    spec: str  # with its fixed options: the candidate that all others have to beat
    values: Mapping[str, Sequence[str]]  # of each option that is tuned, as a spec writes them

    @classmethod
    def of(cls, spec: str, given: Mapping[str, Sequence[str]]) -> Space:
        """Return the space of a backend."""
        name, _, text = spec.partition(":")
        canonical = canonical_spec(spec)
        fixed = {option_name(part.partition("=")[0]) for part in text.split(",")}
        if both := sorted(fixed & given.keys()):
            raise UsageError(
                f"{both[0]} stands in the spec, which fixes it; remove it there or from --option"
            )
        known = {option.name: option for option in registry.info(name.strip()).options()}
        values: dict[str, Sequence[str]] = {}
        for key, option in known.items():
            if key not in {*fixed, *given, *_UNTUNED} and len(own := _values(option)) > 1:
                values[key] = own
        for key, listed in given.items():
            if key not in known:
                raise unknown(f"option of {name}", key, known)
            for value in listed:
                canonical_spec(_joined(canonical, {key: value}))
            values[key] = listed
        if not values:
            raise UsageError(f"{spec} has no options to tune; name values with --option KEY=A|B")
        return cls(canonical, values)

    @property
    def size(self) -> int:
        """How many combinations there are, those that the backend refuses included."""
        return prod(map(len, self.values.values()))

    def candidates(self, most: int, seed: int) -> list[str]:
        """Return the spec and combinations besides it: all, or as many as are wanted, chosen by chance."""
        found = {self.spec: None}
        for number in self._order(most, seed):
            if len(found) == most:
                break
            chosen, rest = {}, number
            for key, own in self.values.items():
                rest, place = divmod(rest, len(own))
                chosen[key] = own[place]
            try:
                found.setdefault(canonical_spec(_joined(self.spec, chosen)))
            except (UsageError, BackendError):
                continue  # options that do not go together
        return list(found)

    def _order(self, most: int, seed: int) -> Iterator[int]:
        """Yield numbers of combinations: each at most once, in an order by chance."""
        chance = random.Random(seed)
        size = min(self.size, 1 << 62)
        yield from chance.sample(range(size), min(size, most * _TRIES))


def option_values(text: str) -> tuple[str, list[str]]:
    """Return the option and the values that ``budget=0|100|1000`` or ``budget=0..1000 by 100`` names."""
    key, equals, listed = text.partition("=")
    try:
        values = several([part.strip() for part in listed.split("|")])
    except ValueError as error:
        raise UsageError(f"--option {text}: {error}") from None
    assert isinstance(values, list)
    texts = [registry.option_text(value) for value in values]
    if not equals or not key.strip() or not all(texts):
        raise UsageError(f"--option {text!r} is not of the form KEY=A|B or KEY=A..B")
    if len(texts) > bounds.BACKENDS:
        raise UsageError(f"--option {key}: at most {bounds.BACKENDS} values, not {len(texts)}")
    return option_name(key), list(dict.fromkeys(texts))


def _values(option: OptionHelp) -> tuple[str, ...]:
    """Return the values of an option that are tried; none for one that takes any text."""
    kind, _, _ = option.type.partition(" ")
    if kind not in ("int", "float"):
        return tuple(option.type.split("|")) if "|" in option.type else ()
    try:
        default = float(option.default)
    except ValueError:
        return ()
    tried = {default * factor for factor in _FACTORS} if default else {float(v) for v in _FROM_ZERO}
    if kind == "int":
        tried = {float(round(value)) for value in tried}
    limits = re.findall(r"(>=|<=|>|<) (-?[\d.]+)", option.type)
    fit = [value for value in sorted(tried) if all(_holds(value, *limit) for limit in limits)]
    return tuple(f"{value:.0f}" if kind == "int" else f"{value:g}" for value in fit)


def _holds(value: float, sign: str, bound: str) -> bool:
    """Return whether a value keeps a bound that an option's type states."""
    limit = float(bound)
    return {">=": value >= limit, "<=": value <= limit, ">": value > limit, "<": value < limit}[sign]


def _joined(spec: str, options: Mapping[str, str]) -> str:
    text = ",".join(f"{key}={value}" for key, value in options.items())
    return f"{spec}{',' if ':' in spec else ':'}{text}"
