"""Fonts of pages: which letters they have, and what becomes of the others."""

import pytest

from nonocsp import extras
from nonocsp.render.drawing import Drawing, Label
from nonocsp.render.fonts import missing
from nonocsp.render.pdf import to_pdf

pypdfium2 = pytest.importorskip("pypdfium2")
needs_japanese = pytest.mark.skipif(bool(extras.missing("japanese")), reason="no Japanese font")


def page(*labels: Label) -> Drawing:
    return Drawing(400, 100, "page", (), (), labels)


def text_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    text: str = document[0].get_textpage().get_text_range()
    document.close()
    return text


@pytest.mark.parametrize(
    "text",
    ["Ägypten, señor, łódź", "Κουκουβάγια", "Сова и ёж", pytest.param("フクロウと猫", marks=needs_japanese)],
)
@pytest.mark.parametrize("is_bold", [False, True])
def test_a_pdf_has_the_letters_of_many_scripts(text, is_bold):
    assert missing([text]) == ""
    assert text_of(to_pdf([page(Label(200, 50, f"1. {text}", 12, is_bold=is_bold))])).strip() == f"1. {text}"


@pytest.mark.parametrize(
    ("text", "lacking"), [("한 x", "한"), ("שלום", "".join(sorted("שלום"))), ("🦉", "🦉"), ("abc…", "")]
)
def test_letters_that_no_font_has_are_named_and_become_question_marks(text, lacking):
    assert missing([text]) == lacking
    written = "".join(char if char not in lacking else "?" for char in text)
    assert text_of(to_pdf([page(Label(200, 50, text, 12))])).strip() == written
