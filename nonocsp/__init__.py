"""nonocsp: solve, prove, compare, grade and make nonograms.

The public API is what `__all__` names. Names are imported at first use, so that ``import nonocsp`` and the
command line's help cost no NumPy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nonocsp import late as _late

if TYPE_CHECKING:
    from nonocsp.api import solve as solve
    from nonocsp.backends.base import Answer as Answer
    from nonocsp.backends.base import Outcome as Outcome
    from nonocsp.backends.base import Task as Task
    from nonocsp.backends.base import Termination as Termination
    from nonocsp.backends.progress import Progress as Progress
    from nonocsp.formats import load as load
    from nonocsp.formats import load_all as load_all
    from nonocsp.formats import save as save
    from nonocsp.formats.sites import FetchError as FetchError
    from nonocsp.formats.sites import FetchTimeout as FetchTimeout
    from nonocsp.grading.classes import DifficultyClass as DifficultyClass
    from nonocsp.grading.explain import Explanation as Explanation
    from nonocsp.grading.explain import Hint as Hint
    from nonocsp.grading.explain import explain as explain
    from nonocsp.grading.explain import hint as hint
    from nonocsp.grading.meter import Difficulty as Difficulty
    from nonocsp.grading.meter import difficulty as difficulty
    from nonocsp.making.api import generate as generate
    from nonocsp.making.mend import Mend as Mend
    from nonocsp.making.mend import Mends as Mends
    from nonocsp.making.mend import mend as mend
    from nonocsp.making.puzzles import Generated as Generated
    from nonocsp.making.puzzles import Varied as Varied
    from nonocsp.making.repair import Repair as Repair
    from nonocsp.making.repair import Repairs as Repairs
    from nonocsp.making.repair import repair as repair
    from nonocsp.model import BackendError as BackendError
    from nonocsp.model import Block as Block
    from nonocsp.model import Clue as Clue
    from nonocsp.model import FormatError as FormatError
    from nonocsp.model import FormatWarning as FormatWarning
    from nonocsp.model import Grid as Grid
    from nonocsp.model import NonocspError as NonocspError
    from nonocsp.model import NoSuchFileError as NoSuchFileError
    from nonocsp.model import Palette as Palette
    from nonocsp.model import Puzzle as Puzzle
    from nonocsp.model import PuzzleError as PuzzleError
    from nonocsp.model import UsageError as UsageError
    from nonocsp.model import verify as verify
    from nonocsp.render.notebook import svg as svg
    from nonocsp.render.plain import pretty as pretty
    from nonocsp.run.many import Outcomes as Outcomes
    from nonocsp.run.many import solve_many as solve_many
    from nonocsp.testing import NonConformance as NonConformance

__version__ = "0.2.0"

_HOME = {
    "nonocsp.api": ("solve",),
    "nonocsp.backends.base": ("Answer", "Outcome", "Task", "Termination"),
    "nonocsp.backends.progress": ("Progress",),
    "nonocsp.run.many": ("Outcomes", "solve_many"),
    "nonocsp.formats": ("load", "load_all", "save"),
    "nonocsp.formats.sites": ("FetchError", "FetchTimeout"),
    "nonocsp.grading.classes": ("DifficultyClass",),
    "nonocsp.grading.explain": ("Explanation", "Hint", "explain", "hint"),
    "nonocsp.grading.meter": ("Difficulty", "difficulty"),
    "nonocsp.making.api": ("generate",),
    "nonocsp.making.mend": ("Mend", "Mends", "mend"),
    "nonocsp.making.puzzles": ("Generated", "Varied"),
    "nonocsp.making.repair": ("Repair", "Repairs", "repair"),
    "nonocsp.model": (
        *("Block", "Clue", "Grid", "Palette", "Puzzle", "verify"),
        *("BackendError", "FormatError", "FormatWarning", "NoSuchFileError", "NonocspError", "PuzzleError"),
        "UsageError",
    ),
    "nonocsp.render.notebook": ("svg",),
    "nonocsp.render.plain": ("pretty",),
    "nonocsp.testing": ("NonConformance",),
}
_late.find = lambda part, function: getattr(import_module(f"nonocsp.{part}"), function)

_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_MODULE_OF)  # noqa: PLE0605  (a list, though computed)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'nonocsp' has no attribute {name!r}")
    value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
