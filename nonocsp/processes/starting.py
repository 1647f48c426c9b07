"""Start Python so that neither the current folder nor a hostile system spoils it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import cache

from nonocsp.full_disk import once_there_is_room
from nonocsp.processes import namespace

PYTHON = (sys.executable, "-P")
"""Starts Python without the current folder on its path, where a ``json.py`` or a checkout of nonocsp may lie;
the user's ``PYTHONPATH`` stays."""
PYTHON_FILE = (sys.executable, "-I", "-S")
"""Starts Python for a file that needs the standard library only: it takes 10 ms."""
TEMPORARY = ("TMPDIR", "TEMP", "TMP")
"""The variables that name the folder for temporary files."""
_IN_MEMORY, _ON_DISK = "/dev/shm/", "/tmp"
_PROBE_S = 60.0


def isolating(*, is_server: bool = False) -> tuple[str, ...]:
    """Return what runs the command behind it in namespaces of its own; ask `can_isolate` first.

    Parameters
    ----------
    is_server
        Whether it makes further namespaces inside.
    """
    return *PYTHON_FILE, namespace.__file__, *([namespace.FOR_SERVER] if is_server else [])


def make_folder() -> str:
    """Make a folder for temporary files, and return its path without links.

    Not in shared memory, even if the user's temporary files go there: isolated processes have other shared
    memory.
    """
    return once_there_is_room(lambda: tempfile.mkdtemp(prefix="nonocsp-", dir=_folder_on_disk()))


def _folder_on_disk() -> str:
    folder = os.path.realpath(tempfile.gettempdir())
    return _ON_DISK if f"{folder}/".startswith(_IN_MEMORY) else folder


@cache
def can_isolate() -> bool:
    """Return whether runs get namespaces of their own here; found out once, by trying.

    Only root's do: an ordinary user may enter a user namespace, but not make the namespaces of hosts inside.
    """
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    quiet = subprocess.DEVNULL
    try:
        probe = subprocess.run(
            isolating(), stdin=quiet, stdout=quiet, stderr=quiet, timeout=_PROBE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return probe.returncode == 0
