"""The figures on the package's structure, on a package of a few lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.benchmarks.harness.structure import figures, lengths

PYTHON = '''
def documented(first, second):
    """Return the sum.

    Parameters
    ----------
    first, second
        Numbers.
    """
    return _add(first, second)


def bare(first, second):
    return _add(_add(first, second), _once(first))


def one(argument):
    return argument


def _add(first, second):
    return first + second


def _once(value):
    return value
'''
CPP = """// A comment with a { brace.
#include "line/clue.hpp"
namespace nonocsp {

template <class T>
class Thing {
  public:
    Thing(int a, int b) : a_{a}, b_(b) {}

    int sum() const {
        const auto add = [this] {
            return a_ + b_;
        };
        assert(a_ > 0);
        return add();
    }

  private:
    int a_{0}, b_ = {1};
};

static_assert(sizeof(int) == 4);

const char* brace() { return "{"; }

}  // namespace nonocsp
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with a function of each kind, and a core of one file."""
    folder = tmp_path / "nonocsp"
    (folder / "cpp" / "grid").mkdir(parents=True)
    (folder / "engine").mkdir()
    (folder / "engine" / "__init__.py").write_text("from nonocsp import _core\n")
    (folder / "sums.py").write_text(PYTHON)
    (folder / "cpp" / "grid" / "thing.hpp").write_text(CPP)
    return folder


def test_functions_are_measured_together_with_their_lambdas() -> None:
    assert list(lengths(CPP)) == [1, 7, 1]


def test_functions_helpers_and_asserts_are_counted(package: Path) -> None:
    found = dict(figures(package))
    assert found["lines of Python"] == str(len(PYTHON.splitlines()) + 1)
    assert found["statements of Python, docstrings left out"] == "11"
    assert found["lines of C++ without comments, docstrings and empty lines"] == "19"
    assert found["function length in Python: median/90 %/max"] == "2/9/9"
    assert found["asserts in C++"] == "1"
    assert found["public functions with two or more arguments that document them"] == "50 % (1 of 2)"
    assert found["private helpers with one use"] == "50 % (1 of 2)"


def test_only_the_engine_may_import_the_core(package: Path) -> None:
    assert dict(figures(package))["modules that import _core past the engine"] == "0"
    (package / "past.py").write_text("def late():\n    from nonocsp._core import settle\n")
    assert dict(figures(package))["modules that import _core past the engine"] == "1"


def test_cycles_of_imports_and_of_includes_are_counted(package: Path) -> None:
    assert dict(figures(package))["import cycles between modules"] == "0"
    (package / "here.py").write_text("from nonocsp.there import name\n")
    (package / "there.py").write_text("import nonocsp.here\n")
    (package / "cpp" / "line").mkdir()
    (package / "cpp" / "line" / "clue.hpp").write_text('#include "grid/thing.hpp"\n')
    found = dict(figures(package))
    assert found["import cycles between modules"] == "1"
    assert found["include cycles between shelves of the core"] == "1"


def test_a_folder_with_more_than_twenty_files_is_named(package: Path) -> None:
    for number in range(21):
        (package / "engine" / f"part{number}.py").touch()
    found = dict(figures(package))
    assert found["most files in a folder"] == "22 (nonocsp/engine)"
    assert found["folders with more than 20 files"] == "1"
