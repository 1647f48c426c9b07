from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nonocsp.formats.colour_names import colour_names

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


@given(st.lists(rgbs, min_size=1, max_size=64, unique=True), st.data())
def test_no_two_colours_share_a_name(rgbs: list[str], data: st.DataObject) -> None:
    said = data.draw(
        st.sets(st.sampled_from(["red", "dark red", "light grey", "grey 2"]), max_size=len(rgbs))
    )
    given = [*said, *[""] * (len(rgbs) - len(said))]
    names = colour_names(rgbs, given)
    assert len(set(names)) == len(rgbs)
    assert all(names)
    assert names[: len(said)] == given[: len(said)]
