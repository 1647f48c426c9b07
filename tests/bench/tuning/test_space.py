"""The space of a backend's options: what is tried, and what is refused."""

from __future__ import annotations

import pytest

from nonocsp.backends.registry import OptionHelp, canonical_spec
from nonocsp.bench.tuning import space as module
from nonocsp.bench.tuning.space import Space, option_values
from nonocsp.model import UsageError


def test_a_space_has_the_values_that_the_types_of_the_options_allow() -> None:
    space = Space.of("probing", {})
    assert space.values["level"] == ("fp1", "fp2", "fp3")
    assert space.values["gp"] == ("yes", "no")
    assert space.values["min_group"] == ("2", "8", "24", "80", "800")


@pytest.mark.parametrize(
    ("type", "default", "values"),
    [
        ("a|b|c", "a", ("a", "b", "c")),
        ("str", "", ()),
        ("int >= 0", "0", ("0", "1", "10", "100", "1000")),
        ("int >= 1 <= 50", "5", ("2", "5", "15", "50")),
        ("float > 0 < 1", "0.5", ("0.005", "0.05", "0.15", "0.5")),
        ("int", "none", ()),
    ],
)
def test_a_number_is_tried_around_its_default_within_its_bounds(
    type: str, default: str, values: tuple[str, ...]
) -> None:
    assert module._values(OptionHelp("x", type, default, "")) == values


def test_options_in_the_spec_are_fixed_and_the_caller_may_name_values() -> None:
    space = Space.of("sat:encoding=direct", {"solver": ["glucose4", "minisat22"]})
    assert space.spec == "sat:encoding=direct"
    assert dict(space.values) == {"phase": ("none", "likely"), "solver": ["glucose4", "minisat22"]}
    assert space.size == 4


def test_the_spec_is_the_first_candidate_and_none_is_there_twice() -> None:
    space = Space.of("gac", {})
    for most in (2, 10, 50):
        candidates = space.candidates(most, seed=3)
        assert candidates == space.candidates(most, seed=3)
        assert (candidates[0], len(candidates), len(set(candidates))) == ("gac", most, most)
    assert space.candidates(10, seed=3) != space.candidates(10, seed=4)


def test_a_small_space_is_tried_whole_without_options_that_do_not_go_together() -> None:
    space = Space.of("sat", {"solver": ["glucose4", "cadical103"], "encoding": ["order"]})
    found = set(space.candidates(100, seed=0))
    assert found == {"sat", "sat:phase=likely", "sat:solver=cadical103"}  # cadical103 takes no hints
    assert all(canonical_spec(spec) == spec for spec in found)


@pytest.mark.parametrize(
    ("spec", "given", "said"),
    [
        ("sat", {"solvr": ["glucose4"]}, "unknown option of sat 'solvr' (did you mean 'solver'?)"),
        ("sat", {"solver": ["glucos4"]}, "solver=glucos4 does not fit"),
        ("sat:solver=glucose4", {"solver": ["glucose4"]}, "solver stands in the spec, which fixes it"),
        ("satt", {}, "unknown backend 'satt'"),
        ("segments:pixel=first", {}, "segments:pixel=first has no options to tune; name values"),
    ],
)
def test_what_cannot_be_tuned_is_refused(spec: str, given: dict[str, list[str]], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        Space.of(spec, given)
    assert said in str(caught.value)


def test_values_of_an_option_may_be_a_list_or_a_range() -> None:
    assert option_values("solver=glucose4|minisat22") == ("solver", ["glucose4", "minisat22"])
    assert option_values("budget = 0..20 by 10 | 100") == ("budget", ["0", "10", "20", "100"])
    for text in ("budget", "=1", "budget=", "budget=1..2..3", "budget=1..9999", "budget=9..1"):
        with pytest.raises(UsageError, match="--option"):
            option_values(text)
