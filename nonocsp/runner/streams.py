"""The streams of a worker process, kept from what the backends in it print and read."""

from __future__ import annotations

import os


def private_descriptors() -> tuple[int, int]:
    """Move standard input and output out of the backends' reach, and point 0, 1 and 2 at nothing.

    Returns
    -------
    tuple[int, int]
        Descriptors of what standard input and output were.
    """
    private = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    return private
