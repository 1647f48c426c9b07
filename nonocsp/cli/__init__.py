"""The command line: one module per command, and no logic but asking, printing and exit codes.

What help texts need imports nothing heavy at the top (NumPy included), so that ``nonocsp --help`` starts at
once; what a command needs is imported when it runs, and NumPy when an array is (`nonocsp.late`).
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import nonocsp


def main() -> None:
    """Run the command line; the entry point of the ``nonocsp`` script."""
    if sys.argv[1:] == ["--version"]:  # which needs none of the libraries, whose start takes 50 ms
        with suppress(OSError):  # those report why it cannot be written
            print(f"nonocsp {nonocsp.__version__}", flush=True)
            return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads are not used and take 30 ms
    from nonocsp.cli.app import app
    from nonocsp.cli.shared.completion import whole_words
    from nonocsp.cli.shared.endings import leave, provide_streams

    provide_streams()
    try:
        with whole_words():
            app(prog_name="nonocsp")
    except SystemExit as leaving:
        if isinstance(leaving.code, int):
            leave(leaving.code)
        raise
