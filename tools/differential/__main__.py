"""``python -m tools.differential backends | engine | descriptions | files | counts | faults | proofs``.

The exit code is 1 on any disagreement or fault.
"""

from __future__ import annotations

import typer

from tools.differential import backends, counts, engine, faults, files, proofs

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Do all backends agree?")
app.command("backends")(backends.main)
app.command("engine")(engine.main)
app.command("descriptions")(files.descriptions_main)
app.command("files")(files.files_main)
app.command("counts")(counts.main)
app.command("proofs")(proofs.main)
app.command("faults")(faults.main)

if __name__ == "__main__":
    app()
