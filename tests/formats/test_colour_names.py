from __future__ import annotations

import pytest
from hypothesis import strategies as st

from nonocsp.formats.palettes import colour_names

rgbs = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


@pytest.mark.parametrize(
    ("rgb", "name"),
    [
        ("#fe8b12", "orange"),
        ("#ffa500", "orange"),
        ("#123456", "blue"),
        ("#5b3a1e", "brown"),
        ("#ffe0c0", "beige"),
        ("#fdfdfd", "white"),
        ("#101010", "black"),
        ("#7f7f80", "grey"),
    ],
)
def test_a_colour_has_the_name_that_people_give_it(rgb: str, name: str) -> None:
    assert colour_names([rgb]) == [name]


@pytest.mark.parametrize(
    ("rgbs", "names"),
    [
        (["#00ff00", "#007700"], ["light green", "dark green"]),
        (["#ff8800", "#ffa500", "#ffbb55"], ["dark orange", "orange", "light orange"]),
        (["#000000", "#111111"], ["black", "grey"]),
        (["#ffffff", "#fdfdfd"], ["white", "grey"]),
    ],
)
def test_colours_with_one_word_are_told_apart_by_lightness(rgbs: list[str], names: list[str]) -> None:
    assert colour_names(rgbs) == names


def test_a_name_that_a_file_gives_stays() -> None:
    assert colour_names(["#d7191c", "#ff0000", "#0000ff"], ["red", "", "sky"]) == ["red", "light red", "sky"]
