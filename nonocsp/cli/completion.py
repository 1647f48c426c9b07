"""Words that the shell completes."""

from __future__ import annotations


def backend_names(incomplete: str) -> list[str]:
    """Return the backends whose name starts so."""
    from nonocsp.backends.registry import names

    return [name for name in names() if name.startswith(incomplete)]


def format_names(incomplete: str) -> list[str]:
    """Return the file formats whose name starts so."""
    from nonocsp.formats import formats

    return [known.name for known in formats() if known.name.startswith(incomplete)]
