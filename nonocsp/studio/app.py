"""Answer the page: the page itself, the API, and the reports of the folder.

Every call of the API is a POST with JSON, and its answer is JSON: a result, or ``{"error": …}`` for people.
`nonocsp.studio.guard` has checked where it comes from.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from secrets import compare_digest, token_urlsafe
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from nonocsp import pages
from nonocsp.formats.codecs.data.json_files import encode
from nonocsp.formats.registry import formats
from nonocsp.model import Puzzle, UsageError
from nonocsp.studio import requests
from nonocsp.studio.folder import Exists, Folder
from nonocsp.studio.guard import API, BODY_BYTES, NOTHING, Guard, refusal
from nonocsp.studio.jobs import Jobs, Left, TooLong

READ_S, BOOK_S = 30.0, 180.0
"""Seconds that reading and writing a file, and printing, may take."""
LATE_S = 30.0
"""Seconds beyond its own limit, after which a picture is given up: it is prepared before and proved after."""

_META_POLICY = re.compile(
    r'<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"]*)"\s*/?>', re.IGNORECASE
)
_SCRIPT = re.compile(r'<script type="module"[^>]*>(.*?)</script>', re.DOTALL)
_SANDBOX = (
    "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; worker-src blob:; base-uri 'none'; "
    "form-action 'none'"
)
"""The policy of a report: it comes from the folder, so it has an origin of its own and asks for nothing."""

_RELOAD = """const token = sessionStorage.getItem("studio-token");
if (token && !location.search) location.replace("/?token=" + encodeURIComponent(token) + location.hash);"""
_RELOADED = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Nonogram studio</title>
<p>Open the whole address that nonocsp studio printed.</p><script>{_RELOAD}</script>"""
"""Without the token in the address. The page takes it out of there, and a reload finds it in its tab."""


@dataclass
class Studio:
    """What a start of the studio serves: a folder, and what the page opens first, if anything."""

    folder: Folder
    file: str = ""
    puzzle: Puzzle | None = None
    token: str = field(default_factory=lambda: token_urlsafe(32))
    report_key: str = field(default_factory=lambda: token_urlsafe(32))
    """In the addresses of reports, which must not know the token."""
    jobs: Jobs = field(init=False)

    def app(self, port: int) -> ASGIApp:
        """Return the application for a server on a port."""
        calls: dict[str, Callable[[Request], Awaitable[Any]]] = {
            "files": self._files,
            "open": self._open,
            "read": self._read,
            "write": self._write,
            "save": self._save,
            "book": self._book,
            "picture": self._picture,
        }
        page, policy = self._page()

        async def show(request: Request) -> Response:
            if not compare_digest(request.query_params.get("token", "").encode(), self.token.encode()):
                headers = {"content-security-policy": f"{NOTHING}; script-src {_hashes([_RELOAD])}"}
                return HTMLResponse(_RELOADED, 403, headers)
            return HTMLResponse(page, headers={"content-security-policy": policy})

        routes = [
            Route("/", show),
            Route("/report/{key}/{name:path}", self._report),
            *(Route(API + name, _answering(call), methods=["POST"]) for name, call in calls.items()),
        ]
        app = Starlette(routes=routes, lifespan=self._lifespan, exception_handlers={HTTPException: _unknown})
        return Guard(app, port=port, token=self.token)

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        self.jobs = Jobs()
        yield
        await self.jobs.close()

    def _page(self) -> tuple[str, str]:
        """Return the page and its policy: that of the file, with only its own script, and with the API."""
        data = {
            "token": self.token,
            "mostBytes": BODY_BYTES,
            "reportKey": self.report_key,
            "folder": str(self.folder.root),
            "file": self.file,
            "puzzle": self.puzzle and encode(self.puzzle),
            "formats": [
                {"name": known.name, "suffix": next(iter(known.suffixes), ""), "summary": known.summary}
                for known in formats()
                if known.can_write
            ],
        }
        page = pages.filled("studio", data, title="Nonogram studio")
        policy = _META_POLICY.search(page)
        if policy is None:
            raise ValueError("web/studio.html has no content security policy")
        scripts = _hashes(_SCRIPT.findall(page))
        parts = {name: rest for name, _, rest in (one.strip().partition(" ") for one in policy[1].split(";"))}
        parts["script-src"] = parts["script-src"].replace("'unsafe-inline'", scripts)
        parts |= {"connect-src": "'self'", "frame-ancestors": "'none'"}
        return page.replace(policy[0], "", 1), "; ".join(
            f"{name} {rest}" for name, rest in parts.items() if name
        )

    async def _report(self, request: Request) -> Response:
        if not compare_digest(request.path_params["key"].encode(), self.report_key.encode()):
            return PlainTextResponse("Open the report from the studio.\n", status_code=403)
        name = request.path_params["name"]
        if name not in self.folder.listing()["reports"]:
            return PlainTextResponse("There is no such report.\n", status_code=404)
        return FileResponse(
            self.folder.find(name), media_type="text/html", headers={"content-security-policy": _SANDBOX}
        )

    async def _files(self, request: Request) -> Any:
        requests.parsed(requests.Nothing, await request.body())
        return self.folder.listing()

    async def _open(self, request: Request) -> Any:
        given = requests.parsed(requests.Open, await request.body())
        path = self.folder.find(given.name)
        return await self._job(request, "read", READ_S, name=given.name, path=str(path))

    async def _read(self, request: Request) -> Any:
        given = requests.parsed(requests.Read, await request.body())
        return await self._job(request, "read", READ_S, **given.model_dump())

    async def _write(self, request: Request) -> Any:
        given = requests.parsed(requests.Write, await request.body())
        return await self._job(request, "write", READ_S, name="", **given.model_dump())

    async def _save(self, request: Request) -> Any:
        given = requests.parsed(requests.Save, await request.body())
        written = await self._job(
            request, "write", READ_S, name=given.name, format=given.format, puzzle=given.puzzle
        )
        content = base64.b64decode(written["content"])
        self.folder.save(given.name, content, is_replaced=given.replace)
        return {"name": given.name, "lost": written["lost"]}

    async def _book(self, request: Request) -> Any:
        given = requests.parsed(requests.Book, await request.body())
        return await self._job(request, "book", BOOK_S, **given.model_dump())

    async def _picture(self, request: Request) -> Any:
        given = requests.parsed(requests.Picture, await request.body())
        options = given.options.options()
        limit_s = given.options.time + LATE_S
        return await self._job(
            request, "picture", limit_s, name=given.name, content=given.content, options=options
        )

    async def _job(self, request: Request, task: str, limit_s: float, **arguments: Any) -> Any:
        """Run a task until the page leaves, which ends its body's stream."""
        return await self.jobs.run(task, arguments, limit_s=limit_s, left=request.receive)


def _hashes(scripts: list[str]) -> str:
    """Return the sources of a content security policy that allow these scripts."""
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


def _answering(call: Callable[[Request], Awaitable[Any]]) -> Callable[[Request], Awaitable[Response]]:
    """Return the function that answers with the result of a call, or with what went wrong."""

    async def answer(request: Request) -> Response:
        try:
            return JSONResponse(await call(request))
        except Exists as error:
            return refusal(409, str(error))
        except TooLong as error:
            return refusal(504, str(error))
        except UsageError as error:
            return refusal(400, str(error))
        except Left:
            return Response(status_code=499)
        except Exception as error:  # a bug: it is shown on the terminal, and the studio goes on
            traceback.print_exc(file=sys.stderr)
            return refusal(500, f"this is a bug of nonocsp: {error}; the terminal shows where")

    return answer


async def _unknown(_: Request, error: Exception) -> Response:
    """Answer a request for what there is not, in JSON."""
    assert isinstance(error, HTTPException)
    return refusal(error.status_code, json.dumps(error.detail).strip('"'))
