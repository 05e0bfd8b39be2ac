"""What a process needs to know of the one before it: which files were read, and how far."""

import gzip
import os
import shutil
from pathlib import Path

from logsleuth.tailing.since import START, From, Since
from tests.tailing.follower import Follower


def _resumed(before: Follower, *paths: Path, since: Since = START) -> Follower:
    resume = {tail.source.path: tail.generations() for tail in before.read}
    before.end()
    return Follower(*paths, resume=resume, since=since)


def test_generations_are_found_wherever_they_are(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("a\n")
    before = Follower(log)
    before.look()
    log.rename(tmp_path / "x.log.1")
    log.write_text("b\nb\n")
    before.look()
    first, second = before.tail(log).generations()
    assert (first.size, first.lines, first.path) == (2, 1, str(tmp_path / "x.log.1"))
    assert (second.size, second.lines, second.path) == (4, 2, str(log))
    (tmp_path / "x.log.2.gz").write_bytes(gzip.compress((tmp_path / "x.log.1").read_bytes()))
    (tmp_path / "x.log.1").unlink()
    log.rename(tmp_path / "x.log.1")
    log.write_text("c\n")
    after = _resumed(before, log)
    after.look()
    after.end()
    assert after.logs == {str(log): [b"a\n", b"b\nb\n", b"c\n"]}
    assert after.tail(log).lost == []


def test_what_is_gone_is_told(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("a\n")
    before = Follower(tmp_path)
    before.look()
    log.unlink()
    log.write_text("another\n")
    generations = before.tail(log).generations()
    after = _resumed(before, tmp_path)
    after.look()
    after.end()
    assert after.logs == {str(log): [b"another\n"]}
    assert after.tail(log).lost == generations


def test_a_copy_is_known_by_what_it_holds(tmp_path: Path) -> None:
    log, copy = tmp_path / "x.log", tmp_path / "x.log.1"
    log.write_text("a\n")
    before = Follower(log)
    before.look()
    shutil.copy(log, copy)
    os.truncate(log, 0)
    log.write_text("b\n")
    after = _resumed(before, log)
    after.look()
    after.end()
    assert after.logs == {str(log): [b"a\n", b"b\n"]}


def test_it_begins_where_it_was_begun(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("a\n")
    before = Follower(log, since=Since(From.NOW))
    before.look()
    with log.open("a") as file:
        file.write("b\n")
    before.look()
    after = _resumed(before, log, since=Since(From.NOW))
    after.look()
    after.end()
    assert after.logs == {str(log): [b"b\n"]}


def test_offsets_count_on_behind_what_is_gone(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("a\n")
    follower = Follower(log)
    (tail,) = follower.watching.look().joined
    tail.stands_behind(100)
    assert tail.arrivals.watched_from == 102
    for source in tail.files():
        assert source.opener is not None
        break
    log.write_text("a\nb\n")
    follower.now += 6
    follower.watching.look()
    assert tail.arrivals.at(103) == follower.now
    follower.watching.close()
