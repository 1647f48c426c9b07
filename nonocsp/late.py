"""Find what the model needs of packages that stand on it: the core's checks, and who draws a puzzle."""

from collections.abc import Callable
from functools import cache
from typing import Any


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
