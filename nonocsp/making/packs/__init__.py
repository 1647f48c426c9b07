"""Packs: graded sets of puzzles, as folders of files with a page of contents."""
