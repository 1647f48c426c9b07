"""Puzzles in documents (XML, HTML, LaTeX): one module for each format."""
