"""Works when it is made."""

from __future__ import annotations

from typing import Any

from hostile.base import Hostile
from hostile.clocks import burn


class WorksInItsConstructor(Hostile):
    """Computes for .4 s whenever it is made, and lies about its version."""

    version = property(lambda self: 1 / 0)

    def __init__(self, options: Any) -> None:
        burn(0.4)
        super().__init__(options)
