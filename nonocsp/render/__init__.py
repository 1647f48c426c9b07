"""Pictures of puzzles: SVG and PNG from one drawing, and text for terminals."""
