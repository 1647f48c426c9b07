"""A process for one run, started from nothing: reads a job on standard input, writes to a named pipe.

Run as ``python -m nonocsp.runner.single PIPE``. It says what a process says that a server has forked
(`nonocsp.runner.server`), and nobody has to be there to fork it.
"""

from __future__ import annotations

import os
import sys

from nonocsp.runner.server import Worker, writer
from nonocsp.runner.streams import private_descriptors
from nonocsp.runner.wire import decode_job


def main(pipe: str) -> None:
    """Run the job."""
    order, unused = private_descriptors()
    os.close(unused)
    with os.fdopen(order, "rb") as file:
        job = decode_job(file.readline())
    Worker(writer(os.open(pipe, os.O_WRONLY)), 0.0, is_lasting=False).serve(job)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
