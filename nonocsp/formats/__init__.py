"""Read, write and recognise puzzle files. Each format has a module in `codecs`; `formats` lists them all."""

from nonocsp.formats.base import Format
from nonocsp.formats.naming import NamedPuzzle, load_named
from nonocsp.formats.registry import format_to_write, formats, load, load_all, save, write_for_program

__all__ = [
    "Format",
    "NamedPuzzle",
    "format_to_write",
    "formats",
    "load",
    "load_all",
    "load_named",
    "save",
    "write_for_program",
]
