"""What a worker of a cluster does: runs a job, given as JSON, with executor ``fork``, and answers with JSON.

Each thread of a worker has an executor of its own, which stays, so that its server is loaded once. When the
worker ends, however it does, guards end the servers.
"""

from __future__ import annotations

import threading

from nonocsp.runner.fork import ForkExecutor
from nonocsp.runner.wire import decode_job, encode_measurement

_mine = threading.local()


def measure(line: bytes) -> bytes:
    """Run the job that `encode_job` wrote; return what `encode_measurement` does."""
    if not hasattr(_mine, "executor"):
        _mine.executor = ForkExecutor()
    executor: ForkExecutor = _mine.executor
    ((job, measurement),) = executor.run([decode_job(line)])
    return encode_measurement(measurement, job.puzzle)
