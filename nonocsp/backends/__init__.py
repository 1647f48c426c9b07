"""Backends: interchangeable ways to solve, one module each, registered as entry points."""

DEFAULT = "sat"
"""The spec used where none is given: the fastest complete backend so far."""
