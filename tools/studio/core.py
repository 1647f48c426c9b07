"""Build the core for browsers: build/studio/nonocsp.wasm, with the functions of nonocsp/cpp/web/api.cpp.

Clang from the package ziglang compiles it; web/requirements.txt pins its version, so that the same sources
give the same bytes. The package has libc++ without the part that throws exceptions on WebAssembly, but with
its sources, which are compiled along. The tag of C++ exceptions, which the linker wants, is a file of ours.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from tools.studio.npm import ROOT, install_packages, run_node

CPP = ROOT / "nonocsp" / "cpp"
FOLDER = ROOT / "build" / "studio"
MODULE = FOLDER / "nonocsp.wasm"
SHELVES = (
    *(
        "base",
        "reading",
        "typed",
        "line",
        "grid",
        "encodings",
        "search",
        "proofs",
        "probing",
        "twosat",
        "cdcl",
    ),
    *("grading", "judging", "web"),
)
"""The shelves that the functions need."""

SMALL = {"line": (), "grid": ("-Os",), "cdcl": ("-Os",)}
"""The options of the shelves with the hot loops; the others get -Oz. Even here no loop is unrolled, which
saves a seventh of the bytes and costs up to a third of the time: pages must stay below 290 kB."""

CPU = "generic+bulk_memory+exception_handling+sign_ext+nontrapping_fptoint"
FEATURES = ("bulk-memory", "exception-handling", "sign-ext", "nontrapping-float-to-int")
"""The same, as Binaryen names them. It makes the module a sixth smaller."""
TARGET = (
    "-target",
    "wasm32-wasi",
    f"-mcpu={CPU}",
    "-O2",
    "-fno-unroll-loops",
    "-DNDEBUG",
    "-fwasm-exceptions",
)
HIDDEN = "-fvisibility=hidden"  # the linker exports the rest
LINK = ("-s", "-mexec-model=reactor", "-Wl,--gc-sections", "-Wl,--export-dynamic")


def build_core() -> Path:
    """Compile and link the module; return its path."""
    spec = find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise SystemExit("ziglang is not installed: pip install -r web/requirements.txt, or make studio")
    runtime = Path(spec.origin).parent / "lib"
    abi, unwind = runtime / "libcxxabi", runtime / "libunwind"
    cxx = ("c++", *TARGET, HIDDEN, "-std=c++20")
    building = ("-D_LIBCPP_BUILDING_LIBRARY", "-DLIBCXX_BUILDING_LIBCXXABI", "-D_LIBCXXABI_BUILDING_LIBRARY")
    folders = (abi / "include", abi / "src", runtime / "libcxx" / "src")
    of_abi = (*cxx, *building, *(f"-I{folder}" for folder in folders), "-w")
    jobs = [
        (source, (*cxx, *SMALL.get(shelf, ("-Oz",)), f"-I{CPP}"))
        for shelf in SHELVES
        for source in sorted((CPP / shelf).glob("*.cpp"))
    ]
    jobs += [
        (abi / "src" / f"{name}.cpp", of_abi)
        for name in ("cxa_exception", "cxa_personality", "cxa_aux_runtime")
    ]
    hidden = ("-D_LIBUNWIND_HIDE_SYMBOLS", f"-I{unwind / 'include'}", f"-I{unwind / 'src'}", "-w")
    jobs += [(unwind / "src" / "Unwind-wasm.c", ("cc", *TARGET, HIDDEN, *hidden))]
    jobs += [(CPP / "web" / "exception_tag.s", ("cc", *TARGET))]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda job: _compiled(*job), jobs))
    if not MODULE.exists() or MODULE.stat().st_mtime < max(made.stat().st_mtime for made in objects):
        linked = FOLDER / "linked.wasm"
        _zig(*cxx, *LINK, *map(str, objects), "-o", str(linked))
        install_packages()
        features = (f"--enable-{name}" for name in FEATURES)
        run_node("node_modules/binaryen/bin/wasm-opt", "-Oz", *features, str(linked), "-o", str(MODULE))
    return MODULE


def _compiled(source: Path, options: tuple[str, ...]) -> Path:
    """Compile a source unless its object is newer than every source of the core."""
    name = hashlib.sha256("\0".join((str(source), *options)).encode()).hexdigest()[:8]
    made = FOLDER / "objects" / f"{source.stem}-{name}.o"
    made.parent.mkdir(exist_ok=True)
    newest = max(path.stat().st_mtime for path in (source, *CPP.glob("*/*.hpp")))
    if not made.exists() or made.stat().st_mtime < newest:
        _zig(*options, "-c", str(source), "-o", str(made))
    return made


def _zig(*arguments: str) -> None:
    environment = os.environ | {"ZIG_GLOBAL_CACHE_DIR": str(FOLDER / "cache"), "SOURCE_DATE_EPOCH": "0"}
    done = subprocess.run([sys.executable, "-m", "ziglang", *arguments], env=environment, check=False)
    if done.returncode:
        raise SystemExit(f"the compiler failed with exit code {done.returncode}")
