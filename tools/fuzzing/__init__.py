"""Fuzz every reader of outside data with coverage-guided hostile input.

- `base` defines a target: a reader and the properties that its results must have.
- `trial` gives one input to a target under limits.
- `child` is the process in which atheris makes the inputs.
- `sessions` keeps corpus, findings and sessions.

``python -m tools.fuzzing --help`` explains how to start it.
"""
