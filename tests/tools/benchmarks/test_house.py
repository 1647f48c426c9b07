"""The size of the house, on a checkout of a few lines."""

from tools.benchmarks.harness.house import figures, lines_of_code, main

MODULE = '''"""A module."""

from nonocsp.there import name  # and a comment


def add(first, second):
    """Return the sum.

    Of both.
    """
    return _add(first, _once(second))


def _add(first, second):
    return _once(first) + second


def _once(value):
    return value
'''


def test_lines_files_helpers_and_circles_are_counted(tmp_path):
    files = {
        "nonocsp/__init__.py": '"""Nothing but this."""\n',
        "nonocsp/here.py": MODULE,
        "nonocsp/there.py": "def late():\n    import nonocsp.here\n",
        "nonocsp/cpp/grid/thing.hpp": "#pragma once\n",
        "web/src/one.ts": 'import { two } from "./two.ts";\n',
        "web/src/two.ts": "",
        "tests/test_one.py": "\n\n",
        "docs/page.md": "# A page\n\nText.\n<!-- generated: a -->\n| |\n<!-- end -->\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert lines_of_code(MODULE) == 7
    assert dict(figures(tmp_path)) == {
        "product Python: lines": str(1 + MODULE.count("\n") + 2),
        "product Python: files": "3",
        "C++: lines": "1",
        "C++: files": "1",
        "TypeScript: lines": "1",
        "TypeScript: files": "2",
        "tests: lines": "2",
        "tests: files": "1",
        "tools: lines": "0",
        "tools: files": "0",
        "manual, generated text left out: lines": "3",
        "manual, generated text left out: files": "1",
        "modules of Python with fewer than 40 lines of code": "2",
        "private helpers with one use": "1 of 2 (50 %)",
        "circles of imports in Python": "one of 2",
        "circles of imports in TypeScript": "none",
    }


def test_a_commit_has_its_column_before_that_of_the_checkout(capsys):
    main(commit=["HEAD"])
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head == "| | HEAD | now |"
    assert all(row.count("|") == 4 and row.split("|")[2].strip() for row in rows)
