"""The commands of ``nonocsp``, one module each: what it takes, does and prints."""

SUMMARIES = {
    "solve": "Solve puzzles and say whether the solution is unique.",
    "check": "Compare what several backends say about the same puzzles.",
    "difficulty": "Grade how hard puzzles are.",
    "census": "Grade all images of a size, or some of them at random.",
    "explain": "Explain how a person solves a puzzle, step by step.",
    "line": "Solve one line and list its placements.",
    "bench": "Compare backends on the same puzzles, every answer verified.",
    "tune": "Find the best options of a backend, and check them.",
    "report": "Report on campaigns: scores, pairs, disagreements, changes.",
    "convert": "Convert puzzles from one format to another.",
    "export": "Write a puzzle in the language of a solver.",
    "decode": "Read what a solver printed about an exported puzzle.",
    "fetch": "Fetch a puzzle from webpbn.com or nonograms.org.",
    "play": "Write a page on which anyone can play puzzles.",
    "print": "Make sheets to solve on paper.",
    "generate": "Make puzzles from a picture: a photo, a drawing, a logo.",
    "repair": "Find the fewest changes that make a puzzle unique.",
    "mend": "Find which clue of a puzzle is wrong, and what it should be.",
    "studio": "Draw puzzles in a browser that says whether they are unique.",
    "backends": "List the backends: what each does, and whether it can run here.",
    "results": "Merge the shards of a campaign, or export its rows.",
    "dataset": "Make puzzles by a rule and a seed.",
    "certificate": "Verify proofs, such as that a solution is the only one.",
    "doctor": "List what works on this machine, and how to get the rest.",
}
"""The commands, each with the first line of its help. The module of a command has its name."""
