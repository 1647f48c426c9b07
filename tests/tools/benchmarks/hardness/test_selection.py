from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tools.benchmarks.hardness.selection import account, spent_by

TIMES = pd.DataFrame({"hybrid": [0.01, 0.5, np.inf, 0.03], "sat": [0.2, 0.1, 0.6, np.inf]})
FEATURES_S = np.full(4, 0.001)


def test_a_selector_pays_for_its_features_and_for_the_backend_that_it_takes() -> None:
    chosen = np.array(["hybrid", "sat", "sat", "sat"])
    assert spent_by(TIMES, chosen, FEATURES_S) == pytest.approx([0.011, 0.101, 0.601, np.inf])


def test_after_a_head_start_hybrid_goes_on_and_others_start_anew() -> None:
    chosen = np.array(["sat", "sat", "sat", "hybrid"])
    spent = spent_by(TIMES, chosen, FEATURES_S, head_start_s=0.02)
    assert spent == pytest.approx([0.01, 0.02 + 0.001 + 0.1, 0.02 + 0.001 + 0.6, 0.03 + 0.001])


def test_an_account_counts_an_undecided_puzzle_once_in_the_total_and_twice_in_par2() -> None:
    chosen = np.array(["sat", "hybrid", "sat", "sat"])
    alone = np.array([0.5, 0.5, np.inf, 0.5])
    found = account("made up", np.array([0.1, 0.2, np.inf, 1.5]), chosen, alone, limit_s=1.0)
    assert (found.total_s, found.par2_s, found.undecided) == pytest.approx((2.3, 4.3 / 4, 2))
    assert found.ratio == pytest.approx(4.3 / 3.5)
    assert found.low <= found.ratio <= found.high
    assert found.choices == {"sat": 3, "hybrid": 1}


def test_hybrid_alone_is_as_good_as_itself() -> None:
    alone = np.array([0.1, 0.4, np.inf])
    found = account("hybrid alone", alone, np.full(3, "hybrid"), alone, limit_s=1.0)
    assert (found.ratio, found.low, found.high) == (1, 1, 1)
