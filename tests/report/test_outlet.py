"""Text leaves while nobody waits for its reader."""

import asyncio
import os
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import TextIO

import pytest

from logsleuth.report.outlet import Outlet

TEXT = "".join(f"{number} é\n" for number in range(100_000))
"""More than a pipe holds."""
PATIENCE = 30.0


class Pipe:
    def __init__(self) -> None:
        self.end, writing = os.pipe()
        os.set_blocking(self.end, False)
        self.stream: TextIO = os.fdopen(writing, "w", encoding="utf-8")

    async def read(self, size: int) -> bytes:
        """So many bytes, as they come."""
        data, until = b"", time.monotonic() + PATIENCE
        while len(data) < size and time.monotonic() < until:
            try:
                data += os.read(self.end, 65_536)
            except BlockingIOError:
                await asyncio.sleep(0.01)
        return data

    def leave(self) -> None:
        if self.end >= 0:
            os.close(self.end)
            self.end = -1


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    made.leave()
    made.stream.close()


def test_a_reader_that_sleeps_keeps_nobody_waiting_and_gets_all_in_the_end(pipe: Pipe) -> None:
    outlet = Outlet(pipe.stream)
    outlet.write(TEXT)
    assert (outlet.is_behind, outlet.is_broken) == (True, False)

    async def end() -> bytes:
        data, _ = await asyncio.gather(pipe.read(len(TEXT.encode())), outlet.close(PATIENCE))
        return data

    assert asyncio.run(end()).decode() == TEXT
    assert (outlet.is_behind, outlet.is_broken, outlet.trouble) == (False, False, None)


def test_what_waits_leaves_by_itself_while_a_loop_runs(pipe: Pipe) -> None:
    async def follow() -> bytes:
        Outlet(pipe.stream).write(TEXT)
        return await pipe.read(len(TEXT.encode()))

    assert asyncio.run(follow()).decode() == TEXT


def test_a_reader_that_left_is_noticed_and_nothing_raises(pipe: Pipe) -> None:
    outlet = Outlet(pipe.stream)
    pipe.leave()
    outlet.write("one\n")
    assert (outlet.is_broken, outlet.trouble) == (True, "Broken pipe")
    outlet.write("two\n")
    asyncio.run(outlet.close(PATIENCE))


def test_one_that_leaves_in_the_middle_too(pipe: Pipe) -> None:
    outlet = Outlet(pipe.stream)
    outlet.write(TEXT)
    pipe.leave()
    outlet.write("more\n")
    assert (outlet.is_broken, outlet.is_behind) == (True, False)


def test_a_reader_that_never_takes_anything_is_given_up(pipe: Pipe) -> None:
    outlet = Outlet(pipe.stream, most=400_000)
    outlet.write(TEXT[:250_000])
    assert not outlet.is_broken
    outlet.write(TEXT[:250_000])
    assert (outlet.is_broken, outlet.trouble) == (True, "whoever reads it takes nothing")


def test_in_the_end_it_is_waited_for_a_while_only(pipe: Pipe) -> None:
    outlet = Outlet(pipe.stream)
    outlet.write(TEXT)
    asyncio.run(outlet.close(0.05))
    assert (outlet.is_broken, outlet.trouble) == (True, "whoever reads it takes nothing")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_full_disk_is_told_and_what_waits_is_written_when_there_is_room(tmp_path: Path) -> None:
    with open("/dev/full", "w", encoding="utf-8") as stream, (tmp_path / "room").open("w") as room:  # noqa: PTH123
        outlet = Outlet(stream)
        outlet.write("one\n")
        assert (outlet.is_broken, outlet.is_behind, outlet.trouble) == (False, True, "No space left on device")
        os.dup2(room.fileno(), stream.fileno())
        outlet.write("two\n")
        assert (outlet.is_behind, outlet.trouble) == (False, None)
    assert (tmp_path / "room").read_text() == "one\ntwo\n"


def test_what_was_written_to_the_stream_before_comes_first(pipe: Pipe) -> None:
    pipe.stream.write("first\n")
    Outlet(pipe.stream).write("then\n")
    assert asyncio.run(pipe.read(11)) == b"first\nthen\n"


def test_a_stream_in_memory_takes_all_and_one_that_is_closed_nothing() -> None:
    stream = StringIO()
    outlet = Outlet(stream)
    outlet.write("é\n")
    assert stream.getvalue() == "é\n"
    stream.close()
    outlet.write("more\n")
    assert (outlet.is_broken, outlet.trouble) == (True, "it is closed")


def test_what_the_encoding_lacks_is_spelled_out(pipe: Pipe) -> None:
    with os.fdopen(os.dup(pipe.stream.fileno()), "w", encoding="ascii") as stream:
        Outlet(stream).write("é\udcff\n")
    assert asyncio.run(pipe.read(1)) == b"\\xe9\\udcff\n"
