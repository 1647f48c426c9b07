"""Development tools: benchmarks, differential tests and fuzzing. They are not part of the package."""
