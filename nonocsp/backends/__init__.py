"""Backends: interchangeable ways to solve, one module each, registered as entry points."""
