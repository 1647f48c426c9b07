"""Puzzle files: reading, writing, recognising. One module a format; `formats` lists them."""

from nonocsp.formats.base import Format
from nonocsp.formats.project_json import decode as from_json
from nonocsp.formats.project_json import encode as to_json
from nonocsp.formats.registry import formats, load, load_all, save

__all__ = ["Format", "formats", "from_json", "load", "load_all", "save", "to_json"]
