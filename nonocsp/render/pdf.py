"""Write drawings as the pages of a PDF with reportlab: lines, text, links and an outline, sharp at any size.

The characters that occur are embedded from the fonts of `nonocsp.render.fonts`. The same drawings give the
same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING

from nonocsp.render.drawing import Drawing, Label
from nonocsp.render.fonts import HALF_CAPITAL, SHIFTS, pdf_font, spans, width_of
from nonocsp.render.hatching import hatching

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas


def to_pdf(pages: Iterable[Drawing], *, title: str = "") -> bytes:
    """Return the PDF of drawings."""
    from reportlab.pdfgen.canvas import Canvas

    stream = BytesIO()
    canvas = Canvas(stream, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setAuthor("")
    canvas.setCreator("nonocsp")
    for number, page in enumerate(pages):
        canvas.setPageSize((page.width, page.height))
        canvas.bookmarkPage(f"page {number}")
        for place, (name, level) in enumerate(page.bookmarks):
            canvas.bookmarkPage(f"{number}.{place}")  # entries with one key would share their title
            canvas.addOutlineEntry(name, f"{number}.{place}", level)
        for x, y, width, height, target in page.links:
            rectangle = (x, page.height - y - height, x + width, page.height - y)
            canvas.linkRect("", f"page {target}", rectangle)
        for box in page.boxes:
            canvas.setFillColor(box.fill)
            canvas.rect(box.x, page.height - box.y - box.height, box.width, box.height, stroke=0, fill=1)
            segments, width, colour = hatching(box)
            if segments:
                canvas.setLineCap(0)
                canvas.setLineWidth(width)
                canvas.setStrokeColor(colour)
                canvas.lines([(x1, page.height - y1, x2, page.height - y2) for x1, y1, x2, y2 in segments])
        canvas.setLineCap(2)  # so that a frame's corners are whole
        for stroke in page.strokes:
            canvas.setStrokeColor(stroke.colour)
            canvas.setLineWidth(stroke.width)
            canvas.line(stroke.x1, page.height - stroke.y1, stroke.x2, page.height - stroke.y2)
        for label in page.labels:
            _write(canvas, label, page.height)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _write(canvas: Canvas, label: Label, height: float) -> None:
    """Write a label on a page of some height."""
    canvas.setFillColor(label.fill)
    y = height - label.y - HALF_CAPITAL * label.size
    x = label.x - SHIFTS[label.anchor] * width_of(label.text, label.size, is_bold=label.is_bold)
    for name, part in spans(label.text, is_bold=label.is_bold):
        canvas.setFont(pdf_font(name).fontName, label.size)
        canvas.drawString(x, y, part)
        x += pdf_font(name).stringWidth(part, label.size)
