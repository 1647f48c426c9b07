"""nonocsp: solve, prove, compare, grade and make nonograms."""
