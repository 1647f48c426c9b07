"""``nonocsp line``: output, JSON and exit codes."""

import json


def test_a_line_is_shown_with_the_starts_of_its_blocks_and_its_possibilities(cli):
    result = cli("line", "3 1", "??#??")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "settled        ###.#",
        "block 1 (3)    starts at 1",
        "block 2 (1)    starts at 5",
        "possibilities  1",
        "               ###.#   AAa.B",
    ]


def test_json_has_the_same_and_a_long_list_is_cut(cli):
    found = json.loads(cli("line", "2", "--length", 9, "--most", 3, "--json").stdout)
    assert (found["settled"], found["count"], len(found["possibilities"])) == ("?" * 9, 8, 3)
    assert "--most N lists more" in cli("line", "2", "--length", 9, "--most", 3).stdout


def test_a_line_that_nothing_fits_is_a_negative_finding(cli):
    result = cli("line", "3", "#x#")
    assert (result.exit_code, result.stdout) == (1, "no placement of the blocks fits\n")
