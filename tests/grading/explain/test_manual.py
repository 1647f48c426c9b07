"""What docs/explanation/explain.md draws is what the techniques find."""

import re

import pytest

from nonocsp.grading.explain.catalogue import Technique
from nonocsp.model import Clue, Grid

from .lines import LINE_TECHNIQUES, Line, findings

ROW = re.compile(
    r"^\| (\d) \| (\w+) \| (?:`([\d ]+)`)? ?\| (?:`([?.#]+)`)? ?\| (?:`([?.#]+)`)? ?\| ", re.MULTILINE
)


@pytest.fixture(scope="module")
def manual(repository) -> str:
    return (repository / "docs" / "explanation" / "explain.md").read_text()


def test_the_table_has_every_technique_in_order_with_its_grade(manual):
    rows = [(int(grade), name) for grade, name, *_ in ROW.findall(manual)]
    assert rows == [(technique.grade, str(technique)) for technique in Technique]


def test_every_drawn_line_shows_the_finding_of_its_technique(manual):
    drawn = [row for row in ROW.findall(manual) if row[2]]
    assert [row[1] for row in drawn] == [str(technique) for technique in LINE_TECHNIQUES]
    for _, name, lengths, before, after in drawn:
        line = Line(Clue.of(*map(int, lengths.split())), cells(before))
        found = list(line.cells)
        for finding in findings(Technique(name), line):
            for i, kept in finding.cells.items():
                found[i] &= kept
        assert tuple(found) == cells(after), name


def cells(text: str) -> tuple[int, ...]:
    return tuple(Grid.from_strings([text]).candidates[0].tolist())
