"""What the project's pages about made puzzles share: pictures inside the page, and one safe way to render it.

A page is one file that asks for nothing: pictures are data URIs, style and script stand in it, and a content
security policy, with their hashes, keeps all else from running or loading, whatever titles say. The style
begins with that of the campaigns' report, so that all pages of the project look alike.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonocsp.making.picture import Cells, Picture
from nonocsp.model import Palette


def render(template: str, **content: Any) -> str:
    """Return a page; strings in `content` are escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from nonocsp.bench.report.bundle import source

    environment = Environment(
        loader=PackageLoader("nonocsp.making"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["integrity"] = _integrity
    style = source("page.css") + _own("making.css")
    return environment.get_template(template).render(style=style, **content)


def shades(picture: Picture) -> str:
    """Return the picture as a data URI, in colour if it is known."""
    if picture.rgb is not None:
        return _png(picture.rgb, "RGB")
    return _png(((1 - picture.grey) * 255).round().astype(np.uint8), "L")


def cells(image: Cells, palette: Palette) -> str:
    """Return an image as a data URI, a pixel a cell."""
    from PIL import Image

    picture = Image.fromarray(image)
    picture.putpalette(bytes.fromhex("".join(colour.rgb[1:] for colour in palette.colours)))
    return _uri(picture)


def _png(pixels: NDArray[np.uint8], mode: str) -> str:
    from PIL import Image

    rows, columns = pixels.shape[:2]
    return _uri(Image.frombytes(mode, (columns, rows), pixels.tobytes()))


def _uri(picture: Any) -> str:
    stream = BytesIO()
    picture.save(stream, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"


def script(name: str) -> str:
    """Return a script of the package."""
    return _own(f"{name}.js")


def _own(name: str) -> str:
    return (files("nonocsp.making") / "templates" / name).read_text(encoding="utf-8")


def _integrity(text: str) -> str:
    """Return the hash by which a content security policy knows a text."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
