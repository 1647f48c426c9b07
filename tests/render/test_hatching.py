"""Hatching: every colour of a palette has its own, inside its box, alike in SVG, PDF and PNG."""

from xml.etree import ElementTree

import pytest

from nonocsp.render.drawing import Box, Drawing
from nonocsp.render.hatching import hatching
from nonocsp.render.pdf import to_pdf
from nonocsp.render.png import painted
from nonocsp.render.svg import document


@pytest.mark.parametrize("pattern", [1, 2, 5, 9])
def test_svg_pdf_and_png_show_the_same_pattern(pattern):
    pypdfium2 = pytest.importorskip("pypdfium2")
    box = Box(0, 0, 60, 60, "#ffffff", pattern, 20)
    drawing = Drawing(60, 60, "", (box,), (), ())
    root = ElementTree.fromstring(document(drawing))
    (path,) = root.iter("{http://www.w3.org/2000/svg}path")
    assert (path.get("d") or "").count("M") == len(hatching(box).segments)
    png = painted(drawing, 4.0).convert("L")
    pdf = pypdfium2.PdfDocument(to_pdf([drawing]))[0].render(scale=4.0).to_pil().convert("L")
    assert png.size == pdf.size
    differing = sum(abs(a - b) > 128 for a, b in zip(png.tobytes(), pdf.tobytes(), strict=True))
    assert differing < 0.05 * 240**2
