"""A fork that reads on to the end takes nothing from the process that it came from."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

from tests.tailing.follower import Follower


def _in_a_fork(work: Callable[[], bytes]) -> bytes:
    reading, writing = os.pipe()
    if not (child := os.fork()):
        try:
            os.write(writing, work())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as result:
        told = result.read()
    os.waitpid(child, 0)
    return told


def _ended(follower: Follower) -> bytes:
    """All that is read where nobody waits for more."""
    follower.hub.declare_end()
    for work in follower.works:
        work.go_on()
    return b"|".join(part for parts in follower.logs.values() for part in parts)


def test_files(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("a\n")
    follower = Follower(tmp_path)
    follower.look()
    with log.open("a") as file:
        file.write("b\n")
    assert _in_a_fork(lambda: _ended(follower)) == b"a\n"  # What came behind a look is of the next judgement.
    follower.look()
    assert _in_a_fork(lambda: _ended(follower)) == b"a\nb\n"
    follower.end()
    assert follower.text(log) == b"a\nb\n"


def test_a_packed_piece_that_was_begun(tmp_path: Path) -> None:
    (tmp_path / "x.log.1.gz").write_bytes(gzip.compress(b"".join(b"line %d\n" % number for number in range(99_999))))
    (tmp_path / "x.log").write_text("end\n")
    watching = Follower(tmp_path).watching
    (tail,) = watching.look().joined
    source = next(tail.files())
    assert source.opener is not None
    with source.opener() as stream:
        head = stream.read1(1000)

        def rest() -> bytes:
            size = 0
            while data := stream.read1(1 << 16):
                size += len(data)
            return str(size).encode()

        forked = _in_a_fork(rest)
        assert int(forked) > 1_000_000
        assert forked == rest()
    assert head.startswith(b"line 0\n")
    watching.close()


def test_pipes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    follower = Follower(pipe)
    follower.look()
    writer = os.open(pipe, os.O_WRONLY)
    os.write(writer, b"a\n")
    follower.look()
    os.write(writer, b"b\n")
    assert _in_a_fork(lambda: _ended(follower)) == b"a\n"
    os.close(writer)
    follower.look()
    follower.end()
    assert follower.text(pipe) == b"a\nb\n"
