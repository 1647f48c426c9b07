"""The processes in which runs are measured, from the inside out.

- `host` is the process that loads a backend and runs it; nothing that it says is believed.
- `usage` reads from the system what the processes of a run use.
- `attempt` measures one run of a host, and enforces its limits.
- `server` keeps the hosts of a slot and talks to the driver; it never runs the code of a backend.

`channel` and `reply` define what a host and its server say to each other.
"""
