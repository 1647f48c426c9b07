"""Formats of the solution itself, as an image or as text: the clues are derived from it."""
