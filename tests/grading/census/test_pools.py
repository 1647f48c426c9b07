"""Pools: threads and clusters work on the same tasks in the same way."""

import os
from contextlib import closing

import pytest

from nonocsp.engine import StopFlag
from nonocsp.grading.census.pools import cluster, threads
from nonocsp.grading.census.taking import take_census
from nonocsp.grading.census.tallies import ShardRange, sweeps
from nonocsp.model import NonocspError, UsageError


def double(task: int, stop: StopFlag | None) -> int:
    if task < 0:
        raise ValueError(task)
    return 2 * task


def die(task: int, stop: StopFlag | None) -> None:
    os._exit(task)


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_task_comes_back_with_its_result(jobs):
    with threads(jobs) as pool:
        assert sorted(pool.run(double, range(10))) == [(task, 2 * task) for task in range(10)]


def test_leaving_a_pool_ends_unfinished_tasks():
    quick, endless = ShardRange(sweeps(2, 2), 0, 1), ShardRange(sweeps(8, 8), 0, 1)
    with threads(2) as pool, closing(pool.run(ShardRange.count, [endless, quick])) as results:
        assert next(results)[0] is quick


@pytest.mark.slow
def test_a_census_on_a_cluster_gives_the_same_counts(tmp_path):
    pytest.importorskip("distributed")
    with cluster(None, 2) as pool:
        on_cluster = take_census(4, 4, tmp_path / "cluster", pool, unique=True)
        with pytest.raises(ValueError, match="-1"):
            list(pool.run(double, [-1]))
    with threads(1) as pool:
        assert take_census(4, 4, tmp_path / "threads", pool, unique=True) == on_cluster


@pytest.mark.slow
def test_workers_that_keep_dying_are_an_error():
    pytest.importorskip("distributed")  # it adds its settings to those of dask when it is imported
    dask = pytest.importorskip("dask")
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        pytest.raises(NonocspError, match=r"workers of the cluster at tcp://.* keep dying"),
        cluster(None, 1) as pool,
    ):
        list(pool.run(die, [1]))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://"])
def test_an_address_without_a_cluster_is_an_error(address, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("nonocsp.run.cluster.JOIN_S", 1)
    with pytest.raises(UsageError, match=f"no cluster with workers at {address}"), cluster(address, 1):
        pass
