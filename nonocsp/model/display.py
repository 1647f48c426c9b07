"""Look up the drawing that `print` and notebooks show of a puzzle or a grid.

Drawing is a layer above the model, so it is imported by name, at the moment when something is shown. Nothing
else in the model reaches up.
"""

from __future__ import annotations

from importlib import import_module


def shown(function: str, *arguments: object) -> str:
    """Return what a function of `nonocsp.render.notebook` makes.

    Parameters
    ----------
    function
        Its name.
    arguments
        What to show.
    """
    text: str = getattr(import_module("nonocsp.render.notebook"), function)(*arguments)
    return text
