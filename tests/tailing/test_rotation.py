"""A log that is followed while it is rotated, copied and cut, deleted and made anew: nothing is lost or read twice."""

import gzip
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.tailing.follower import Follower

Follow = Callable[..., Follower]


@pytest.fixture(params=[True, False], ids=["told", "polled"])
def follow(request: pytest.FixtureRequest) -> Follow:
    return partial(Follower, is_notified=request.param)


def add(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def test_what_is_written_is_read(tmp_path: Path, follow: Follow) -> None:
    log = tmp_path / "rank_0.log"
    log.write_text("one\ntw")
    follower = follow(tmp_path)
    follower.look()
    assert follower.logs == {str(log): [b"one\ntw"]}
    assert follower.look().news == []
    add(log, "o\nthree\n")
    assert len(follower.look().news) == 1
    assert follower.text(log) == b"one\ntwo\nthree\n"
    follower.end()
    assert follower.told(log) == ""


def test_the_rest_of_a_renamed_log_comes_before_the_new_one(tmp_path: Path, follow: Follow) -> None:
    log, old = tmp_path / "x.log", tmp_path / "x.log.1"
    log.write_text("a\n")
    follower = follow(tmp_path)
    follower.look()
    add(log, "b\n")
    log.rename(old)
    follower.look()
    add(old, "c\n")  # Its writer has not opened the new one yet.
    log.write_text("")
    follower.look()
    add(old, "d\n")
    follower.look()
    add(log, "e\n")
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"a\nb\nc\nd\n", b"e\n"]}
    assert follower.tail(log).current_path(0) == str(old)
    assert follower.tail(log).current_path(1) == str(log)
    assert follower.told(log) == ""


def test_what_comes_too_late_is_told(tmp_path: Path, follow: Follow) -> None:
    log, old = tmp_path / "x.log", tmp_path / "x.log.1"
    log.write_text("a\n")
    follower = follow(tmp_path)
    follower.look()
    log.rename(old)
    log.write_text("b\n")
    follower.look()
    add(old, "late\n")
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"a\n", b"b\n"]}
    assert "written to after the next file had begun" in follower.told(log)


def test_a_chain_of_renames_only_moves_generations(tmp_path: Path, follow: Follow) -> None:
    log = tmp_path / "x.log"
    log.write_text("1\n")
    follower = follow(tmp_path)
    for number in range(2, 6):
        follower.look()
        for at in range(number, 0, -1):
            if (tmp_path / f"x.log.{at}").exists():
                (tmp_path / f"x.log.{at}").rename(tmp_path / f"x.log.{at + 1}")
        log.rename(tmp_path / "x.log.1")
        log.write_text(f"{number}\n")
    follower.end()
    assert follower.logs == {str(log): [b"1\n", b"2\n", b"3\n", b"4\n", b"5\n"]}
    tail = follower.tail(log)
    assert [tail.current_path(at) for at in range(5)] == [
        *(str(tmp_path / f"x.log.{at}") for at in (4, 3, 2, 1)),
        str(log),
    ]


def test_generations_between_two_looks_are_found(tmp_path: Path, follow: Follow) -> None:
    log = tmp_path / "x.log"
    log.write_text("1\n")
    follower = follow(tmp_path)
    follower.look()
    add(log, "2\n")
    log.rename(tmp_path / "x.log.2")
    (tmp_path / "x.log.1").write_text("3\n")
    log.write_text("4\n")
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"1\n2\n", b"3\n", b"4\n"]}
    assert follower.tail(log).current_path(1) == str(tmp_path / "x.log.1")


def test_a_generation_that_is_packed_is_not_read_twice(tmp_path: Path, follow: Follow) -> None:
    log, old, packed = tmp_path / "x.log", tmp_path / "x.log.1", tmp_path / "x.log.1.gz"
    log.write_text("one\n" * 100)
    follower = follow(tmp_path)
    follower.look()
    log.rename(old)
    log.write_text("two\n")
    follower.look()
    packed.write_bytes(gzip.compress(old.read_bytes()))
    follower.look()
    old.unlink()
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"one\n" * 100, b"two\n"]}
    assert follower.watching.still == []
    assert follower.tail(log).current_path(0) == str(packed)


def test_a_log_that_is_packed_at_once_is_read_to_its_end(tmp_path: Path, follow: Follow) -> None:
    log, packed = tmp_path / "x.log", tmp_path / "x.log.1.gz"
    log.write_text("one\n" * 100)
    follower = follow(tmp_path)
    follower.look()
    add(log, "rest\n")
    packed.write_bytes(gzip.compress(log.read_bytes()))
    log.unlink()
    log.write_text("two\n")
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"one\n" * 100 + b"rest\n", b"two\n"]}
    assert follower.watching.still == []
    assert follower.tail(log).current_path(0) == str(packed)


@pytest.mark.parametrize("is_seen_between", [True, False])
@pytest.mark.parametrize("rest", ["", "rest\n"])
def test_a_copied_and_cut_log_goes_on(tmp_path: Path, follow: Follow, is_seen_between: bool, rest: str) -> None:
    log, copy = tmp_path / "x.log", tmp_path / "x.log.1"
    log.write_text("a\n")
    follower = follow(tmp_path)
    follower.look()
    add(log, rest)
    shutil.copy(log, copy)
    if is_seen_between:
        follower.look()
    os.truncate(log, 0)
    add(log, "b\n")
    follower.look()
    add(log, "c\n")
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"a\n" + rest.encode(), b"b\nc\n"]}
    assert follower.tail(log).current_path(0) == str(copy)
    assert follower.told(log) == ""


def test_a_copy_that_is_packed_at_once_gives_the_rest(tmp_path: Path, follow: Follow) -> None:
    log, copy = tmp_path / "x.log", tmp_path / "x.log.1.gz"
    log.write_text("a\n" * 50)
    follower = follow(tmp_path)
    follower.look()
    add(log, "rest\n")
    copy.write_bytes(gzip.compress(log.read_bytes()))
    os.truncate(log, 0)
    add(log, "b\n")
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"a\n" * 50 + b"rest\n", b"b\n"]}
    assert follower.watching.still == []


def test_a_hole_in_front_of_a_cut_log(tmp_path: Path, follow: Follow) -> None:
    log = tmp_path / "x.log"
    with log.open("w") as writer:
        writer.write("a\n" * 50)
        writer.flush()
        follower = follow(tmp_path)
        follower.look()
        shutil.copy(log, tmp_path / "x.log.1")
        os.truncate(log, 0)
        writer.write("b\n")  # Not in append mode: it goes on at its old place.
        writer.flush()
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"a\n" * 50, b"\0" * 100 + b"b\n"]}


@pytest.mark.parametrize("text", ["b\n", "another\n", "something longer\n"])
def test_a_log_that_is_written_anew_goes_on(tmp_path: Path, follow: Follow, text: str) -> None:
    log = tmp_path / "x.log"
    log.write_text("first one\n")
    follower = follow(tmp_path)
    follower.look()
    log.write_text(text)  # The same inode.
    follower.look()
    add(log, "more\n")
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"first one\n", text.encode() + b"more\n"]}
    assert "truncated or written anew" in follower.told(log)


def test_a_log_that_is_deleted_is_read_to_its_end_and_waited_for(tmp_path: Path, follow: Follow) -> None:
    log = tmp_path / "x.log"
    log.write_text("a\n")
    follower = follow(tmp_path)
    follower.look()
    with log.open("a") as writer:
        log.unlink()
        follower.look()
        assert "was deleted" in follower.told(log)
        writer.write("b\n")
        writer.flush()
        follower.look()
    log.write_text("c\n")
    follower.look()
    log.unlink()
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"a\nb\n", b"c\n"]}
    assert follower.told(log).count("deleted") == 1


def test_a_log_that_was_closed_is_found_again(tmp_path: Path, follow: Follow) -> None:
    log, old = tmp_path / "x.log", tmp_path / "x.log.1"
    log.write_text("a\n")
    follower = follow(tmp_path)
    for _ in range(15):
        follower.look()
    assert not _is_open(log)
    add(log, "b\n")
    log.rename(old)
    log.write_text("c\n")
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"a\nb\n", b"c\n"]}


def _is_open(path: Path) -> bool:
    return any(link.exists() and link.samefile(path) for link in Path("/proc/self/fd").iterdir())


def test_a_folder_in_its_place(tmp_path: Path, follow: Follow) -> None:
    log = tmp_path / "x.log"
    log.write_text("a\n")
    follower = follow(tmp_path)
    follower.look()
    log.unlink()
    log.mkdir()
    (log / "inner.log").write_text("i\n")
    follower.look()
    assert "has become a folder" in follower.told(log)
    (log / "inner.log").unlink()
    log.rmdir()
    log.write_text("b\n")
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"a\n", b"b\n"], str(log / "inner.log"): [b"i\n"]}


def test_a_link_that_is_switched(tmp_path: Path, follow: Follow) -> None:
    first, second, link = tmp_path / "run_1.log", tmp_path / "run_2.log", tmp_path / "latest.log"
    first.write_text("a\n")
    second.write_text("b\n")
    link.symlink_to(first)
    follower = follow(link)
    follower.look()
    add(first, "c\n")
    follower.look()
    link.unlink()
    link.symlink_to(second)
    follower.look()
    add(second, "d\n")
    follower.look()
    follower.end()
    assert follower.logs == {str(link): [b"a\nc\n", b"b\nd\n"]}
    assert follower.tail(link).current_path(0) == str(first)


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(116, "Stale file handle")])
def test_a_log_that_cannot_be_read_for_a_while(
    tmp_path: Path, follow: Follow, error: OSError, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "x.log"
    log.write_text("a\n")
    follower = follow(tmp_path)
    follower.look()
    add(log, "b\n")
    with monkeypatch.context() as patched:

        def fails(*_: object) -> bytes:
            raise error

        patched.setattr(os, "pread", fails)
        follower.look()
        follower.look()
    add(log, "c\n")
    for _ in range(10):
        follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"a\nb\nc\n"]}
    assert follower.told(log).count(str(error.strerror).lower()) == 1
