"""Counts that others published, or that were counted in another way."""

HISTOGRAMS = {
    2: [4, 10],
    3: [27, 295, 62],
    4: [256, 16670, 20608, 9272, 3356, 772, 248, 40, 12],
    5: [7776, 3409924, 9367027, 6514096, 3232762, 1350200, 633400, 267632, 115178, 47584, 19972, 7132, 2864,
        728, 216, 16, 4],
}  # fmt: skip
"""Images by difficulty, as published (Batenburg et al. 2009, Fig. 3) and recounted."""
SOLUTIONS = {2: (15, 14, 2), 3: (445, 384, 6), 4: (58196, 52362, 24), 5: (28781820, 25309575, 120)}
"""Descriptions, unique ones (OEIS A242876), most solutions."""
SIMPLE = {(2, 3): 52, (3, 2): 52, (2, 4): 208, (2, 5): 810, (1, 10): 1024, (3, 9): 87341874}
"""As published; of a single row everything is simple, because a column of one cell has no slack."""
SHARDS_OF_6X6 = {
    400: [4861021, 0, 29077, 1463908, 3442040, 2899171, 1863261, 1121386, 511973, 297744, 138434, 76701,
          36795, 19013, 8321, 4573, 2145, 976, 395, 171, 67, 34, 8, 1, 0, 1],
    1071: [208272, 6561, 11058003, 5071266, 411898, 18972, 2152, 48, 44],
}  # fmt: skip
"""Images that are not simple, and by difficulty; counted by tables of what settling gives each line."""
