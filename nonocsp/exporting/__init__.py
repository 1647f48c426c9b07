"""Write puzzles in the languages of solvers, and read what the solvers print.

An export is no puzzle format: it is not read back as a puzzle. Beside it stands a map from its variables to
the cells (`nonocsp.exporting.variable_map`), by which the output of a solver becomes a verified grid.
"""

LANGUAGES = {
    "dimacs": ".cnf",
    "opb": ".opb",
    "flatzinc": ".fzn",
    "xcsp3": ".xml",
    "smt2": ".smt2",
    "lp": ".lp",
}
"""The languages, each with the usual suffix of its files."""
