"""The census of a size: all its images, by difficulty, and all its descriptions, by number of solutions.

`taking` takes one, in shares of the `tallies`, which `pools` work on and the `ledger` keeps; `estimate` says
how long that takes. Where it takes too long, `sample` estimates what it would find.
"""
