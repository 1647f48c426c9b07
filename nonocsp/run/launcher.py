"""Start one of BenchExec's containers: a program of its own, without NumPy.

BenchExec clones its process without telling the libraries in it. With NumPy's threads in that process, the
clone would never stop waiting for them. Standard input is the socket between driver and template.
"""

import fcntl
import json
import logging
import os
import select
import signal
import sys
from multiprocessing.connection import Connection


def main(config: str, lifeline: str) -> None:
    """Run a command in a container, as the JSON says; end it on SIGTERM, or when the lifeline ends."""
    from benchexec.runexecutor import RunExecutor

    logging.disable()  # the driver says what went wrong
    asked = json.loads(config)
    try:
        executor = RunExecutor(**asked["container"])
        signal.signal(signal.SIGTERM, lambda *_: executor.stop())
        end = int(lifeline)
        fcntl.fcntl(end, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(end, fcntl.F_SETSIG, signal.SIGTERM)
        fcntl.fcntl(end, fcntl.F_SETFL, os.O_ASYNC)
        if select.select([end], [], [], 0)[0]:
            return
        result = executor.execute_run(
            asked["command"],
            os.devnull,
            stdin=0,
            workingDir="/tmp",
            environments={"newEnv": asked["environment"]},
            write_header=False,
        )
        problem = "" if "exitcode" in result else "it could not start the container"
    except (Exception, SystemExit) as error:  # BenchExec exits where it does not know how to go on
        problem = str(error)
    if problem:
        Connection(os.dup(0)).send_bytes(f"BenchExec: {problem}; nonocsp doctor says more".encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
