"""State how much is read of what comes from outside: files, configs, folders of results.

Each bound lies far above anything that people make, and so low that no file can take all time or memory: what
is beyond a bound ends in an error within a second and 300 MiB. The readers take their bounds from here.
"""

LINES = 4096
"""Rows, and columns, of a puzzle."""

# Files of puzzles.
FILE_BYTES = 32 << 20
"""Of a file that is read as a whole, and of one puzzle in a set."""
FILE_LINES = 1 << 17
"""Lines of text for one puzzle."""
LINE_BYTES = 1 << 20
"""Of a line, in formats with a line for each clue, and in proofs."""
SILENT_BYTES = 1 << 18
"""Compressed bytes that unpack to nothing, such as a long name or empty parts."""
DIRECTORY_BYTES = 16 << 20
"""Of the directory of a zip archive: a hundred thousand members, and 250 MiB in memory."""
HEADER_BYTES = 1 << 20
"""Of an extended header in a tar archive."""
SKIPPED_BYTES = 256 << 20
"""In a row, of a tar archive: of files that are no puzzles, and of the rest of those that are not read on."""
UNREADABLE_FILES = 100
"""Of a folder or archive, before a command no longer goes on with the others."""
JSON_MARKS = {"[": 1 << 19, "{": 1 << 17, ",": 1 << 21}
"""Lists, objects and commas of one JSON value: two bytes of it can take a hundred bytes of memory."""
_FEWEST_MARKS = min(JSON_MARKS.values())
XML_ELEMENTS = 1 << 17
"""Of one puzzle."""
XML_DEPTH = 100
TABLE_CELLS = 1 << 20
"""Of a table with the clues around a grid, without its empty edges."""
SHEET_TAGS, WORKBOOK_TAGS = 1 << 17, 1 << 14
"""Of XML, in the sheets of a workbook and in its other parts. 100 000 mark half of 200x200 cells."""
GRID_BYTES = 4 << 20
"""Of a grid of a known puzzle, as JSON."""
IMAGE_PIXELS = 1 << 22
"""Of a picture with a pixel for each cell: 2048x2048 take 200 MiB and half a second."""

# Pictures to generate from.
PICTURE_BYTES = 96 << 20
PICTURE_PIXELS = 16_000_000
"""4000x4000."""
PICTURE_PIXELS_OF = {"JPEG": 25_000_000, "MPO": 25_000_000, "WEBP": 10_000_000, "AVIF": 8_000_000}
"""JPEG is decoded at a fraction of its size; WebP takes 20 bytes for each pixel, and AVIF long."""
JPEG_PASSES = 100
"""Each takes as long as the first."""

# Configs of campaigns.
CONFIG_BYTES = 32 << 10
CONFIG_VALUES = 10_000
"""An alias counts as the values that it stands for."""
CONFIG_DEPTH = 50
NAME_CHARS = 100
DESCRIPTION_CHARS = 2000
"""Of a campaign."""
SPEC_CHARS = 8000
"""Of a backend's spec, which may be the whole declaration of a program."""
PROGRAM_OUTPUT = 16 << 20
"""Bytes that a program may print for one puzzle."""
BACKENDS = 256
"""Of a campaign, with the combinations of all sweeps."""
RANGE_VALUES = 10_000
"""That a range or a list of ranges stands for."""
CONFIG_NUMBERS = 100_000
"""That all values of a config stand for, with their ranges written out."""
RANDOM_SETS = 10_000
"""Combinations of sizes, densities and colours of a source."""
JOBS = 4096
RUNS = 200_000_000
SECONDS = 100_000_000
"""Of a limit: three years."""
MEMORY_BYTES = 1 << 50
"""Of a limit: a pebibyte."""
SOLUTIONS = 1_000_000
"""That task count looks for."""
COUNT_DIGITS = 4000
"""Of a number of solutions: Python reads no text of more than 4300 digits as a number."""
ENTRIES = 100_000
"""Files and folders that the paths of a config lead through."""
FOLDERS_DEEP = 64
PATH_CHARS = 4096
PAGE_BYTES = 4 << 20
"""Of what a site answers."""
SAMPLED = 1_000_000
"""Puzzles of a sample, which is in memory."""
RANDOM_CELLS = 1 << 20
"""Of one random image."""
RANDOM_SET_CELLS = 100_000_000_000
"""Of all images of a set."""
DOMINOES = 20_000
"""Of all n-Dom puzzles of a source, the sum of n."""

# Folders of results.
ROW_NUMBER = 1_000_000_000
"""Seconds of a row: larger ones overflow in sums and squares."""
ROW_KEYS = 10_000
"""Of a mapping in a row, such as the counts of a backend."""
SESSIONS_BYTES = 32 << 20
"""Of ``campaign.json``: ten thousand sessions."""

# Certificates.
CERTIFICATE_BYTES = 4 << 20
"""Of the JSON file."""
CLAUSES = 1_000_000
"""Of a formula, and its cell variables: a larger one would take gigabytes and hours to check."""
PROOF_BYTES = 1 << 30
"""A longer proof would take days to check."""
PROOF_SECONDS, PROGRAM_PROOF = 120.0, 64 << 20
"""Of verifying the proof of a run, and bytes of a program's proof."""


def has_too_many_marks(text: str | bytes) -> bool:
    """Return whether a text, read as JSON, would be more than `JSON_MARKS`."""
    if len(text) <= _FEWEST_MARKS:
        return False
    if isinstance(text, bytes):
        return any(text.count(mark.encode()) > most for mark, most in JSON_MARKS.items())
    return any(text.count(mark) > most for mark, most in JSON_MARKS.items())
