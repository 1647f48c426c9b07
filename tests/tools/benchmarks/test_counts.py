"""No method does more than it did: counts on a tenth of the sets, against the stored baseline."""

import pytest

from tools.benchmarks.core import counts
from tools.benchmarks.core.counts import SETS, baseline, counted, grown, methods_for


@pytest.mark.parametrize("name", SETS)
def test_nodes_probes_and_conflicts_have_not_grown_beyond_the_baseline(name):
    puzzles = SETS[name]()[:: counts.QUICK_EVERY]
    found = {name: {method: counted(puzzles, method) for method in methods_for(name)}}
    worse = grown(found, baseline(quick=True))
    assert not worse, "\n".join([*worse, counts.RENEW])


def test_the_sets_are_reproducible_and_all_in_the_baseline():
    assert [len(make()) for make in SETS.values()] == [50, 36, 100, 20]
    assert all(make() == make() for make in (SETS["random"], SETS["coloured"]))
    for quick in (True, False):
        stored = baseline(quick=quick)
        assert {name: list(by_method) for name, by_method in stored.items()} == {
            name: list(methods_for(name)) for name in SETS
        }
