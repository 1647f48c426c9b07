"""Executables as backends: a declaration says how to run a program and how to read what it prints.

- `declaration`: what a YAML file, a config or a spec says of a program;
- `program`: runs it, bounded, and stops it in time;
- `questions`, `flatzinc`: what it gets to read, and how its solutions become grids;
- `reading`: what it printed, as grids and a claim;
- `backend`: the backend itself, which puts these together.
"""
