"""From when on logs are read that were there before."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.tailing.since import From, Since, SinceError, first_since
from tests.tailing.follower import Follower


def _stamp(line: bytes) -> float | None:
    first = line.split(b" ")[0]
    return float(first) if first.isdigit() else None


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("start", Since(From.START)),
        ("now", Since(From.NOW)),
        ("90s", Since(From.AGO, 90.0)),
        ("10m", Since(From.AGO, 600.0)),
        ("1.5h", Since(From.AGO, 5400.0)),
        ("2 d", Since(From.AGO, 172800.0)),
    ],
)
def test_what_can_be_said(text: str, meant: Since) -> None:
    assert Since.parse(text) == meant


@pytest.mark.parametrize("text", ["", "yesterday", "10", "-5m", "m", "1y"])
def test_what_cannot(text: str) -> None:
    with pytest.raises(SinceError, match="say start, now"):
        Since.parse(text)


@given(
    steps=st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.integers(0, 200)), max_size=200),
    earliest=st.integers(0, 300),
    is_large=st.booleans(),
)
def test_the_first_line_is_found(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, bool, int]], earliest: int, is_large: bool
) -> None:
    path = tmp_path_factory.mktemp("since") / "x.log"
    lines, now = [], 0
    for step, is_stamped, length in steps:
        now += step
        lines.append((str(now).encode() if is_stamped else b"Traceback") + b" " + b"x" * length * (50 * is_large or 1))
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    found = first_since(str(path), path.stat().st_size, float(earliest), _stamp)
    rest = path.read_bytes()[found:].splitlines()
    young = [line for line in lines if (stamp := _stamp(line)) is not None and stamp >= earliest]
    old = [line for line in lines if (stamp := _stamp(line)) is not None and stamp < earliest]
    if young:
        assert rest[0] == young[0]
        assert [line for line in rest if _stamp(line) is not None] == young
    elif old:
        assert [line for line in rest if _stamp(line) is not None] == []
    else:
        assert found == 0


def test_from_now_on(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("one\ntwo\nunfin")
    follower = Follower(tmp_path, since=Since(From.NOW))
    follower.look()
    with log.open("a") as file:
        file.write("ished\nthree\n")
    (tmp_path / "new.log").write_text("all of it\n")
    follower.look()
    follower.end()
    assert follower.text(log) == b"unfinished\nthree\n"
    assert follower.text(tmp_path / "new.log") == b"all of it\n"
    assert follower.tail(log).skipped(0) == 8
    assert follower.tail(log).skipped_lines(0) == 2


def test_from_a_while_ago_on(tmp_path: Path) -> None:
    log, old, older = tmp_path / "x.log", tmp_path / "x.log.1", tmp_path / "old.log"
    follower = Follower(tmp_path, since=Since(From.AGO, 60.0), stamp_of=_stamp)
    now = int(follower.now)
    old.write_text(f"{now - 500} a\n")
    log.write_text(f"{now - 400} b\nno stamp\n{now - 50} c\n{now - 10} d\n")
    older.write_text(f"{now - 900} e\n")
    for path, ago in ((old, 490), (older, 900)):
        os.utime(path, (now - ago, now - ago))
    follower.look()
    assert follower.logs == {str(log): [f"{now - 50} c\n{now - 10} d\n".encode()]}
    assert follower.tail(log).skipped(0) == len(f"{now - 400} b\nno stamp\n")
    assert follower.tail(log).skipped_lines(0) == 2
    with older.open("a") as file:
        file.write(f"{now} f\n")
    assert [tail.source.path for tail in follower.look().joined] == [str(older)]
    follower.end()
    assert follower.text(older) == f"{now} f\n".encode()
