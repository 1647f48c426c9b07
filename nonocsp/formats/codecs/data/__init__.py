"""Puzzles as data of general languages (JSON, TOML, tables, facts, MiniZinc): one module for each format."""
