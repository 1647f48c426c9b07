"""Make backends from specs, and describe them and their options.

A spec is a string: ``name`` or ``name:key=value,key=value``.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from importlib.metadata import EntryPoint, PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

from nonocsp.backends.base import Backend
from nonocsp.backends.installed import registered
from nonocsp.model import BackendError, UsageError, meant, unknown


@dataclass(frozen=True, slots=True)
class OptionHelp:
    """One option of a backend, for help texts: its type and default as they are written in a spec."""

    name: str
    type: str
    default: str
    help: str


@dataclass(frozen=True, slots=True)
class BackendInfo:
    """A registered backend, whether it can run or not.

    Parameters
    ----------
    backend
        The class; None if it could not be loaded.
    unavailable
        Why it cannot run and what to do; empty if it can.
    """

    name: str
    version: str
    backend: type[Backend] | None
    unavailable: str

    def options(self) -> list[OptionHelp]:
        """Describe the everyday options, in order."""
        return [] if self.backend is None else describe_options(self.backend.Options)


def names() -> list[str]:
    """Return the names of all registered backends, sorted."""
    return list(registered())


def complete_names() -> list[str]:
    """Return the names of the complete backends that can run here, sorted."""
    return [
        found.name
        for found in map(info, names())
        if found.backend and not found.unavailable and found.backend.capabilities.complete
    ]


def info(name: str) -> BackendInfo:
    """Describe one registered backend; never raises for one that is broken.

    Raises
    ------
    UsageError
        If no backend has this name, with the names there are.
    """
    entry = registered().get(name)
    if entry is None:
        raise unknown("backend", name, names())
    try:
        backend: type[Backend] = entry.load()
    except Exception as error:  # a third-party module may fail in any way, and must not take the others along
        return BackendInfo(name, _version(entry), None, f"{entry.value} cannot be loaded: {error}")
    missing = [module for module in backend.requires if find_spec(module) is None]
    reason = f"needs {', '.join(missing)}: pip install {_distribution(entry)} installs it" if missing else ""
    return BackendInfo(name, _version(entry), backend, reason)


def create(spec: str) -> Backend:
    """Return the backend that a spec such as ``"sat:solver=cadical195"`` describes.

    Raises
    ------
    UsageError
        For an unknown name, key or value, with what exists.
    BackendError
        If the backend is registered but cannot run here, with the reason.
    """
    name, _, text = spec.partition(":")
    found = info(name.strip())
    if found.backend is None or found.unavailable:
        raise BackendError(f"backend {found.name!r} is not available: {found.unavailable}")
    return found.backend(parse_options(found.name, found.backend.Options, _split(spec, text)))


def parse_options(name: str, options: type[Any], values: dict[str, str]) -> Any:
    """Return an instance of the dataclass `options` with the given values, validated by its annotations.

    Raises
    ------
    UsageError
        For an unknown key (listing the keys) or a value that does not fit (saying what would).
    """
    known = {help.name: help for help in describe_options(options, expert=True)} if values else {}
    for key in values:
        if key not in known:
            keys = ", ".join(known) or "none"
            raise UsageError(
                f"backend {name!r} has no option {key!r}{meant(key, known)}; its options: {keys}"
            )
    if not values:
        return options()
    from pydantic import TypeAdapter, ValidationError  # 50 ms, and only a spec with options needs it

    try:
        return TypeAdapter(options).validate_python(values)
    except ValidationError as error:
        key = str(error.errors()[0]["loc"][0])
        value, fits = values[key], known[key].type
        near = meant(value, fits.split("|"))
        raise UsageError(f"backend {name!r}: {key}={value} does not fit{near}; expected {fits}") from None


def describe_options(options: type[Any], *, expert: bool = False) -> list[OptionHelp]:
    """Describe the fields of an options dataclass from their ``Annotated[type, Doc(...)]`` hints.

    Parameters
    ----------
    options
        The dataclass.
    expert
        Also describe fields whose metadata has a true ``expert``: they are for experiments, and help leaves
        them out.
    """
    from typing import get_type_hints

    hints = get_type_hints(options, include_extras=True)
    return [
        OptionHelp(f.name, _type_text(hints[f.name]), _value_text(f.default), _doc(hints[f.name]))
        for f in dataclasses.fields(options)
        if expert or not f.metadata.get("expert")
    ]


def split_specs(text: str) -> list[str]:
    """Return the specs of a list such as ``sat:solver=cadical195,encoding=direct,probing``.

    A part of the form key=value belongs to the spec before it.
    """
    specs: list[str] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        continues = "=" in part and ":" not in part.partition("=")[0]
        if continues and specs:
            specs[-1] += f",{part}"
        else:
            specs.append(part)
    return specs


def canonical_spec(spec: str) -> str:
    """Return the spec with its options validated, sorted, and without those that are the default."""
    name = spec.partition(":")[0].strip()
    options = create(spec).options
    changed = [
        f"{f.name}={_value_text(getattr(options, f.name))}"
        for f in sorted(dataclasses.fields(options), key=lambda f: f.name)
        if getattr(options, f.name) != f.default
    ]
    return f"{name}:{','.join(changed)}" if changed else name


def _split(spec: str, text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            raise UsageError(f"backend spec {spec!r}: {part!r} is not of the form key=value")
        values[key.strip()] = value.strip()
    return values


def _distribution(entry: EntryPoint) -> str:
    """Return what brings a backend, as pip knows it."""
    return entry.dist.name if entry.dist is not None else entry.module.partition(".")[0]


def _version(entry: EntryPoint) -> str:
    try:
        return version(_distribution(entry))
    except PackageNotFoundError:
        return "unknown"


def _type_text(hint: Any) -> str:
    from typing import Literal, get_args, get_origin

    base = get_args(hint)[0] if hasattr(hint, "__metadata__") else hint
    if get_origin(base) is Literal:
        return "|".join(map(_value_text, get_args(base)))
    return "yes|no" if base is bool else getattr(base, "__name__", str(base)) + _bounds(hint)


def _bounds(hint: Any) -> str:
    """Return the bounds that `annotated_types` set, such as ``" >= 1"``."""
    signs = {"ge": ">=", "gt": ">", "le": "<=", "lt": "<"}
    return "".join(
        f" {sign} {bound}"
        for extra in getattr(hint, "__metadata__", ())
        for name, sign in signs.items()
        if (bound := getattr(extra, name, None)) is not None
    )


def _value_text(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _doc(hint: Any) -> str:
    from annotated_doc import Doc

    docs = (extra.documentation for extra in getattr(hint, "__metadata__", ()) if isinstance(extra, Doc))
    return next(docs, "")
