"""Grade puzzles: the meter, the classes, the hardest puzzles, the census, the explanation.

The package is not called ``difficulty``, because `nonocsp.difficulty` is the function.
"""
