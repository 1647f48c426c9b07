"""Start Python so that neither the current folder nor a hostile system spoils it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nonocsp.full_disk import once_there_is_room
from nonocsp.model import UsageError
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


@dataclass(frozen=True, slots=True)
class Access:
    """What isolated processes may use besides their own folder.

    Parameters
    ----------
    network
        Whether they have this machine's network.
    writable
        Absolute paths of folders where they may write.
    """

    network: bool = False
    writable: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise `UsageError` if a folder is missing on this machine, or cannot be given."""
        temporary = Path(_folder_on_disk())
        for folder in self.writable:
            path = Path(folder).resolve()
            if not path.is_dir():
                raise UsageError(f"writable: {folder} is no folder of this machine; make it, or leave it out")
            if temporary.is_relative_to(path):
                raise UsageError(
                    f"writable: {folder} holds the folders of other runs ({temporary}); "
                    "set TMPDIR to a folder elsewhere"
                )
            if f"{path}/".startswith(_IN_MEMORY):
                raise UsageError(f"writable: {folder} is shared memory, which each run has for itself")


NO_ACCESS = Access()


def isolating(access: Access = NO_ACCESS, *, is_server: bool = False) -> tuple[str, ...]:
    """Return what runs the command behind it in namespaces of its own; ask `can_isolate` first.

    Parameters
    ----------
    access
        What the command may use.
    is_server
        Whether it makes further namespaces inside, or writes control groups.
    """
    return (
        *(*PYTHON_FILE, namespace.__file__),
        *([namespace.FOR_SERVER] if is_server else []),
        *([namespace.NETWORK] if access.network else []),
        *(f"{namespace.WRITABLE}{folder}" for folder in access.writable),
    )


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
