"""Files that would exhaust time or memory if a reader trusted them, each as small as it can be."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

_MANY = 1_000_000_000
_NUMBERS = ("-1", "1000000000", str(2**31), str(2**63), str(2**64), "1" + "0" * 400, "1" + "0" * 5000)
_ODD_NUMBERS = ("1.5", "NaN", "1e999", "true", '"1"', "null", "٣", "1_0", "+1", "[1]")


@dataclass(frozen=True, slots=True)
class Case:
    """An input for a reader; `target` names it as `tools.fuzzing.trial.targets` does."""

    name: str
    target: str
    content: Callable[[], bytes]


def cases() -> Iterator[Case]:
    """Yield all cases."""
    for made in (
        _xml(),
        _compressed(),
        _sizes(),
        _lengths(),
        _tables(),
        _small(),
        _json(),
        _yaml(),
        _encodings(),
    ):
        yield from (Case(*case) for case in made)


_Cases = Iterator[tuple[str, str, Callable[[], bytes]]]


def _many(before: str, unit: str, times: int, behind: str = "") -> Callable[[], bytes]:
    """Return a function that makes a large text on demand."""
    return lambda: b"".join([before.encode(), unit.encode() * times, behind.encode()])


def _xml() -> _Cases:
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 30))
    quadratic = f'<!DOCTYPE p [<!ENTITY a "{"a" * 50_000}">]><puzzleset>'
    include = 'xmlns:x="http://www.w3.org/2001/XInclude"><x:include href="/etc/passwd"/>'
    for name, content in {
        "billion laughs": _many(f'<!DOCTYPE p [<!ENTITY l0 "ha">{laughs}]><puzzleset>', "&l29;", 1),
        "quadratic entity": _many(quadratic, "&a;", 50_000, "</puzzleset>"),
        "external entity": _many(
            '<!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/passwd">]><puzzleset>', "&a;", 1
        ),
        "external parameter": _many(
            '<!DOCTYPE p [<!ENTITY % a SYSTEM "http://127.0.0.1:1/x"> %a;]><a/>', "", 0
        ),
        "external DTD": _many('<!DOCTYPE p SYSTEM "http://127.0.0.1:1/x.dtd"><a><puzzle/></a>', "", 0),
        "XInclude": _many(f"<puzzleset {include}<puzzle/></puzzleset>", "", 0),
        "nested elements": _many("<puzzleset><puzzle>", "<a>", 300_000),
        "many elements": _many("<puzzleset><puzzle><clues>", "<count>1</count>", 2_000_000),
        "many attributes": lambda: b"<puzzle " + b"".join(b"a%d='' " % i for i in range(200_000)) + b"/>",
        "endless text": _many("<puzzleset><puzzle><title>", "a", 50_000_000),
    }.items():
        yield f"XML: {name}", "webpbn", content


def _compressed() -> _Cases:
    def zeros(gib: int) -> bytes:
        return gzip.compress(bytes(1 << 30), mtime=0) * gib

    yield "gzip of 4 GiB of zeros", "recognised", lambda: zeros(4)
    yield "gzip of 1 GiB of blanks", "json", lambda: gzip.compress(b" " * (1 << 30))
    yield "gzip of 1 GiB of lines", "nin", lambda: gzip.compress(b"\n" * (1 << 30))
    yield "gzip of 1 GiB of digits", "nin", lambda: gzip.compress(b"5 5\n" + b"1" * (1 << 30))
    yield (
        "gzip in gzip in gzip",
        "recognised",
        lambda: gzip.compress(gzip.compress(gzip.compress(bytes(1 << 28)))),
    )
    yield "gzip, damaged", "json", lambda: gzip.compress(bytes(1 << 20))[:-9]
    yield (
        "gzip with a name of 150 MB",
        "recognised",
        lambda: b"\x1f\x8b\x08\x08" + bytes(6) + b"a" * 150_000_000,
    )
    yield "gzip of empty parts, 60 MB", "recognised", lambda: gzip.compress(b"", mtime=0) * 3_000_000
    yield "xz of 256 MiB of lines", "nin", lambda: lzma.compress(b"\n" * (1 << 28), preset=0)
    yield "bzip2 of 256 MiB of digits", "nin", lambda: bz2.compress(b"5 5\n" + b"1" * (1 << 28))
    yield "tar of 1 GiB that is no puzzle", "archive", lambda: gzip.compress(_tar("a.bin", 1 << 30))
    yield "tar with a puzzle of 1 GiB", "archive", lambda: gzip.compress(_tar("a.nin", 1 << 30))
    long_name = tarfile.GNUTYPE_LONGNAME
    yield "tar with a name of 1 GiB", "archive", lambda: gzip.compress(_tar("a", 1 << 30, long_name))
    yield "tar of 70 000 headers", "archive", lambda: gzip.compress(_tar("a.bin", 0) * 70_000, 1)
    yield "tar of 20 000 empty puzzles", "archive", lambda: gzip.compress(_tar("a.nin", 0) * 20_000, 1)
    about = tarfile.XGLTYPE
    yield (
        "tar of 70 000 headers about nothing",
        "archive",
        lambda: gzip.compress(_tar("a", 0, about) * 70_000, 1),
    )
    yield "zip with a puzzle of 1 GiB", "archive", lambda: _zip({"a.json": b" " * (1 << 28)})
    yield "zip in zip", "archive", lambda: _zip({"a.zip": _zip({"a.nin": b"1 1\n1\n1\n"})})
    yield "zip of 2000 empty puzzles", "archive", lambda: _zip({f"{i}.nin": b"" for i in range(2000)})
    for side in (4096, 30_000, 2**31 - 1):
        yield (
            f"PNG of {side}x{side}",
            "png",
            lambda side=side: png(side, side, b"IDAT", min(side, 4096) ** 2),
        )
        yield (
            f"picture, PNG of {side}x{side}",
            "picture",
            lambda side=side: png(side, side, b"IDAT", min(side, 4096) ** 2),
        )
    for chunk, head in ((b"zTXt", b"a\0\0"), (b"iCCP", b"a\0\0"), (b"iTXt", b"a\0\1\0\0\0")):
        yield f"PNG, 1 GiB in {chunk.decode()}", "png", lambda c=chunk, h=head: png(2, 2, c, 1 << 30, h)
    yield (
        "GIF of 65535x65535",
        "gif",
        lambda: (
            b"GIF89a"
            + struct.pack("<HHBBB", 65535, 65535, 0x80, 0, 0)
            + bytes(6)
            + b","
            + struct.pack("<HHHHB", 0, 0, 65535, 65535, 0)
            + b"\x02\x02\x4c\x01\x00;"
        ),
    )
    yield "TIFF of 1 GiB", "tiff", lambda: tiff(32_768, 32_768)
    yield "picture, TIFF of 1 GiB", "picture", lambda: tiff(32_768, 32_768)
    yield (
        "BMP of 2^31",
        "bmp",
        lambda: (
            b"BM"
            + struct.pack("<IHHIIiiHHIIiiII", 0, 0, 0, 54, 40, 2**31 - 1, 2**31 - 1, 1, 1, 0, 0, 0, 0, 0, 0)
        ),
    )
    yield "PBM of 10^9", "pbm", lambda: b"P4\n1000000000 1000000000\n\0"
    yield "PGM of 10^400", "pbm", lambda: b"P5\n1" + b"0" * 400 + b" 1 255\n\0"
    yield (
        "WebP of 16383x16383",
        "webp",
        lambda: b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f" + struct.pack("<I", 16382 | 16382 << 14) + bytes(9),
    )
    yield "PBM, plain, endless", "pbm", lambda: b"P1\n4096 4096\n" + b"# x\n" * 5_000_000


def _tar(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    """Return the header of a member, and zeros as its content."""
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info.tobuf(tarfile.USTAR_FORMAT) + bytes(size)


def _zip(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def png(width: int, height: int, chunk: bytes, size: int, head: bytes = b"") -> bytes:
    """Return a PNG with a chunk of compressed zeros."""
    packer, piece = zlib.compressobj(9), bytes(1 << 20)
    whole = [*(packer.compress(piece) for _ in range(size >> 20)), packer.flush()]
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = [(b"IHDR", header), (chunk, head + b"".join(whole)), (b"IEND", b"")]
    parts = (struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def tiff(width: int, height: int) -> bytes:
    """Return a grey TIFF whose one strip is compressed zeros."""
    data = zlib.compress(bytes(1 << 26), 9)
    tags = (
        (256, 4, width),
        (257, 4, height),
        (258, 3, 8),
        (259, 3, 8),
        (262, 3, 1),
        (273, 4, 122),
        (277, 3, 1),
        (278, 4, height),
        (279, 4, len(data)),
    )
    entries = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags)
    return b"II*\0\x08\0\0\0" + struct.pack("<H", len(tags)) + entries + bytes(4) + data


def _sizes() -> _Cases:
    """Sizes and lengths beyond all bounds, in each text format that has them."""
    forms = {
        "nin": ("{0} {0}\n1\n1\n", "1 1\n{0}\n1\n"),
        "mk": ("{0} {0}\n1\n#\n1\n", "1 1\n{0}\n#\n1\n"),
        "non": ("width {0}\nheight {0}\nrows\n1\ncolumns\n1\n", "width 1\nheight 1\nrows\n{0}\ncolumns\n1\n"),
        "dzn": ("rows = {0};\ncols = {0};\nrow_rules = [|1|];\ncol_rules = [|1|];\n",
                "rows = 1;\ncols = 1;\nrow_rules = array2d(1..1, 1..{0}, [1]);\ncol_rules = [|1|];\n",
                "rows = 1;\ncols = 1;\nrow_rules = [|{0}|];\ncol_rules = [|1|];\n"),
        "tournament": ("$1\n{0}\n1\n",),
        "picross": ("GRID\nROWS\n[ {0} ]\nCOLUMNS\n[ 1 ]\n",),
        "pynogram": ("[clues]\nrows = {0}\ncolumns = 1\n",),
        "webpbn": ('<puzzle><clues type="rows"><line><count>{0}</count></line></clues>'
                   '<clues type="columns"><line><count>1</count></line></clues></puzzle>',),
        "json": ('{{"rows": [[{0}]], "columns": [[1]]}}', '{{"rows": [[[{0}, "black"]]], "columns": [[1]]}}'),
    }  # fmt: skip
    for target, texts in forms.items():
        for form, text in enumerate(texts, start=1):
            yield from (
                (f"{target} {form}: {_named(number)}", target, _many(text.format(number), "", 0))
                for number in (*_NUMBERS, *_ODD_NUMBERS)
            )


def _named(number: str) -> str:
    return number if len(number) < 20 else f"10^{len(number) - 1}"


def _lengths() -> _Cases:
    """Yield files with too many blocks, lines or cells, in each text format."""
    for name, target, content in (
        ("blocks", "nin", _many("2 2\n", "1 ", 5_000_000)),
        ("blocks", "tournament", _many("$1\n", "1 ", 5_000_000)),
        ("clues", "pynogram", _many("[clues]\nrows = ", "1,", 5_000_000)),
        ("blocks", "non", _many("width 2\nheight 2\nrows\n", "1 ", 5_000_000)),
        ("colours", "non", _many("width 2\nheight 2\n", "color a #ffffff\n", 1_000_000)),
        ("numbers", "dzn", _many("rows = 1; cols = 1; row_rules = [|", "1,", 5_000_000)),
        ("half a million numbers", "dzn", _many("rows = 1; cols = 1; row_rules = [|", "1,", 500_000)),
        ("names", "dzn", _many("rows = 1;", "a = 1;", 170_000)),
        ("lines", "text", _many("", "#\n", 5_000_000)),
        ("cells", "text", _many("", "#", 10_000_000)),
        ("lines", "grid", _many("", "#\n", 2_000_000)),
    ):
        yield f"{target}: far too many {name}", target, content


def _tables() -> _Cases:
    """Yield tables whose cells, or ways to be divided, are far more than their text."""
    stairs = "".join(" ," * (999 - i) + "1\n" for i in range(1000))
    yield "csv: a staircase", "csv", _many(stairs, "", 0)
    yield "csv: a long row above short ones", "csv", _many("," * 1_000_000, "1\n", 8000)
    yield "csv: far too many cells", "csv", _many("", ",1" * 1000 + "\n", 2000)
    yield "web page: a long row", "web-page", _many(f"<table><tr>{'<td>' * 40_000}1", "<tr><td>1", 8000)
    nested = "".join(f"\\nonogramrow{{{i}}}{{" for i in range(1, 4000))
    yield "latex: rows in rows", "latex", _many(f"\\begin{{nonogram}}{nested}", "}", 3999, "\\end{nonogram}")
    numbers = "[[0,0,0,1],[{0},0,0,9999],[{0},0,0,9999],[1,0,0,9],[0,0,0,0],[0,0,0,0],[0,0,0,9],[0,0,0,0]]"
    for side in (2048, 4096):
        yield f"web page: var d of {side}x{side}", "web-page", _many(f"var d={numbers.format(side)};", "", 0)
    one = '<row r="{0}"><c r="XFD{0}"><v>1</v></c></row>'
    for name, rows in {
        "a cell far below": one.format(1_048_576),
        "a row far below": '<row r="99999999999"><c><v>1</v></c></row>',
        "cells far to the right": "".join(one.format(i) for i in range(1, 4000)),
        "far too many cells": f"<row>{'<c/>' * 130_000}</row>",
        "far too many rows": "<row/>" * 1_000_000,
        "far too many unknown tags": "<x>" * 130_000,
    }.items():
        yield f"xlsx: {name}", "xlsx", _many(f"{_SHEET}<sheetData>{rows}</sheetData></worksheet>", "", 0)
    yield (
        "xlsx: styles",
        "xlsx",
        _many(f"{_SHEET}</worksheet>\n%%\n<sst/>\n%%\n<cellXfs>", "<xf/>", 1_000_000),
    )


def _small() -> _Cases:
    """Yield small texts at which a careless reader takes quadratic time, or fails."""
    nines = "9" * 5000
    chain = "".join(f"a{i}=a{i + 1};" for i in range(3000))
    table = "|".join(f"{i},{i + 1}" if i % 2 else f"{i + 1 if i < 3000 else i},0" for i in range(1, 3001))
    states = "".join(
        f"{axis}_states=[|{table}|];{axis}_num_states=[{'3000,' * 4000}];{axis}_start_where=[{'1,' * 4000}];"
        for axis in ("row", "col")
    )
    colours = "".join(f"{chr(0x4E00 + i)}: red\n" for i in range(20_000))
    empty = f"\\nonogramV{{{'0,' * 4096}}}\\nonogramH{{{'0,' * 4096}}}\\nonogramrow{{1}}{{1/0}}"
    for name, target, text in (
        ("a set of empty lines", "tournament", "$1\n1\n" + "\n" * 8190),
        ("one cell and blanks", "text", " " * 4095 + "#\n" + " \n" * 4095),
        ("comments that do not end", "asp", "%*\n" * 100_000),
        (
            "a row of nothing, a billion times",
            "dzn",
            "row_rules=array2d(1..999999999,1..0,[]);col_rules=[|1|];",
        ),
        ("a chain of names", "dzn", f"{chain}a3000=1;row_rules=[|{'a0,' * 20_000}|];col_rules=[|1|];"),
        ("automata that share states", "dzn-states", states),
        ("blanks in a key", "pynogram", "[clues]\na" + " " * 200_000 + "b"),
        ("blanks between commas", "pynogram", "[clues]\ncolumns=1\nrows=" + (" " * 72 + ",") * 4096),
        ("empty lines", "recognised", "[clues]" + "\n" * 8000),
        (
            "blanks in a colour",
            "nonogrid",
            f"[colors]\ndefs=['a={' ' * 100_000}']\n[clues]\nrows=''\ncolumns=''",
        ),
        ("a key of 20 000 parts", "nonogrid", "a" + ".a" * 20_000 + "=1"),
        (
            "cells that do not end",
            "webpbn",
            f"<puzzle><solution><image>|{'[' * 200_000}|</image></solution></puzzle>",
        ),
        (
            "a long comment",
            "webpbn",
            "<puzzleset><puzzle><!--" + "a\n" * 100_000 + "--></puzzle></puzzleset>",
        ),
        ("a long attribute", "webpbn", '<puzzleset><puzzle a="' + "\n" * 100_000 + '"></puzzle></puzzleset>'),
        ("many colours", "olsak", "#d\n" + colours),
        (
            "many tables",
            "web-page",
            ("<table><tr>" + "<td>" * 1023 + "1" + "<tr>" * 1020 + "<tr><td>1</table>") * 24,
        ),
        ("a large empty solution", "latex", f"\\begin{{nonogram}}{empty}\\end{{nonogram}}"),
        ("empty lists", "grid", "[]" * 150_000),
        ("a height of 5000 digits", "recognised", f"000000001{nines} 000000001\n1\n1\n"),
        (
            "a height of 5000 digits",
            "puzzlekit",
            f'{{"data": {{"a": {{"problem": "000000001{nines} 1\\n1"}}}}}}',
        ),
        ("a character of 5000 digits", "non", f"title &#{nines};\nwidth 1\nheight 1\nrows\n1\ncolumns\n1\n"),
        (
            "a character of 5000 digits",
            "web-page",
            f"<title>&#{nines};</title><table><tr><td>&#{nines};</table>",
        ),
        ("a sum of 4301 digits", "json", f'{{"rows": [[{nines[:4300]}, {nines[:4300]}]], "columns": [[1]]}}'),
        *(
            (f"{depth} lists", "json", f'{{"rows": [{"[" * depth}{"]" * depth}], "cols": [[1]]}}')
            for depth in range(900, 1000, 10)
        ),
    ):
        yield f"{target}: {name}", target, _many(text, "", 0)


_SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'


def _json() -> _Cases:
    for name, target, content in (
        ("nested lists", "json", _many("", "[", 10_000_000)),
        ("nested objects", "json", _many("", '{"a":', 2_000_000)),
        ("empty lists", "json", _many("[", "[],", 10_000_000, "[]]")),
        ("numbers", "json", _many('{"rows": [[', "1,", 10_000_000, '1]], "columns": []}')),
        ("long numbers", "json", _many('{"rows": [[', "1000000,", 4_000_000, '1]], "columns": []}')),
        ("a title of 33 MB", "json", _many('{"title": "', "a", 33_000_000)),
        ("nested lists", "grid", _many("", "[", 4_000_000)),
        ("empty lists", "grid", _many("[", "[],", 1_300_000, "[]]")),
        ("nested objects", "campaign", _many("", '{"run":', 1_000_000)),
        ("a line of 33 MB", "campaign", _many('{"run": "', "a", 33_000_000)),
        ("nested lists", "certificate", _many("", "[", 4_000_000)),
        ("empty lists", "certificate", _many("[", "[],", 1_300_000, "[]]")),
    ):
        yield f"JSON, {target}: {name}", target, content


def _yaml() -> _Cases:
    names = "abcdefghijklmnop"
    lists = (f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in pairwise(names))
    for name, content in {
        "laughs": _many(f"a: &a [x]\n{''.join(lists)}", "", 0),
        "a number in base 60": _many("name: 1", ":59", 10_000),
        "sweeps": _many(
            "name: a\npuzzles: [{random: {rows: 2, count: 1}}]\nbackends:\n",
            "- {spec: hybrid, sweep: {budget: 0..255}}\n",
            250,
        ),
        "random sets": _many(
            "name: a\nbackends: [hybrid]\npuzzles:\n- random: &r {rows: 1..100, columns: 1..100, count: 1}\n",
            "- random: *r\n",
            1000,
        ),
        "ranges": _many(
            "name: a\nbackends: [hybrid]\npuzzles:\n"
            "- random: &r {rows: 1, density: 0.0001..0.9999 by 0.0001, count: 1}\n",
            "- random: *r\n",
            1000,
        ),
        "a long path": _many(
            "name: a\nbackends: [hybrid]\npuzzles:\n- file: &r " + "/tmp/.." * 570 + "/etc/passwd\n",
            "- file: *r\n",
            2000,
        ),
        "alias of itself": _many("name: &a [*a]", "", 0),
        "brackets": _many("", "[", 1_000_000),
        "values": _many("a: [", "x,", 10_000_000),
        "an object of Python": _many("name: !!python/object/apply:os.system ['false']", "", 0),
        "merges": _many("a: &a {x: y}\nb: {<<: [", "*a, ", 8_000, "*a]}\n"),
    }.items():
        yield f"YAML: {name}", "config", content


def _encodings() -> _Cases:
    text = '{"title": "\u00e9", "rows": [[1]], "columns": [[1]]}'
    for name, content in {
        "NUL bytes": bytes(100_000),
        "UTF-16 with a mark": text.encode("utf-16"),
        "UTF-16 without": text.encode("utf-16-le"),
        "Latin-1": text.encode("latin-1"),
        "a broken end": text.encode()[:15],
        "a lone surrogate": text.replace("\u00e9", "\\ud800").encode(),
        "lines that end with CR": b"2 2\r1\r1\r1\r1\r",
        "only a mark": b"\xef\xbb\xbf",
    }.items():
        yield f"encoding: {name}", "recognised", lambda content=content: content
        yield f"encoding, nin: {name}", "nin", lambda content=content: content
    yield "encoding: an endless line", "recognised", _many("", "1", 33_000_000)
    yield "encoding, json: blanks", "json", _many("", " ", 33_000_000)
