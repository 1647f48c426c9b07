"""Rules that make sets of puzzles: each a typed function of a seed, so that a set is its recipe."""
