"""The calls of the API: what the page sends comes back as nonocsp has it, and what is hostile as an error."""

import json
import zipfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO

import psutil
import pytest
from PIL import Image

import nonocsp
from nonocsp.formats.codecs.data.json_files import decode, encode
from nonocsp.studio import app
from nonocsp.studio.guard import BODY_BYTES
from tests.studio.serving import STUB, packed, serving
from tests.waiting import wait_until

CAT = "width 3\nheight 3\nrows\n1,1\n3\n1\ncolumns\n2\n2\n2\n"
PUZZLE = {"title": "Cat", "rows": [[1, 1], [3], [1]], "columns": [[2], [2], [2]]}


@pytest.fixture(autouse=True)
def _nothing_is_left(served) -> Iterator[None]:
    """No call leaves a process."""
    yield
    wait_until(lambda: not workers())


def workers() -> list[psutil.Process]:
    found = []
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # it ended in between
            if "nonocsp.studio.worker" in child.cmdline():
                found.append(child)
    return found


def test_a_file_of_any_format_becomes_puzzles(served):
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a/cat.non", CAT)
        file.writestr("b/dot.non", "width 1\nheight 1\nrows\n1\ncolumns\n1\n")
    answer = served.call("read", name="../../set.zip", content=packed(archive.getvalue())).json()
    assert [one["name"].partition("set.zip")[2] for one in answer["puzzles"]] == ["/a/cat.non", "/b/dot.non"]
    assert decode(answer["puzzles"][0]["puzzle"]).rows == decode(PUZZLE).rows


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("evil.json", b"[" * 100_000, "evil.json"),
        (
            "evil.xml",
            b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><puzzleset>&a;</puzzleset>',
            "evil.xml",
        ),
        ("evil.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "evil.png"),
        ("/etc/passwd", b"root:x:0:0", "passwd"),
    ],
)
def test_a_hostile_file_is_refused_with_its_own_name(served, name, content, says):
    answer = served.call("read", name=name, content=packed(content))
    assert answer.status_code == 400
    assert says in answer.json()["error"]
    assert "received" not in answer.json()["error"]


@pytest.mark.parametrize(
    ("call", "request_", "says"),
    [
        ("read", {"name": "a.non"}, "'request.content' is missing"),
        ("read", {"name": "a.non", "content": "?"}, "expected base64"),
        ("read", {"name": "a.non", "content": "", "path": "/etc/passwd"}, "unknown key 'request.path'"),
        ("book", {"puzzles": []}, "at least one"),
        ("book", {"puzzles": [{}], "per_page": "4"}, "expected a whole number"),
        ("picture", {"name": "a", "content": "", "options": {"jobs": 64}}, "unknown key"),
        ("picture", {"name": "a", "content": "", "options": {"time": 1e9}}, "at most 60"),
        ("save", {"name": "a.non", "puzzle": {}, "replace": 1}, "true or false"),
    ],
)
def test_a_wrong_request_is_refused_with_the_key(served, call, request_, says):
    answer = served.call(call, **request_)
    assert answer.status_code == 400
    assert says in answer.json()["error"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"' * 9, b"[" * 400_000, b"\xff", b"1" * 5000])
def test_a_body_that_is_no_request_is_refused(served, body):
    headers = {**served.headers, "Content-Type": "application/json"}
    assert len(body) < BODY_BYTES
    assert served.client.post(f"{served.origin}/api/open", content=body, headers=headers).status_code == 400


def test_a_puzzle_becomes_a_file_that_nonocsp_reads(served, tmp_path):
    answer = served.call("write", format="webpbn", puzzle=PUZZLE).json()
    file = tmp_path / f"cat{answer['suffix']}"
    file.write_bytes(b64decode(answer["content"]))
    assert encode(nonocsp.load(file)) == PUZZLE
    assert served.call("write", format="nin", puzzle=PUZZLE).json()["lost"] == ["title"]
    assert "unknown format" in served.call("write", format="word", puzzle=PUZZLE).json()["error"]


def test_a_puzzle_is_saved_and_nothing_is_overwritten_unasked(served):
    assert served.call("save", name="cat.non", puzzle=PUZZLE).json() == {"name": "cat.non", "lost": []}
    file = served.folder / "cat.non"
    assert nonocsp.load(file).title == "Cat"
    file.write_text("mine")
    refused = served.call("save", name="cat.non", puzzle=PUZZLE)
    assert refused.status_code == 409
    assert file.read_text() == "mine"
    assert served.call("save", name="cat.non", puzzle=PUZZLE, replace=True).status_code == 200
    opened = served.call("open", name="cat.non").json()
    assert [one["name"] for one in opened["puzzles"]] == ["cat.non"]
    assert opened["puzzles"][0]["puzzle"] == PUZZLE
    assert served.call("files").json()["files"] == ["cat.non"]


def test_too_long_work_ends_with_an_error(served, monkeypatch):
    monkeypatch.setattr(app, "READ_S", 0.01)
    answer = served.call("write", format="json", puzzle=PUZZLE)
    assert answer.status_code == 504
    assert "not done within 0.01 s" in answer.json()["error"]


def test_leaving_the_page_ends_the_work(served):
    body = json.dumps(
        {"name": "noise.png", "content": packed(noise(900)), "options": {"rows": 60, "time": 60.0}}
    )
    request = (
        f"POST /api/picture HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nOrigin: {served.origin}\r\n"
        f"X-Studio-Token: {served.studio.token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    )
    import socket

    with socket.create_connection(("127.0.0.1", served.port)) as connection:
        connection.sendall(request.encode())
        wait_until(workers)
    wait_until(lambda: not workers())


def noise(side: int) -> bytes:
    stream = BytesIO()
    Image.effect_noise((side, side), 90).save(stream, "PNG")
    return stream.getvalue()


def test_a_picture_becomes_a_puzzle_with_one_solution(served):
    options = {"rows": 10, "count": 2, "time": 60.0}
    answer = served.call("picture", name="A photo.png", content=packed(noise(50)), options=options).json()
    assert [one["puzzle"]["title"] for one in answer["puzzles"]] == ["A photo 1", "A photo 2"]
    for one in answer["puzzles"]:
        assert nonocsp.solve(decode(one["puzzle"])).answer == "unique"
    bad = served.call("picture", name="a.png", content=packed(b"no picture"), options={})
    assert bad.status_code == 400
    assert "a.png" in bad.json()["error"]


def test_a_book_is_a_pdf_and_names_puzzles_with_several_solutions(served):
    pdfium = pytest.importorskip("pypdfium2")
    several = {"title": "Two", "rows": [[1], [1]], "columns": [[1], [1]]}
    answer = served.call("book", puzzles=[PUZZLE, several], title="Mine", is_book=True).json()
    assert answer["faults"] == ["Two: several solutions"]
    document = pdfium.PdfDocument(b64decode(answer["content"]))
    assert len(document) == answer["pages"] >= 3
    assert "Mine" in document[0].get_textpage().get_text_range()
    document.close()


def test_the_page_begins_with_the_file_of_the_command_line(tmp_path):
    file = tmp_path / "cat.non"
    file.write_text(CAT)
    (folder := tmp_path / "folder").mkdir()
    with serving(folder, STUB, file) as served:
        text = served.client.get(served.address).text
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    assert (data["file"], data["folder"]) == ("cat.non", str(folder))
    assert decode(data["puzzle"]).rows == decode(PUZZLE).rows
    assert {"json", "non", "webpbn"} <= {one["name"] for one in data["formats"]}


def test_a_report_of_the_folder_gets_an_origin_of_its_own(tmp_path):
    (campaign := tmp_path / "folder" / "results" / "smoke").mkdir(parents=True)
    (campaign / "report.html").write_text("<script>1</script>")
    (campaign / "other.html").write_text("<script>1</script>")
    (tmp_path / "folder" / "report.html").symlink_to("/etc/passwd")
    with serving(tmp_path / "folder", STUB) as served:
        assert served.call("files").json()["reports"] == ["results/smoke/report.html"]
        place = f"{served.origin}/report/{served.studio.report_key}"
        answer = served.client.get(f"{place}/results/smoke/report.html")
        assert (answer.status_code, answer.text) == (200, "<script>1</script>")
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("sandbox allow-scripts")
        assert "allow-same-origin" not in policy
        for name in ("report.html", "results/smoke/other.html", "..%2f..%2fetc/passwd", ""):
            assert served.client.get(f"{place}/{name}").status_code == 404
