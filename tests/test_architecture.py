"""The rules of docs/explanation/architecture.md, read off the imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

BACKENDS = ("hybrid", "settle", "sat", "cpsat", "blocks", "gac", "segments", "twosat", "probing")


def imports(path: Path) -> Iterator[str]:
    """Yield the modules of nonocsp that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nonocsp"):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("nonocsp"))


def imported_by(folder: Path) -> dict[str, set[str]]:
    return {str(path): set(imports(path)) for path in folder.rglob("*.py")}


def assert_none(found: dict[str, set[str]], *forbidden: str) -> None:
    wrong = [
        f"{path} imports {name}"
        for path, names in found.items()
        for name in names
        if any(name == prefix or name.startswith(f"{prefix}.") for prefix in forbidden)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_model_imports_nothing_of_the_project(repository: Path) -> None:
    for path, names in imported_by(repository / "nonocsp" / "model").items():
        assert all(name.startswith("nonocsp.model") for name in names), path


def test_data_flows_one_way(repository: Path) -> None:
    package = repository / "nonocsp"
    above = [
        f"nonocsp.{name}"
        for name in ("cli", "bench", "batch", "api", "grading", "making", "render", "datasets")
    ]
    assert_none(imported_by(package / "formats"), *above, "nonocsp.backends", "nonocsp.engine")
    assert_none(
        {"engine": set(imports(package / "engine.py"))}, *above, "nonocsp.backends", "nonocsp.formats"
    )
    assert_none(imported_by(package / "encodings"), *above, "nonocsp.backends", "nonocsp.formats")
    assert_none(imported_by(package / "backends"), *above, "nonocsp.formats")
    assert_none(imported_by(package / "bench"), "nonocsp.cli")
    assert_none(imported_by(package / "grading"), "nonocsp.cli", "nonocsp.making")
    assert_none(imported_by(package / "making"), "nonocsp.cli")
    assert_none(imported_by(package / "certificates"), *above)


def test_backends_do_not_import_each_other(repository: Path) -> None:
    for name in BACKENDS:
        others = [f"nonocsp.backends.{other}" for other in BACKENDS if other != name]
        assert_none({name: set(imports(repository / "nonocsp" / "backends" / f"{name}.py"))}, *others)


def test_a_certificate_is_verified_without_a_solver_the_engine_or_a_backend() -> None:
    script = "import sys; from nonocsp.certificates import verifier; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "nonocsp.certificates.drup" in loaded
    for forbidden in ("_core", "engine", "encodings", "backends", "api", "bench", "testing"):
        assert f"nonocsp.{forbidden}" not in loaded
    assert not {"pysat", "pysolvers", "ortools"} & set(loaded)


def test_what_verifies_a_certificate_imports_only_the_model_and_the_projects_json(repository: Path) -> None:
    folder = repository / "nonocsp" / "certificates"
    modules = ("formula", "drup", "document", "verifier")
    allowed = ("nonocsp.model", "nonocsp.formats.project_json", "nonocsp.certificates")
    for name in modules:
        found = set(imports(folder / f"{name}.py"))
        assert not found - {"nonocsp.formats"} - {n for n in found if n.startswith(allowed)}, name
        assert "nonocsp.certificates.maker" not in found
