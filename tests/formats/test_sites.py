"""Fetching, against a server on this machine that behaves well, badly and slowly."""

from __future__ import annotations

import gzip
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from nonocsp.formats import load, sites
from nonocsp.formats.sites import SITES, FetchError, FetchTimeout, fetch
from nonocsp.model import Puzzle, UsageError, bounds

XML = b"""<?xml version="1.0"?>
<puzzleset><puzzle type="grid" defaultcolor="black"><title>Dot</title>
<color name="white" char=".">fff</color><color name="black" char="X">000</color>
<clues type="columns"><line><count>1</count></line></clues>
<clues type="rows"><line><count>1</count></line></clues></puzzle></puzzleset>
"""
DOT = Puzzle.from_clues([[1]], [[1]])
Answer = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Answers as the server's function says, and notes every request."""

    server: Server

    def do_GET(self) -> None:
        self.server.requests.append((self.path, dict(self.headers)))
        self.server.answer(self)

    def send(self, content: bytes, code: int = 200, **headers: str) -> None:
        self.send_response(code)
        for name, value in {"Content_Length": str(len(content)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    """A web site."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.answer: Answer = lambda handler: handler.send(XML)
        self.is_over = threading.Event()

    def handle_error(self, *_: object) -> None:
        """Say nothing of a client that has left."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The server, which stands for all sites."""
    monkeypatch.setenv("no_proxy", "*")
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}/XMLpuz.cgi?id={{}}"
        for name, known in SITES.items():
            monkeypatch.setitem(sites.SITES, name, replace(known, address=address))
        yield server
        server.is_over.set()
        server.shutdown()
        thread.join()


def test_a_puzzle_is_fetched_with_one_request_that_names_the_tool(server: Server, tmp_path: Path) -> None:
    found = fetch("webpbn:7", folder=tmp_path)
    assert found.puzzle.canonical_hash == DOT.canonical_hash
    assert found.is_new
    ((path, headers),) = server.requests
    assert path == "/XMLpuz.cgi?id=7"
    assert headers["User-Agent"].startswith("nonocsp/")


def test_a_page_of_nonograms_org_is_fetched_and_read(
    server: Server, tmp_path: Path, repository: Path
) -> None:
    page = (repository / "tests" / "corpus" / "web-page" / "seed-1").read_bytes()
    server.answer = lambda handler: handler.send(page)
    for name in ("nonograms", "nonograms2"):
        found = fetch(f"{name}:7", folder=tmp_path)
        assert found.puzzle == load(found.path)
        assert found.path.name == f"{name}-7.html"


def test_the_cache_spares_the_second_request_until_a_fresh_one_is_wanted(
    server: Server, tmp_path: Path
) -> None:
    first = fetch("webpbn:7", folder=tmp_path)
    again = fetch("https://webpbn.com/XMLpuz.cgi?id=0007", folder=tmp_path, cache_only=True)
    assert (again.puzzle, again.path, again.is_new) == (first.puzzle, first.path, False)
    assert first.path.read_bytes() == XML
    assert len(server.requests) == 1
    assert fetch("webpbn:7", folder=tmp_path, refresh=True).is_new
    assert len(server.requests) == 2


def test_the_cache_lies_where_the_system_says(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert fetch("webpbn:7").path == tmp_path / "cache" / "nonocsp" / "fetched" / "webpbn-7.xml"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # such a path is to be ignored
    monkeypatch.setenv("HOME", str(tmp_path))
    assert fetch("webpbn:7").path == tmp_path / ".cache" / "nonocsp" / "fetched" / "webpbn-7.xml"


def redirected(to: str) -> Answer:
    def answer(handler: Handler) -> None:
        if "moved" in handler.path:
            handler.send(XML)
        else:
            handler.send(b"", 302, Location=to)

    return answer


def test_a_redirection_within_the_host_is_followed(server: Server, tmp_path: Path) -> None:
    server.answer = redirected("/moved")
    assert fetch("webpbn:7", folder=tmp_path).is_new


def endless(handler: Handler) -> None:
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.is_over.is_set():
        handler.wfile.write(bytes(1 << 16))


def bomb(size: int) -> bytes:
    return gzip.compress(bytes(size))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda handler: handler.send(b"no", 404), "refused: 404 .*; is there such a puzzle"),
        (lambda handler: handler.send(b"no", 500), "refused: 500 .*; try again later"),
        (lambda handler: handler.send(b"<html><body>No such puzzle"), "something else than a puzzle"),
        (lambda handler: handler.send(b""), "something else than a puzzle"),
        (lambda handler: handler.send(XML[:200], Content_Length="900"), "the answer was cut off"),
        (lambda handler: handler.send(gzip.compress(XML)[:90], Content_Encoding="gzip"), "end too early"),
        (lambda handler: handler.send(XML, Content_Encoding="gzip"), "cannot be reached or read"),
        (lambda handler: handler.send(bomb(1 << 24), Content_Encoding="gzip"), "more than 4 MiB"),
        (endless, "more than 4 MiB"),
        (redirected("http://localhost:1/x"), "leads to http://localhost:1/x, which is elsewhere"),
        (redirected("file:///etc/passwd"), "is not allowed"),
        (redirected("/XMLpuz.cgi?id=7"), "refused: 302"),
        (lambda handler: handler.wfile.write(b"nonsense\r\n\r\n"), "cannot be reached or read"),
        (lambda handler: handler.connection.shutdown(socket.SHUT_RDWR), "cannot be reached or read"),
    ],
    ids=[
        *("404", "500", "html", "empty", "cut off", "cut gzip", "false gzip", "bomb", "endless", "elsewhere"),
        *("file", "loop", "nonsense", "hung up"),
    ],
)
def test_a_bad_answer_is_an_error_and_is_not_kept(
    server: Server, tmp_path: Path, answer: Answer, message: str
) -> None:
    assert bounds.PAGE_BYTES == 4 << 20
    server.answer = answer
    with pytest.raises(FetchError, match=message) as error:
        fetch("webpbn:7", folder=tmp_path)
    assert not isinstance(error.value, FetchTimeout)
    assert list(tmp_path.iterdir()) == []


def silent(handler: Handler) -> None:
    handler.server.is_over.wait()


def dripping(handler: Handler) -> None:
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.is_over.wait(0.02):
        handler.wfile.write(b" ")
        handler.wfile.flush()


@pytest.mark.parametrize("answer", [silent, dripping])
def test_a_slow_site_ends_in_an_error_when_the_time_is_up(
    server: Server, tmp_path: Path, answer: Answer
) -> None:
    server.answer = answer
    with pytest.raises(FetchTimeout, match=r"127\.0\.0\.1 did not answer within 0\.1 s"):
        fetch("webpbn:7", folder=tmp_path, wall=0.1)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("webpbn", "not of the form SITE:NUMBER"),
        ("webpbn:cat", "not of the form SITE:NUMBER"),
        ("webpbn:-1", "not of the form SITE:NUMBER"),
        ("webpbm:1", "did you mean 'webpbn'"),
        ("https://example.org/1", "not of the form SITE:NUMBER"),
    ],
)
def test_a_wrong_name_is_a_usage_error(tmp_path: Path, wanted: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fetch(wanted, folder=tmp_path)


@pytest.mark.parametrize(
    ("address", "parsed"),
    [
        ("https://webpbn.com/21718", ("webpbn", "21718")),
        ("https://webpbn.com/play.cgi?id=21718", ("webpbn", "21718")),
        ("https://www.nonograms.org/nonograms/i/4462", ("nonograms", "4462")),
        ("https://www.nonograms.org/nonograms2/i/8778", ("nonograms2", "8778")),
        (" nonograms2:8778 ", ("nonograms2", "8778")),
    ],
)
def test_the_address_in_the_browser_names_a_puzzle_too(address: str, parsed: tuple[str, str]) -> None:
    assert sites._parse(address) == parsed
