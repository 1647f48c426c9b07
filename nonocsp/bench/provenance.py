"""Describe what only the driver knows of a campaign's rows: the state of its checkout."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nonocsp.run.provenance import CODE_DIGITS

_PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class GitState:
    """The commit that a checkout is at, and whether tracked files differ from it; as text, both in short.

    Parameters
    ----------
    content
        Hash of the differences, so that two states that differ from one commit are told apart; empty if
        there are none, or if an earlier version of nonocsp recorded the state.
    """

    commit: str
    dirty: bool
    content: str = ""

    def __str__(self) -> str:
        changes = f" with changes {self.content}".rstrip() if self.dirty else ""
        return f"{self.commit[:10]}{changes}"


def versions_seen(rows: Iterable[dict[str, str]]) -> dict[str, list[str]]:
    """Return for every package of some `versions` all its version numbers, sorted."""
    seen: dict[str, set[str]] = {}
    for entry in rows:
        for package, number in entry.items():
            seen.setdefault(package, set()).add(number)
    return {package: sorted(numbers) for package, numbers in sorted(seen.items())}


def git_state(package: Path = _PACKAGE) -> GitState | None:
    """Return the state of the checkout that the code comes from; None without a checkout or without git."""
    if _git(package, "ls-files", "--error-unmatch", "__init__.py") is None:
        return None
    commit = _git(package, "rev-parse", "HEAD")
    changes = _git(package, "diff", "HEAD", "--binary", "--no-ext-diff", "--no-textconv", "--no-color")
    if commit is None or changes is None:
        return None
    content = hashlib.sha256(changes).hexdigest()[:CODE_DIGITS] if changes else ""
    return GitState(commit.decode().strip(), bool(changes), content)


def _git(folder: Path, *arguments: str) -> bytes | None:
    """Return what git prints; None if it fails."""
    command = ["git", "-C", str(folder), "--no-optional-locks", *arguments]
    try:
        return subprocess.run(command, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
