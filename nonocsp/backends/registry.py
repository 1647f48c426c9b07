"""Make backends from specs, and describe them and their options.

A spec is a string: ``name`` or ``name:key=value,key=value``; or a program that somebody declares
(`nonocsp.backends.command`): the path of a YAML file, or the declaration itself as a JSON object.
"""

from __future__ import annotations

import dataclasses
import shutil
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from annotated_doc import Doc

from nonocsp.backends import DEFAULT
from nonocsp.backends.base import Backend, Capabilities
from nonocsp.backends.installed import DECLARED, declared_file, registered
from nonocsp.model import BackendError, NonocspError, UsageError, meant, unknown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from pydantic import TypeAdapter

    from nonocsp.backends.command.declaration import Declaration

_ATTRIBUTES = "Options", "summary", "paper", "capabilities", "requires", "search"
"""What the class of a backend must have."""
_REDIRECTING = RLock()
"""Standard output belongs to the whole process: two threads that redirect it at once may not restore it."""
_REASON_CHARS = 500


class OptionHelp(NamedTuple):
    """One option of a backend, for help texts: its type and default as they are written in a spec."""

    name: str
    type: str
    default: str
    help: str


@dataclass(frozen=True, slots=True)
class BackendInfo:
    """A registered backend, whether it can run or not."""

    name: str
    backend: type[Backend] | None  # the class; None if it could not be loaded
    unavailable: str  # why it cannot run and what to do; empty if it can

    @property
    def version(self) -> str:
        """The version of the package that brings it, read when asked for: it takes half a millisecond."""
        entry = registered().get(self.name)
        return entry.dist.version if entry and entry.dist else "unknown"

    @property
    def extra(self) -> str:
        """The extra of its package that installs what it needs; empty if the package itself does."""
        return getattr(self.backend, "extra", "")

    @property
    def missing_choices(self) -> dict[str, str]:
        """Why choices of its options, such as ``solver=z3``, cannot be made here; only those that cannot."""
        try:
            choices: dict[str, str] = getattr(self.backend, "missing_choices", dict)()
        except (Exception, SystemExit) as error:
            return {"its choices": f"missing_choices() failed: {_reason(error)}"}
        return {} if self.unavailable else {choice: reason for choice, reason in choices.items() if reason}

    def options(self) -> list[OptionHelp]:
        """Describe the everyday options, in order."""
        return [] if self.backend is None else describe_options(self.backend.Options)


def names() -> list[str]:
    """Return the names of all registered backends, sorted."""
    return list(registered())


def complete_names() -> list[str]:
    """Return the names of the complete backends that can run here and need no extra, sorted."""
    return [
        found.name
        for found in map(info, names())
        if found.backend and not found.unavailable and not found.extra and found.backend.capabilities.complete
    ]


def names_without_extra() -> list[str]:
    """Return the names of the backends that need no extra, sorted: the same on every machine."""
    return [name for name in names() if not info(name).extra]


def info(name: str) -> BackendInfo:
    """Describe a registered backend or a declared program, broken or not; UsageError for an unknown name."""
    if is_declared(name):
        return _info_of_program(declaration_of(name))
    entry = registered().get(name)
    if entry is None:
        raise unknown("backend", name, names())
    try:
        if (file := declared_file(entry)) is not None:
            return replace(_info_of_program(declaration_of(str(file))), name=name)
        return _info_of(entry)
    except (Exception, SystemExit) as error:  # a plug-in may fail in any way, and must not take others along
        return BackendInfo(name, None, f"{entry.value} cannot be loaded: {_reason(error)}")


def _info_of(entry: EntryPoint) -> BackendInfo:
    """Import and describe a backend, or raise; what a plug-in prints meanwhile is no output of ours."""
    name = entry.name
    with _REDIRECTING, redirect_stdout(sys.stderr):
        backend: type[Backend] = entry.load()
    if lacking := [each for each in _ATTRIBUTES if not hasattr(backend, each)]:
        raise TypeError(f"it is no backend, because it lacks {', '.join(lacking)}")
    if not isinstance(backend.capabilities, Capabilities):
        raise TypeError(f"its capabilities are a {type(backend.capabilities).__name__}, not Capabilities")
    if not entry.module.startswith("nonocsp."):
        describe_options(backend.Options)  # or an error: they are no dataclass, or a hint has no meaning
    if missing := [module for module in backend.requires if find_spec(module) is None]:
        package = entry.dist.name if entry.dist else entry.module.partition(".")[0]
        extra = getattr(backend, "extra", "")
        wanted = f"'{package}[{extra}]'" if extra else package
        reason = f"needs {', '.join(missing)}: pip install {wanted} installs it"
        return BackendInfo(name, backend, reason)
    for program, how in getattr(backend, "programs", {}).items():
        if shutil.which(program) is None:
            return BackendInfo(name, backend, f"needs the program {program}: {how}")
    return BackendInfo(name, backend, "")


def _reason(error: BaseException) -> str:
    said = " ".join("".join(char if char.isprintable() else " " for char in str(error)).split())
    name = type(error).__name__  # a MemoryError says nothing else
    return f"{name} {said}".strip() if isinstance(error, SystemExit) else said[:_REASON_CHARS] or name


def is_declared(spec: str) -> bool:
    """Return whether a spec declares a program: a JSON object, or a path that ends in ``.yaml``."""
    return spec.lstrip().startswith("{") or spec.rstrip().endswith(DECLARED)


def is_program(spec: str) -> bool:
    """Return whether a backend is a program, which is always run in a process that can be ended."""
    return _declaring(spec) is not None


def name_of(spec: str) -> str:
    """Return the name of a backend: a spec without its options, or the name that a program declares."""
    return declaration_of(spec).name if is_declared(spec) else spec.partition(":")[0].strip()


def label(spec: str) -> str:
    """Return what a backend is called if nobody names it: its spec, or the name that a program declares."""
    return name_of(spec) if is_declared(spec) else spec


def without_options(spec: str) -> str:
    """Return a spec without its options, for people; of a declared program, only that it is one."""
    return "a program" if is_declared(spec) else spec.partition(":")[0]


def portable(spec: str) -> str:
    """Return a spec that means the same in other folders: of a program, its whole declaration."""
    return declaration_of(spec).canonical if is_declared(spec) else spec


def declaration_of(spec: str) -> Declaration:
    """Return the declaration of a program, from JSON or a file; UsageError or FormatError if it is none."""
    from nonocsp.backends.command.declaration import declaration_of

    return declaration_of(spec)


def program(spec: str) -> Declaration:
    """Return the declaration of a program, which may be installed by its name; UsageError if it is none."""
    if (declaring := _declaring(spec)) is None:
        raise UsageError(f"{spec!r} is not a program")
    return declaration_of(declaring)


def _declaring(spec: str) -> str | None:
    """Return the spec, or the installed file, that declares a program; None for any other backend."""
    if is_declared(spec):
        return spec
    if spec == DEFAULT:
        return None
    entry = registered().get(name_of(spec))
    file = entry and declared_file(entry)
    return str(file) if file else None


def _info_of_program(declaration: Declaration) -> BackendInfo:
    from nonocsp.backends.command.backend import class_of

    return BackendInfo(declaration.name, class_of(declaration), declaration.problem)


def create(spec: str) -> Backend:
    """Return the backend of a spec such as ``"sat:solver=cadical195"``; errors say what exists."""
    if spec == DEFAULT:  # without a look at all that is installed, which takes longer than easy puzzles
        default: type[Backend] = import_module(f"nonocsp.backends.{DEFAULT}").Hybrid
        return default(default.Options())
    name, text = (spec, "") if is_declared(spec) else _parts(spec)
    entry = registered().get(name)
    is_code = entry and declared_file(entry) is None
    backend, options = _looked_up(entry, text) if entry and is_code else _look_up(name, text)
    try:
        return backend(options)
    except NonocspError:
        raise
    except (Exception, SystemExit) as error:
        raise BackendError(f"backend {name!r} cannot be made: {_reason(error)}") from error


def _parts(spec: str) -> tuple[str, str]:
    """Return the name and the options of a spec."""
    name, _, text = spec.partition(":")
    return name.strip(), text


def _look_up(name: str, text: str) -> tuple[type[Backend], Any]:
    """Return the class of a backend, and the options that a text sets."""
    found = info(name)
    if found.backend is None or found.unavailable:
        raise BackendError(f"backend {found.name!r} is not available: {found.unavailable}")
    values: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            raise UsageError(f"backend spec '{name}:{text}': {part!r} is not of the form key=value")
        values[option_name(key)] = value.strip()
    return found.backend, parse_options(found.name, found.backend.Options, values)


@lru_cache(maxsize=64)
def _looked_up(entry: EntryPoint, text: str) -> tuple[type[Backend], Any]:
    """Return the same, found once for code: looking modules up takes 30 µs. Programs may change."""
    return _look_up(entry.name, text)


def option_name(key: str) -> str:
    """Return the name of an option that a spec writes with ``_`` or, as the commands do, with ``-``."""
    return key.strip().replace("-", "_")


def parse_options(name: str, options: type[Any], values: dict[str, str]) -> Any:
    """Return the `options` that texts set; UsageError names the keys there are, or what value would fit."""
    if not values:
        return options()
    known = {help.name: help for help in describe_options(options, expert=True)}
    for key in values:
        if key not in known:
            keys = ", ".join(known) or "none"
            raise UsageError(
                f"backend {name!r} has no option {key!r}{meant(key, known)}; its options: {keys}"
            )
    from pydantic import ValidationError  # 50 ms, and only a spec with options needs it

    try:
        return _adapter(options).validate_python(values)  # type: ignore[arg-type]
    except ValidationError as error:
        key = str(error.errors()[0]["loc"][0])
        value, fits = values[key], known[key].type
        near = meant(value, fits.split("|"))
        raise UsageError(f"backend {name!r}: {key}={value} does not fit{near}; expected {fits}") from None


@cache
def _adapter(options: type[Any]) -> TypeAdapter[Any]:
    """Return what checks the options of a backend; making it takes two milliseconds."""
    from pydantic import TypeAdapter

    return TypeAdapter(options)


def describe_options(options: type[Any], *, expert: bool = False) -> list[OptionHelp]:
    """Describe the fields of an options dataclass from their hints; help leaves out ``expert`` ones."""
    hints = get_type_hints(options, include_extras=True)
    described = []
    for field in dataclasses.fields(options):
        if field.metadata.get("expert") and not expert:
            continue
        hint = hints[field.name]
        notes = getattr(hint, "__metadata__", ())
        help = next((note.documentation for note in notes if isinstance(note, Doc)), "")
        described.append(OptionHelp(field.name, _type_text(hint, notes), option_text(field.default), help))
    return described


def split_specs(text: str) -> list[str]:
    """Return the specs of a list; a part of the form key=value belongs to the spec before it."""
    if text.lstrip().startswith("{"):
        return [text]
    specs: list[str] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        continues = "=" in part and ":" not in part.partition("=")[0]
        if continues and specs:
            specs[-1] += f",{part}"
        else:
            specs.append(part)
    return specs


def canonical_spec(spec: str) -> str:
    """Return the spec with its options validated and sorted, without defaults; of a program, as JSON."""
    if is_declared(spec):
        create(spec)  # or an error: the program is not there
        return portable(spec)
    return spec_of(name_of(spec), create(spec).options)


def spec_of(name: str, options: Any) -> str:
    """Return the spec of a backend with an instance of its `Options`, without those that are the default."""
    changed = [
        f"{f.name}={option_text(getattr(options, f.name))}"
        for f in sorted(dataclasses.fields(options), key=lambda f: f.name)
        if getattr(options, f.name) != f.default
    ]
    return f"{name}:{','.join(changed)}" if changed else name


def _type_text(hint: Any, notes: tuple[object, ...]) -> str:
    """Return a type as help shows it, with its bounds: ``a|b``, ``yes|no`` or ``int >= 1``."""
    base = get_args(hint)[0] if notes else hint
    if get_origin(base) is Literal:
        return "|".join(map(option_text, get_args(base)))
    if base is bool:
        return "yes|no"
    signs = {"ge": ">=", "gt": ">", "le": "<=", "lt": "<"}
    bounds = [
        f" {sign} {bound}"
        for note in notes
        for name, sign in signs.items()
        if (bound := getattr(note, name, None)) is not None
    ]
    return getattr(base, "__name__", str(base)) + "".join(bounds)


def option_text(value: object) -> str:
    """Return the value of an option as a spec writes it."""
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
