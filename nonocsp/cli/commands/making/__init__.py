"""Commands that make and repair puzzles."""
