"""Make sets of puzzles by rule; each set is a function of its parameters, so that a call reproduces it."""
