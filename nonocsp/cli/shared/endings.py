"""End a command with a message and an exit code, also after an error or Ctrl-C.

A bug still shows its traceback.
"""

from __future__ import annotations

import codecs
import errno
import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from nonocsp.cli.shared.console import printable

if TYPE_CHECKING:
    from nonocsp.engine import Leaver


class ExitCode(IntEnum):
    """With several puzzles, the highest code of all."""

    FINE = 0
    """Success."""
    NEGATIVE = 1
    """The finding is negative: not unique, no solution, stuck; or backends disagree, or one of them broke."""
    USAGE = 2
    """Wrong usage or bad input; also a puzzle that the backend cannot take."""
    LIMIT = 3
    """A run hit a limit."""
    INTERRUPTED = 130
    """Ctrl-C."""
    BROKEN_PIPE = 141
    """The reader of the output stopped reading. Shells report this code."""


_ADVICE = {
    errno.EACCES: "choose another place, or ask for the right to write there",
    errno.EROFS: "choose another place",
    errno.ENOSPC: "free some space, or choose another place",
    errno.EDQUOT: "free some space, or choose another place",
}
_PLAIN = {"–": "-", "…": "...", "→": "->", "×": "x", "−": "-", "·": "|"}
_WORDINGS = {
    r"^invalid value: ": "",
    r"a valid int(eger)?( range)?$": "a whole number",
    r"a valid float( range)?$": "a number",
    r"is not in the range x>=(\S+)$": r"is below \1",
    r"is not in the range (\S+)<=x<=(\S+)$": r"is not between \1 and \2",
    r"\(Possible options: (.*)\)$": r"(did you mean \1?)",
    r"\. Choose from:\s+": "; choose from ",
    r",\n\s+": ", ",
}
"""Patterns in typer's messages, and what our messages say instead."""
_SYNONYMS = {
    **dict.fromkeys(("--rows", "--columns", "--width", "--height"), "--size"),
    **dict.fromkeys(("--wall", "--timeout", "--time-limit"), "--limit"),
}
"""Options that people try, and what the commands call them."""
OF_COMMAND_LINE: Any = typer.BadParameter.__base__
"""The base class of typer's own errors."""
GRACE_MS = 30
"""Milliseconds that Python has, after Ctrl-C, to end a command by itself."""
_SHOW_CURSOR = "\r\x1b[2K\x1b[?25h"
"""What clears a line of progress on a terminal."""
_leavers: list[Leaver] = []
"""What ends the process, while `left_at_once` lasts."""
_OF_A_STREAM = {*_ADVICE, errno.EBADF, errno.EIO, errno.EFBIG}
"""Errors of writing that are no bug even if they name no file."""
_NO_TEMPORARY = "No usable temporary directory"
"""What Python says if it can write temporary files nowhere."""


def usage_error(message: str) -> Exception:
    """Return the error for a request that makes no sense."""
    from nonocsp.model import UsageError

    return UsageError(message)


def provide_streams() -> None:
    """Open standard streams that the shell closed, and print something for every character."""

    def plainly(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        missing = error.object[error.start : error.end]
        return "".join(_PLAIN.get(char, "?") for char in missing), error.end

    codecs.register_error("plainly", plainly)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115  (to the end of the process)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="plainly")  # type: ignore[union-attr]  # they are no other kind here


@contextmanager
def told() -> Iterator[None]:
    """Turn warnings into notes on standard error, expected errors into a message and an exit code."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_note  # type: ignore[assignment]  # it never gets a file
            yield
        sys.stdout.flush()  # so that a closed pipe or a full disk is noticed here
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)  # takes what is still buffered
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        raise typer.Exit(ExitCode.BROKEN_PIPE) from None
    except Exception as error:
        message = ""
        if isinstance(error, OSError) and (error.filename or error.errno in _OF_A_STREAM):
            message = _of_system(error)
        elif isinstance(error, FileNotFoundError) and _NO_TEMPORARY in str(error):
            message = f"{error.strerror}; free some space, or set TMPDIR to another folder"
        elif isinstance(error, OF_COMMAND_LINE) and type(error).__name__ != "NoArgsIsHelpError":
            message = _of_command_line(error)
        elif model := sys.modules.get("nonocsp.model"):  # not imported: cannot have raised, and loads slowly
            message = str(error) if isinstance(error, model.NonocspError) else ""
            if getattr(error, "draft", None) and "\n" not in message:
                message += "; nonocsp mend looks for the clue that is wrong"
        if not message:
            raise
        lines = map(printable, message.split("\n"))  # it may quote what stands in a file
        typer.echo("error: " + "\n".join(lines), err=True)
        raise typer.Exit(ExitCode.USAGE) from None


@contextmanager
def writing_to(place: Path) -> Iterator[None]:
    """Have errors of writing that name no file, as those of an open one, name this file or folder."""
    try:
        yield
    except OSError as error:
        if error.errno in _OF_A_STREAM:
            error.filename = error.filename or str(place)
        raise


@contextmanager
def left_at_once() -> Iterator[None]:
    """Let Ctrl-C end the process within `GRACE_MS`, also while a library holds the interpreter's lock.

    Such are python-sat when it takes clauses or frees a solver, and CP-SAT when it copies a model. Only one
    command of a process does this, in its main thread; anywhere else, it changes nothing.
    """
    if _leavers or threading.current_thread() is not threading.main_thread():
        yield
        return
    from nonocsp.engine import Leaver

    leaver = Leaver(GRACE_MS, ExitCode.INTERRUPTED)
    _leavers.append(leaver)
    last_words()
    os.set_blocking(leaver.descriptor, False)
    before = signal.set_wakeup_fd(leaver.descriptor, warn_on_full_buffer=False)
    try:
        yield
    except KeyboardInterrupt:
        raise  # and the process still ends in time if this thread does not get there
    except BaseException:
        _disarm(before)
        raise
    _disarm(before)


def last_words(text: Callable[[], str] = str) -> None:
    """Set what a process says that `left_at_once` ends: a line, or nothing; then that it was interrupted."""
    for leaver in _leavers:
        line = f"{said}\n" if (said := text()) else ""
        words = f"{_SHOW_CURSOR if sys.stderr.isatty() else ''}{line}interrupted\n"
        leaver.say(words.encode(errors="replace"))


def _show_note(message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any) -> None:
    """Print a warning: as a note if nonocsp itself gives it, else as Python does."""
    model = sys.modules.get("nonocsp.model")
    if model and issubclass(category, (model.FormatWarning, model.WorkerWarning)):
        typer.echo(f"note: {printable(str(message))}", err=True)
    else:
        sys.stderr.write(warnings.formatwarning(message, category, filename, lineno))


def _disarm(before: int) -> None:
    signal.set_wakeup_fd(before)
    _leavers.pop().end()


def leave(code: int) -> NoReturn:
    """End the process at once: unloading takes 20 ms, and after Ctrl-C a search in a thread may still run."""
    try:
        sys.stdout.flush()
    except KeyboardInterrupt:  # the reader was slow to take the end
        typer.echo("interrupted", err=True)
        code = ExitCode.INTERRUPTED
    except BrokenPipeError:
        code = code or ExitCode.BROKEN_PIPE
    except OSError as error:  # if there was another error before, it is told already
        if not code:
            typer.echo(f"error: {_of_system(error)}", err=True)
        code = code or ExitCode.USAGE
    sys.stderr.flush()
    os._exit(code)


def _of_command_line(error: Any) -> str:
    """Return what typer says of a wrong command line, and where the right ones are listed."""
    message = error.format_message().rstrip(".")
    message = message[:1].lower() + message[1:]
    for pattern, replacement in _WORDINGS.items():
        message = re.sub(pattern, replacement, message)
    tried = getattr(error, "option_name", "")
    if tried in _SYNONYMS and any(_SYNONYMS[tried] in part.opts for part in error.ctx.command.params):
        message = f"no such option: {tried} (did you mean {_SYNONYMS[tried]}?)"
    command = error.ctx.command_path if error.ctx else "nonocsp"
    return message if f"{command} --help" in message else f"{message}; see {command} --help"


def _of_system(error: OSError) -> str:
    """Return what went wrong with which file, and what to do about it."""
    name = error.filename or "cannot write"
    if error.errno == errno.ENOENT and not (folder := Path(os.fsdecode(name)).parent).is_dir():
        return f"{name} cannot be written: there is no folder {folder}; make it first"
    advice = _ADVICE.get(error.errno or 0)
    return f"{name}: {error.strerror}{f'; {advice}' if advice else ''}"
