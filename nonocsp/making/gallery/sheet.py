"""Write the page on which one chooses between renderings of a picture: a contact sheet.

Each rendering shows the prepared picture beside the puzzle, the changed cells framed at the pointer, what the
puzzle is like, and the command that makes it. Readers order renderings and choose a level.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from nonocsp.formats.target import open_target
from nonocsp.making.gallery.images import cells_uri, picture_uri
from nonocsp.making.gallery.page import places
from nonocsp.making.renderings import Rendering
from nonocsp.pages import PLACE, filled

_MARK = PLACE.removesuffix("</script>") + '{"kind":"sheet",'
"""What tells a sheet from other pages."""
_LARGEST = 2**25
"""Bytes of a file that may be a sheet."""
_SIDE = 288
"""Pixels of the picture's longer side."""


def write_sheet(path: Path, choices: Sequence[tuple[Rendering, str]]) -> None:
    """Write the page to a file; an error leaves the file as it was."""
    with open_target(path) as stream:
        stream.write(sheet(choices).encode())


def is_sheet(path: Path) -> bool:
    """Whether a file is a page that `write_sheet` wrote."""
    with path.open("rb") as file:
        return _MARK.encode() in file.read(_LARGEST)


def sheet(choices: Sequence[tuple[Rendering, str]]) -> str:
    """Return the text of the page."""
    finest = max((one.prepared.picture for one, _ in choices), key=lambda picture: picture.grey.size)
    name = Path(finest.name).stem or "picture"
    data = {
        "kind": "sheet",
        "name": name,
        "picture": picture_uri(finest, side=_SIDE),
        "entries": [_entry(one, command) for one, command in choices],
    }
    told = "".join(
        f"<li>{escape(one.description)}: <code>{escape(command)}</code></li>" for one, command in choices
    )
    without = f"<p>The pictures need JavaScript.</p><ol>{told}</ol>"
    return filled("gallery", data, title=f"{name} – nonocsp", without_script=without)


def facts(one: Rendering) -> dict[str, str]:
    """Return what there is to know about a rendering, for a table: what it is, and its value."""
    rows, columns = one.made.puzzle.shape
    return {
        "size": f"{rows}x{columns}",
        "colours": str(len(one.palette) - 1),
        "look": one.description,
        "likeness": f"{one.likeness:.2f}",
        "changes": str(len(one.made.changes)),
        "level": str(one.level or "–"),
        "class": one.made.class_,
    }


def _entry(one: Rendering, command: str) -> dict[str, Any]:
    """Return a rendering, as ``web/src/gallery/data.ts`` declares it."""
    rows, columns = one.made.puzzle.shape
    return {
        "look": one.description,
        "prepared": cells_uri(one.prepared.start, one.palette),
        "puzzle": cells_uri(one.made.image, one.palette),
        "changes": places(one.made.changes),
        "rows": rows,
        "columns": columns,
        "colours": len(one.palette) - 1,
        "likeness": round(one.likeness, 4),
        "level": one.level and str(one.level),
        "class": one.made.class_,
        "command": command,
    }
