"""Differential testing: run all backends on random puzzles and check that their answers agree.

``python -m tools.differential backends`` (`make differential`) makes puzzles without end, in rounds; each
round has one task and, for every backend, one choice of its options. A disagreement is shrunk to a minimal
puzzle and printed as a test. ``descriptions`` and ``files`` compare the backends on every description of
4x4 and on files. ``proofs`` checks the proofs of ``hybrid``.
"""
