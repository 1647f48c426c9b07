"""Measure where random puzzles are line-solvable, unique and hard: size against density."""
