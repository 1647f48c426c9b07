"""Make puzzles from pictures in the steps of Batenburg et al. (2009): Init, Adapt, Generate, Vary.

The package is not named ``generate`` because `nonocsp.generate` is the function; `nonocsp.grading` says why
that matters.
"""
