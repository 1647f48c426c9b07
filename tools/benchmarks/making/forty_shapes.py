"""The pictures of `forty` that are cells, and those that are shapes, as text."""

from __future__ import annotations

CELLS = {
    "icon": {
        "heart": """
..##...##..
.####.####.
###########
###########
###########
.#########.
..#######..
...#####...
....###....
.....#.....
""",
        "floppy": """
############
#.#......#.#
#.#......#.#
#.#......#.#
#.########.#
#..........#
#.########.#
#.#......#.#
#.#.####.#.#
#.#......#.#
#.#......#.#
############
""",
        "invader": """
..#.....#..
...#...#...
..#######..
.##.###.##.
###########
#.#######.#
#.#.....#.#
...##.##...
""",
        "lens": """
...####.....
.##....##...
.#......#...
#........#..
#........#..
#........#..
#........#..
.#......#...
.##....###..
...####.###.
.........###
..........##
""",
        "chequers": """
#.#.#.#.
.#.#.#.#
#.#.#.#.
.#.#.#.#
#.#.#.#.
.#.#.#.#
#.#.#.#.
.#.#.#.#
""",
        "mushroom": """
....rrrrrr....
..rrrrrrrrrr..
.rr..rrrrrrrr.
.rr..rrr..rrr.
rrrrrrrr..rrrr
rrrrrrrrrrrrrr
rr..rrrrrr..rr
rr..rrrrrr..rr
.rrrrrrrrrrrr.
....yyyyyy....
....yyyyyy....
....yyyyyy....
...yyyyyyyy...
""",
        "traffic light": """
.######.
##rrrr##
##rrrr##
##rrrr##
########
##yyyy##
##yyyy##
##yyyy##
########
##gggg##
##gggg##
##gggg##
.######.
...##...
...##...
""",
    },
    "tiny": {
        "plus": """
..#..
..#..
#####
..#..
..#..
""",
        "grin": """
.####.
#.##.#
######
#.##.#
##..##
.####.
""",
        "barcode": """
#.##..#.###.
""",
    },
}
"""By kind and name: a character a cell, see `forty.INKS`."""

SHAPES = {
    "smile": """
#ffd92f disc 50 50 92 92
#000000 disc 35 38 10 16
#000000 disc 65 38 10 16
#000000 arc 50 55 52 46 20 160 w=6
""",
    "glasses": """
#8c510a disc 50 42 74 76
#8c510a box 13 42 28 84
#8c510a box 72 42 87 84
#2c7bb6 polygon 18 100 28 84 72 84 82 100
#f2c9a5 box 42 72 58 88
#f2c9a5 disc 50 50 50 58
#8c510a disc 50 24 50 20
#000000 ring 39 46 18 w=3
#000000 ring 61 46 18 w=3
#000000 line 47 46 53 46 w=3
#000000 disc 39 46 5 5
#000000 disc 61 46 5 5
#d7191c arc 50 60 22 16 20 160 w=4
""",
    "robot": """
#000000 box 20 24 80 80
#ffffff box 26 30 74 74
#000000 disc 38 44 16 16
#000000 disc 62 44 16 16
#ffffff disc 40 42 5 5
#ffffff disc 64 42 5 5
#000000 line 36 63 64 63 w=3
#000000 line 43 59 43 67 w=3
#000000 line 50 59 50 67 w=3
#000000 line 57 59 57 67 w=3
#000000 line 50 24 50 12 w=4
#000000 disc 50 9 9 9
#000000 box 11 42 20 60
#000000 box 80 42 89 60
#000000 box 38 80 62 92
""",
    "cat": """
#ff8c1a polygon 16 8 44 28 16 50
#ff8c1a polygon 84 8 56 28 84 50
#ff8c1a disc 50 54 78 70
#ffffff disc 34 46 18 14
#ffffff disc 66 46 18 14
#000000 disc 34 46 6 13
#000000 disc 66 46 6 13
#000000 polygon 44 58 56 58 50 65
#000000 line 50 65 50 71 w=2
#000000 arc 43 70 14 10 0 120 w=2
#000000 arc 57 70 14 10 60 180 w=2
#000000 line 2 54 30 62 w=2
#000000 line 3 68 30 67 w=2
#000000 line 6 82 31 72 w=2
#000000 line 98 54 70 62 w=2
#000000 line 97 68 70 67 w=2
#000000 line 94 82 69 72 w=2
""",
    "fish": """
#2c7bb6 disc 42 50 74 50
#2c7bb6 polygon 70 50 97 22 90 50 97 78
#ffd92f polygon 34 27 60 24 52 10
#ffd92f box 44 26 50 74
#ffd92f box 58 30 63 70
#ffffff disc 20 43 13 13
#000000 disc 19 43 6 6
#000000 line 8 58 18 60 w=2
""",
    "owl": """
#c9c2b4 box 0 0 100 100
#6b4a2f disc 50 60 58 76
#6b4a2f polygon 22 12 44 28 24 40
#6b4a2f polygon 78 12 56 28 76 40
#6b4a2f disc 50 36 56 38
#e9dcc0 disc 37 36 24 24
#e9dcc0 disc 63 36 24 24
#201810 disc 38 36 11 11
#201810 disc 62 36 11 11
#d99a20 polygon 46 44 54 44 50 54
#b89468 disc 50 70 34 44
#6b4a2f line 40 62 46 66 w=3
#6b4a2f line 54 66 60 62 w=3
#6b4a2f line 44 74 50 78 w=3
#3a2a1c disc 25 66 14 44
#3a2a1c disc 75 66 14 44
#403020 line 2 94 98 90 w=6
""",
    "snail": """
#000000 line 8 86 84 86 w=7
#000000 line 84 86 88 66 w=6
#000000 line 88 66 80 46 w=2
#000000 line 88 66 96 48 w=2
#000000 disc 80 45 5 5
#000000 disc 96 47 5 5
#000000 ring 46 56 58 w=4
#000000 arc 48 57 40 40 0 300 w=4
#000000 arc 45 55 24 24 120 420 w=4
#000000 disc 46 56 7 7
""",
    "zebra": """
#ffffff box 0 0 100 100
#000000 disc 46 52 66 34
#ffffff disc 46 52 62 30
#000000 line 72 46 86 22 w=12
#ffffff line 72 46 86 22 w=9
#000000 disc 90 22 20 13
#ffffff disc 90 22 17 10
#000000 disc 96 23 6 8
#000000 disc 87 20 3 3
#000000 line 22 38 24 66 w=4
#000000 line 33 36 35 68 w=4
#000000 line 44 36 46 68 w=4
#000000 line 55 36 57 67 w=4
#000000 line 65 37 66 64 w=4
#000000 line 74 33 82 38 w=3
#000000 line 79 25 87 30 w=3
#000000 line 80 18 70 44 w=4
#000000 line 20 60 20 94 w=5
#000000 line 32 66 32 94 w=5
#000000 line 60 66 60 94 w=5
#000000 line 70 60 70 94 w=5
#000000 line 14 46 6 66 w=4
""",
    "bird": """
#000000 disc 46 46 44 32
#000000 disc 66 32 22 22
#000000 polygon 75 28 92 34 75 37
#ffffff disc 68 30 5 5
#000000 polygon 30 42 3 58 8 66 32 54
#ffffff arc 44 44 30 20 20 150 w=3
#000000 line 42 60 40 72 w=2
#000000 line 52 60 54 72 w=2
#000000 line 4 76 96 70 w=5
#000000 line 70 72 84 86 w=3
""",
    "star": """
#000000 polygon 50 4 61 38 97 38 68 59 79 94 50 73 21 94 32 59 3 38 39 38
""",
    "drop": """
#2c7bb6 polygon 50 4 76 52 24 52
#2c7bb6 disc 50 64 60 60
#0a2a6b disc 60 72 22 22
""",
    "ghost": """
#303030 disc 50 44 72 80
#303030 box 14 44 86 94
#fefefe disc 50 44 62 70
#fefefe box 19 44 81 88
#303030 polygon 19 94 29 80 39 94
#303030 polygon 40 94 50 80 60 94
#303030 polygon 61 94 71 80 81 94
#303030 disc 38 40 12 18
#303030 disc 62 40 12 18
#303030 disc 50 60 12 10
""",
    "boat": """
#bfe3f5 box 0 0 100 100
#ffd92f disc 82 18 18 18
#2c7bb6 box 0 72 100 100
#8c510a polygon 14 66 88 66 74 84 28 84
#000000 line 50 66 50 8 w=3
#d7191c polygon 53 10 84 60 53 60
#ffffff polygon 47 16 47 60 20 60
""",
    "lighthouse": """
#dcdcdc box 0 0 100 100
#404040 polygon 0 100 20 82 80 80 100 92 100 100
#000000 polygon 42 24 58 24 66 82 34 82
#ffffff polygon 40.5 36 59.5 36 61 46 39 46
#ffffff polygon 37.5 58 62.5 58 64 68 36 68
#000000 box 38 20 62 24
#000000 box 43 10 57 20
#ffffff box 46 12 54 19
#000000 polygon 40 10 50 2 60 10
#ffffff polygon 57 15 100 4 100 28
""",
    "house": """
#a8cbe8 box 0 0 100 100
#5a9a4a box 0 72 100 100
#e8d8b0 box 18 44 74 84
#a03020 polygon 12 46 46 16 80 46
#a03020 box 60 18 68 36
#503010 box 40 60 52 84
#405878 box 24 54 34 66
#405878 box 58 54 68 66
#2f6b2f disc 88 56 24 36
#503010 box 86 70 90 86
""",
    "pears": """
#e0d4c0 box 0 0 100 100
#8a6a48 box 0 78 100 100
#8fae3c disc 34 64 38 42
#8fae3c disc 34 40 20 30
#5a3a1c line 34 28 38 14 w=3
#c8702a disc 68 68 40 36
#c8702a disc 66 48 22 26
#5a3a1c line 66 38 62 26 w=3
#3f7a2c polygon 40 16 58 8 50 22
""",
}
"""By name: ink, kind and numbers of a shape on each line, as `Motif` has them; each covers those before."""
