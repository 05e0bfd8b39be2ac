"""What the kernel tells, and what is done where it tells nothing, or not all."""

import errno
import os
from pathlib import Path

import inotify_simple
import pytest

from logsleuth.tailing.notices import News, Notices
from tests.tailing.follower import LOCAL, Follower


def test_what_happens_in_a_folder_is_told(tmp_path: Path) -> None:
    notices, folder = Notices(LOCAL), f"{tmp_path}/"
    assert notices.watch(folder)
    assert notices.news() == News()
    (tmp_path / "a").write_text("x")
    assert notices.news() == News({f"{folder}a"}, {folder})
    with (tmp_path / "a").open("a") as file:
        file.write("y")
    assert notices.news() == News({f"{folder}a"}, set())
    (tmp_path / "a").rename(tmp_path / "b")
    assert notices.news() == News({f"{folder}a", f"{folder}b"}, {folder})
    notices.close()


def test_a_folder_that_went_is_watched_anew(tmp_path: Path) -> None:
    notices, folder = Notices(LOCAL), f"{tmp_path}/inner/"
    (tmp_path / "inner").mkdir()
    assert notices.watch(folder)
    (tmp_path / "inner").rmdir()
    assert notices.news().folders == {folder}
    assert not notices.watch(folder)
    (tmp_path / "inner").mkdir()
    assert notices.watch(folder)
    (tmp_path / "inner" / "a").touch()
    assert notices.news().names == {f"{folder}a"}
    notices.close()


@pytest.mark.parametrize("call", ["__init__", "add_watch"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE])
def test_without_notices_everything_is_polled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(inotify_simple.INotify, call, fails)
    log = tmp_path / "x.log"
    log.write_text("a\n")
    follower = Follower(tmp_path)
    follower.look()
    log.write_text("a\nb\n")
    (tmp_path / "y.log").write_text("c\n")
    follower.look()
    follower.end()
    assert follower.logs == {str(log): [b"a\nb\n"], str(tmp_path / "y.log"): [b"c\n"]}
    assert any("max_user" in note for note in follower.watching.notes)


def test_more_than_the_kernel_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "x.log"
    log.write_text("a\n")
    follower = Follower(tmp_path)
    follower.look()
    log.write_text("a\nb\n")
    lost = inotify_simple.Event(-1, inotify_simple.flags.Q_OVERFLOW, 0, "")
    monkeypatch.setattr(inotify_simple.INotify, "read", lambda *_, **__: [lost])
    follower.look(0.0)
    assert follower.text(log) == b"a\nb\n"
    follower.end()
