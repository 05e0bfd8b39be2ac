"""What is followed: what is there, what comes into folders, what cannot be followed, and what is waited for."""

import gzip
import io
import os
import select
import tarfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.tailing.follower import Follower

Follow = Callable[..., Follower]


@pytest.fixture(params=[True, False], ids=["told", "polled"])
def follow(request: pytest.FixtureRequest) -> Follow:
    return partial(Follower, is_notified=request.param)


def test_new_files_join(tmp_path: Path, follow: Follow) -> None:
    (tmp_path / "rank_0.log").write_text("a\n")
    follower = follow(tmp_path)
    follower.look()
    (tmp_path / "rank_1.log").write_text("b\n")
    (tmp_path / "train.py").write_text("import torch\n")
    (tmp_path / ".hidden.log").write_text("h\n")
    joined = follower.look().joined
    assert [tail.source.path for tail in joined] == [str(tmp_path / "rank_1.log")]
    follower.end()
    assert follower.logs == {str(tmp_path / "rank_0.log"): [b"a\n"], str(tmp_path / "rank_1.log"): [b"b\n"]}
    assert follower.watching.problems == []


def test_new_folders_are_gone_through(tmp_path: Path, follow: Follow) -> None:
    follower = follow(tmp_path)
    follower.look()
    inner = tmp_path / "job_abc" / "attempt_0" / "3"
    inner.mkdir(parents=True)
    follower.look()
    (inner / "stderr.log").write_text("x\n")
    follower.look()
    with (inner / "stderr.log").open("a") as file:
        file.write("y\n")
    follower.look()
    follower.end()
    assert follower.logs == {str(inner / "stderr.log"): [b"x\ny\n"]}


@pytest.mark.parametrize("argument", ["", "/*/attempt_*", "/**/*.log"])
def test_what_lies_in_folders_that_are_left_out_is_not_followed(tmp_path: Path, follow: Follow, argument: str) -> None:
    runs = [tmp_path / "logs" / name / "attempt_0" for name in ("old", "new", "later")]
    for run in runs[:2]:
        run.mkdir(parents=True)
        (run / "stderr.log").write_text("x\n")
    output = tmp_path / "output.log"
    output.write_text("o\n")
    follower = follow(output, f"{tmp_path}/logs{argument}", leave_out=[runs[0].parent])
    follower.look()
    runs[2].mkdir(parents=True)
    for run in runs:
        (run / "stdout.log").write_text("y\n")
    follower.look()
    with (runs[0] / "stderr.log").open("a") as old:
        old.write("z\n")
    follower.look()
    follower.end()
    here = {output: [b"o\n"], runs[1] / "stderr.log": [b"x\n"]}
    assert follower.logs == {
        str(path): text for path, text in {**here, **{run / "stdout.log": [b"y\n"] for run in runs[1:]}}.items()
    }
    assert follower.watching.problems == []


@pytest.mark.parametrize("argument", ["later", "later/rank_*.log", "later/**/*.log", "later/rank_0.log"])
def test_what_is_not_there_yet_is_waited_for(tmp_path: Path, follow: Follow, argument: str) -> None:
    follower = follow(f"{tmp_path}/{argument}")
    follower.look()
    assert [problem.text for _, problem in follower.watching.problems] == ["Nothing is there yet; it is waited for."]
    assert not follower.watching.all_ended
    (tmp_path / "later").mkdir()
    follower.look()
    (tmp_path / "later" / "rank_0.log").write_text("a\n")
    follower.look()
    assert follower.watching.problems == []
    follower.end()
    assert follower.logs == {f"{tmp_path}/later/rank_0.log": [b"a\n"]}


def test_a_pattern_takes_no_others(tmp_path: Path, follow: Follow) -> None:
    (tmp_path / "a.log").write_text("a\n")
    follower = follow(f"{tmp_path}/*.log")
    follower.look()
    (tmp_path / "b.txt").write_text("b\n")
    (tmp_path / "c.log").write_text("c\n")
    follower.end()
    assert sorted(follower.logs) == [str(tmp_path / "a.log"), str(tmp_path / "c.log")]


def test_an_empty_folder_is_no_failure(tmp_path: Path, follow: Follow) -> None:
    follower = follow(tmp_path)
    follower.look()
    assert follower.watching.problems == []
    follower.end()


def test_a_file_counts_once(tmp_path: Path, follow: Follow) -> None:
    log = tmp_path / "rank_0.log"
    log.write_text("a\n")
    follower = follow(tmp_path, log)
    follower.look()
    (tmp_path / "link.log").symlink_to(log)
    (tmp_path / "hard.log").hardlink_to(log)
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"a\n"]}


def test_files_that_cannot_grow_are_found_when_they_rest(tmp_path: Path, follow: Follow) -> None:
    packed = tmp_path / "rank_0.log.gz"
    packed.write_bytes(gzip.compress(b"a\n"))
    follower = follow(tmp_path)
    assert follower.look().still_changed
    assert [source.path for source in follower.watching.still] == [str(packed)]
    assert not follower.look().still_changed
    with tarfile.open(tmp_path / "logs.tar", "w") as archive:
        member = tarfile.TarInfo("rank_1.log")
        member.size = 2
        archive.addfile(member, io.BytesIO(b"b\n"))
    follower.look()
    follower.look()
    found = [source.path for source in follower.watching.still]
    assert found == [str(tmp_path / "logs.tar!rank_1.log"), str(packed)]
    assert not follower.look().still_changed
    follower.end()


def test_a_log_that_turns_out_to_be_packed_leaves(tmp_path: Path, follow: Follow) -> None:
    file = tmp_path / "rank_0.out"
    file.touch()
    follower = follow(tmp_path)
    assert [tail.source.path for tail in follower.look().joined] == [str(file)]
    file.write_bytes(gzip.compress(b"a\n"))
    assert [tail.source.path for tail in follower.look().left] == [str(file)]
    follower.look()
    follower.look()
    assert [source.path for source in follower.watching.still] == [str(file)]
    assert follower.watching.tails == []
    follower.end()


def test_a_file_that_is_no_text_is_left_out_and_told(tmp_path: Path, follow: Follow) -> None:
    follower = follow(tmp_path)
    follower.look()
    (tmp_path / "core.1234").write_bytes(bytes(range(32)) * 20)
    follower.end()
    assert follower.logs == {}
    assert [path for path, _ in follower.watching.problems] == [str(tmp_path / "core.1234")]


def test_parts_go_on_in_the_next(tmp_path: Path, follow: Follow) -> None:
    (tmp_path / "x.part1.log").write_text("a\n")
    (tmp_path / "x.part2.log").write_text("b\n")
    follower = follow(tmp_path)
    follower.look()
    (tmp_path / "x.part3.log").write_text("c\n")
    follower.look()
    follower.end()
    assert follower.logs == {str(tmp_path / "x.log"): [b"a\n", b"b\n", b"c\n"]}


def test_pieces_that_are_there_are_one_log(tmp_path: Path, follow: Follow) -> None:
    (tmp_path / "x.log.2.gz").write_bytes(gzip.compress(b"a\n"))
    (tmp_path / "x.log.1").write_text("b\n")
    (tmp_path / "x.log").write_text("c\n")
    follower = follow(tmp_path)
    follower.look()
    (tmp_path / "x.log.2.gz").rename(tmp_path / "x.log.3.gz")
    (tmp_path / "x.log.1").rename(tmp_path / "x.log.2")
    (tmp_path / "x.log").rename(tmp_path / "x.log.1")
    (tmp_path / "x.log").write_text("d\n")
    follower.look()
    follower.end()
    log = str(tmp_path / "x.log")
    assert follower.logs == {log: [b"a\n", b"b\n", b"c\n", b"d\n"]}
    paths = [follower.tail(log).current_path(at) for at in range(4)]
    assert paths == [str(tmp_path / name) for name in ("x.log.3.gz", "x.log.2", "x.log.1", "x.log")]


def test_few_descriptors_are_enough(tmp_path: Path, follow: Follow) -> None:
    logs = [tmp_path / f"rank_{number}.log" for number in range(50)]
    for log in logs:
        log.write_text("a\n")
    follower = follow(tmp_path, descriptors=4)
    follower.look()
    for text in "bcd":
        for log in logs:
            with log.open("a") as file:
                file.write(text + "\n")
        follower.look()
        here = {str(Path(f"/proc/self/fd/{number}").resolve()) for number in os.listdir("/proc/self/fd")}  # noqa: PTH208
        assert len(here & {str(log) for log in logs}) <= 4
    follower.end()
    assert set(map(tuple, follower.logs.values())) == {(b"a\nb\nc\nd\n",)}


def test_it_does_not_depend_on_the_order_of_arguments(tmp_path: Path) -> None:
    for name in ("b.log", "a.log", "c.log"):
        (tmp_path / name).write_text(name)
    orders = []
    for paths in (["a.log", "b.log", "c.log"], ["c.log", "a.log", "b.log"]):
        follower = Follower(*(tmp_path / name for name in paths))
        orders.append([tail.source.path for tail in follower.look().joined])
        follower.end()
    assert orders[0] == orders[1]


def test_a_change_wakes(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("a\n")
    follower = Follower(tmp_path)
    follower.look()
    follower.look(0.0)
    wake = follower.watching.wake
    assert wake is not None
    assert select.select([wake], [], [], 0)[0] == []
    assert follower.watching.next_look() > 1.0
    log.write_text("a\nb\n")
    assert select.select([wake], [], [], 5)[0] == [wake]
    assert follower.look(0.0).news
    assert select.select([wake], [], [], 0)[0] == []
    follower.end()


def test_a_quiet_log_is_polled_less_and_less(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("a\n")
    follower = Follower(tmp_path, is_notified=False)
    follower.look()
    assert follower.watching.next_look() == pytest.approx(0.5)
    for _ in range(300):
        follower.look(follower.watching.next_look())
    steps = []
    for _ in range(20):
        steps.append(follower.watching.next_look())
        follower.look(steps[-1])
    assert sum(steps) == pytest.approx(50.0, abs=5.0)  # The log and its folder, each every five seconds.
    log.write_text("a\nb\n")
    follower.look(5.5)
    assert follower.text(log) == b"a\nb\n"
    assert follower.watching.next_look() == pytest.approx(0.5, abs=0.01)
    follower.end()


def test_a_named_pipe_ends_with_its_writer(tmp_path: Path, follow: Follow) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    follower = follow(pipe)
    follower.look()
    has_ended = follower.watching.all_ended
    assert not has_ended
    writer = os.open(pipe, os.O_WRONLY)
    os.write(writer, b"a\nb")
    follower.look()
    assert follower.logs == {str(pipe): [b"a\nb"]}
    os.write(writer, b"\n")
    os.close(writer)
    follower.look()
    follower.look()
    assert follower.logs == {str(pipe): [b"a\nb\n"]}
    assert follower.watching.all_ended
    follower.end()


def test_when_bytes_came(tmp_path: Path, follow: Follow) -> None:
    log = tmp_path / "x.log"
    log.write_text("a\n")
    follower = follow(tmp_path)
    follower.look()
    begun = follower.now
    arrivals = follower.tail(log).arrivals
    assert arrivals.watched_from == 2
    assert arrivals.at(1) is None
    assert arrivals.last == log.stat().st_mtime
    with log.open("a") as file:
        file.write("bcd")  # Not finished.
    follower.look()
    log.rename(tmp_path / "x.log.1")
    log.write_text("e\n")
    follower.look()
    assert arrivals.at(2) == begun + 6
    assert arrivals.at(4) == begun + 6
    assert arrivals.at(6) == begun + 12  # Behind the newline that ends the file inside its line.
    assert arrivals.at(8) is None
    follower.end()


@pytest.mark.parametrize("is_file", [True, False])
def test_standard_input(tmp_path: Path, follow: Follow, monkeypatch: pytest.MonkeyPatch, is_file: bool) -> None:
    (tmp_path / "input").write_text("a\n")
    reading, writing = os.pipe()
    os.write(writing, b"a\n")
    with (tmp_path / "input").open() if is_file else os.fdopen(reading) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        follower = follow("-")
        follower.look()
        assert follower.logs == {"-": [b"a\n"]}
        assert follower.watching.all_ended == is_file
        os.close(writing)
        follower.look()
        assert follower.watching.all_ended
        follower.end()


def test_a_rotated_log_that_cannot_be_read_is_tried_again(
    tmp_path: Path, follow: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "x.log"
    log.write_text("a\n")
    follower = follow(tmp_path)
    follower.look()
    with log.open("a") as file:
        file.write("b\n")
    log.rename(tmp_path / "x.log.1")
    log.write_text("c\n")
    real = os.pread

    def fails(descriptor: int, size: int, offset: int) -> bytes:
        if size > 1 << 15:
            raise OSError(5, "Input/output error")
        return real(descriptor, size, offset)

    with monkeypatch.context() as patched:
        patched.setattr(os, "pread", fails)
        follower.look()
        follower.look()
    assert follower.text(log) == b"a\n"
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"a\nb\n", b"c\n"]}
    assert "input/output error" in follower.told(log)
