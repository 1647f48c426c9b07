"""What makes a puzzle hard for each paradigm."""
