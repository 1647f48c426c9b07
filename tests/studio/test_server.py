"""``nonocsp studio`` starts, says where, and leaves nothing behind."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from nonocsp.model import UsageError
from nonocsp.studio import server
from nonocsp.studio.server import bind
from tests.studio.serving import STUB
from tests.waiting import AMPLE_S, wait_for_ends, wait_until

COMMAND = """
import sys
from pathlib import Path
from nonocsp import pages
pages.FOLDER = Path(sys.argv.pop(1))
from nonocsp.cli import main
main()
"""
"""nonocsp with its pages in another folder."""


@pytest.fixture
def start(tmp_path) -> list[str]:
    """The command line of a studio with a stub page."""
    (place := tmp_path / "pages").mkdir()
    (place / "studio.html").write_text(STUB)
    return [sys.executable, "-c", COMMAND, str(place), "studio", "--no-browser", "--folder", str(tmp_path)]


@contextmanager
def running(command: list[str]) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Yield the process and the address that it prints first."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def test_ctrl_c_ends_it_and_its_work_and_it_can_start_again(start, tmp_path, monkeypatch):
    (folder := tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    port = "0"
    for _ in range(2):
        with running([*start, "--port", port]) as (process, address):
            port = str(port_of(address))
            with socket.create_connection(("127.0.0.1", int(port))) as connection:
                connection.sendall(request_for_work(address))
                wait_until(psutil.Process(process.pid).children)
                work = psutil.Process(process.pid).children()
                process.send_signal(signal.SIGINT)
                _, errors = process.communicate(timeout=AMPLE_S)
            assert process.returncode == 130
            assert not [*folder.iterdir()], "a folder of the work is left"
            assert errors.endswith("Ctrl-C ends it\ninterrupted\n")
            wait_for_ends(work)
            with pytest.raises(OSError, match="refused"):
                socket.create_connection(("127.0.0.1", int(port)))


def test_work_ends_even_if_the_server_is_killed(start):
    with (
        running(start) as (process, address),
        socket.create_connection(("127.0.0.1", port_of(address))) as connection,
    ):
        connection.sendall(request_for_work(address))
        wait_until(psutil.Process(process.pid).children)
        work = psutil.Process(process.pid).children()
        process.kill()
        process.wait()
        wait_for_ends(work)


def port_of(address: str) -> int:
    return int(address.partition("/?")[0].rpartition(":")[2])


def request_for_work(address: str) -> bytes:
    """A request whose work takes longer than any test, if it is not ended."""
    origin, _, token = address.partition("/?token=")
    lines = [[1] * 15] * 30
    body = json.dumps({"puzzles": [{"rows": lines, "columns": lines}] * 200})
    return (
        f"POST /api/book HTTP/1.1\r\nHost: {origin.removeprefix('http://')}\r\nOrigin: {origin}\r\n"
        f"X-Studio-Token: {token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


def test_only_this_machine_reaches_it_and_a_busy_port_is_an_error_that_says_what_to_do():
    with bind(0) as listening:
        host, port = listening.getsockname()
        assert host == "127.0.0.1"
        with pytest.raises(UsageError, match=f"port {port}: another program uses it; choose another"):
            bind(port)


def test_connections_that_ask_for_nothing_keep_nobody_out(served):
    idle = [socket.create_connection(("127.0.0.1", served.port), timeout=AMPLE_S) for _ in range(200)]
    assert served.call("files").status_code == 200
    assert idle[0].recv(1) == b"", "the oldest is closed"
    for connection in idle:
        connection.close()


def test_a_request_whose_head_does_not_end_is_given_up(served, monkeypatch):
    monkeypatch.setattr(server, "HEAD_S", 0.1)
    assert served.raw(b"GET / HTTP/1.1\r\nHost: ") == b""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["none.non"], "none.non"),
        (["--folder", "none"], "none: there is no such folder"),
        (["--port", "70000"], "--port"),
    ],
)
def test_a_wrong_command_line_is_an_error(start, tmp_path, arguments, says):
    done = failed([*start, *arguments], tmp_path)
    assert says in done
    assert "Traceback" not in done


def test_without_the_page_it_says_what_to_do(start, tmp_path):
    (tmp_path / "pages" / "studio.html").unlink()
    assert "the page is missing; run `make release-pages`" in failed(start, tmp_path)


def failed(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, env=os.environ | {"COLUMNS": "200"}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr
