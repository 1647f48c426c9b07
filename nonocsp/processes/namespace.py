"""Run a command as the first process of namespaces of its own, where nothing reaches anything outside.

Inside, other processes do not exist: they cannot be seen, signalled or traced. ``/proc`` shows the command
and what descends from it. ``/dev/shm``, message queues and System V memory are empty at first and gone at the
end. The kernel ignores signals from inside to the command, and when that ends, kills all that is left.
No file can be written, and none made, but in the folder for temporary files (``TMPDIR``) and in those behind
`WRITABLE`. The network has no machine but this one, and no program on it but those inside, unless `NETWORK`
is given. The sockets of other programs, for instance of systemd, are hidden: such a program could start
others outside. No user namespaces can be made. So a backend can neither harm its server, nor outlive it, nor
change what another has done.

``python -I -S namespace.py COMMAND…`` makes the namespaces, starts the command in them, waits, and ends as
the command ended. With `FOR_SERVER` before it, the command may write files of control groups, and make
further namespaces inside (`fork_first`): each host of a server is alone in its own. Without a command it only
says by its exit code whether the system allows all that. Linux does for root, and for other users where it
lets them have user namespaces; many containers, and Ubuntu since 24.04, do not. Before 5.12, Linux cannot
protect all files at once; there, only the system's settings are. Run as a file that imports as little as
possible: it costs some 10 ms.

Source: Linux, ``namespaces(7)``, ``pid_namespaces(7)``, ``user_namespaces(7)``, ``mount_setattr(2)``,
``capabilities(7)``, ``seccomp(2)``. What is hidden is what BenchExec hides in its containers.
"""

from __future__ import annotations

import ctypes
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

FOR_SERVER, NETWORK, WRITABLE = "--for-server", "--network", "--writable="
"""Options before the command; the last one ends with the path of a folder, and may be repeated."""
_FOLDERS = ("/dev/shm", "/dev/mqueue")
SHARED = ("/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sysvipc/msg", *_FOLDERS)
"""What shows all that processes of namespaces share: lists of System V's objects, and folders. Some systems
have no folder of message queues."""

_NEW_MOUNTS, _NEW_IPC, _NEW_USER, _NEW_PIDS = 0x00020000, 0x08000000, 0x10000000, 0x20000000
_NEW_NETWORK = 0x40000000
_READ_ONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT = 1, 2, 4, 8, 1 << 5
_BIND, _RECURSIVE, _PRIVATE = 1 << 12, 1 << 14, 1 << 18
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_READ, _PR_CAPBSET_DROP = 1, 4, 23, 24
_SIGKILL, _NOT_FOUND = 9, 127
_ORDINARY = frozenset({0, 1, 3, 4, 5, 6, 7})
"""Root's rights to open and give away all files, and to signal and become other users. Without 2, which also
lets it open files by numbers: any file of a file system of which it may write one folder."""
_SERVERS = _ORDINARY | {8, 12, 19, 21}
"""Also the rights to give up rights, to set up networks, to trace processes, and to make namespaces."""
_SETTINGS = (
    *("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"),
    *("/proc/acpi", "/proc/scsi"),
)
"""What in ``/proc`` is no data of a process, and writable for root in some systems."""
_CAPABILITIES_VERSION = 0x20080522
_MOUNT_SETATTR, _HERE, _AND_BELOW, _NO_WRITING, _NO_DEVICES = 442, -100, 0x8000, 1, 4
_RUN, _MEDIA = "/run", "/run/media"
"""Where Linux keeps the sockets of its services, and where some systems mount the disks of users."""
_DEVICES, _TERMINALS = "/dev", "/dev/pts"
_HARMLESS = ("null", "zero", "full", "random", "urandom", "tty")
_COMPUTING = ("nvidia", "dri", "kfd", "accel")
"""Devices that stay: those of every system, and the beginnings of those that compute."""
_RESOLVER = "/etc/resolv.conf"
"""Says who knows the addresses of other machines; many systems have it below `_RUN`."""
_KINDS_OF_FILES, _SOCKET = 0o170000, 0o140000
_SET_FLAGS, _UP, _INTERNET, _DATAGRAMS = 0x8914, 1, 2, 2
_CALLS = {  # of x86_64 (also x32, which adds a bit), of i386, whose programs run there, of aarch64, of arm
    0xC000003E: ((56, 272), (248, 249, 250), (72,), (41,)),
    0x40000003: ((120, 310), (286, 287, 288), (55, 221), (359,)),
    0xC00000B7: ((220, 97), (217, 218, 219), (25,), (198,)),
    0x40000028: ((120, 337), (309, 310, 311), (55, 221), (281,)),
}
"""The numbers of ``clone`` and ``unshare``, of those for keys, of ``fcntl`` and of ``socket``, in each
architecture, by what Linux calls it in filters."""
_CLONE3, _NOT_X32 = 435, ~(1 << 30) & 0xFFFFFFFF
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SET_FILTER, _SPEC_ALLOW = 1, 4  # the latter, or some versions of Linux would slow the process down
_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_AT_NUMBER, _AT_ARCHITECTURE, _AT_FIRST, _AT_SECOND = 0, 4, 16, 24
_SET_LEASE, _TO_HOST = 1024, 40
_REFUSED = (
    (_AT_FIRST, _IF_ANY, _NEW_USER),
    (_AT_FIRST, _IF_AT_LEAST, 0),  # always
    (_AT_SECOND, _IF_EQUAL, _SET_LEASE),
    (_AT_FIRST, _IF_EQUAL, _TO_HOST),
)
"""For each kind of calls, when it is refused: which argument, what it is, compared with what."""
_ALLOW, _FAIL, _EPERM, _ENOSYS = 0x7FFF0000, 0x00050000, 1, 38


def main(arguments: Sequence[str]) -> NoReturn:
    """Run the command in namespaces, and end as it ended.

    Parameters
    ----------
    arguments
        Options and the command.
    """
    count = next((n for n, word in enumerate(arguments) if not word.startswith("--")), len(arguments))
    options, command = arguments[:count], arguments[count:]
    libc = ctypes.CDLL(None, use_errno=True)
    sockets = _sockets()
    _unshare(libc, has_network=NETWORK in options)
    from_parent, parent = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(parent)
        _start(libc, from_parent, options, sockets, command)
    libc.prctl(_PR_SET_DUMPABLE, 0)  # it may end with the signal of a crash, but a core of it helps nobody
    for descriptor in (0, 1, from_parent):  # or the other end would wait for this process, too
        os.close(descriptor)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


def fork_first(act: Callable[[], NoReturn], *, has_network: bool = False) -> tuple[int, list[int]]:
    """Fork the first process of new namespaces; whoever adopts orphans of this process gets it as a child.

    It sees no process outside, keeps only ordinary rights, and when it ends, the kernel kills all that
    descends from it. Only a process that was started `FOR_SERVER` may do this.

    Parameters
    ----------
    act
        What the process does; it does not return.
    has_network
        Whether it keeps the network of this process.

    Returns
    -------
    tuple[int, list[int]]
        Its number here, and descriptors of the files `SHARED` of the namespaces, which nobody else can open
        from outside.
    """
    import socket  # which takes 3 ms, and is needed only here

    libc = ctypes.CDLL(None, use_errno=True)
    mine, theirs = socket.socketpair()
    with mine:
        with theirs:
            between = os.fork()
            if between == 0:  # enters no PID namespace, so it knows the first one by its number here
                try:
                    libc.prctl(_PR_SET_DUMPABLE, 1)  # or only root could map users
                    _unshare(libc, has_network=has_network)
                    _mount_shared(libc)
                    files = [os.open(path, os.O_RDONLY) for path in SHARED if os.path.exists(path)]  # noqa: PTH110
                    first = os.fork()
                    if first == 0:
                        _be_first(libc, act)
                    socket.send_fds(theirs, [b"%d" % first], files)
                finally:  # also of the first one, if something fails there
                    os._exit(1)
        os.waitpid(between, 0)
        number, files, _, _ = socket.recv_fds(mine, 16, len(SHARED))
    return int(number), files


def _be_first(libc: ctypes.CDLL, act: Callable[[], NoReturn]) -> NoReturn:
    libc.prctl(_PR_SET_DUMPABLE, 0)  # nobody can trace it
    _mount(libc, b"proc", "/proc")
    _protect_system(libc, has_groups=False)
    refuse_calls()
    give_up_rights()
    act()


def give_up_rights(kept: frozenset[int] = _ORDINARY) -> None:
    """Keep only some of root's rights, in this process and in all that descend from it.

    Parameters
    ----------
    kept
        Numbers of capabilities.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in range(64):
        if capability not in kept and libc.prctl(_PR_CAPBSET_READ, capability) == 1:
            libc.prctl(_PR_CAPBSET_DROP, capability)
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable: those below 32, then the others
    _check(libc.capget(header, sets))
    for place in range(6):
        low = 32 * (place // 3)
        sets[place] &= sum(1 << capability - low for capability in kept if low <= capability < low + 32)
    _check(libc.capset(header, sets))


def refuse_calls() -> bool:
    """Refuse this process, and all that descend from it, some calls to Linux; return whether that works.

    No user namespaces: in one of its own, a process has all rights. It could mount a file system that it
    serves itself (FUSE), and then wait there for itself: no signal would end it. No keys, which outlive all
    processes and are for all of a user's. No leases on files, with which it would hold up whoever opens them
    outside. No sockets to the host of a virtual machine, which no namespace keeps apart.

    A filter finds what is wanted in the numbers that a call gets. It cannot read those of ``clone3``, which
    therefore fails as if there were none; libraries then use ``clone``. Linux takes filters only from a
    process that makes namespaces or that gains no rights from programs (``PR_SET_NO_NEW_PRIVS``).
    """
    program = [  # what to do, how many lines to skip if so and if not, operand
        (_LOAD, 0, 0, _AT_NUMBER),
        (_AND, 0, 0, _NOT_X32),
        (_IF_EQUAL, 0, 1, _CLONE3),
        (_RETURN, 0, 0, _FAIL | _ENOSYS),
    ]
    for architecture, calls in _CALLS.items():
        lines = [line for rule in zip(calls, _REFUSED, strict=True) for line in _refusal(*rule)]
        program += [(_LOAD, 0, 0, _AT_ARCHITECTURE), (_IF_EQUAL, 0, len(lines), architecture), *lines]
    program.append((_RETURN, 0, 0, _ALLOW))
    codes = (ctypes.c_uint64 * len(program))(*(a | b << 16 | c << 24 | d << 32 for a, b, c, d in program))
    filter_ = (ctypes.c_uint64 * 2)(len(program), ctypes.addressof(codes))
    number = _SECCOMP.get(os.uname().machine, -1)
    return bool(ctypes.CDLL(None).syscall(number, _SET_FILTER, _SPEC_ALLOW, filter_) == 0)


def _refusal(numbers: Sequence[int], rule: tuple[int, int, int]) -> list[tuple[int, int, int, int]]:
    """Return the lines of a filter that refuse some calls if an argument is as a rule says."""
    place, test, operand = rule
    last = len(numbers) - 1
    return [
        (_LOAD, 0, 0, _AT_NUMBER),
        (_AND, 0, 0, _NOT_X32),
        *((_IF_EQUAL, last - at, 0 if at < last else 3, number) for at, number in enumerate(numbers)),
        (_LOAD, 0, 0, place),
        (test, 0, 1, operand),
        (_RETURN, 0, 0, _FAIL | _EPERM),
    ]


def _sockets() -> list[str]:
    """Return the paths of the sockets of programs."""
    with open("/proc/net/unix", "rb") as file:  # noqa: PTH123  (pathlib takes 5 ms to import)
        lines = [line.rstrip(b"\n").split(None, 7) for line in file]
    paths = [os.fsdecode(line[-1]) for line in lines if len(line) == 8]
    return [path for path in paths if path.startswith("/")]


def _unshare(libc: ctypes.CDLL, *, has_network: bool) -> None:
    """Have the children of this process in new namespaces, if necessary with a user namespace."""
    user, group = os.geteuid(), os.getegid()
    wanted = _NEW_PIDS | _NEW_MOUNTS | _NEW_IPC | (0 if has_network else _NEW_NETWORK)
    if libc.unshare(wanted) != 0:
        _check(libc.unshare(wanted | _NEW_USER))
        maps = {"setgroups": "deny", "uid_map": f"{user} {user} 1", "gid_map": f"{group} {group} 1"}
        for name, line in maps.items():
            with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
                file.write(line)
    if not has_network:
        _start_loopback(libc)


def _start_loopback(libc: ctypes.CDLL) -> None:
    """Let processes of a new network reach each other as 127.0.0.1; nothing where Linux lacks that."""
    file = libc.socket(_INTERNET, _DATAGRAMS, 0)
    if file >= 0:
        libc.ioctl(file, _SET_FLAGS, b"lo".ljust(16, b"\0") + _UP.to_bytes(2, sys.byteorder) + bytes(22))
        os.close(file)


def _start(
    libc: ctypes.CDLL,
    from_parent: int,
    options: Sequence[str],
    sockets: Sequence[str],
    command: Sequence[str],
) -> NoReturn:
    """Become the command, as the first process of the namespaces."""
    libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL)
    os.set_blocking(from_parent, False)
    try:
        os.read(from_parent, 1)
        os._exit(1)  # the parent died before the line above
    except BlockingIOError:
        os.close(from_parent)
    os.setsid()  # a signal from inside to the own group would reach the parent
    is_server = FOR_SERVER in options
    _check(libc.mount(None, b"/", None, _RECURSIVE | _PRIVATE, None))
    writable = [word.removeprefix(WRITABLE) for word in options if word.startswith(WRITABLE)]
    if "TMPDIR" in os.environ:
        writable.append(os.environ["TMPDIR"])
    writable = [os.path.realpath(path) for path in writable]
    resolver = os.path.dirname(os.path.realpath(_RESOLVER)) if NETWORK in options else ""  # noqa: PTH120
    _enclose(libc, writable, sockets, resolver, has_groups=is_server)
    _mount(libc, b"proc", "/proc")
    _mount_shared(libc)
    if not command:  # is all of it allowed?
        first, _ = fork_first(lambda: os._exit(0))
        os._exit(os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]))
    _protect_system(libc, has_groups=is_server)
    if not is_server:  # those make namespaces for what they start
        refuse_calls()
    give_up_rights(_SERVERS if is_server else _ORDINARY)
    try:
        os.execvp(command[0], [*command])
    except OSError:
        os._exit(_NOT_FOUND)


def _enclose(
    libc: ctypes.CDLL, writable: Sequence[str], sockets: Sequence[str], resolver: str, *, has_groups: bool
) -> None:
    """Have nobody in these namespaces write files, but in some folders, or reach devices and services.

    Parameters
    ----------
    writable
        Folders that stay as they are, without what is mounted in them.
    sockets
        Paths to hide.
    resolver
        The folder of what the network needs; empty if there is none.
    has_groups
        Whether control groups stay writable.
    """
    try:
        here = os.getcwd()  # noqa: PTH109
    except OSError:  # it was removed
        here = "/"
    python = os.path.realpath(os.path.dirname(os.path.dirname(sys.executable)))  # noqa: PTH120
    folders = {path: os.open(path, os.O_PATH) for path in writable if os.path.isdir(path)}  # noqa: PTH112
    _hide(libc, _RUN, [_MEDIA, sys.prefix, python, here, resolver, *writable])
    devices = [name for name in os.listdir(_DEVICES) if name in _HARMLESS or name.startswith(_COMPUTING)]  # noqa: PTH208
    kept = [*(f"{_DEVICES}/{name}" for name in devices), *writable]
    _hide(libc, _DEVICES, kept, [*_FOLDERS, _TERMINALS])
    if not os.path.lexists(f"{_DEVICES}/ptmx"):
        os.symlink(f"{_TERMINALS}/ptmx", f"{_DEVICES}/ptmx")  # noqa: PTH211
    for path in sockets:
        _hide_socket(libc, path)
    for path, file in folders.items():
        _bind(libc, f"/proc/self/fd/{file}", path)
        os.close(file)
    try:
        os.chdir(here)  # which may be mounted anew
    except OSError:  # it is hidden
        os.chdir("/")
    result = _set_mount(libc, "/", sets=_NO_WRITING | _NO_DEVICES, flags=_AND_BELOW)
    if result != 0 and ctypes.get_errno() == _ENOSYS:
        return
    _check(result)
    groups = [place for place, kind in _mounts() if kind.startswith("cgroup")] if has_groups else []
    for place in [*writable, *groups]:
        _set_mount(libc, place, clears=_NO_WRITING)  # which fails on a file system that is read-only
    for name in devices:
        _set_mount(libc, f"{_DEVICES}/{name}", clears=_NO_DEVICES)


def _hide(libc: ctypes.CDLL, place: str, kept: Sequence[str], empty: Sequence[str] = ()) -> None:
    """Have an empty folder in place of one, but with its links, and with some of its files and folders.

    Parameters
    ----------
    kept
        Paths; those elsewhere do not matter.
    empty
        Folders to make, if they are there now.
    """
    if not os.path.isdir(place):  # noqa: PTH112
        return
    with os.scandir(place) as entries:
        links = {entry.path: os.readlink(entry.path) for entry in entries if entry.is_symlink()}  # noqa: PTH115
    inside = [path for path in kept if path.startswith(f"{place}/") and os.path.exists(path)]  # noqa: PTH110
    files = {path: os.open(path, os.O_PATH) for path in inside}
    made = [path for path in empty if os.path.isdir(path)]  # noqa: PTH112
    _mount(libc, b"tmpfs", place, b"mode=755")
    for path, target in links.items():  # in NixOS, they lead to what is installed
        if path not in files:
            os.symlink(target, path)  # noqa: PTH211
    for path in made:
        os.mkdir(path)  # noqa: PTH102
    for path, file in files.items():
        is_folder = os.path.isdir(f"/proc/self/fd/{file}")  # noqa: PTH112
        os.makedirs(path if is_folder else os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
        if not is_folder:
            os.close(os.open(path, os.O_CREAT))
        _bind(libc, f"/proc/self/fd/{file}", path)
        os.close(file)


def _hide_socket(libc: ctypes.CDLL, path: str) -> None:
    try:
        if os.stat(path).st_mode & _KINDS_OF_FILES == _SOCKET:  # noqa: PTH116
            _bind(libc, "/dev/null", path)
    except OSError:
        return  # it was removed, or nobody here can reach it


def _set_mount(libc: ctypes.CDLL, place: str, *, sets: int = 0, clears: int = 0, flags: int = 0) -> int:
    """Change what is allowed where something is mounted; return 0, or -1 for an error."""
    attributes = (ctypes.c_uint64 * 4)(sets, clears, 0, 0)
    size = ctypes.sizeof(attributes)
    return int(libc.syscall(_MOUNT_SETATTR, _HERE, os.fsencode(place), flags, attributes, size))


def _protect_system(libc: ctypes.CDLL, *, has_groups: bool) -> None:
    """Have nobody in these namespaces change the system by writing to ``/proc``, ``/sys`` or control groups.

    As root, a process could have the kernel start programs outside. Also as another user, it could have the
    kernel kill or freeze its control group, to which the driver belongs, too. What is in ``/proc`` about
    processes stays writable.
    """
    for place in _SETTINGS:
        if os.path.exists(place):  # noqa: PTH110
            _bind(libc, place, place)
            _make_read_only(libc, place)
    for place, kind in _mounts():
        is_group = kind.startswith("cgroup")
        if (is_group and not has_groups) or (f"{place}/".startswith("/sys/") and not is_group):
            _make_read_only(libc, place)


def _mounts() -> list[tuple[str, str]]:
    """Return where file systems are mounted here, and their kinds."""
    with open("/proc/self/mounts", "rb") as file:  # noqa: PTH123
        fields = [os.fsdecode(line).split(" ") for line in file]
    return [(_unescaped(place), kind) for _, place, kind, *_ in fields]


def _unescaped(place: str) -> str:
    """Return a path with the blanks, tabs, newlines and backslashes that Linux lists as octal numbers."""
    for char in " \t\n\\":
        place = place.replace(f"\\{ord(char):03o}", char)
    return place


def _make_read_only(libc: ctypes.CDLL, place: str) -> None:
    """Forbid writing where something is mounted, in these namespaces only; skip what cannot be reached."""
    try:
        flags = os.statvfs(place).f_flag & (_NOSUID | _NODEV | _NOEXEC)
    except OSError:
        return
    _check(libc.mount(None, os.fsencode(place), None, _REMOUNT | _BIND | _READ_ONLY | flags, None))


def _mount_shared(libc: ctypes.CDLL) -> None:
    """Have empty folders for what processes share by name, and no terminals but those made here."""
    _mount(libc, b"tmpfs", "/dev/shm", b"mode=1777")
    if os.path.isdir("/dev/mqueue"):  # noqa: PTH112
        _mount(libc, b"mqueue", "/dev/mqueue")
    if os.path.isdir(_TERMINALS):  # noqa: PTH112
        _mount(libc, b"devpts", _TERMINALS, b"newinstance,ptmxmode=0666", _NOSUID | _NOEXEC)


def _mount(
    libc: ctypes.CDLL, kind: bytes, place: str, options: bytes = b"", flags: int = _NOSUID | _NODEV | _NOEXEC
) -> None:
    _check(libc.mount(kind, os.fsencode(place), kind, flags, options))


def _bind(libc: ctypes.CDLL, source: str, place: str) -> None:
    _check(libc.mount(os.fsencode(source), os.fsencode(place), None, _BIND | _RECURSIVE, None))


def _check(result: int) -> None:
    """Raise the last error of Linux if a call has returned anything but 0."""
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


if __name__ == "__main__":
    main(sys.argv[1:])
