"""Thirty things that people recognise in a few cells, drawn by rule: what a pack is made of without pictures.

They go from a letter, which ten by ten cells suffice for, to a bicycle, which wants thirty. Most are black on
white, some in two or three colours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nonocsp.making.pen import BLACK, BLUE, BROWN, GREEN, ORANGE, RED, WHITE, YELLOW, Pen
from nonocsp.model import BLACK_AND_WHITE, Colour, Palette

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class Motif:
    """A thing to draw, on white.

    Parameters
    ----------
    inks
        The colours it has.
    """

    name: str
    draw: Callable[[Pen], None]
    inks: tuple[Colour, ...] = (BLACK,)

    @property
    def palette(self) -> Palette:
        """White and the inks."""
        return Palette((WHITE, *self.inks))

    @property
    def is_coloured(self) -> bool:
        """Whether it is anything but black on white."""
        return self.palette != BLACK_AND_WHITE

    def image(self, *, in_colour: bool = True) -> Image:
        """Draw it; without colours, all that is not white is black."""
        pen = Pen()
        self.draw(pen)
        if in_colour:
            return pen.image
        return pen.image.convert("L").point([0] * 250 + [255] * 6)


def _letter_n(pen: Pen) -> None:
    pen.box(8, 5, 28, 95)
    pen.box(72, 5, 92, 95)
    pen.area((8, 5), (32, 5), (92, 95), (68, 95))


def _arrow(pen: Pen) -> None:
    pen.area((50, 3), (95, 50), (65, 50), (65, 97), (35, 97), (35, 50), (5, 50))


def _crescent(pen: Pen) -> None:
    pen.disc(48, 50, 92)
    pen.disc(70, 40, 72, ink=WHITE)


def _note(pen: Pen) -> None:
    pen.disc(24, 80, 36, 28)
    pen.disc(76, 70, 36, 28)
    pen.box(32, 12, 42, 80)
    pen.box(84, 4, 94, 70)
    pen.area((32, 12), (94, 3), (94, 24), (32, 33))


def _house(pen: Pen) -> None:
    pen.box(70, 8, 82, 40)
    pen.area((50, 4), (98, 48), (2, 48))
    pen.box(12, 48, 88, 96)
    pen.box(22, 58, 42, 76, WHITE)
    pen.box(56, 58, 74, 96, WHITE)


def _star(pen: Pen) -> None:
    pen.area((50, 2), (62, 37), (98, 38), (69, 60), (80, 96), (50, 75), (20, 96), (31, 60), (2, 38), (38, 37))


def _pine(pen: Pen) -> None:
    for top, bottom, half in ((2, 36, 24), (22, 60, 34), (42, 84, 46)):
        pen.area((50, top), (50 + half, bottom), (50 - half, bottom), ink=GREEN)
    pen.box(42, 84, 58, 98, BROWN)


def _bell(pen: Pen) -> None:
    pen.disc(50, 12, 16)
    pen.disc(50, 40, 58, 66)
    pen.area((21, 40), (79, 40), (94, 80), (6, 80))
    pen.disc(50, 86, 22)


def _hourglass(pen: Pen) -> None:
    pen.box(12, 3, 88, 14)
    pen.box(12, 86, 88, 97)
    pen.line((22, 14), (22, 28), (50, 50), (22, 72), (22, 86), width=6)
    pen.line((78, 14), (78, 28), (50, 50), (78, 72), (78, 86), width=6)
    pen.area((32, 30), (68, 30), (50, 45))
    pen.area((28, 84), (50, 62), (72, 84))


def _crown(pen: Pen) -> None:
    pen.area((8, 78), (4, 26), (28, 50), (50, 14), (72, 50), (96, 26), (92, 78), ink=YELLOW)
    pen.box(8, 80, 92, 94, RED)
    for x, y in ((5, 22), (50, 11), (95, 22)):
        pen.disc(x, y, 12, ink=RED)
    pen.disc(50, 62, 14, 18, RED)


def _candle(pen: Pen) -> None:
    pen.area((50, 2), (60, 20), (56, 30), (44, 30), (40, 20))
    pen.box(48, 28, 52, 38)
    pen.box(36, 38, 64, 84)
    pen.box(44, 44, 50, 66, WHITE)
    pen.box(10, 84, 90, 94)
    pen.ring(88, 78, 22, 5)


def _cherries(pen: Pen) -> None:
    pen.line((62, 8), (44, 36), (28, 62), width=5, ink=GREEN)
    pen.line((62, 8), (70, 36), (72, 60), width=5, ink=GREEN)
    pen.area((62, 8), (78, 0), (98, 10), (82, 20), ink=GREEN)
    pen.disc(27, 75, 46, ink=RED)
    pen.disc(74, 72, 46, ink=RED)


def _apple(pen: Pen) -> None:
    pen.disc(36, 62, 60, 68, RED)
    pen.disc(64, 62, 60, 68, RED)
    pen.disc(50, 27, 22, 10, WHITE)
    pen.line((50, 34), (56, 6), width=6, ink=BROWN)
    pen.area((58, 20), (70, 6), (94, 4), (84, 20), (68, 24), ink=GREEN)


def _cat(pen: Pen) -> None:
    pen.arc((74, 66), (44, 56), (300, 90), 8)
    pen.disc(48, 76, 56, 56)
    pen.box(20, 76, 76, 97)
    pen.disc(42, 38, 50, 42)
    pen.area((18, 36), (18, 4), (38, 20))
    pen.area((66, 36), (66, 4), (46, 20))
    pen.disc(33, 36, 8, 11, WHITE)
    pen.disc(51, 36, 8, 11, WHITE)
    pen.box(46, 80, 50, 97, WHITE)


def _boat(pen: Pen) -> None:
    pen.box(46, 4, 51, 70, BROWN)
    pen.area((54, 6), (54, 62), (92, 62), ink=BLUE)
    pen.area((43, 18), (43, 62), (12, 62), ink=BLUE)
    pen.area((4, 70), (96, 70), (80, 92), (20, 92), ink=BROWN)


def _anchor(pen: Pen) -> None:
    pen.ring(50, 14, 24, 7)
    pen.box(45, 24, 55, 92)
    pen.box(26, 32, 74, 41)
    pen.arc((50, 56), (84, 80), (5, 175), 9)
    pen.area((2, 66), (8, 46), (24, 62))
    pen.area((98, 66), (92, 46), (76, 62))


def _snowman(pen: Pen) -> None:
    pen.ring(50, 74, 50, 5)
    pen.ring(50, 37, 34, 5)
    pen.box(32, 14, 68, 21)
    pen.box(38, 1, 62, 16)
    pen.line((66, 60), (94, 42), width=4)
    pen.line((34, 60), (6, 42), width=4)
    for x, y in ((44, 34), (56, 34), (50, 62), (50, 74), (50, 86)):
        pen.disc(x, y, 6)
    pen.area((49, 38), (64, 42), (49, 45))


def _glasses(pen: Pen) -> None:
    pen.ring(25, 58, 46, 7)
    pen.ring(75, 58, 46, 7)
    pen.arc((50, 56), (18, 20), (180, 360), 7)
    pen.line((4, 54), (16, 22), (30, 18), width=6)
    pen.line((96, 54), (84, 22), (70, 18), width=6)


def _mushroom(pen: Pen) -> None:
    pen.disc(50, 50, 94, 92, RED)
    pen.box(0, 54, 100, 100, WHITE)
    pen.area((40, 54), (60, 54), (66, 96), (34, 96), ink=BROWN)
    for x, y, size in ((28, 38, 16), (52, 22, 16), (74, 40, 14), (50, 44, 10)):
        pen.disc(x, y, size, ink=WHITE)


def _rocket(pen: Pen) -> None:
    pen.area((36, 62), (14, 80), (14, 94), (38, 80), ink=RED)
    pen.area((64, 62), (86, 80), (86, 94), (62, 80), ink=RED)
    pen.disc(50, 46, 36, 88, BLUE)
    pen.box(28, 80, 72, 100, WHITE)
    pen.area((42, 82), (58, 82), (50, 99), ink=YELLOW)
    pen.disc(50, 36, 16, ink=YELLOW)


def _fish(pen: Pen) -> None:
    pen.disc(44, 52, 76, 54)
    pen.area((68, 52), (97, 22), (97, 82))
    pen.area((34, 30), (56, 8), (64, 32))
    pen.area((38, 72), (56, 94), (60, 70))
    pen.disc(22, 46, 10, ink=WHITE)
    pen.arc((18, 52), (44, 60), (300, 60), 4)
    for x in (50, 62):
        pen.line((x, 40), (x + 4, 52), (x, 64), width=3, ink=WHITE)


def _teapot(pen: Pen) -> None:
    pen.arc((80, 56), (36, 40), (250, 110), 7)
    pen.area((30, 74), (8, 40), (2, 40), (2, 32), (16, 32), (36, 56))
    pen.disc(52, 62, 62, 58)
    pen.box(30, 86, 74, 93)
    pen.disc(52, 20, 12)
    pen.area((34, 34), (42, 26), (62, 26), (70, 34))
    pen.line((32, 52), (72, 52), width=3, ink=WHITE)


def _penguin(pen: Pen) -> None:
    pen.disc(50, 58, 60, 78)
    pen.disc(50, 24, 40, 42)
    pen.area((24, 44), (6, 74), (24, 70))
    pen.area((76, 44), (94, 74), (76, 70))
    pen.disc(50, 66, 38, 56, WHITE)
    pen.disc(43, 20, 10, 12, WHITE)
    pen.disc(57, 20, 10, 12, WHITE)
    pen.area((42, 28), (58, 28), (50, 40), ink=ORANGE)
    pen.disc(36, 94, 24, 10, ORANGE)
    pen.disc(64, 94, 24, 10, ORANGE)


def _snail(pen: Pen) -> None:
    pen.line((8, 90), (78, 90), (88, 78), (86, 48), width=11)
    pen.line((86, 48), (80, 24), width=4)
    pen.line((88, 48), (96, 26), width=4)
    pen.disc(42, 54, 68)
    pen.ring(42, 54, 52, 5, WHITE)
    pen.ring(45, 57, 26, 5, WHITE)


def _whale(pen: Pen) -> None:
    pen.disc(42, 64, 80, 54)
    pen.area((64, 52), (86, 44), (88, 20), (96, 30), (98, 50), (80, 76))
    pen.area((88, 32), (74, 16), (72, 28))
    pen.disc(20, 60, 8, ink=WHITE)
    pen.area((6, 74), (46, 78), (30, 88), (12, 84), ink=WHITE)
    pen.line((34, 36), (34, 16), width=4)
    pen.arc((26, 18), (18, 24), (180, 350), 4)
    pen.arc((43, 18), (18, 24), (190, 360), 4)


def _windmill(pen: Pen) -> None:
    pen.area((38, 40), (62, 40), (72, 97), (28, 97))
    pen.area((36, 42), (50, 22), (64, 42))
    pen.box(44, 78, 56, 97, WHITE)
    pen.box(46, 54, 54, 64, WHITE)
    for end, side in (((10, 4), (20, 16)), ((90, 4), (80, 16)), ((10, 76), (4, 62)), ((90, 76), (96, 62))):
        pen.line((50, 38), end, width=4)
        pen.area(end, side, (50 + 0.35 * (side[0] - 50), 38 + 0.35 * (side[1] - 38)), (50, 38))


def _lighthouse(pen: Pen) -> None:
    pen.area((40, 30), (60, 30), (68, 90), (32, 90), ink=RED)
    pen.area((38, 44), (62, 44), (64, 56), (36, 56), ink=WHITE)
    pen.area((35, 70), (65, 70), (66, 80), (33, 80), ink=WHITE)
    pen.box(40, 14, 60, 30, YELLOW)
    pen.area((36, 14), (50, 2), (64, 14), ink=RED)
    pen.area((62, 18), (98, 8), (98, 34), (62, 26), ink=YELLOW)
    pen.area((0, 98), (14, 88), (86, 88), (100, 98), ink=BLACK)


def _owl(pen: Pen) -> None:
    pen.disc(50, 58, 66, 78)
    pen.disc(50, 32, 62, 48)
    pen.area((20, 32), (20, 4), (44, 16))
    pen.area((80, 32), (80, 4), (56, 16))
    for x in (36, 64):
        pen.disc(x, 34, 24, ink=WHITE)
        pen.disc(x, 34, 11)
    pen.area((45, 44), (55, 44), (50, 56), ink=WHITE)
    for y, xs in ((66, (38, 50, 62)), (76, (44, 56)), (86, (50,))):
        for x in xs:
            pen.line((x - 4, y - 3), (x, y + 2), (x + 4, y - 3), width=3, ink=WHITE)
    pen.line((38, 96), (38, 90), width=6)
    pen.line((62, 96), (62, 90), width=6)


def _train(pen: Pen) -> None:
    pen.box(4, 18, 42, 72, BLUE)
    pen.box(0, 10, 46, 20, RED)
    pen.box(14, 28, 32, 46, WHITE)
    pen.box(42, 40, 90, 72, BLUE)
    pen.area((70, 40), (66, 14), (88, 14), (84, 40), ink=RED)
    pen.disc(54, 40, 14, 16, RED)
    pen.area((90, 60), (99, 82), (84, 82), (84, 60), ink=RED)
    for x, size in ((20, 34), (56, 24), (80, 24)):
        pen.disc(x, 94 - size / 2, size, ink=BLACK)
        pen.disc(x, 94 - size / 2, size / 3, ink=WHITE)


def _bicycle(pen: Pen) -> None:
    pen.ring(22, 66, 42, 5)
    pen.ring(78, 66, 42, 5)
    pen.line((22, 66), (36, 36), (66, 36), (48, 66), (22, 66), width=4)
    pen.line((48, 66), (34, 28), width=4)
    pen.line((78, 66), (64, 20), (78, 18), width=4)
    pen.line((26, 26), (42, 26), width=6)
    pen.disc(48, 66, 12)


MOTIFS: tuple[Motif, ...] = (
    Motif("letter N", _letter_n),
    Motif("arrow", _arrow),
    Motif("crescent", _crescent),
    Motif("note", _note),
    Motif("house", _house),
    Motif("star", _star),
    Motif("pine", _pine, (GREEN, BROWN)),
    Motif("bell", _bell),
    Motif("crown", _crown, (YELLOW, RED)),
    Motif("hourglass", _hourglass),
    Motif("cherries", _cherries, (RED, GREEN)),
    Motif("candle", _candle),
    Motif("boat", _boat, (BLUE, BROWN)),
    Motif("cat", _cat),
    Motif("apple", _apple, (RED, GREEN, BROWN)),
    Motif("anchor", _anchor),
    Motif("mushroom", _mushroom, (RED, BROWN)),
    Motif("glasses", _glasses),
    Motif("fish", _fish),
    Motif("rocket", _rocket, (BLUE, RED, YELLOW)),
    Motif("snowman", _snowman),
    Motif("teapot", _teapot),
    Motif("penguin", _penguin, (BLACK, ORANGE)),
    Motif("snail", _snail),
    Motif("whale", _whale),
    Motif("lighthouse", _lighthouse, (RED, YELLOW, BLACK)),
    Motif("windmill", _windmill),
    Motif("owl", _owl),
    Motif("train", _train, (BLUE, RED, BLACK)),
    Motif("bicycle", _bicycle),
)
"""From few cells to many."""
