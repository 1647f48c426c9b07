"""Start processes that may misbehave, isolate them, and end all that they have started.

- `namespace`: runs a command where it sees and reaches no process outside;
- `guard`: kills process trees, also those of a driver that died;
- `starting`: how Python is started for all that.
"""
