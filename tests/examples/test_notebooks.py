"""The notebooks of examples/ run from the first cell to the last, and show pictures."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))
AMPLE_S = 3600
"""Seconds that nothing here takes, however busy the machine."""


def outputs(cells: list[Any], kind: str) -> Iterator[str]:
    for cell in cells:
        for output in cell.get("outputs", ()):
            if text := output.get("data", {}).get(kind):
                yield "".join(text)


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: path.stem)
def executed(request, tmp_path_factory) -> list[Any]:
    """The cells of a notebook after a real run, in a kernel with an empty home."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"):
            patch.setenv(name, str(home))
        patch.delenv("MPLBACKEND", raising=False)
        notebook = nbformat.read(request.param, as_version=4)
        client = nbclient.NotebookClient(
            notebook, timeout=None, startup_timeout=AMPLE_S, iopub_timeout=AMPLE_S, kernel_name="python3"
        )
        client.execute(cwd=str(home))
    return json.loads(nbformat.writes(notebook))["cells"]


def test_there_is_a_notebook_and_none_is_stored_with_its_outputs():
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            assert not cell.get("outputs"), f"{path}: clear the outputs"
            assert cell.get("execution_count") is None, f"{path}: clear the outputs"


@pytest.mark.slow
def test_a_notebook_shows_puzzles_outcomes_tables_plots_and_explanations(executed):
    assert not [output for cell in executed for output in cell.get("outputs", ()) if "ename" in output]
    assert any("<title>heart</title>" in text for text in outputs(executed, "image/svg+xml"))
    pages = [*outputs(executed, "text/html")]
    for part in ("unique, ", "<iframe ", 'class="dataframe"', "overlap in row 5"):
        assert any(part in page for page in pages), part
    assert [*outputs(executed, "image/png")]


def test_a_browser_shows_every_output_of_a_notebook(executed, browser):
    page = browser.new_page()
    page.set_default_timeout(AMPLE_S * 1000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_content("".join([*outputs(executed, "image/svg+xml"), *outputs(executed, "text/html")]))
    assert all(box["width"] > 50 for svg in page.locator("svg").all() if (box := svg.bounding_box()))
    page.frame_locator('iframe[title^="explanation"]').get_by_role("button", name="Play").wait_for()
    page.locator("summary", has_text="Play").first.click()
    page.frame_locator('iframe[title$="to play"]').first.get_by_role("grid").wait_for()
    page.close()
    assert not errors


def test_the_manual_links_to_the_notebook(repository):
    pages = "".join(path.read_text() for path in (repository / "docs").glob("**/*.md"))
    for path in NOTEBOOKS:
        assert re.search(rf"\S*{re.escape(path.name)}", pages), path.name
