"""Refuse requests that do not come from the page of this very start, before anything else sees them.

Any web page and any program of this machine can send requests to a local port. So every request must name the
server as its host (a site whose name leads here does not), and a call of the API must also come from the
page's own origin, carry the token of this start, be JSON, and be of bounded size.
"""

from __future__ import annotations

import json
from secrets import compare_digest
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

API: Final = "/api/"
TOKEN_HEADER: Final = "x-studio-token"
BODY_BYTES = 32 << 20
"""Of a request; a file in it is a third longer than on the disk."""

_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""The content security policy of answers that have none of their own."""


class Refused(Exception):
    """A request that is not answered: the status of HTTP, and what was expected."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def refusal(status: int, reason: str) -> Response:
    """Return the answer to a request that fails, whose reason the page shows."""
    content = json.dumps({"error": reason}).encode()
    return Response(content, status_code=status, media_type="application/json")


class Guard:
    """ASGI middleware that lets only the page's own requests pass, each with its body in one piece."""

    def __init__(self, app: ASGIApp, *, port: int, token: str) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        if port == 80:
            self._hosts |= {"127.0.0.1", "localhost"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("content-security-policy", NOTHING)
            await send(message)

        try:
            headers = Headers(scope=scope)
            self._check_sender(headers, is_call=scope["path"].startswith(API))
            if scope["path"].startswith(API):
                self._check_call(headers)
                receive = await _whole(receive)
        except Refused as error:
            await refusal(error.status, str(error))(scope, receive, secured)
            return
        await self._app(scope, receive, secured)

    def _check_sender(self, headers: Headers, *, is_call: bool) -> None:
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            raise Refused(403, f"wrong Host; expected {min(self._hosts)}")
        if origins != [f"http://{hosts[0]}"] and (origins or is_call):
            raise Refused(403, "wrong Origin; only the page of the studio may ask")

    def _check_call(self, headers: Headers) -> None:
        if not compare_digest(headers.get(TOKEN_HEADER, "").encode(), self._token):
            raise Refused(401, "wrong token; open the address that this start of nonocsp studio printed")
        kind, _, parameters = headers.get("content-type", "").partition(";")
        if kind.strip().lower() != "application/json" or parameters.strip().lower() not in (
            "",
            "charset=utf-8",
        ):
            raise Refused(415, "wrong Content-Type; expected application/json")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > BODY_BYTES:
            raise too_large()


def too_large() -> Refused:
    """Return the refusal of a body above the bound."""
    return Refused(413, f"too large: at most {BODY_BYTES >> 20} MiB at once")


async def _whole(receive: Receive) -> Receive:
    """Read a body; return the function that gives it in one piece, and later says when the client leaves."""
    parts, size, is_over = list[bytes](), 0, False
    while not is_over:
        message = await receive()
        if message["type"] != "http.request":
            raise Refused(400, "the request ended early")
        parts.append(message.get("body", b""))
        is_over = not message.get("more_body", False)
        size += len(parts[-1])
        if size > BODY_BYTES:
            raise too_large()
    pending: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

    async def again() -> Message:
        return pending.pop() if pending else await receive()

    return again
