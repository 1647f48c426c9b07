"""Measurements of the core: its parts, their counts, memory, and how soon they stop."""
