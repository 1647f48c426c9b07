"""Make and verify certificates: claims about puzzles that anyone can check.

`formula`, `document` and `verifier` import nothing but the model and the project's JSON, so that a
verdict of `verifier.verify` rests on no solver. `maker` stands on a SAT solver.
"""
