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
    if given.exists() and not given.is_dir():
        return given
    shipped = campaigns().get(given.stem)
    if shipped is None or given not in (Path(given.stem), Path("configs", shipped.name)):
        raise UsageError(f"{given}: there is no such config; nonocsp comes with {', '.join(campaigns())}")
    return shipped


def solvers() -> dict[str, Path]:
    """Return the declared solvers that come with nonocsp, by the names of their files, sorted."""
    return dict(sorted((path.name, path) for path in root().glob("examples/solvers/*.yaml")))


def find_solver(given: Path) -> Path:
    """Return the declaration that is meant: a file, or else the shipped one of that name."""
    if given.is_file():
        return given
    shipped = solvers().get(given.name)
    if shipped is None or given not in (Path(given.name), Path("examples", "solvers", given.name)):
        raise UsageError(
            f"cannot read {given}: there is no such file; nonocsp comes with {', '.join(solvers())}"
        )
    return shipped


def summary(config: Path) -> str:
    """Return what a config says of itself: the first paragraph of the comment that it begins with."""
    comment = takewhile(lambda line: line.startswith("# "), config.read_text(encoding="utf-8").splitlines())
    return " ".join(line.removeprefix("# ") for line in comment)
