"""One table of mistakes and what each command says of them, before anything is computed or written."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import PIL.Image
import pytest

from nonocsp.backends.registry import names
from nonocsp.cli.commands import (
    backends,
    bench,
    census,
    certificate,
    check,
    convert,
    dataset,
    difficulty,
    explain,
    fetch,
    generate,
    line,
    play,
    report,
    results,
    solve,
    tune,
)
from nonocsp.cli.commands import print as printing
from nonocsp.cli.commands import repair as repairing
from nonocsp.formats import save
from nonocsp.making.drawings import motifs
from nonocsp.model import Puzzle
from tools.benchmarks.harness import synthetic

KNOWN = ", ".join(names())
MESSAGES: dict[ModuleType, list[tuple[str, str]]] = {
    solve: [
        ("", "missing argument 'FILE...'; see nonocsp solve --help"),
        ("--nosuch x", "no such option: --nosuch"),
        ("--json=3 x", "option '--json' does not take a value; see nonocsp solve --help"),
        ("--task guess x", "'guess' is not one of 'solve', 'decide', 'count'"),
        ("--bound 0 x", "'0' is not a number of solutions such as 1000, nor all"),
        ("--limit soon x", "'soon' is not a duration such as 10, 10s, 500ms"),
        ("--limit 0 x", "'0' is not a duration such as 10, 10s"),
        ("--memory lots x", "'lots' is not a size such as 500MB or 2GiB"),
        ("--index 0 x", "'0' is not a position such as 3, 1-10 or 4-, counted from 1, nor a slice"),
        ("--size 25 x", "'25' is not a size such as 25x30 (rows x columns)"),
        ("--jobs 0 x", "'--jobs' / '-j': 0 is below 1"),
        ("--seed 1.5 x", "'--seed': '1.5' is not a whole number"),
        ("nosuch.non", "nosuch.non: there is no such file"),
        ("broken.non", "broken.non:"),
        ("broken.json", "broken.json"),
        ("large.nin", "large.nin: row 1: the clue 5 needs 5 cells"),
        ("cat.non --backend nosuch", f"unknown backend 'nosuch'; there are {KNOWN}"),
        ("cat.non --from nonn", "unknown format 'nonn' (did you mean 'non'?)"),
        ("cat.non --output x.doc", "x.doc: the suffix of --output says what to write: .txt, .json"),
        ("cat.non --output no/x.svg", "no/x.svg cannot be written: there is no folder no; make it first"),
        ("cat.non --output cat.non --from non", "cat.non: the suffix of --output says what to write"),
        ("note.png --output note.png", "note.png is read; --output would replace it"),
        ("cat.non --output x.txt --patterns", "--patterns is for pictures; give --output a .svg or .png"),
        ("set.json --index 4", "set.json has no puzzle 4; it has 3"),
        ("set.json#4", "set.json has no puzzle 4; it has 3"),
        ("set.json#1 --index 1", "set.json#1 names one puzzle; leave out --index"),
        ("pictures", "pictures has no file with a suffix of puzzles; nonocsp convert --formats lists them; "
         "name pictures as pictures/*.png"),
    ],
    check: [
        ("--backends nosuch cat.non", f"unknown backend 'nosuch'; there are {KNOWN}"),
        ("--task solve cat.non", "'solve' is not one of 'decide', 'count'"),
    ],
    difficulty: [
        ("", "give either files or --random ROWSxCOLUMNS"),
        ("--random 5x5 cat.non", "give either files or --random ROWSxCOLUMNS"),
        ("--random 5x5 --density 2", "'--density': 2.0 is not between 0.0 and 1.0"),
        ("--depth -1 cat.non", "'--depth': -1 is below 0"),
        ("cat.non --plot x.gif", "the suffix says what to draw"),
        ("cat.non --plot no/x.svg", "no/x.svg cannot be written: there is no folder no, or it is read-only"),
        ("cat.non --csv no/x.csv", "no/x.csv cannot be written: there is no folder no; make it first"),
        ("cat.non --csv cat.non", "cat.non is read; --csv would replace it"),
        ("cat.non --map x.gif", "x.gif: the suffix of --map says what to write: .txt, .svg, .png"),
    ],
    census: [
        ("--rows 0 --columns 3", "'--rows': 0 is below 1"),
        ("--rows 12 --columns 7", "12x7 is out of reach"),
        ("--rows 3 --columns 3 --plot x.gif", "x.gif: the suffix"),
        ("--rows 3 --columns 3 --plot no/x.svg", "there is no folder no, or it is read-only"),
        ("--rows 3 --columns 3 --sample 0", "'--sample': 0 is below 1"),
        ("--rows 3 --columns 3 --sample 5 --unique", "--sample does not go with --estimate, --unique"),
        ("--rows 3 --columns 3 --estimate 5 --sample 5", "--sample does not go with --estimate"),
        ("--rows 3 --columns 3 --estimate 5 --unique", "--estimate does not go with --unique or --dry-run"),
        ("--rows 3 --columns 3 --estimate 1", "'--estimate': 1 is below 2"),
        ("--rows 3 --columns 3 --seed 1", "--seed and --confidence need --sample or --estimate"),
        ("--rows 3 --columns 3 --dry-run --plot x.svg", "--plot does not go with --dry-run"),
        ("--rows 3 --columns 3 --jobs 2 --cluster tcp://head:1", "--jobs does not go with an address"),
    ],
    explain: [
        ("--solution cat.non", "--solution needs --hint: it compares that grid with the solution"),
        ("--hint grid.txt --summary cat.non", "--hint prints the next step only; leave out --summary"),
        ("--hint grid.txt --output x.html cat.non", "leave out --summary and --output"),
        ("--hint nowhere.txt cat.non", "nowhere.txt: there is no such file"),
        ("--hint grid.txt set.json", "--hint takes one puzzle; name one file"),
        ("--output x.pdf cat.non", "the suffix of --output says what to write: .html, .gif, .svg"),
    ],
    line: [
        ("3", "give either the cells of the line, such as"),
        ("3 ... --length 3", "give either the cells of the line, such as"),
    ],
    bench: [
        ("smoky", "smoky: there is no such config; nonocsp comes with colour, growth, paradigms, peers"),
        ("--limit", "option '--limit' requires an argument; see nonocsp bench --help"),
        ("mini.yaml --filter dog", "no run matches 'dog'; a filter is part of a puzzle's name (set.json#1 …"),
        ("mini.yaml --filter backend=dog", "or backend=PATTERN (settle, sat)"),
        ("mini.yaml --shard 3/2", "'3/2' is not a valid shard; write K/N with K <= N"),
        ("mini.yaml --shard 9/9", "shard 9/9 is empty: the campaign has 3 instances"),
        ("mini.yaml --retry ok", "unknown termination 'ok'; there are wall, cpu, memory, crashed"),
        ("mini.yaml --executor frok", "unknown executor 'frok' (did you mean 'fork'?); there are "),
        ("wrong.yaml", "wrong.yaml:3:1: "),
        ("wrong.yaml", "did you mean 'backends'"),
        ("dask.yaml", "dask.yaml:6"),
        ("dask.yaml", "a config cannot name a scheduler"),
    ],
    tune: [
        ("sat mini.yaml --option solver", "is not of the form KEY=A|B"),
        ("sat mini.yaml --option colour=red", "unknown option of sat 'colour'"),
        ("sat mini.yaml --candidates 1", "'--candidates': 1 is not between 2 and 256"),
    ],
    report: [
        ("pictures", "pictures holds no campaign"),
        ("campaign --format terminal --output x", "--output does not go with --format terminal"),
        ("campaign --json --output x", "--json does not go with --format, --output or --table"),
        ("campaign --format png --pair settle", "--pair takes two backends such as sat,cpsat, not 'settle'"),
        ("campaign --format png --pair settle,sat", "no runs of 'sat'"),
        ("campaign --baseline nowhere", "nowhere holds no campaign"),
        ("campaign --paper x --format csv", "--paper writes everything: leave out --json, --format"),
        ("campaign --table scores", "--table needs --format terminal, csv, latex or markdown"),
        ("campaign --output campaign/runs.jsonl", "belongs to the campaign in campaign: name"),
        ("campaign --format latex --output campaign/campaign.json", "name another place with --output"),
        ("campaign --paper campaign/solutions/x", "name another place with --paper"),
    ],
    results: [
        ("mrge", "'mrge'"),
        ("merge nowhere --output x", "nowhere holds no campaign: there is no such folder"),
        ("merge campaign --output x --name caf\udce9", "--name 'caf\\udce9' is not UTF-8"),
        ("export campaign --format xlsx", "unknown format 'xlsx'; expected csv, parquet"),
        ("export campaign --output rows.dat", "unknown format 'dat'"),
        ("export campaign --format parquet", "a Parquet file cannot go to the standard output"),
        ("export campaign --output no/x.csv", "no/x.csv cannot be written: No such file or directory"),
        ("export campaign --format csv --output campaign/runs.jsonl", "belongs to the campaign in campaign"),
        ("export campaign --format csv --output link/campaign.json", "name another place with --output"),
        ("export campaign --output arrow.csv", "arrow.csv is a link to precious, which is not followed"),
    ],
    convert: [
        ("cat.non", "missing argument 'OUT'"),
        ("cat.non out.nosuch", "no format has the suffix '.nosuch'"),
        ("cat.non out.nin --to nosuch", "unknown format 'nosuch'"),
        ("set.json out.nin", "nin"),
        ("cat.non set.json", "set.json exists; --force replaces it"),
    ],
    fetch: [
        ("--refresh --cache-only webpbn:1", "leave out one of them"),
        ("--output x.doc webpbn:1", "no format has the suffix '.doc'"),
        ("--cache-only webpbn:1", "webpbn:1 is not in the cache"),
    ],
    play: [
        ("cat.non --output cat.non", "cat.non is read; --output would replace it"),
        ("long.json", "long is 101x1; a page shows at most 100x100, nonocsp print makes sheets of larger"),
    ],
    printing: [
        ("cat.non --output x.docx", "x.docx: sheets are written as .pdf, .svg, .png"),
        ("cat.non --output no/x.pdf", "no/x.pdf cannot be written: No such file or directory"),
        ("cat.non --per-page 0", "'--per-page': 0 is not between 1 and 24"),
        ("note.png --output note.png", "note.png is read; --output would replace it"),
    ],
    repairing: [
        ("set.json --max-changes 9", "'--max-changes': 9 is not between 1 and 8"),
        ("set.json --output no/x.svg", "there is no folder no"),
        ("note.png --output note.png", "note.png is read; --output would replace it"),
    ],
    generate: [
        ("", "name a picture; only --pack works without one"),
        ("pictures", "pictures is a folder; --pack makes a set of its pictures"),
        ("grid.txt", "grid.txt: not a readable picture; expected a complete picture"),
        ("note.png --title Note", "--title is for a book; --pack --output FILE.pdf makes one"),
        ("note.png --size 0x5", "'0x5' is not a size such as 25x30, 25x or x30"),
        ("note.png --size 500x", "error: a puzzle from a picture has 1 to 400 rows and columns, not 500"),
        ("note.png --difficulty 30..20", "'30..20' is not a range such as 20..30"),
        ("note.png --difficulty harder", "'harder' is neither one of easy, medium, hard, expert nor"),
        ("note.png --black 35", "above 0 and below 1, not 35"),
        ("note.png --palette white", "such as white,black,red"),
        ("note.png --palette white,red --colours 2", "not both"),
        ("note.png --to json", "--to json says how to write, --output where; give both"),
        ("note.png -o x.pdf --to json", "--to json is for puzzle files; x.pdf is a page"),
        ("note.png -o no/x.html", "there is no folder no"),
        ("note.png -o note.png", "note.png is read; --output would replace it"),
        ("note.png --compare x.pdf", "--compare x.pdf: expected a file that ends in .svg or .png"),
        ("note.png --compare note.png", "note.png is read; --compare would replace it"),
        ("note.png --compare no/x.svg", "there is no folder no"),
        ("note.png --pick 0", "'--pick': 0 is below 1"),
        ("note.png --pick 2 --edges only", "--pick chooses a look; leave out --edges"),
        ("set.png", "set.html is there already and is no contact sheet; name a page with --output"),
        ("--pack", "a pack is a folder or a book; name a new folder/ or a .pdf with --output"),
        ("--pack -o x --title Notes", "--title is for a book; name a .pdf with --output"),
        ("--pack -o x.pdf --to non", "--to is for puzzle files; x.pdf is a book"),
        ("--pack -o no/x.pdf", "there is no folder no"),
        ("--pack -o x --vary 3", "--vary does not go with --pack"),
        ("--pack -o x --black 0.5", "--black does not go with a pack of our own drawings"),
        ("--pack note.png -o x", "note.png is not a folder"),
        ("--pack nowhere -o x", "nowhere is not a folder"),
        ("--pack -o note.png", "note.png is a file"),
        ("--pack pictures -o x --to tournament --colours 3", "tournament has no colours"),
    ],
    dataset: [
        ("tcga", "missing option '--seed'"),
        ("tcga --seed -1", "'--seed': -1 is below 0"),
        ("random --seed 5 --density 0", "density"),
        ("hardest --rows 10 --columns 14 --time 1s", "--time and --seed need --search"),
        ("hardest --rows 18 --columns 18 --family zigzags --search", "--family names a construction"),
        ("hardest --rows 5 --columns 12", "no construction fits into 5x12; the smallest are 6x6 (snakes)"),
    ],
    certificate: [
        ("verify nosuch.json", "No such file"),
        ("verify broken.json", "not JSON"),
        ("verify long.json", "not a certificate; expected what nonocsp solve --proof FOLDER writes"),
        ("cat.non", "(did you mean 'nonocsp certificate verify cat.non'?)"),
    ],
    backends: [
        ("--try", "--try needs a backend, such as nonocsp backends --try ./mine.yaml"),
        ("sat --limit 1s", "--limit is for --try"),
    ],
}  # fmt: skip
CASES = [
    (f"{module.__name__.rpartition('.')[2]} {words}", said)
    for module, rows in MESSAGES.items()
    for words, said in rows
]
CASES += [
    ("nosuch", "no such command 'nosuch'"),
    ("--version=3", "option '--version' does not take a value; see nonocsp --help"),
    ("settle --order random cat.non", "backend 'settle': order=random does not fit; expected queue|sweeps"),
]


@pytest.fixture(scope="module")
def stage(tmp_path_factory) -> Path:
    """A folder with puzzles, pictures, configs and a campaign."""
    folder = tmp_path_factory.mktemp("stage")
    cat = Puzzle.from_clues([[1, 1], [3], [1]], [[2], [2], [2]], title="Cat")
    save(cat, folder / "cat.non")
    save([cat] * 3, folder / "set.json")
    save(Puzzle.from_clues([[1]] * 101, [[101]]), folder / "long.json")
    texts = {
        "large.nin": "2 2\n5\n1\n1\n1\n",
        "broken.non": "width 2\nheight 2\nrows\n1\nx\n",
        "broken.json": '{"rows": [[1]',
        "grid.txt": "???\n???\n???\n",
        "set.html": "<h1>My set</h1>",
        "precious": "kept",
    }
    config = "name: mini\npuzzles: [{file: set.json}]\nbackends: [settle, sat]\nlimits: {wall: 20}\n"
    texts["mini.yaml"] = config
    texts["wrong.yaml"] = config.replace("backends", "backend")
    texts["dask.yaml"] = f"{config}executor: dask\ncluster: {{address: tcp://evil:1}}\n"
    for name, text in texts.items():
        (folder / name).write_text(text)
    next(motif for motif in motifs() if motif.name == "note").image().save(folder / "note.png")
    PIL.Image.linear_gradient("L").resize((90, 90)).save(folder / "set.png")
    (folder / "pictures").mkdir()
    (folder / "pictures" / "note.png").write_bytes((folder / "note.png").read_bytes())
    synthetic.write_campaign(folder / "campaign", synthetic.rows(backends=3, puzzles=12))
    (folder / "link").symlink_to("campaign")
    (folder / "arrow.csv").symlink_to("precious")
    return folder


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        yield str(path), path.read_bytes() if path.is_file() else b""


@pytest.mark.parametrize(("words", "said"), CASES, ids=[words for words, _ in CASES])
def test_a_mistake_is_told_in_an_error_and_nothing_is_written(cli, stage, monkeypatch, words, said):
    monkeypatch.chdir(stage)
    if "--plot" in words:
        pytest.importorskip("matplotlib")
    before = list(contents(stage))
    result = cli(*shlex.split(words), XDG_CACHE_HOME=os.fspath(stage))
    assert (result.exit_code, type(result.exception)) == (2, SystemExit), result.output
    assert result.stderr.startswith("error: ")
    assert said in result.stderr
    assert result.stdout == ""
    assert list(contents(stage)) == before
