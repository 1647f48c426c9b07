"""Start BenchExec's containers for the driver, one after the other: a program of its own, without NumPy.

BenchExec clones its process without telling the libraries in it. With NumPy's threads in that process, the
clone would wait for them for ever.

A request is a packet: keyword arguments for ``RunExecutor`` and for its method ``execute_run``, as JSON, with
three descriptors for standard input, output and error. The answer is BenchExec's result, or ``error``.
SIGTERM ends the run at hand. The program ends when the driver does.
"""

import json
import logging
import os
import signal
import socket
import sys
from typing import Any

MOST_BYTES = 1 << 17
"""The longest packet."""
_PLAIN = "walltime", "cputime", "memory", "terminationreason"


def main() -> None:
    """Serve the driver at the other end of standard input."""
    from benchexec.runexecutor import RunExecutor

    driver, runners = socket.socket(fileno=os.dup(0)), list[Any]()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    logging.disable()  # rows say it

    def stop(*_signal: object) -> None:
        for runner in runners:
            runner.stop()

    signal.signal(signal.SIGTERM, stop)
    while True:
        request, ends = socket.recv_fds(driver, MOST_BYTES, 3)[:2]
        if not request:
            return
        container, arguments = json.loads(request)
        try:
            runners[:] = [RunExecutor(**container)]
            answer = execute(runners[0], arguments, *ends)
        except (Exception, SystemExit) as error:  # BenchExec exits where it does not know how to go on
            answer = {"error": str(error)}
        for end in ends:
            os.close(end)
        driver.send(json.dumps(answer).encode())


def execute(runner: Any, arguments: dict[str, Any], *ends: int) -> dict[str, Any]:
    """Return BenchExec's result of a run as plain values."""
    if runner.cpus is None:  # no control groups: the run confines itself
        arguments |= {"cores": None, "memory_nodes": None}
    stdin, stdout, stderr = ends
    result = runner.execute_run(
        output_filename=f"/proc/self/fd/{stdout}",
        error_filename=f"/proc/self/fd/{stderr}",
        stdin=stdin,
        write_header=False,
        **arguments,
    )
    if "exitcode" not in result:
        return {"error": "it could not start the container"}
    code = result["exitcode"]
    return {
        **{key: result[key] for key in _PLAIN if key in result},
        "starttime": result["starttime"].timestamp(),
        "code": -code.signal if code.signal else code.value,
    }


if __name__ == "__main__":
    try:
        main()
    except ConnectionError:
        sys.exit(1)
