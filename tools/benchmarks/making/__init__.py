"""Measurements of making puzzles."""
