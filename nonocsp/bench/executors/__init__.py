"""Executors: ways to measure jobs. `base` says what one is, each other module holds one or serves one."""
