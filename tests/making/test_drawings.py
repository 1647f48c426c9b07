"""The project's own drawings: the grey ones as their recipe paints them, the motifs in their own colours."""

import runpy

import numpy as np

from nonocsp.making.drawings import SIDE, apple, motifs, portrait, textured_portrait


def test_the_recipe_reproduces_the_grey_pictures(repository):
    recipe = runpy.run_path(str(repository / "datasets" / "drawings" / "draw.py"))
    for draw in (apple, portrait, textured_portrait):
        assert np.array_equal(draw(), recipe[draw.__name__]())
    assert (apple().shape, portrait().shape, textured_portrait().shape) == (
        (512, 512),
        (480, 608),
        (240, 304),
    )


def test_thirty_motifs_are_drawn_only_in_their_own_colours():
    assert len({motif.name for motif in motifs()}) == 30
    for motif in motifs():
        image = motif.image()
        assert image.size == (SIDE, SIDE)
        found = {f"#{r:02x}{g:02x}{b:02x}" for _, (r, g, b) in image.getcolors()}
        assert found == {colour.rgb for colour in motif.palette.colours}, motif.name


def test_without_colours_a_motif_is_black_where_it_was_not_white():
    for motif in motifs():
        coloured = np.asarray(motif.image()).min(axis=2) < 255
        assert np.array_equal(np.asarray(motif.image(in_colour=False)) == 0, coloured), motif.name
