"""Make the table of hostile backends from the package that the tests run."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from tables import code, summary, table

TESTS = Path(__file__).parents[2] / "tests"


def backends() -> str:
    """Return what each hostile backend does and how its runs end, module by module."""
    if str(TESTS) not in sys.path:
        sys.path.append(str(TESTS))
    package = import_module("hostile")
    rows = [
        (code(name), summary(kind), " or ".join(map(code, kind.becomes)))
        for name, kind in package.backends().items()
    ]
    return table(("backend", "what it does", "its runs end as"), rows)
