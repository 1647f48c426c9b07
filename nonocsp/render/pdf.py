"""Write drawings as the pages of a PDF with reportlab: lines and text, sharp at any size, no fonts inside.

The font is Helvetica, which every PDF reader has. A character that it lacks prints as a black square. The
same drawings give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

from nonocsp.render.drawing import Drawing

HALF_CAPITAL = 0.36
"""Distance from the middle of Helvetica's digits to their foot, as a share of the size."""


def to_pdf(pages: Iterable[Drawing], *, title: str = "") -> bytes:
    """Return the PDF of drawings.

    Parameters
    ----------
    pages
        A drawing in points for each page.
    title
        Of the document.
    """
    from reportlab.pdfgen.canvas import Canvas

    stream = BytesIO()
    canvas = Canvas(stream, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setAuthor("")
    canvas.setCreator("nonocsp")
    for page in pages:
        canvas.setPageSize((page.width, page.height))
        for box in page.boxes:
            canvas.setFillColor(box.fill)
            canvas.rect(box.x, page.height - box.y - box.height, box.width, box.height, stroke=0, fill=1)
        canvas.setLineCap(2)  # so that a frame's corners are whole
        for stroke in page.strokes:
            canvas.setStrokeColor(stroke.colour)
            canvas.setLineWidth(stroke.width)
            canvas.line(stroke.x1, page.height - stroke.y1, stroke.x2, page.height - stroke.y2)
        for label in page.labels:
            canvas.setFont("Helvetica-Bold" if label.is_bold else "Helvetica", label.size)
            canvas.setFillColor(label.fill)
            write = canvas.drawCentredString if label.anchor == "middle" else canvas.drawString
            write(label.x, page.height - label.y - HALF_CAPITAL * label.size, label.text)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()
