"""The table of options that differ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nonocsp.bench.report import Digest
from nonocsp.bench.report.measurement import Configured, configured, differing, options_of
from nonocsp.bench.report.tables import score_tables
from nonocsp.bench.store import Campaign
from tests.bench.held import Held


def entrants(*specs: str) -> list[Configured]:
    return [Configured(spec, "results", spec, options_of(spec)) for spec in specs]


@pytest.mark.parametrize(
    ("specs", "options"),
    [
        (("sat", "hybrid"), []),
        (("sat", "sat:solver=cadical195"), ["solver"]),
        (("sat:solver=cadical195", "hybrid"), ["solver"]),
        (("sat:encoding=direct,solver=cadical195", "sat:encoding=order,solver=cadical195"), ["encoding"]),
        (("sat:solver=cadical195", "sat:solver=cadical195"), []),
        (("strange:colour=red", "strange:colour=blue,size=3"), ["colour", "size"]),
    ],
)
def test_options_are_shown_that_one_backend_sets_and_not_all_share(
    specs: tuple[str, ...], options: list[str]
) -> None:
    assert sorted(differing(entrants(*specs))) == sorted(options)


def test_the_table_shows_defaults_that_another_backend_overrides(sound: Campaign) -> None:
    (table,) = [table for table in score_tables(Digest.of([sound])) if table.name == "options"]
    assert [column.heading for column in table.columns] == ["backend", "of", "budget"]
    shown = {line.values[0]: line.values[1:] for line in table.lines}
    assert shown["hybrid:budget=2"] == ("hybrid", "2")
    assert shown["settle"] == ("settle", "–")


def test_a_name_that_got_another_spec_is_shown_with_the_options_of_its_last_runs(sound: Campaign) -> None:
    row = next(row for row in sound.rows if row["backend"] == "settle")
    specs = {"1": "sat:solver=cadical153", "2": "sat"}
    rows = [row | {"run": run, "spec": spec, "backend": "base"} for run, spec in specs.items()]
    (found,) = configured(Digest.of([replace(sound, rows=Held(rows))]))
    assert (found.spec, found.options["solver"]) == ("sat", "glucose4")


def test_named_backends_are_shown_with_what_they_are_even_if_no_option_differs(sound: Campaign) -> None:
    digest = Digest.of([sound])
    plain = replace(digest, entrants=tuple(it for it in digest.entrants if it.backend == "settle"))
    assert not [table for table in score_tables(plain) if table.name == "options"]
