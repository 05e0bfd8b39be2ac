"""Logs in an S3-compatible store: rclone's server on this machine, asked through s3fs as any other store is."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pages import ROOT

pytestmark = pytest.mark.e2e

FIXTURE = ROOT / "fixtures" / "logs" / "process" / "killed" / "one_of_four" / "train.log"
KEY, SECRET = "reader", "of-these-logs"
DEADLINE = 60
KILLED = ("process.killed", [2])


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a store with the bucket ``jobs``."""
    folder = tmp_path_factory.mktemp("store")
    job = folder / "jobs" / "run-7"
    job.mkdir(parents=True)
    shutil.copy(FIXTURE, job / "train.log")
    (job / "model.safetensors").write_bytes(bytes(5000))
    (job / ".hidden.log").write_text("hello\n")
    (folder / "jobs" / "packed").mkdir()
    with tarfile.open(folder / "jobs" / "packed" / "run-8.tar.gz", "w:gz") as archive:
        archive.add(FIXTURE, "logs/train.log")
    shutil.make_archive(str(folder / "jobs" / "packed" / "run-9"), "zip", FIXTURE.parent, FIXTURE.name)
    address = f"127.0.0.1:{free_port()}"
    rclone = shutil.which("rclone", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert rclone is not None, "rclone is in the extra e2e"
    command = [rclone, "serve", "s3", "--addr", address, "--auth-key", f"{KEY},{SECRET}", str(folder)]
    with subprocess.Popen(
        command, stderr=subprocess.DEVNULL, env={**os.environ, "RCLONE_CONFIG": os.devnull}
    ) as server:
        try:
            wait_for(address)
            yield f"http://{address}"
        finally:
            server.terminate()


def wait_for(address: str) -> None:
    host, port = address.split(":")
    end = time.monotonic() + DEADLINE
    while True:
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
        except OSError:
            assert time.monotonic() < end, "the server does not listen"
            time.sleep(0.1)
        else:
            return


def analysed(store: str, *urls: str, secret: str | None = SECRET) -> dict[str, Any]:
    credentials = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": secret} if secret else {}
    nowhere = {"AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": os.devnull, "HOME": os.devnull}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    ended = subprocess.run(
        [sys.executable, "-m", "logsleuth", "analyze", "--format", "json", "--no-local-rules", *urls],
        env={**inherited, **nowhere, **credentials, "AWS_ENDPOINT_URL": store, "AWS_REGION": "us-east-1"},
        capture_output=True,
        timeout=DEADLINE,
        check=False,
    )
    assert b"Traceback" not in ended.stderr, ended.stderr
    told: dict[str, Any] = json.loads(ended.stdout)
    return told


def answers(told: dict[str, Any]) -> list[tuple[str, list[int]]]:
    return [(verdict["rule"], verdict["culprits"]["ranks"]) for verdict in told["verdicts"]]


@pytest.mark.parametrize(
    ("url", "cited"),
    [
        ("s3://jobs/run-7/train.log", "s3://jobs/run-7/train.log"),
        ("s3://jobs/run-7/", "s3://jobs/run-7/train.log"),
        ("s3://jobs/run-7", "s3://jobs/run-7/train.log"),
        ("s3://jobs/run-?/*.log", "s3://jobs/run-7/train.log"),
        ("s3://jobs/packed/run-8.tar.gz", "s3://jobs/packed/run-8.tar.gz!logs/train.log"),
        ("s3://jobs/packed/*.zip", "s3://jobs/packed/run-9.zip!train.log"),
    ],
)
def test_a_job_behind_a_url_is_judged_as_one_in_a_folder(store: str, url: str, cited: str) -> None:
    told = analysed(store, url)
    assert answers(told) == [KILLED]
    assert {item["source"] for item in told["verdicts"][0]["evidence"]} == {cited}
    assert [item["source"] for item in told["inputs"]] == [cited]


def test_a_log_that_several_urls_lead_to_counts_once(store: str) -> None:
    told = analysed(store, "s3://jobs/run-7/", "s3://jobs/run-7/train.log", "s3://jobs/*/train.log")
    assert [item["source"] for item in told["inputs"]] == ["s3://jobs/run-7/train.log"]


@pytest.mark.parametrize(
    ("url", "secret", "words"),
    [
        ("s3://jobs/run-6/train.log", SECRET, "no such file or folder"),
        ("s3://elsewhere/", SECRET, "no such file or folder"),
        ("s3://jobs/run-6/*.log", SECRET, "No file or folder matches"),
        ("s3://jobs/run-7/", None, "no credentials"),
        ("s3://jobs/run-7/", "wrong", "refused"),
    ],
)
def test_what_cannot_be_had_is_told_in_a_sentence(store: str, url: str, secret: str | None, words: str) -> None:
    (told,) = analysed(store, url, secret=secret)["inputs"]
    (problem,) = told["problems"]
    assert (told["source"], problem["fatal"]) == (url, True)
    assert words in problem["text"]
