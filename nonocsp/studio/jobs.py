"""Run the work of the studio in processes that end when nobody waits for them.

A process takes half a second to start, most of it imports. In return a hostile file cannot stop the server,
every time limit holds, leaving the page ends its work, and Ctrl-C leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from nonocsp.model import UsageError

MOST_AT_ONCE = 3
"""Processes at the same time; further requests wait."""


class TooLong(Exception):
    """The work took longer than its limit."""


class Left(Exception):
    """Nobody waits for the result any more."""


class Jobs:
    """The processes of a server."""

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(MOST_AT_ONCE)
        self._running: set[asyncio.Task[Any]] = set()

    async def run(
        self, task: str, arguments: dict[str, Any], *, limit_s: float, left: Callable[[], Awaitable[object]]
    ) -> Any:
        """Return the result of a task of `nonocsp.studio.worker.TASKS`.

        `limit_s` counts from its start; `left` returns when nobody waits for the result any more. Raises
        UsageError with the task's own message, `TooLong`, `Left`, or RuntimeError if the process broke.
        """
        leaving = asyncio.ensure_future(left())
        running = asyncio.current_task()
        assert running
        self._running.add(running)
        try:
            async with self._places:
                if leaving.done():
                    raise Left
                with tempfile.TemporaryDirectory(
                    prefix="nonocsp-studio-", ignore_cleanup_errors=True
                ) as folder:
                    return await self._in_process(task, arguments, limit_s, leaving, Path(folder))
        finally:
            leaving.cancel()
            self._running.discard(running)

    async def _in_process(
        self,
        task: str,
        arguments: dict[str, Any],
        limit_s: float,
        leaving: asyncio.Future[object],
        folder: Path,
    ) -> Any:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "nonocsp.studio.worker", task, str(os.getpid())),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=folder,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,  # Ctrl-C on the terminal is the server's, which ends this process
        )
        answering = asyncio.ensure_future(process.communicate(json.dumps(arguments).encode()))
        try:
            await asyncio.wait((answering, leaving), timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                if leaving.done():
                    raise Left
                raise TooLong(f"not done within {limit_s:g} s; try something smaller")
            answer, _ = answering.result()
        finally:
            _kill(process)
            answering.cancel()
            await process.wait()
        if not answer:
            raise RuntimeError(f"the process for {task} ended with exit code {process.returncode}")
        found = json.loads(answer)
        if "error" in found:
            raise UsageError(found["error"])
        return found["result"]

    async def close(self) -> None:
        """End all work, and wait until its processes and folders are gone."""
        running = list(self._running)
        for task in running:
            if not task.cancelling():  # a second time would interrupt the cleaning up
                task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
