"""What runs on the workers of a cluster: say what is installed, and measure batches.

Both functions return JSON. dask looks them up by name on the worker, so a worker without nonocsp
answers with an error, and one with another version says so.
"""

from __future__ import annotations

import asyncio
import gc
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict

from nonocsp import runner
from nonocsp.model import NonocspError, UsageError
from nonocsp.runner.dask.batches import decode_batch, decode_provenance, encode_results
from nonocsp.runner.jobs import Executor, Job, Measurement
from nonocsp.runner.provenance import Offer, offer

_mine = threading.local()


async def offers(backends: list[str], executor: str) -> bytes:
    """Return what this worker offers, as a JSON list in the order of the backends.

    Parameters
    ----------
    backends
        Specs.
    executor
        The executor that would measure.
    """
    return await asyncio.to_thread(_offers, backends, executor)  # the worker talks on meanwhile


def _offers(backends: list[str], executor: str) -> bytes:
    try:
        with runner.create(executor, 1):
            found = [offer(backend) for backend in backends]
    except NonocspError as error:
        found = [Offer(None, "", "", str(error)) for _ in backends]
    return json.dumps([asdict(one) for one in found]).encode()


def decode_offers(reply: bytes) -> list[Offer]:
    """Return what `offers` returned.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    try:
        found, document = [], json.loads(reply)
        if not isinstance(document, list):
            raise TypeError("not a list")
        for one in document:
            texts = one["source"], one["platform"], one["problem"]
            known = one["provenance"] and decode_provenance(json.dumps(one["provenance"]))
            if not all(isinstance(text, str) for text in texts) or (known is None and not texts[2]):
                raise TypeError("an offer needs a provenance or a problem")
            found.append(Offer(known, *texts))
        return found
    except (AttributeError, KeyError, RecursionError, TypeError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


def measure(batch: bytes, executor: str, pin: bool, cores: int, stop_s: float) -> bytes:
    """Measure the runs of a batch.

    Each thread of a worker keeps its executor, so that its server is loaded once, and its cores, if it pins.
    When the worker ends, guards end the servers.

    Parameters
    ----------
    batch
        What `nonocsp.runner.dask.batches.encode_batch` returned.
    executor
        The name of the executor that measures.
    pin, cores
        Whether each run is confined to cores of its own, and how many it may use.
    stop_s
        When to start no further run; the driver sends the rest again.
    """
    if getattr(_mine, "kind", None) != (kind := (executor, pin, cores)):
        if hasattr(_mine, "executor"):
            _mine.executor.__exit__(None, None, None)
            del _mine.executor, _mine.kind
        _mine.executor = runner.create(executor, 1, pin=pin, cores=cores)
        _mine.kind = kind
        gc.collect()
        gc.freeze()  # or every collection would walk through all that dask has loaded
    measuring: Executor = _mine.executor
    began = before = time.monotonic()

    def jobs() -> Iterator[Job]:
        for number, job in enumerate(decode_batch(batch)):
            if number and time.monotonic() - began > stop_s:
                return
            yield job

    results: list[tuple[Job, Measurement, float]] = []
    for job, measurement in measuring.run(jobs()):
        now = time.monotonic()
        results.append((job, measurement, now - before))
        before = now
    if not results:
        raise UsageError("a batch without runs")
    return encode_results(results)
