"""Hostile input: every reader of outside data is fed what coverage-guided fuzzing comes up with.

`targets` says what the readers are and what must hold of what they return, `trial` gives one input to one of
them under limits, `child` is the process in which atheris makes the inputs, `sessions` keeps what came of it.
``python -m tools.fuzzing --help`` says how to start it.
"""
