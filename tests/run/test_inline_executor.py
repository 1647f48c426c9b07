"""Executor inline: the limit that it enforces, and what it does not promise."""

import pytest

from nonocsp.model import UsageError
from nonocsp.run import create

pytestmark = pytest.mark.usefixtures("unruly")


@pytest.mark.parametrize(
    ("name", "jobs", "options", "said"),
    [
        ("nonesuch", 1, {}, "there are inline, fork"),
        ("inline", 2, {}, "one job at a time"),
        ("inline", 1, {"pin": True}, "does not pin"),
        ("fork", 0, {}, "at least one"),
        ("warm", 100_000, {"pin": True}, "do not fit on"),
        ("fork", 1, {"address": "tcp://localhost:8786"}, "no cluster's address"),
    ],
)
def test_unsupported_requests_to_an_executor_are_errors(name, jobs, options, said):
    with pytest.raises(UsageError, match=said):
        create(name, jobs, **options)  # type: ignore[arg-type]
