"""The campaigns, puzzles and declared solvers that come with nonocsp, wherever it is installed.

They are the folders ``configs/``, ``datasets/`` and ``examples/solvers/``: in a checkout beside the package,
in an installed one inside it, below ``data/``. What a campaign calls its puzzles, and so the identity of its
runs, is the same in either.
"""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

from nonocsp.model import UsageError

_PACKAGE = Path(__file__).parent


def root() -> Path:
    """Return the folder that has ``configs/`` and ``datasets/``."""
    inside = _PACKAGE / "data"
    return inside if inside.is_dir() else _PACKAGE.parent


def campaigns() -> dict[str, Path]:
    """Return the configs that come with nonocsp, by the names of their campaigns, sorted."""
    return dict(sorted((path.stem, path) for path in root().glob("configs/*.yaml")))


def find_config(given: Path) -> Path:
    """Return the config that is meant: a file, or else the shipped one of that name (``smoke``)."""
    return _find("config", given, campaigns(), "configs")


def solvers() -> dict[str, Path]:
    """Return the declared solvers that come with nonocsp, by the names of their files, sorted."""
    return dict(sorted((path.name, path) for path in root().glob("examples/solvers/*.yaml")))


def find_solver(given: Path) -> Path:
    """Return the declaration that is meant: a file, or else the shipped one of that name."""
    return _find("file", given, solvers(), "examples/solvers")


def _find(what: str, given: Path, shipped: dict[str, Path], folder: str) -> Path:
    """Return a file that exists, or else the shipped one of that name, also with its folder before it."""
    if given.exists() and not given.is_dir():
        return given
    for name, path in shipped.items():
        if given in (Path(name), Path(folder, path.name)):
            return path
    raise UsageError(f"{given}: there is no such {what}; nonocsp comes with {', '.join(shipped)}")


def summary(config: Path) -> str:
    """Return what a config says of itself: the first paragraph of the comment that it begins with."""
    comment = takewhile(lambda line: line.startswith("# "), config.read_text(encoding="utf-8").splitlines())
    return " ".join(line.removeprefix("# ") for line in comment)
