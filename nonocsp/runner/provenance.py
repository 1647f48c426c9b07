"""Define what ran where: versions, machine and a hash of the code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Provenance:
    """What ran where.

    Parameters
    ----------
    versions
        Of nonocsp, Python, the backend and what it uses, by name.
    machine
        Processor, cores, system.
    code
        Hash of the code of nonocsp and of the backend's package: 16 hexadecimal digits.
    """

    versions: Mapping[str, str]
    machine: str
    code: str
