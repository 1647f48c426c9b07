"""The tests. A package of its own, because some installed packages bring a folder of the same name."""
