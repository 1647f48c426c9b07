"""Clusters with TLS: a campaign runs there, and who has no certificate stays out."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nonocsp.bench import read_campaign

CONFIG = """\
name: secret
puzzles: [{random: {rows: 4, columns: 4, count: 5, seed: 1}}]
backends: [settle]
limits: {wall: 10}
executor: dask
"""


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an authority, a member's certificate, and a stranger's who is his own authority."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("certificates")
    commands = [
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=my-cluster -keyout ca.key -out ca.pem",
        "req -newkey rsa:2048 -nodes -subj /CN=member -keyout member.key -out member.csr",
        "x509 -req -days 2 -in member.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out member.pem",
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other -keyout stranger.key -out stranger.pem",
    ]
    for command in commands:
        subprocess.run([openssl, *command.split()], cwd=folder, check=True, capture_output=True)
    return folder


def environment(folder: Path, who: str) -> dict[str, str]:
    """Return the environment of somebody with a certificate."""
    prefix = "DASK_DISTRIBUTED__COMM__"
    settings = {f"{prefix}REQUIRE_ENCRYPTION": "True", f"{prefix}TLS__CA_FILE": str(folder / "ca.pem")}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        settings[f"{prefix}TLS__{role}__CERT"] = str(folder / f"{who}.pem")
        settings[f"{prefix}TLS__{role}__KEY"] = str(folder / f"{who}.key")
    return {**os.environ, **settings}


@pytest.fixture(scope="module")
def scheduler(certificates: Path) -> Iterator[str]:
    """The address of a scheduler with one worker, both with TLS."""
    pytest.importorskip("distributed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"tls://127.0.0.1:{probe.getsockname()[1]}"
    start = [sys.executable, "-P", "-m"]
    port = address.rpartition(":")[2]
    commands = [
        [
            *start,
            "distributed.cli.dask_scheduler",
            "--protocol",
            "tls",
            "--host",
            "127.0.0.1",
            "--port",
            port,
        ],
        [*start, "distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1"],
    ]
    own = environment(certificates, "member")
    started = [
        subprocess.Popen([*command, "--no-dashboard"], env=own, stderr=subprocess.DEVNULL)
        for command in commands
    ]
    yield address
    for process in reversed(started):
        process.kill()
        process.wait()


def bench(address: str, folder: Path, own: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the campaign as its own process: dask reads the environment when it is imported."""
    (folder / "secret.yaml").write_text(CONFIG)
    start = "from nonocsp.cli import main; main()"
    command = [sys.executable, "-P", "-c", start, "bench", "--scheduler", address, "secret.yaml"]
    return subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_campaign_runs_on_a_cluster_with_tls(scheduler: str, certificates: Path, tmp_path: Path) -> None:
    done = bench(scheduler, tmp_path, environment(certificates, "member"))
    assert done.returncode == 0, done.stderr
    rows = list(read_campaign(tmp_path / "results" / "secret").rows)
    assert [row["termination"] for row in rows] == ["ok"] * 5
    assert {row["executor"] for row in rows} == {"dask"}


@pytest.mark.slow
@pytest.mark.parametrize("who", ["stranger", "nobody"])
def test_a_driver_without_a_certificate_of_the_authority_is_refused(
    scheduler: str, certificates: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    own = dict(os.environ) if who == "nobody" else environment(certificates, who)
    done = bench(scheduler, tmp_path, {**own, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "2s"})
    assert done.returncode == 2
    assert f"no cluster with workers at {scheduler}" in done.stderr
    assert "Traceback" not in done.stderr
