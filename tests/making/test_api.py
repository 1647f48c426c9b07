"""What `nonocsp.generate` promises: one solution, by two unrelated backends, and the meter's difficulty."""

import threading
from itertools import product
from typing import Any

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest
from numpy.typing import NDArray

import nonocsp
from nonocsp.making.drawings import apple, portrait
from nonocsp.making.puzzles import Generated

Pixels = NDArray[np.uint8]


def shapes(rng: np.random.Generator) -> Pixels:
    image = PIL.Image.new("L", (120, 100), "white")
    drawing = PIL.ImageDraw.Draw(image)
    for _ in range(6):
        x, y, width, height = (int(value) for value in rng.integers(5, 60, 4))
        draw = (drawing.ellipse, drawing.rectangle)[rng.integers(2)]
        draw((x, y, x + width, y + height), fill=int(rng.integers(0, 220)), outline=0)
    return np.asarray(image)


def gradient(rng: np.random.Generator) -> Pixels:
    y, x = np.indices((80, 80)) / 80
    waves = np.sin(rng.uniform(1, 12) * x + rng.uniform(1, 12) * y + rng.uniform(0, 6))
    return (127 + 100 * waves * rng.uniform(0.3, 1)).astype(np.uint8)


def noise(rng: np.random.Generator) -> Pixels:
    return rng.integers(0, 256, (60, 70)).astype(np.uint8)


def text(rng: np.random.Generator) -> Pixels:
    image = PIL.Image.new("L", (90, 60), "white")
    letters = "".join(chr(code) for code in rng.integers(65, 91, 3))
    font = PIL.ImageFont.load_default(size=int(rng.integers(20, 40)))
    PIL.ImageDraw.Draw(image).text((3, 3), letters, fill=0, font=font)
    return np.asarray(image)


DRAWN = (shapes, gradient, noise, text)


def assert_sound(one: Generated) -> None:
    """The goal is the only solution, by two backends that share nothing, and the meter agrees."""
    for puzzle in (one.puzzle, *(varied.puzzle for varied in one.varied[-1:])):
        for backend in ("hybrid", "sat"):
            outcome = nonocsp.solve(puzzle, backend=backend)
            assert outcome.answer == "unique"
            assert outcome.solutions[0] == puzzle.goal
    graded = nonocsp.difficulty(one.puzzle, deepest=0)
    assert (one.difficulty, one.class_) in ((graded.sweeps, graded.class_), (graded.sweeps, "unknown"))
    for varied in one.varied[-1:]:
        assert varied.difficulty == nonocsp.difficulty(varied.puzzle).sweeps


@pytest.mark.parametrize(
    ("draw", "number"),
    list(product(DRAWN, range(9)))[::2],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_every_picture_drawn_by_the_recipe_becomes_a_puzzle(draw, number):
    rng = np.random.default_rng([number, DRAWN.index(draw)])
    settings: dict[str, Any] = {
        "size": tuple(int(lines) for lines in rng.integers(6, 14, 2)),
        "threshold": ("share", "otsu", "adaptive")[number % 3],
        "edges": ("none", "only", "both")[number // 3 % 3],
        "clear": number % 2 == 1,
        "vary": number % 4,
        "colours": 0 if number % 5 else 2,
        "seed": number,
    }
    (one,) = nonocsp.generate(draw(rng), **settings)
    assert one.puzzle.shape == settings["size"]
    assert_sound(one)


@pytest.mark.parametrize("settings", [{"colours": 2}, {"palette": ["white", "#2020d0", "#d02020"]}], ids=str)
def test_a_picture_in_colours_becomes_a_puzzle_in_these_colours(settings):
    image = PIL.Image.new("RGB", (60, 60), "white")
    drawing = PIL.ImageDraw.Draw(image)
    drawing.ellipse((5, 5, 50, 50), fill="#d02020")
    drawing.rectangle((30, 30, 58, 58), fill="#2020d0")
    (one,) = nonocsp.generate(image, size=(12, 12), **settings)
    colours = [np.array(list(bytes.fromhex(colour.rgb[1:]))) for colour in one.puzzle.palette.colours]
    assert colours[0].tolist() == [255, 255, 255]
    for (row, column), rgb in {(3, 4): (208, 32, 32), (8, 8): (32, 32, 208)}.items():
        assert np.abs(colours[one.image[row, column]] - rgb).max() < 40
    assert_sound(one)


def test_a_target_out_of_reach_gives_the_closest_puzzle_and_says_so():
    (plain,) = nonocsp.generate(apple(), size=(8, 8))
    (one,) = nonocsp.generate(apple(), size=(8, 8), difficulty=(1000, 2000), seed=3)
    assert not one.is_wanted
    assert plain.difficulty <= one.difficulty < 1000
    assert_sound(one)


def test_difficulties_are_similar_to_those_in_the_paper():
    """Apple: 38 to 63 in the paper; easier without edges, and after Vary."""
    paper = {
        "size": (32, 32),
        "class_": "simple",
        "fill_empty": True,
        "threshold": "share",
        "clear": False,
        "prune": False,
    }
    edged = list(nonocsp.generate(apple(), edges="only", count=3, vary=60, **paper))
    plain = next(nonocsp.generate(apple(), **paper))
    assert all(30 <= one.difficulty <= 90 for one in edged)
    assert np.mean([one.varied[-1].difficulty for one in edged]) < np.mean([one.difficulty for one in edged])
    assert all(len(one.varied) > 30 for one in edged)
    assert plain.difficulty < min(one.difficulty for one in edged)


def test_a_time_limit_gives_fewer_puzzles_but_complete_ones():
    made = list(nonocsp.generate(portrait(), size=(30, 38), edges="only", count=10_000, vary=3, time=0.5))
    assert len(made) < 10_000
    for one in made[:1]:
        assert_sound(one)
    assert not list(nonocsp.generate(portrait(), size=(30, 38), edges="only", time=1e-6))


def test_several_puzzles_are_distinct_and_a_seed_repeats_them_on_any_number_of_threads():
    def images(jobs: int) -> list[Pixels]:
        made = nonocsp.generate(apple(), size=(16, 16), count=8, vary=4, seed=2, jobs=jobs)
        return [each.image for one in made for each in (one, *one.varied)]

    made = images(1)
    assert len({image.tobytes() for image in made}) == len(made) >= 16
    assert np.array_equal(made, images(3))


def test_dropping_a_generator_ends_its_threads():
    before = set(threading.enumerate())
    puzzles = nonocsp.generate(apple(), size=(16, 16), edges="only", count=5, jobs=3)
    next(puzzles)
    puzzles.close()
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"class_": "easy"}, "unknown class 'easy'; there are simple, fp1, unique"),
        ({"edges": "yes"}, "unknown edges 'yes'; there are none, only, both"),
        ({"threshold": "mean"}, "unknown threshold 'mean'; there are share, otsu, adaptive"),
        ({"difficulty": "simple"}, "unknown difficulty 'simple'; there are easy, medium, hard, expert"),
        *(({"difficulty": wrong}, "not a range of difficulties") for wrong in ((30, 20), (0, 20))),
        *(({name: 0}, f"{name} is 1 or more, not 0") for name in ("count", "apart", "jobs")),
        *(({name: -1}, f"{name} is 0 or more, not -1") for name in ("vary", "max_changes", "seed")),
        ({"alpha": -1.0}, "alpha, beta and gamma"),
        *(({"time": wrong}, "the time is above 0 s") for wrong in (0.0, -1.0, float("nan"))),
        ({"colours": 64}, "1 to 63 foreground colours"),
        ({"palette": ["white"]}, "a background and 1 to 63 colours"),
        ({"palette": ["white", "nocolour"]}, "unknown colour 'nocolour'"),
        ({"palette": ["white", "#fff"]}, "a colour twice"),
        ({"palette": ["white", "red"], "colours": 2}, "either"),
    ],
)
def test_wrong_settings_are_refused_at_once(wrong, message):
    least = {"count": 1, "apart": 1, "jobs": 1, "vary": 0, "max_changes": 0, "seed": 0, "time": 1e-9}
    nonocsp.generate(apple(), size=(8, 8), difficulty=(1, 1), **least)
    with pytest.raises(nonocsp.NonocspError, match=message):
        nonocsp.generate(apple(), size=(8, 8), **wrong)
