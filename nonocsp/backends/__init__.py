"""Backends: interchangeable ways to solve, one module each, registered as entry points."""

DEFAULT = "hybrid"
"""The spec used where none is given: the fastest complete backend."""
