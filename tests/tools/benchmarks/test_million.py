"""The campaign of the measurement is one that a driver could have made."""

from nonocsp.bench import campaign, load_config, read_campaign, run_campaign
from nonocsp.bench.contradictions import cross_check
from tools.benchmarks.harness import million

SPECS = '"hybrid:budget=1", "hybrid:budget=2"'


def test_filled_up_rows_are_those_of_the_plan(tmp_path, monkeypatch):
    monkeypatch.setattr(campaign, "create", campaign.create)  # restored at the end
    config, out = tmp_path / "million.yaml", tmp_path / "out"
    for repeats in (1, 4):
        text = million.CONFIG.format(size=5, puzzles=10, backends=SPECS, repeats=repeats)
        config.write_text(text)
        if repeats == 1:
            million.drive(str(config), str(out))
    million.fill(config, out)
    result = run_campaign(load_config(config), out)
    assert (result.planned, result.ran) == (80, 0)
    stored = read_campaign(out)
    assert sorted({row["repeat"] for row in stored.rows}) == [0, 1, 2, 3]
    assert not cross_check([stored]).count
