"""Every command x every ending: the exit code is the documented one.

The commands run in forks of one process that has imported nonocsp, with the standard output that the ending
needs: nowhere, ``/dev/full``, a pipe that nobody reads, or one whose first byte comes with Ctrl-C.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from nonocsp.certificates.maker import certify
from nonocsp.certificates.maker import save as save_certificate
from nonocsp.cli.shared.endings import ExitCode
from nonocsp.formats import save
from nonocsp.model import Puzzle
from nonocsp.testing import n_dom

FORKS = """
import gc, importlib, io, json, os, pkgutil, sys
import nonocsp, scipy.ndimage
for module in pkgutil.walk_packages(nonocsp.__path__, "nonocsp."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
gc.freeze()

class Interrupted(io.FileIO):
    is_over = False
    def write(self, data):
        if not self.is_over:
            self.is_over = True
            raise KeyboardInterrupt
        return len(data)

answers = os.fdopen(os.dup(1), "w")
for line in sys.stdin:
    args, target = json.loads(line)
    if (child := os.fork()) == 0:
        read, write = os.pipe()
        os.close(read)
        if target != "pipe":
            write = os.open({"full": "/dev/full"}.get(target, os.devnull), os.O_WRONLY)
        os.dup2(write, 1)
        os.dup2(os.open("stderr", os.O_CREAT | os.O_TRUNC | os.O_WRONLY), 2)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        raw = Interrupted(1, "w") if target == "interrupt" else io.FileIO(1, "w")
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw))
        sys.argv = ["nonocsp", *args]
        try:
            nonocsp.cli.main()
        except BaseException:
            import traceback
            traceback.print_exc()
        os._exit(99)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)
"""
FINE, NEGATIVE, USAGE, LIMIT = "fine", "negative", "usage", "limit"
CODES = {
    FINE: ExitCode.FINE,
    NEGATIVE: ExitCode.NEGATIVE,
    USAGE: ExitCode.USAGE,
    LIMIT: ExitCode.LIMIT,
    "interrupt": ExitCode.INTERRUPTED,
    "pipe": ExitCode.BROKEN_PIPE,
    "full": ExitCode.USAGE,
}
MATRIX = {
    "solve": {
        FINE: "unique.json",
        NEGATIVE: "multiple.json",
        USAGE: "broken.json",
        LIMIT: "--limit 50ms --backend cpsat hard.json",
    },
    "hybrid": {FINE: "unique.json", NEGATIVE: "unsat.json", USAGE: "--budget x unique.json"},
    "check": {
        FINE: "--backends settle,gac unique.json",
        USAGE: "--backends nosuch unique.json",
        LIMIT: "--backends settle --limit 50ms hard.json",
    },
    "difficulty": {
        FINE: "unique.json",
        NEGATIVE: "multiple.json",
        USAGE: "broken.json",
        LIMIT: "--limit 50ms hard.json",
    },
    "explain": {FINE: "unique.json", NEGATIVE: "multiple.json", USAGE: "--solution unique.json"},
    "ladder": {FINE: "unique.json", USAGE: "unsat.json"},
    "line": {FINE: "2 ??", NEGATIVE: "2 ?x", USAGE: "2 ?z"},
    "convert": {FINE: "--to json unique.json -", USAGE: "broken.json -"},
    "play": {FINE: "--output - unique.json", USAGE: "broken.json"},
    "print": {USAGE: "--output x.doc unique.json"},
    "repair": {FINE: "unique.json", NEGATIVE: "unsat.json", USAGE: "broken.json"},
    "census": {FINE: "--rows 2 --columns 2", USAGE: "--rows 2"},
    "generate": {
        FINE: "--size 4x4 --jobs 1 picture.png --output - --to json",
        USAGE: "nosuch.png",
        LIMIT: "--size 30x30 --count 900 --time 100ms --jobs 1 picture.png",
    },
    "dataset tcga": {FINE: "--seed 1 --count 1 --rows 3 --columns 3", USAGE: ""},
    "dataset random": {FINE: "--seed 1 --count 1 --rows 3 --columns 3", USAGE: "--density 2 --seed 1"},
    "dataset hardest": {FINE: "--rows 10 --columns 14", USAGE: "--rows 10 --columns 14 --time 1s"},
    "dataset pack": {
        USAGE: "--family dominoes --to dimacs --seed 1 --output set",
        LIMIT: "--family dominoes --to dimacs --count 8 --limit 1ms --output set",
    },
    "mend": {
        FINE: "unique.json",
        NEGATIVE: "multiple.json",
        USAGE: "nosuch.non",
        LIMIT: "--limit 1ms hard.json",
    },
    "export": {
        FINE: "unique.json --to dimacs --output - --map-file map.json",
        USAGE: "unique.json --to dimacs",
    },
    "decode": {
        FINE: "right.map.json right.out",
        NEGATIVE: "right.map.json none.out",
        USAGE: "unique.json right.out",
    },
    "certificate verify": {FINE: "proofs/right.json", NEGATIVE: "proofs/wrong.json", USAGE: "unique.json"},
    "backends": {FINE: "", USAGE: "nosuch"},
    "bench": {FINE: "--list", USAGE: "nosuch.yaml"},
    "tune": {FINE: "--dry-run sat campaign.yaml", USAGE: "nosuch campaign.yaml"},
    "report": {USAGE: "nosuch"},
    "results export": {USAGE: "nosuch --output rows.csv"},
    "results merge": {USAGE: "nosuch --output merged"},
    "results history": {USAGE: "nosuch"},
    "fetch": {FINE: "--cache-only webpbn:1", USAGE: "webpbn"},
}
CASES = [
    (command, ending, endings.get(ending, endings.get(FINE)))
    for command, endings in MATRIX.items()
    for ending in CODES
    if ending in endings or (FINE in endings and ending in ("interrupt", "pipe", "full"))
]
Run = Callable[[str, str], tuple[int, str]]


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Iterator[Run]:
    """Run a command line, with a kind of standard output; return its exit code and messages."""
    folder = tmp_path_factory.mktemp("exits")
    puzzles = {
        "unique": Puzzle.from_clues([[1, 1], [3], [1]], [[2], [2], [2]], title="Cat"),
        "multiple": Puzzle.from_clues([[1], [1]], [[1], [1]]),
        "unsat": Puzzle.from_clues([[3], [], [3]], [[1, 1], [2], [1, 1]]),
        "hard": n_dom(16),
    }
    for name, puzzle in puzzles.items():
        save(puzzle, folder / f"{name}.json")
    (folder / "broken.json").write_text('{"rows": [[2]], "columns": [[1]]}')
    proof = save_certificate(certify(puzzles["unique"]), folder / "proofs", "right")
    (folder / "proofs" / "right.json").write_text(proof.read_text())
    (folder / "proofs" / "wrong.json").write_text(proof.read_text().replace('"unique"', '"unsat"'))
    export = ["export", "unique.json", "--to", "dimacs", "--output", "-", "--map-file", "right.map.json"]
    subprocess.run(
        [sys.executable, "-m", "nonocsp", *export], cwd=folder, check=True, stdout=subprocess.DEVNULL
    )
    (folder / "right.out").write_text("s SATISFIABLE\nv 0\n")
    (folder / "none.out").write_text("s UNSATISFIABLE\n")
    Image.linear_gradient("L").resize((40, 40)).save(folder / "picture.png")
    config = "{name: small, puzzles: [{random: {rows: 3, count: 20}}], backends: [gac], limits: {wall: 1}}"
    (folder / "campaign.yaml").write_text(config)
    (folder / "nonocsp" / "fetched").mkdir(parents=True)
    (folder / "nonocsp" / "fetched" / "webpbn-1.xml").write_text(
        '<puzzleset><puzzle><color name="black" char="X">000</color>'
        '<clues type="columns"><line><count>1</count></line></clues>'
        '<clues type="rows"><line><count>1</count></line></clues></puzzle></puzzleset>'
    )
    env = {**os.environ, "XDG_CACHE_HOME": str(folder), "COLUMNS": "80"}
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", FORKS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=env,
    ) as forks:
        assert forks.stdin
        assert forks.stdout

        def ended(line: str, target: str) -> tuple[int, str]:
            print(json.dumps([line.split(), target]), file=forks.stdin, flush=True)
            return int(forks.stdout.readline()), (folder / "stderr").read_text()

        yield ended
        forks.stdin.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("command", "ending", "args"), CASES, ids=[f"{command}-{ending}" for command, ending, _ in CASES]
)
def test_a_command_ends_with_the_code_that_is_documented_for_its_ending(run, command, ending, args):
    code, messages = run(f"{command} {args}", ending)
    assert code == CODES[ending], messages
    assert "Traceback" not in messages
    if ending == "interrupt":
        assert messages.endswith("interrupted\n")
    if ending == USAGE:
        assert "error: " in messages
    if ending == "full":
        said = "cannot write: No space left on device; free some space, or choose another place\n"
        assert messages.endswith(f"error: {said}")
    if ending == "pipe":
        assert "error" not in messages


def test_the_matrix_has_every_command():
    from typer.main import get_command

    from nonocsp.cli.app import app
    from nonocsp.cli.commands import SUMMARIES

    names = {
        f"{name} {inner}" if inner else name
        for name in SUMMARIES
        for inner in getattr(get_command(app).get_command(None, name), "commands", [""])
    }
    assert names - MATRIX.keys() <= {"doctor", "studio"}  # which depend on the machine, and serve without end
    assert {command for command, endings in MATRIX.items() if FINE not in endings} <= {
        *(
            "dataset pack",
            "print",
            "report",
            "results export",
            "results merge",
            "results history",
        )  # write files, or need a campaign's runs
    }
