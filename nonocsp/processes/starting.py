"""Start Python so that neither the current folder nor a hostile system spoils it."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

from nonocsp.processes import namespace

PYTHON = (sys.executable, "-P")
"""Starts Python without the current folder on its path, where a ``json.py`` or a checkout of nonocsp may lie;
the user's ``PYTHONPATH`` stays."""
PYTHON_FILE = (sys.executable, "-I", "-S")
"""Starts Python for a file that needs the standard library only: it takes 10 ms."""
ISOLATED = (*PYTHON_FILE, namespace.__file__)
"""Runs the command behind it in namespaces of its own; ask `can_isolate` first."""
TEMPORARY = ("TMPDIR", "TEMP", "TMP")
"""The variables that name the folder for temporary files."""
_PROBE_S = 60.0


@cache
def can_isolate() -> bool:
    """Return whether this system lets this user have namespaces; found out once, by trying."""
    if sys.platform != "linux":
        return False
    quiet = subprocess.DEVNULL
    try:
        probe = subprocess.run(
            ISOLATED, stdin=quiet, stdout=quiet, stderr=quiet, timeout=_PROBE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return probe.returncode == 0
