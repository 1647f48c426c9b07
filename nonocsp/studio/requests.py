"""What the page may ask for: one frozen model a call. Unknown keys and values out of range are refused."""

from __future__ import annotations

import binascii
import json
from base64 import b64decode
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from nonocsp.faults import first_fault
from nonocsp.model import UsageError, bounds
from nonocsp.studio.worker import MOST_PUZZLES

PICTURE_S = 60.0
"""Seconds that the puzzles of a picture may take, all together."""

MOST_KEYS = 1000
"""Of one object of JSON."""

PuzzleJson = dict[str, Any]
"""In the project's JSON; checked where it is decoded."""


def _base64(text: str) -> str:
    try:
        b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("expected base64") from None
    return text


Content = Annotated[str, AfterValidator(_base64)]
Name = Annotated[str, Field(min_length=1, max_length=400)]
Text = Annotated[str, Field(max_length=400)]
Choice = Annotated[str, Field(max_length=40)]


class Call(BaseModel):
    """A call of the API."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Nothing(Call):
    """A call without arguments."""


class Read(Call):
    """Read a file that the browser sends."""

    name: Name
    content: Content


class Open(Call):
    """Read a file of the folder."""

    name: Name


class Write(Call):
    """Return a puzzle as a file."""

    format: Choice
    puzzle: PuzzleJson


class Save(Call):
    """Save a puzzle in the folder."""

    name: Name
    format: Choice = ""
    puzzle: PuzzleJson
    replace: bool = False


class Book(Call):
    """Return a PDF."""

    puzzles: Annotated[list[PuzzleJson], Field(min_length=1, max_length=MOST_PUZZLES)]
    title: Text = ""
    paper: Literal["a4", "letter"] = "a4"
    per_page: Annotated[int, Field(ge=1, le=24)] = 4
    is_book: bool = False
    is_solved: bool = False
    is_graded: bool = True
    has_patterns: bool = False


Side = Annotated[int, Field(ge=1, le=400)] | None


class PictureOptions(Call):
    """Options of `nonocsp.generate`, as documented there."""

    rows: Side = None
    columns: Side = None
    count: Annotated[int, Field(ge=1, le=12)] = 1
    difficulty: Choice | None = None
    class_: Annotated[Choice | None, Field(alias="class")] = None
    max_changes: Annotated[int, Field(ge=0)] | None = None
    threshold: Choice | None = None
    black: Annotated[float, Field(gt=0, lt=1)] | None = None
    edges: Choice = "none"
    edge_filter: Choice = "canny"
    dither: Choice = "none"
    cut: bool = False
    colours: Annotated[int, Field(ge=0, le=60)] | None = None
    palette: Annotated[list[Choice], Field(min_length=2, max_length=61)] | None = None
    fill_empty: bool = False
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    time: Annotated[float, Field(gt=0, le=PICTURE_S)] = 20.0

    def options(self) -> dict[str, Any]:
        """Return the arguments for `nonocsp.generate`."""
        given = self.model_dump(exclude={"rows", "columns"}, exclude_unset=True) | {"time": self.time}
        return given | {"size": (self.rows, self.columns) if self.rows or self.columns else None}


class Picture(Call):
    """Make puzzles of a picture that the browser sends."""

    name: Name
    content: Content
    options: PictureOptions = PictureOptions()


AnyCall = TypeVar("AnyCall", bound=Call)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(pairs) > MOST_KEYS:
        raise UsageError(f"an object with {len(pairs)} keys; expected at most {MOST_KEYS}")
    return dict(pairs)


def parsed(model: type[AnyCall], body: bytes) -> AnyCall:
    """Return the call in a body of JSON, empty for no arguments; UsageError names the key at fault."""
    if bounds.has_too_many_marks(body):
        raise UsageError("too much JSON at once")
    try:
        value = json.loads(body or b"{}", object_pairs_hook=_object)
    except (ValueError, RecursionError):
        raise UsageError("the request is no valid JSON") from None
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise UsageError(first_fault(error, "request")) from None
