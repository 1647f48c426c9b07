"""Shipped campaigns and puzzles are found from anywhere and give the same runs in any place."""

import shutil
from pathlib import Path

import pytest

from nonocsp import shipped
from nonocsp.bench import load_config, plan
from nonocsp.model import UsageError


@pytest.fixture
def installed(repository, tmp_path, monkeypatch) -> Path:
    """A package with its data inside, as a wheel lays it out; the test runs in an empty folder."""
    package = tmp_path / "site-packages" / "nonocsp"
    for name in ("configs", "datasets"):
        shutil.copytree(repository / name, package / "data" / name)
    monkeypatch.setattr(shipped, "_PACKAGE", package)
    (empty := tmp_path / "empty").mkdir()
    monkeypatch.chdir(empty)
    return package / "data"


def runs(config: Path) -> list[str]:
    return [run.id for run in plan(load_config(config))]


def test_an_installed_package_has_the_campaigns_inside(installed, repository):
    assert shipped.root() == installed
    assert list(shipped.campaigns()) == sorted(path.stem for path in repository.glob("configs/*.yaml"))


def test_a_checkout_has_the_campaigns_beside_the_package(repository):
    assert shipped.root() == repository


@pytest.mark.parametrize("given", ["smoke", "configs/smoke.yaml"])
def test_a_shipped_campaign_is_found_by_its_name_and_by_its_path_in_a_checkout(installed, given):
    assert shipped.find_config(Path(given)) == installed / "configs" / "smoke.yaml"


def test_an_existing_file_takes_precedence_over_a_shipped_one(installed):
    Path("smoke").mkdir()
    assert shipped.find_config(Path("smoke")).parent == installed / "configs"
    Path("configs").mkdir()
    own = Path("configs/smoke.yaml")
    own.touch()
    assert shipped.find_config(own) == own


@pytest.mark.parametrize("given", ["smoky", "other/smoke.yaml", "smoke.yml", "configs/smoke", "/smoke.yaml"])
def test_an_unknown_config_is_an_error_that_lists_the_shipped_ones(installed, given):
    with pytest.raises(UsageError, match="no such config; nonocsp comes with colour, growth, paradigms"):
        shipped.find_config(Path(given))


def test_run_ids_are_the_same_in_a_checkout_an_installation_and_a_copy(installed, repository, tmp_path):
    expected = runs(repository / "configs" / "smoke.yaml")
    copy = Path(shutil.copy(installed / "configs" / "smoke.yaml", tmp_path / "empty"))
    assert runs(installed / "configs" / "smoke.yaml") == expected
    assert runs(copy) == expected


def test_every_config_states_its_purpose_in_a_sentence(repository):
    for path in shipped.campaigns().values():
        assert shipped.summary(path).endswith(".")
        assert f"nonocsp bench configs/{path.name}" in path.read_text()
