"""Fetch a puzzle from a site: one polite request, whose answer is kept.

A request names nonocsp, asks once, and ends at a time limit and a size limit. Redirections lead to the same
host only. What comes is read before it is kept, so that the cache holds puzzles and nothing else.
"""

from __future__ import annotations

import io
import os
import re
import threading
import zlib
from dataclasses import dataclass
from http.client import HTTPException
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from nonocsp.formats.registry import load_stream
from nonocsp.formats.target import make_folder, open_target
from nonocsp.formats.unpacking import Unpacked
from nonocsp.model import FormatError, NonocspError, Puzzle, UsageError, bounds, unknown

WALL_S = 30.0
"""Seconds that a request may take, if the caller does not say."""


class FetchError(NonocspError):
    """A request that failed, with the reason and what to do."""


class FetchTimeout(FetchError):
    """A request that was not answered in time."""


@dataclass(frozen=True, slots=True)
class Site:
    """A site that has puzzles."""

    address: str  # of a puzzle, with ``{}`` for its number
    pages: str  # pattern of the addresses that a browser shows; its group is the number
    suffix: str  # of the files that come
    terms: str  # whose the puzzles are, and what may be done with them
    format: str  # of what comes


_WEBPBN = "the copyright is the author's, who must allow what you publish (webpbn.com)"
_NONOGRAMS = "the copyright is the site's and its authors', who must allow what you publish (nonograms.org)"
SITES = {
    "webpbn": Site(
        "https://webpbn.com/XMLpuz.cgi?id={}",
        r"https?://(?:www\.)?webpbn\.com/(?:(?:play|XMLpuz)\.cgi\?id=)?(\d+)",
        ".xml",
        _WEBPBN,
        "webpbn",
    ),
    "nonograms": Site(
        "https://www.nonograms.org/nonograms/i/{}",
        r"https?://(?:www\.)?nonograms\.org/nonograms/i/(\d+)",
        ".html",
        _NONOGRAMS,
        "web-page",
    ),
    "nonograms2": Site(
        "https://www.nonograms.org/nonograms2/i/{}",
        r"https?://(?:www\.)?nonograms\.org/nonograms2/i/(\d+)",
        ".html",
        _NONOGRAMS,
        "web-page",
    ),
}
"""By name; ``nonograms2`` is what nonograms.org calls its puzzles in several colours."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A puzzle that was fetched."""

    puzzle: Puzzle
    path: Path
    site: Site
    is_new: bool


def fetch(
    wanted: str,
    *,
    wall: float = WALL_S,
    cache_only: bool = False,
    refresh: bool = False,
    folder: Path | None = None,
) -> Fetched:
    """Return a puzzle of a site: from the cache, or with one request, which may take `wall` seconds.

    `wanted` is ``webpbn:21718``, ``nonograms:4462``, ``nonograms2:8778``, or the address of a puzzle there.
    The cache is `folder`; default: ``nonocsp/fetched`` in ``$XDG_CACHE_HOME`` or ``~/.cache``. FetchError
    says why the request failed, or that the puzzle is not in the cache and must come from there.
    """
    name, number = _parse(wanted)
    site = SITES[name]
    path = (folder or _cache()) / f"{name}-{number}{site.suffix}"
    if not refresh and path.is_file():
        return Fetched(_read(path.read_bytes(), str(path), site), path, site, is_new=False)
    if cache_only:
        raise FetchError(f"{wanted} is not in the cache {path.parent}; leave out --cache-only")
    content = _in_time(site.address.format(number), wall)
    try:
        puzzle = _read(content, f"{wanted}", site)
    except FormatError as error:
        host = urlsplit(site.address).hostname
        answered = f"{host} answered with something else than a puzzle"
        raise FetchError(f"{answered} ({error}); is there a number {number}?") from None
    make_folder(path.parent, follow_links=True)
    with open_target(path, follow_links=False) as stream:
        stream.write(content)
    return Fetched(puzzle, path, site, is_new=True)


def _parse(wanted: str) -> tuple[str, str]:
    """Return the name of the site and the number of the puzzle."""
    for name, site in SITES.items():
        if match := re.fullmatch(site.pages, wanted.strip()):
            return name, str(int(match[1]))
    name, colon, number = wanted.strip().partition(":")
    if not colon or not re.fullmatch(r"[0-9]{1,9}", number):
        raise UsageError(f"{wanted!r} is not of the form SITE:NUMBER, such as webpbn:21718")
    if name not in SITES:
        raise unknown("site", name, SITES)
    return name, str(int(number))


def _cache() -> Path:
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".cache") / "nonocsp" / "fetched"


def _read(content: bytes, name: str, site: Site) -> Puzzle:
    return next(load_stream(name, io.BufferedReader(io.BytesIO(content)), format=site.format))


def _in_time(address: str, wall: float) -> bytes:
    """Return what an address holds; the thread that asks is left alone when the time is up."""
    answers: list[bytes] = []
    errors: list[Exception] = []

    def ask() -> None:
        try:
            answers.append(_ask(address, wall))
        except Exception as error:  # whatever it is, the caller raises it
            errors.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(wall)
    host = urlsplit(address).hostname
    for error in errors:
        if isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError):
            break
        if isinstance(error, HTTPError):
            error.close()
            advice = "is there such a puzzle?" if error.code in (404, 410) else "try again later"
            raise FetchError(f"{host} refused: {error.code} {error.reason}; {advice}") from None
        if isinstance(error, (OSError, EOFError, HTTPException, zlib.error)):
            reason = getattr(error, "reason", None) or str(error) or type(error).__name__
            raise FetchError(f"{host} cannot be reached or read: {reason}; is this machine online?") from None
        raise error
    if not answers:
        raise FetchTimeout(f"{host} did not answer within {wall:g} s; give it more with --limit")
    return answers[0]


class _SameHost(HTTPRedirectHandler):
    """Follows redirections within a host, and to no weaker scheme."""

    max_redirections = 3

    def redirect_request(self, req: Request, fp: Any, *rest: Any) -> Any:
        """Return the request for the new address, which is the last argument."""
        old, new = urlsplit(req.full_url), urlsplit(rest[-1])
        if new.netloc != old.netloc or new.scheme not in (old.scheme, "https"):
            fp.close()
            raise FetchError(f"{old.hostname} leads to {rest[-1]}, which is elsewhere; open it in a browser")
        return super().redirect_request(req, fp, *rest)


def _ask(address: str, wall: float) -> bytes:
    """Send the request and return the answer, unpacked."""
    agent = f"nonocsp/{version('nonocsp')} (nonogram tool; one puzzle at a time)"
    request = Request(address, headers={"User-Agent": agent, "Accept-Encoding": "gzip"})
    with build_opener(_SameHost).open(request, timeout=wall) as answer:
        content: bytes = answer.read(bounds.PAGE_BYTES + 1)
        length = answer.headers.get("Content-Length", "")
        if length.isdigit() and len(content) < min(int(length), bounds.PAGE_BYTES):
            raise EOFError("the answer was cut off")
        if answer.headers.get("Content-Encoding") == "gzip":
            content = io.BufferedReader(Unpacked(io.BytesIO(content), ".gz")).read(bounds.PAGE_BYTES + 1)
    if len(content) > bounds.PAGE_BYTES:
        raise OSError(f"the answer has more than {bounds.PAGE_BYTES >> 20} MiB")
    return content
