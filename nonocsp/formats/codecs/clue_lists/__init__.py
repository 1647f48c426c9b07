"""Clue lists as plain text: one module for each format."""
