"""The command line: one module per command, and no logic but asking, printing and exit codes.

What help texts need imports nothing heavy at the top (NumPy included), so that ``nonocsp --help`` starts at
once; what a command needs is imported when it runs.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line; the entry point of the ``nonocsp`` script."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads are not used and take 30 ms
    from nonocsp.cli.app import app
    from nonocsp.cli.exit_codes import ExitCode

    try:
        app(prog_name="nonocsp")
    except SystemExit as leaving:
        if leaving.code == ExitCode.INTERRUPTED:
            sys.stdout.flush()
            os._exit(ExitCode.INTERRUPTED)  # at once: a search in another thread may still run
        raise
