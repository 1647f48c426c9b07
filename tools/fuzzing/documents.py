"""Fuzz targets for all but puzzles: certificates, configs, campaigns, censuses, pictures, options."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from tools.fuzzing.base import SEPARATOR, Target, as_files, as_stdin, with_checksums

_CERTIFICATE = ("c.json", "c.cnf", "c.drat")
_MOST_CELLS = 16
"""Cells of a puzzle whose solutions are enumerated, to check that a valid certificate is right."""


def targets() -> Iterator[Target]:
    """Yield the targets."""
    yield Target(
        "certificate",
        _certificate,
        longest=8192,
        words=('"claim":', '"unique"', '"multiple"', '"unsat"', '"solutions":', '"proof":', " 0\n", "d "),
    )
    keys = "name puzzles backends task limits seeds repeats jobs executor cluster file directory random slice"
    yield Target(
        "config",
        _config,
        words=(*(f"{key}:" for key in keys.split()), "<<: *", "&a", "*a", "!!python/object:os.system", "!!"),
    )
    yield Target(
        "campaign", _campaign, longest=8192, words=('"run":', "null", "1e999", "NaN", "\n%%\n", "[]")
    )
    yield Target("census", _census, words=('"tally":', '"sweeps"', '"solutions"', '"histogram":', "null"))
    yield Target(
        "backend", _backend, longest=256, words=("sat:", "solver=", "encoding=", "hybrid:", "cpsat:")
    )
    yield Target("picture", _picture, longest=1 << 14)
    yield Target("palette", _palette, longest=256, words=("#ff0000", "white", "rgb(", "hsl(", "%", ","))


def _certificate(data: bytes) -> None:
    """Check a certificate under a new seal, so that its hash reveals no change; a valid one must be true."""
    from nonocsp.certificates.verifier import verify

    with as_files(_sealed(data), *_CERTIFICATE) as folder:
        found = verify(folder / _CERTIFICATE[0])
    if found and found.puzzle and found.puzzle.shape[0] * found.puzzle.shape[1] <= _MOST_CELLS:
        from nonocsp.testing.puzzles import solutions

        count = len(solutions(found.puzzle))
        assert found.claim == ("unsat", "unique")[count] if count < 2 else found.claim == "multiple"


def _sealed(data: bytes) -> bytes:
    """Return the files of a certificate with corrected hashes, or unchanged if that fails."""
    from nonocsp.certificates.document import seal

    text, *others = data.split(SEPARATOR, 2)
    try:
        content = json.loads(text)
        for key, file, part in zip(("formula", "proof"), _CERTIFICATE[1:], others, strict=False):
            if key in content:
                content[key] = {"file": file, "sha256": hashlib.sha256(part).hexdigest()}
        content["sha256"] = seal({key: value for key, value in content.items() if key != "sha256"})
        return SEPARATOR.join([json.dumps(content).encode(), *others])
    except (ValueError, TypeError, AttributeError, RecursionError):
        return data


def _config(data: bytes) -> None:
    from nonocsp.bench.config import load_config
    from nonocsp.bench.puzzle_files import Scan

    with as_files(data, "config.yaml") as folder:
        config = load_config(folder / "config.yaml")
        told = config.model_dump(exclude_none=True)
        again = type(config).model_validate(told, context={"folder": folder, "text": "", "scan": Scan()})
    assert again.model_dump(exclude_none=True) == told


def _campaign(data: bytes) -> None:
    """Read a folder of results, and make all its tables for the terminal."""
    from nonocsp.bench.report.digest import Digest
    from nonocsp.bench.report.writing import to_markdown, to_records
    from nonocsp.bench.store import read_campaign

    with as_files(data, "runs.jsonl", "campaign.json") as folder:
        digest = Digest.of([read_campaign(folder)])
        to_markdown(digest)
        json.dumps(list(to_records(digest)))


def _census(data: bytes) -> None:
    from nonocsp.grading.census.ledger import gaps, read_counted
    from nonocsp.grading.census.tallies import solutions, sweeps

    with as_files(data, "shards.jsonl") as folder:
        for tally in (sweeps(3, 3), solutions(3, 3)):
            counted = read_counted(folder, tally)
            missing = sum(map(len, gaps(counted, len(tally.shards))))
            assert missing + sum(one.shards.stop - one.shards.start for one in counted) == len(tally.shards)


def _backend(data: bytes) -> None:
    from nonocsp.backends.registry import canonical_spec, split_specs

    for spec in split_specs(data.decode(errors="replace")):
        canonical = canonical_spec(spec)
        assert canonical_spec(canonical) == canonical


def _picture(data: bytes) -> None:
    from nonocsp.making.picture import MAX_SIDE, read_picture

    with as_stdin(with_checksums(data)) as stdin:
        picture = read_picture(stdin)
    assert max(picture.shape) <= MAX_SIDE
    assert 0 <= picture.grey.min() <= picture.grey.max() <= 1


def _palette(data: bytes) -> None:
    from nonocsp.making.colours import parse_palette

    parse_palette(data.decode(errors="replace").split(","))
