"""Show how time and answers change with size, density, and the options of a sweep."""
