"""Text grids in characters whose names say which cells are empty; the page reads them alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nonocsp.model import FormatError, FormatWarning, Puzzle

Read = Callable[..., list[Puzzle]]

SAW = [".#.", "###", "#.."]
PALE = "⬜□○◻▢⚪░·◽▫☆♡◇△▽▷☐☐▯▭⬚░▒▓．。・•⬡⬜🤍🔳×❌··－"
DARK = "⬛■●◼■⚫▓█◾▪★♥◆▲▼▶☑☒▮▬⬛███＃■●█⬢🟥🖤🔲■✅○#＃"
DRAWINGS = {
    **{a + b: f"{a}{b}{a}\n{b}{b}{b}\n{b}{a}{a}\n" for a, b in zip(PALE, DARK, strict=True)},
    "selectors": "⬜️⬛️⬜️\n⬛️⬛️⬛️\n⬛️⬜️⬜️\n",
    "gaps": "⬜ ⬛ ⬜\n⬛ ⬛ ⬛ \n⬛ ⬜ ⬜\n",
    "gaps between dots": ". # .\n# # #\n# . .\n",
    "wide blanks": "\u3000■\u3000\n■■■\n■\n",
    "blanks": " ● \n●●●\n●\n",
}
UNCLEAR = {
    "🟥🟦\n🟦🟥\n": "no character stands for the background: it could be '🟥' or '🟦'; expected . in the",
    "×○×\n○×○\n": "'×' or '○'",
    "⬛🟩⬛\n⬛🟩🟩\n": "'⬛' or '🟩'",
    "◻⬜\n⬜◻\n": "'◻' or '⬜'",
    "○X\nX○\n": "'X' or '○'",
    "⬜⬜\n⬜⬜\n": "all cells are '⬜', filled or empty",
    "  ⬛\n⬛⬛\n": "two blanks beside '⬛' are one cell or two",
}


@pytest.mark.filterwarnings("ignore:.*is read as background")
@pytest.mark.parametrize("content", DRAWINGS.values(), ids=DRAWINGS)
def test_the_pale_character_is_background(read: Read, content: str) -> None:
    (puzzle,) = read(content, name="saw.txt")
    assert puzzle.goal is not None
    assert puzzle.goal.strings() == SAW


@pytest.mark.parametrize(("content", "message"), UNCLEAR.items())
def test_characters_of_which_none_is_pale_are_refused(read: Read, content: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(content, name="pair.txt")


def test_of_several_colours_the_pale_one_is_background_and_braille_is_dots(read: Read) -> None:
    with pytest.warns(FormatWarning, match="'⬜' is read as background"):
        (puzzle,) = read("🟥🟦⬜\n⬜🟦🟥\n", name="red.txt")
    assert puzzle.goal is not None
    assert puzzle.goal.strings(puzzle.palette) == ["🟥🟦.", ".🟦🟥"]
    with pytest.warns(FormatWarning, match="4 rows of 2 cells"):
        (puzzle,) = read("⣿⠀\n⡇⣀\n", name="dots.txt")
    assert puzzle.goal is not None
    assert puzzle.goal.strings() == ["##..", "##..", "##..", "##..", "#...", "#...", "#...", "#.##"]
