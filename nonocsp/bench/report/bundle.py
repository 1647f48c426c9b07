"""Bundle the page's modules of JavaScript into one script, so that it needs no other file or build tool.

The modules in ``templates/js`` are plain ES modules. In the script each one is a function that is called
once, after those that it imports, and returns what it exports. Imports stand on one line each, ``import {
a, b } from "./name.js";``, and what is exported is a function, class or constant where it is declared.
"""

from __future__ import annotations

import re
from importlib.resources import files

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


def bundle(entry: str = "main") -> str:
    """Return the module and all that it imports, each once, as one script."""
    modules: dict[str, str] = {}
    _collect(entry, modules, ())
    return "\n".join(modules.values())


def source(name: str) -> str:
    """Return the text of a template, a path such as ``js/main.js``."""
    return (files("nonocsp.bench.report") / "templates" / name).read_text(encoding="utf-8")


def _collect(name: str, modules: dict[str, str], importers: tuple[str, ...]) -> None:
    """Put a module, as a function of its own scope that is called once, behind those that it imports."""
    if name in importers:
        raise ValueError(f"modules import each other: {' -> '.join((*importers, name))}")
    if name in modules:
        return
    text = source(f"js/{name}.js")
    for _, imported in _IMPORT.findall(text):
        _collect(imported, modules, (*importers, name))
    exported = ", ".join(declared for _, declared in _EXPORT.findall(text))
    body = _EXPORT.sub(r"\1", _IMPORT.sub(r"const \1 = module_\2;", text))
    modules[name] = f"const module_{name} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"
