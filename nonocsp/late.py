"""What is imported when it is first used: NumPy, and what the model needs of packages that stand on it.

An easy puzzle is read, solved and printed without NumPy, whose start takes longer than all the rest. Modules
on that way write ``from nonocsp.late import numpy as np``; all others import NumPy as usual.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as numpy  # noqa: PLC0414  (so that type checkers see it exported)
else:

    class _Late:
        """Stands for a module until something of it is needed."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            value = vars(self)[name] = getattr(import_module(self._name), name)
            return value

    numpy = _Late("numpy")


def find(part: str, function: str) -> Callable[..., Any]:
    """Return a function of a part of the package, which replaces this one when it is imported."""
    raise LookupError(f"nonocsp has not said where {part}.{function} is")


@cache
def late(part: str, function: str) -> Callable[..., Any]:
    """Return a function of a part that is imported when somebody first asks for it."""
    return find(part, function)


def shown(function: str, *arguments: object) -> str:
    """Return what `print` or a notebook shows of the arguments."""
    text: str = late("render.notebook", function)(*arguments)
    return text
