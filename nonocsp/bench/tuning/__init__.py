"""Find the best options of a backend on training puzzles, and check them on others."""
