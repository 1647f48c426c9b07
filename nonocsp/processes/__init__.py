"""Start processes that may misbehave, isolate them, and end all that they have started.

- `namespace`: runs a command where it sees and reaches no process outside;
- `guard`: kills process trees, also those of a driver that died;
- `short_run`, `keeper`: run a command that only has to say something, such as its version;
- `starting`, `ending`: how Python is started for all that, and how a process ended, in words.
"""
