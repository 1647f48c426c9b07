"""The simulation of large campaigns agrees with what can be computed by hand."""

from __future__ import annotations

import pytest

from tools.benchmarks.harness.simulation import Costs, Load, simulate

FREE = Costs(plan_s=0.0, send_s=0.0, row_s=0.0, batch_s=0.0, run_s=0.0)


def test_without_costs_and_losses_the_workers_are_busy_to_the_end() -> None:
    load = Load(0.01, losses_per_hour=0.0)
    found = simulate(FREE, load, 1_000_000, 100)
    work_s = 1_000_000 * float(load.times(1).mean())
    assert found.worker_s == pytest.approx(work_s, rel=0.02)
    assert found.wall_s == pytest.approx(work_s / 100, rel=0.03)
    assert (found.driver_s, found.scheduler_s, found.repeated) == (0.0, 0.0, 0)


def test_a_slow_driver_holds_the_campaign_up() -> None:
    costs = Costs(plan_s=0.0, send_s=0.0002, row_s=0.0008, batch_s=0.0, run_s=0.0)
    found = simulate(costs, Load(0.001, losses_per_hour=0.0), 1_000_000, 1000)
    assert found.driver_s == pytest.approx(1000.0)
    assert found.wall_s == pytest.approx(1000.0, rel=0.02)


def test_the_scheduler_holds_up_runs_that_travel_alone() -> None:
    costs = Costs(plan_s=0.0, send_s=0.0, row_s=0.0, batch_s=0.01, run_s=0.0)
    found = simulate(costs, Load(50.0, sigma=0.0, limit_s=50.0, losses_per_hour=0.0), 100_000, 10_000)
    assert found.batches == 50_000  # 100 s for 10 000 workers
    assert found.scheduler_s == pytest.approx(500.0)
    assert found.wall_s == pytest.approx(550.0, rel=0.2)


def test_lost_runs_are_repeated() -> None:
    load = Load(0.1, sigma=1.0, losses_per_hour=5.0)
    found = simulate(FREE, load, 200_000, 20)
    lost = found.worker_s / 3600 * 5.0
    assert found.repeated == pytest.approx(lost * 6, rel=0.5)  # a batch holds six runs
    assert found.worker_s > 200_000 * float(load.times(1).mean())
