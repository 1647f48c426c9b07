"""Backends around general solvers, which the extra ``solvers`` installs."""

EXTRA = "solvers"
