"""Shared fixtures, and ``pytest --backend=NAME|SPEC|all``: run only the tests of some backends.

A module that tests every backend has a table ``SPECS`` from specs to samples; a sample of n means one of
every n small puzzles. Its tests get the entries as `backend_spec` and `sample`. With the option they get
every spec of that backend and all puzzles, and all other tests are left out.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.waiting import AMPLE_S

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REPOSITORY = Path(__file__).parents[1]
UNRULY = """[nonocsp.backends]
brute = unruly:Brute
busy = unruly:Busy
deny = unruly:Deny
flagged = unruly:Flagged
meeting = unruly:Meeting
unruly = unruly:Unruly
"""


def pytest_configure(config: pytest.Config) -> None:
    """Restore Ctrl-C, which a suite in the background ignores: child processes would inherit that.

    The threads of OpenBLAS are used by no test, and half of the time in which Python imports NumPy is theirs.
    """
    if hasattr(config, "workerinput") or config.getoption("dist", "no") == "no":  # tests run in this process
        _steady_examples()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.fixture(scope="session", autouse=True)
def _busy_machine(tmp_path_factory) -> Iterator[None]:
    """Other tests run at the same time: lock no cores of the machine, and give clusters time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NONOCSP_LOCKS", str(tmp_path_factory.mktemp("locks") / "cores"))
        patch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", f"{AMPLE_S:g}s")
        patch.setattr("nonocsp.run.cluster.JOIN_S", AMPLE_S)
        patch.setattr("nonocsp.testing.checks.PATIENCE", 10.0)
        yield


def _steady_examples() -> None:
    """Give generated examples any time, and the same in every run; tools/fuzzing searches for new ones."""
    from hypothesis import HealthCheck, settings

    settings.register_profile(
        "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--backend",
        metavar="NAME|SPEC|all",
        help="run the tests of this backend only, with every small puzzle instead of a sample",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize `backend_spec` and, where a test takes it, `sample`."""
    if "backend_spec" not in metafunc.fixturenames:
        return
    chosen = chosen_specs(metafunc.module.SPECS, metafunc.config.getoption("backend"))
    marks = {spec: _skip_unavailable(spec) for spec in chosen}
    if "sample" in metafunc.fixturenames:
        cases = [pytest.param(spec, sample, marks=marks[spec]) for spec, sample in chosen.items()]
        metafunc.parametrize(("backend_spec", "sample"), cases, ids=list(chosen))
    else:
        metafunc.parametrize("backend_spec", [pytest.param(spec, marks=marks[spec]) for spec in chosen])


def _skip_unavailable(spec: str) -> list[pytest.MarkDecorator]:
    """Return a mark that skips, with the reason, the tests of a backend that cannot run here."""
    from nonocsp.backends.registry import create
    from nonocsp.model import BackendError, UsageError

    try:
        create(spec)
    except BackendError as error:
        return [pytest.mark.skip(reason=str(error))]
    except UsageError:  # the tests say so
        pass
    return []


def chosen_specs(specs: dict[str, int], choice: str | None) -> dict[str, int]:
    """Return the specs that the option chooses, each with its sample: a table's own, or any other."""
    if choice is None:
        return specs
    if choice == "all":
        return dict.fromkeys([*specs, *sorted(set(registered_backends()) - set(specs))], 1)
    return dict.fromkeys([choice, *(spec for spec in specs if spec.startswith(f"{choice}:"))], 1)


def registered_backends() -> list[str]:
    from nonocsp.backends.registry import names

    return names()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests in a browser as slow; with ``--backend``, leave out tests of other backends and of none."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")
    choice = config.getoption("backend")
    if choice is None:
        return
    names = registered_backends() if choice == "all" else [choice.partition(":")[0]]
    kept = [item for item in items if tests_one_of(item, names)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def tests_one_of(item: pytest.Item, names: Iterable[str]) -> bool:
    """Return whether a test takes `backend_spec`, or stands in ``test_NAME.py``, or ``test_NAME_….py``."""
    stem = item.path.stem
    own = any(stem == f"test_{name}" or stem.startswith(f"test_{name}_") for name in names)
    return "backend_spec" in getattr(item, "fixturenames", ()) or (
        own and item.path.parent.name == "backends"
    )


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data beside the checkout; the test skips where it is absent."""
    path = REPOSITORY.parent / "shared"
    if not path.is_dir():
        pytest.skip("../shared with the reference data is not beside this checkout")
    return path


@pytest.fixture(scope="session")
def datasets(shared) -> Path:
    """Real puzzles with known verdicts."""
    return shared / "datasets"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    from tools import chromium  # tests of an installation run without this folder

    if chromium.command() is None:
        pytest.skip("no Chromium on this machine")
    pytest.importorskip("playwright.sync_api").expect.set_options(timeout=AMPLE_S * 1000)
    with chromium.chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def unruly_path(tmp_path_factory) -> str:
    """A PYTHONPATH on which the test backends are installed."""
    folder, tests = tmp_path_factory.mktemp("installed"), str(REPOSITORY / "tests" / "run")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(tests)
        careless = import_module("careless").entry_points()
    _write_package(folder, "unruly", UNRULY + careless)
    return os.pathsep.join([str(folder), tests])


@pytest.fixture(scope="module")
def unruly(unruly_path) -> Iterator[None]:
    """The test backends, registered here and in every worker."""
    with _on_path(unruly_path):
        yield


def _write_package(folder: Path, name: str, entry_points: str) -> None:
    """Write what an installed package of this name and version 1.0 has beside its modules."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)


@contextmanager
def _on_path(path: str) -> Iterator[None]:
    """Have this process and those that it starts find packages in some folders."""
    from nonocsp.backends import installed

    with pytest.MonkeyPatch.context() as patch:
        for folder in reversed(path.split(os.pathsep)):
            patch.syspath_prepend(folder)
        patch.setenv("PYTHONPATH", path, prepend=os.pathsep)
        installed.registered.cache_clear()
        yield
    installed.registered.cache_clear()
