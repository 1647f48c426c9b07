"""Pictures of puzzles: SVG, PNG and PDF from one drawing, sheets to print, plots, and text for terminals."""
