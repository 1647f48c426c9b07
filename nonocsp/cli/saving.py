"""Results of `nonocsp solve` in a file, whose suffix decides what it holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nonocsp.cli.solve_result import Result
from nonocsp.model import UsageError


def _text(result: Result) -> bytes:
    return f"{result.text()}\n\n".encode()


def _json_line(result: Result) -> bytes:
    return f"{json.dumps(result.record())}\n".encode()


def _svg(result: Result) -> bytes:
    from nonocsp.render.svg import to_svg

    return to_svg(result.source.puzzle, result.best_grid()).encode()


def _png(result: Result) -> bytes:
    from nonocsp.render.png import to_png

    return to_png(result.source.puzzle, result.best_grid())


_ENCODERS = {".txt": _text, ".json": _json_line, ".svg": _svg, ".png": _png}
_PICTURES = (_svg, _png)


@contextmanager
def saving(path: Path, inputs: Iterable[str]) -> Iterator[Callable[[Result], None]]:
    """Provide the function that writes a result to the file at `path`, at once; without results, no file.

    Raises
    ------
    UsageError
        For a suffix without a meaning, a path that is one of the `inputs`, or a second picture: a file holds
        one.
    """
    encode = _ENCODERS.get(path.suffix.lower())
    if encode is None:
        raise UsageError(f"{path}: the suffix of --output says what to write: {', '.join(_ENCODERS)}")
    if path.exists() and any(Path(file).exists() and path.samefile(file) for file in inputs):
        raise UsageError(f"{path} is read; --output would replace it")
    with path.open("wb") as file:

        def write(result: Result) -> None:
            if file.tell() and encode in _PICTURES:
                raise UsageError(f"{path} holds one picture; choose one puzzle with --index")
            file.write(encode(result))
            file.flush()

        try:
            yield write
        finally:
            if not file.tell():
                path.unlink()
