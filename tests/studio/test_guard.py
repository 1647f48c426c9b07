"""Only the page of this very start is answered; other sites and programs learn nothing and change nothing."""

import base64
import hashlib
import json
import re

import pytest

from nonocsp.studio import guard

JSON = "application/json"


def test_the_page_itself_is_answered(served):
    answer = served.call("files")
    assert (answer.status_code, answer.json()) == (200, {"files": [], "reports": [], "isCut": False})
    local = f"http://localhost:{served.port}"
    headers = {**served.headers, "Origin": local, "Host": f"localhost:{served.port}"}
    assert served.client.post(f"{served.origin}/api/files", json={}, headers=headers).status_code == 200
    api = f"{served.origin}/api/files"
    assert served.client.get(api, headers={**headers, "Content-Type": JSON}).status_code == 405
    unknown = served.call("shutdown")
    assert (unknown.status_code, unknown.headers["content-type"]) == (404, JSON)


@pytest.mark.parametrize(
    ("status", "header", "value"),
    [
        (403, "Host", "studio.example.com"),
        (403, "Host", "127.0.0.1"),
        (403, "Host", "127.0.0.1:1"),
        (403, "Host", "127.0.0.1.example.com:{port}"),
        (403, "Origin", None),
        (403, "Origin", "null"),
        (403, "Origin", "https://example.com"),
        (403, "Origin", "http://127.0.0.1:1"),
        (403, "Origin", "https://127.0.0.1:{port}"),
        (403, "Origin", "http://localhost:{port}"),
        (401, "X-Studio-Token", None),
        (401, "X-Studio-Token", ""),
        (401, "X-Studio-Token", "x" * 43),
        (415, "Content-Type", None),
        (415, "Content-Type", "text/plain"),
        (415, "Content-Type", "application/x-www-form-urlencoded"),
        (415, "Content-Type", "application/json; charset=utf-16"),
        (413, "Content-Length", str(1 << 30)),
    ],
)
def test_a_request_from_elsewhere_is_refused(served, status, header, value):
    headers = {
        "Host": f"127.0.0.1:{served.port}",
        **served.headers,
        "Content-Type": JSON,
        "Content-Length": "2",
    }
    if value is None:
        del headers[header]
    else:
        headers[header] = value.format(port=served.port)
    lines = "".join(f"{name}: {text}\r\n" for name, text in headers.items())
    request = f"POST /api/files HTTP/1.1\r\n{lines}Connection: close\r\n\r\n{{}}"
    head, _, body = served.raw(request.encode()).partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status}".encode())
    assert json.loads(body)["error"]
    assert served.studio.token.encode() not in head + body


def test_two_hosts_are_refused(served):
    request = (
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nHost: example.com\r\nConnection: close\r\n\r\n"
    )
    assert served.raw(request.encode()).startswith((b"HTTP/1.1 400", b"HTTP/1.1 403"))


def test_a_body_without_a_length_is_bounded_too(served, monkeypatch):
    monkeypatch.setattr(guard, "BODY_BYTES", 1000)
    parts = (b'"' + b"x" * 300 for _ in range(10))
    headers = {**served.headers, "Content-Type": JSON}
    answer = served.client.post(f"{served.origin}/api/files", content=parts, headers=headers)
    assert answer.status_code == 413


def test_an_object_of_too_many_keys_is_refused(served):
    answer = served.call("open", **{f"key{i}": i for i in range(1001)})
    assert answer.status_code == 400
    assert answer.json()["error"] == "an object with 1001 keys; expected at most 1000"


def test_the_page_is_shown_only_at_the_printed_address(served):
    for address in (served.origin, f"{served.origin}/?token=x", served.address[:-1]):
        answer = served.client.get(address)
        assert answer.status_code == 403
        assert served.studio.token not in answer.text
    assert served.client.get(served.address, headers={"Host": "example.com"}).status_code == 403
    assert served.client.get(served.address, headers={"Origin": "http://example.com"}).status_code == 403
    answer = served.client.get(served.address)
    data = re.search(r'id="data">(.*?)</script>', answer.text)
    assert answer.status_code == 200
    assert data
    assert json.loads(data[1])["token"] == served.studio.token


def test_the_page_runs_its_own_script_and_no_other(served):
    answer = served.client.get(served.address)
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    (script,) = re.findall(r'<script type="module" crossorigin>(.*?)</script>', answer.text)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy["script-src"] == f"'sha256-{digest}' 'wasm-unsafe-eval'"
    assert policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "http-equiv" not in answer.text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/files", 401),
        ("POST", "/api/shutdown", 401),
        ("POST", "/", 405),
        ("GET", "/nothing", 404),
        ("GET", "/folder/", 404),
        ("GET", "/studio.html", 404),
        ("GET", "/..%2f..%2fetc/passwd", 404),
        ("GET", "/report/wrong/report.html", 403),
    ],
)
def test_nothing_else_is_there(served, method, path, status):
    answer = served.client.request(method, served.origin + path, headers={"Origin": served.origin})
    assert answer.status_code == status


def test_every_answer_forbids_what_a_browser_might_do_with_it(served):
    for answer in (
        served.client.get(served.address),
        served.client.get(served.origin),
        served.call("files"),
        served.call("x"),
    ):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert "access-control-allow-origin" not in answer.headers
