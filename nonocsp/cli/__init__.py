"""The command line: one module per command, and no logic but asking, printing and exit codes.

What help texts need imports nothing heavy at the top (NumPy included), so that ``nonocsp --help`` starts at
once; what a command needs is imported when it runs.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def main() -> None:
    """Run the command line; the entry point of the ``nonocsp`` script."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads are not used and take 30 ms
    from nonocsp.cli.app import app

    try:
        app(prog_name="nonocsp")
    except SystemExit as leaving:
        if isinstance(leaving.code, int):
            _leave(leaving.code)
        raise


def _leave(code: int) -> NoReturn:
    """End the process at once: unloading takes 20 ms, and after Ctrl-C a search in a thread may still run."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
