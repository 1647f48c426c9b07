"""The census of a size: all its images, by difficulty, and all its descriptions, by number of solutions.

`taking` takes one: it counts shards of the `tallies` on one of the `pools` and keeps them in the `ledger`.
`forecast` says how long that takes. Where it takes too long, `estimate` tells what it would find, from random
parts of its shards; `sample` does so for any size, with the engine's line solver.
"""
