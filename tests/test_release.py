"""The version, Pythons and licence of a release agree wherever they are stated."""

import re
import tomllib
from importlib import metadata
from typing import Any

import pytest
import yaml

import nonocsp


@pytest.fixture(scope="module")
def pyproject(repository) -> dict[str, Any]:
    return tomllib.loads((repository / "pyproject.toml").read_text())


def test_the_version_is_the_same_wherever_it_is_stated(repository, pyproject):
    version = pyproject["project"]["version"]
    newest = re.findall(r"^## (\S+)", (repository / "CHANGELOG.md").read_text(), re.MULTILINE)[0]
    assert yaml.safe_load((repository / "CITATION.cff").read_text())["version"] == version
    assert newest in ("Unreleased", version)
    assert nonocsp.__version__ == version
    assert metadata.version("nonocsp") == version, "another version is installed: make installs this one"


def test_every_python_in_the_classifiers_has_a_wheel(pyproject):
    project, wheels = pyproject["project"], pyproject["tool"]["cibuildwheel"]
    named = re.findall(r":: (3\.\d+)$", "\n".join(project["classifiers"]), re.MULTILINE)
    assert [f"cp{version.replace('.', '')}-*" for version in named] == wheels["build"].split()
    assert project["requires-python"] == f">={named[0]}"


def test_every_user_extra_is_also_installed_for_developers(pyproject):
    from nonocsp.extras import EXTRAS

    extras = pyproject["project"]["optional-dependencies"]
    ours = next(each for each in extras["dev"] if each.startswith("nonocsp["))
    whole = ours.partition("[")[2].rstrip("]").split(",")
    assert set(EXTRAS) == set(extras) - {"dev", "docs"}
    for name in EXTRAS:
        in_dev = name in whole or set(extras[name]) <= set(extras["dev"])
        assert in_dev, f"the tests do not have what extra {name} brings"


def test_the_example_has_the_licence_of_the_project(repository):
    assert (repository / "examples/backend/LICENSE").read_text() == (repository / "LICENSE").read_text()
