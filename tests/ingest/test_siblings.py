"""What names prove only beside each other, and what they do not."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.ingest.labels import label
from logsleuth.ingest.siblings import labels
from logsleuth.model.origin import PathLabel, Source, Tag


def told(*paths: str) -> list[Tag]:
    return [one.tag for one in labels([Source(path) for path in paths])]


@pytest.mark.parametrize(
    ("paths", "hosts"),
    [
        (["gpu-a10/train.log", "gpu-a11/train.log"], ["gpu-a10", "gpu-a11"]),
        (["gpu-a10.log", "gpu-a12.log"], ["gpu-a10", "gpu-a12"]),
        (["logs/dmesg_gpu-a10.txt", "logs/dmesg_gpu-a12.txt"], ["gpu-a10", "gpu-a12"]),
        (["gpu-a10.tar.gz!train.log", "gpu-a12.tar.gz!train.log"], ["gpu-a10", "gpu-a12"]),
        (["train-worker-3.log", "train-worker-4.log"], ["train-worker-3", "train-worker-4"]),
        # Models of GPUs, which may be what is compared.
        (["gpu-a10/train.log", "gpu-a100/train.log"], [None, None]),
        (["gpu-a10/train.log", "gpu-a30/train.log"], [None, None]),
        (["gpu-a10/train.log"], [None]),
        # A host elsewhere says nothing of them.
        (["x/gpu-a10/train.log", "y/gpu-a12/train.log"], [None, "gpu-a12"]),
        # One log each: may be anything.
        (["server3/train.log", "server4/train.log"], [None, None]),
    ],
)
def test_hosts(paths: list[str], hosts: list[str | None]) -> None:
    assert [tag.host for tag in told(*paths)] == hosts


@pytest.mark.parametrize("name", ["server", "trn-node", "box-", "worker"])
def test_folders_with_the_logs_of_the_same_ranks_are_machines(name: str) -> None:
    paths = [f"logs/{name}{number}/rank_{rank}.log" for number in (3, 4) for rank in (0, 1)]
    assert [tag.host for tag in told(*paths)] == [f"{name}3", f"{name}3", f"{name}4", f"{name}4"]
    trees = [f"{name}{number}/none_{number}bcdefgh/attempt_0/{rank}/stderr.log" for number in (3, 4) for rank in (0, 1)]
    assert [tag.host for tag in told(*trees)] == [f"{name}3", f"{name}3", f"{name}4", f"{name}4"]


@pytest.mark.parametrize("name", ["run_", "attempt_", "seed", "llama-", "job471", "2026113"])
def test_folders_of_runs_are_no_machines(name: str) -> None:
    paths = [f"logs/{name}{number}/rank_{rank}.log" for number in (3, 4) for rank in (0, 1)]
    assert {tag.host for tag in told(*paths)} == {None}


def test_machines_hold_the_logs_of_equal_ranks() -> None:
    paths = ["server3/rank_0.log", "server3/rank_1.log", "server4/rank_2.log", "server4/rank_3.log"]
    assert {tag.host for tag in told(*paths)} == {None}
    assert {tag.host for tag in told("server3/rank_0.log", "server4/rank_0.log")} == {None}


@pytest.mark.parametrize("form", ["r{}.log", "log.{}", "{}.out", "out/train-{}.txt", "p{}"])
def test_files_that_count_from_0_may_be_those_of_tasks(form: str) -> None:
    assert [tag.task for tag in told(*map(form.format, range(4)))] == [0, 1, 2, 3]
    assert [tag.task for tag in told(*map(form.format, range(1, 4)))] == [None] * 3
    assert [tag.task for tag in told(form.format(0), form.format(2))] == [None] * 2


@pytest.mark.parametrize("form", ["run{}.log", "epoch_{}.log", "attempt-{}.txt", "part{}.log", "train_v{}.log"])
def test_files_that_count_something_else_are_not(form: str) -> None:
    assert {tag.task for tag in told(*map(form.format, range(4)))} == {None}


def test_the_restarts_of_a_container_are_no_tasks() -> None:
    folder = "/var/log/pods/default_llama-worker-2_0a1b2c3d-1111-2222-3333-444455556666/pytorch"
    assert told(f"{folder}/0.log", f"{folder}/1.log") == [Tag(host="llama-worker-2")] * 2


def test_what_is_known_beforehand_counts() -> None:
    known = PathLabel(Tag(rank=7))
    found = labels([Source("gpu-a10.log", label=known), Source("gpu-a11.log")])
    assert found == [known, PathLabel(Tag(host="gpu-a11"))]


NAMES = st.sampled_from(
    [
        "node-7",
        "gpu-a10",
        "gpu-a11",
        "run_1",
        "run_2",
        "server1",
        "server2",
        "rank_0.log",
        "rank_1.log",
        "0.log",
        "1.log",
    ]
)


@settings(deadline=None)
@given(
    paths=st.lists(st.lists(NAMES, min_size=1, max_size=4).map("/".join), unique=True, max_size=8), seed=st.integers()
)
def test_nothing_depends_on_order_and_nothing_that_a_path_tells_is_lost(paths: list[str], seed: int) -> None:
    found = dict(zip(paths, labels([Source(path) for path in paths]), strict=True))
    shuffled = random.Random(seed).sample(paths, len(paths))
    assert dict(zip(shuffled, labels([Source(path) for path in shuffled]), strict=True)) == found
    for path, one in found.items():
        own = label(path)
        assert all(mine is None or mine == its for mine, its in zip(own.tag, one.tag, strict=True))
        assert one._replace(tag=own.tag) == own
