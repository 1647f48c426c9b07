"""How commands end where something outside fails: pipes, disks, terminals, homes, Ctrl-C."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nonocsp.formats import save
from nonocsp.model import Puzzle
from tests.waiting import AMPLE_S

COMMAND = [sys.executable, "-c", "from nonocsp.cli import main; main()"]


def shell(script: str, *args: object, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which ``"$@"`` is the command line."""
    words = ["sh", "-c", script, "sh", *COMMAND, *map(str, args)]
    return subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **env})


@pytest.mark.parametrize(
    ("args", "works"),
    [
        (["bench", "smoke"], "nonocsp.bench.run_campaign"),
        (["tune", "sat", "smoke"], "nonocsp.bench.tuning.tune"),
        (["results", "merge", "x"], "nonocsp.bench.merging.merge"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_full_disk_under_results_gives_an_error_that_names_their_folder(
    cli, tmp_path, monkeypatch, args, works
):
    def write(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(works, write)
    result = cli(*args, "--output", tmp_path / "full")
    assert result.exit_code == 2
    assert f"error: {tmp_path / 'full'}: No space left on device; free some space" in result.stderr


def test_a_machine_without_room_for_temporary_files_gives_a_one_line_error(files):
    done = shell(
        'ulimit -f 0; cd /; "$@"',
        *("solve", "--backend", "sat", "--limit", "9s", files("unique")),
        PYTHONDONTWRITEBYTECODE="1",
    )
    assert (done.returncode, done.stdout) == (2, "")
    advice = "free some space, or set TMPDIR to another folder"
    assert re.fullmatch(rf"error: No usable temporary directory found in .*; {advice}\n", done.stderr)


@pytest.mark.parametrize("redirection", ['"$@" 2>&-', '"$@" <&- >&- 2>&-'])
def test_a_closed_stream_causes_no_traceback(files, redirection):
    done = shell(redirection, "solve", files("unique"))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_terminal_without_unicode_gets_readable_text(files):
    done = shell('"$@"', "explain", files("unique"), PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    assert "-> ###" in done.stdout


def test_a_file_with_an_undecodable_name_can_be_read_and_named(tmp_path, files):
    path = os.fsencode(tmp_path) + b"/\xff.json"
    Path(os.fsdecode(path)).write_bytes(files("unique").read_bytes())
    done = shell('"$@"', "solve", os.fsdecode(path))
    assert done.returncode == 0
    assert "?.json: 3x3" in done.stdout


def test_an_unwritable_home_gives_a_one_line_error(tmp_path):
    (tmp_path / "file").touch()
    env = {"HOME": str(tmp_path / "file" / "home"), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = shell('"$@"', "--install-completion", "bash", **env)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"error: .*: Not a directory\n", done.stderr)


def test_a_missing_home_changes_nothing(files, tmp_path):
    pytest.importorskip("matplotlib")
    plot = tmp_path / "plot.svg"
    done = shell('"$@"', "difficulty", files("unique"), "--plot", plot, HOME="/proc/nonexistent")
    assert (done.returncode, done.stderr) == (0, "")
    assert plot.stat().st_size


@pytest.fixture
def many(tmp_path) -> Path:
    """A set of puzzles on which every command works for a while."""
    path = tmp_path / "many.txt"
    save(Puzzle.from_clues([[1, 1], [3], [1]], [[2], [2], [2]]), path, format="tournament")
    path.write_text(path.read_text() * 30000)
    return path


@pytest.mark.parametrize(
    "args",
    [
        ["solve", "--json"],
        ["difficulty", "--json"],
        ["explain", "--json", "--summary"],
        ["check", "--json", "--backends", "settle,gac"],
    ],
    ids=" ".join,
)
def test_ctrl_c_keeps_the_finished_work_and_prints_how_to_continue(start, many, args):
    with start(*args, many) as process:
        seen = [json.loads(process.stdout.readline())["index"] for _ in range(3)]
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=AMPLE_S)
    assert process.returncode == 130
    assert messages.endswith("interrupted\n")
    [(last, following)] = re.findall(
        r"done up to .*#(\d+); in that file go on with --index (\d+)-\n", messages
    )
    assert int(last) >= seen[1]
    assert int(following) == int(last) + 1


@pytest.mark.parametrize("ends_in_python", [False, True])
def test_ctrl_c_ends_a_command_while_a_library_holds_the_lock(ends_in_python):
    wait = "CDLL" if ends_in_python else "PyDLL"  # the latter keeps the interpreter's lock
    program = (
        "import ctypes, threading\n"
        "from nonocsp.cli.shared.endings import last_words, left_at_once, leave, told\n"
        "try:\n"
        "  with told(), left_at_once():\n"
        "    last_words(lambda: 'done up to this')\n"
        f"    sleep = ctypes.{wait}(None).sleep\n"
        "    work = lambda: (print('ready', flush=True), sleep(600))\n"
        "    thread = threading.Thread(target=work, daemon=True)\n"
        "    thread.start(); thread.join()\n"
        "except SystemExit as end: leave(end.code)\n"
        "except BaseException as end: leave(end.exit_code)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)  # until it sleeps
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=AMPLE_S)
    assert process.returncode == 130
    assert messages == ("interrupted\n" if ends_in_python else "done up to this\ninterrupted\n")


@pytest.mark.parametrize(
    ("args", "works"),
    [
        (["dataset", "tcga", "--seed", "1", "--output"], "nonocsp.formats.save"),
        (["dataset", "random", "--seed", "1", "--output"], "nonocsp.formats.save"),
        (["convert", "FILE"], "nonocsp.formats.save"),
        (["print", "FILE", "--output"], "nonocsp.grading.exercise.exercise"),
        (["generate", "--pack", "--output"], "nonocsp.making.pack.make_pack"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_ctrl_c_reports_that_an_unfinished_output_file_was_not_written(cli, files, monkeypatch, args, works):
    path = files("unique")
    made = path.with_name("made.pdf" if args[0] == "print" else "made.txt")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(works, interrupted)
    result = cli(*(path if arg == "FILE" else arg for arg in args), made)
    assert result.exit_code == 130
    assert result.stderr.endswith(f"{made} was not written, neither wholly nor in part\ninterrupted\n")
    assert not made.exists()
