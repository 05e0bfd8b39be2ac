"""Chunks put together are the source again, and nothing but the line limit decides where a line is cut."""

import gzip
import io
import tracemalloc
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from logsleuth.ingest.chunks import Chunk, Reader, cut
from logsleuth.ingest.open import open_source
from logsleuth.model.analysis import Problem
from logsleuth.model.origin import ByteStream, Source

WORDS = [b"\n", b"\r\n", b"\r", b"a", b"\0", b"\xff", b"loss: 0.5", b"\xe2\x82\xac"]
LOGS = st.lists(st.sampled_from(WORDS)).map(b"".join)
SIZES = st.integers(1, 24)
BLOCKS = st.integers(1, 9)


class Drip(io.BytesIO):
    """Gives a few bytes at a time, as a pipe may, and in the end an error if there is to be one."""

    def __init__(self, data: bytes, error: Exception | None = None) -> None:
        super().__init__(data)
        self._error = error

    def read1(self, size: int | None = -1, /) -> bytes:
        block = super().read1(min(size or 1, 3))
        if not block and self._error:
            raise self._error
        return block


class Long(io.BytesIO):
    """A log that is nowhere in memory as a whole."""

    def __init__(self, line: bytes, blocks: int) -> None:
        super().__init__()
        self._block = line * (100_000 // len(line))
        self._blocks = blocks

    def read1(self, _size: int | None = -1, /) -> bytes:
        self._blocks -= 1
        return self._block if self._blocks >= 0 else b""


def blocks_of(data: bytes, length: int) -> list[bytes]:
    return [data[start : start + length] for start in range(0, len(data), length)]


def pieces_of(data: bytes, limit: int) -> Iterator[bytes]:
    """The lines, those beyond the limit in pieces: what no chunk may cut further."""
    for line in data.split(b"\n"):
        yield from blocks_of(line + b"\n", limit)


def read(stream: AbstractContextManager[ByteStream]) -> tuple[bytes, Reader]:
    reader = Reader(stream)
    return b"".join(chunk.data for chunk in reader), reader


@given(LOGS, SIZES, SIZES, BLOCKS)
@example(b"0123456789\n", 4, 5, 9)
@example(b"0123\n56789", 5, 5, 1)
def test_chunks_are_the_source_and_know_their_place(data: bytes, size: int, limit: int, block: int) -> None:
    at = 0
    for chunk in cut(blocks_of(data, block), min(size, limit), limit):
        end = at + len(chunk.data)
        torn = at > 0 and data[at - 1 : at] != b"\n"
        assert chunk == Chunk(data[at:end], at, 1 + data.count(b"\n", 0, at), torn)
        at = end
    assert at == len(data)


@given(LOGS, SIZES, SIZES, BLOCKS)
def test_a_chunk_is_whole_lines_or_one_long_line_or_a_piece_at_the_limit(
    data: bytes, size: int, limit: int, block: int
) -> None:
    size = min(size, limit)
    pieces = pieces_of(data, limit)
    for chunk in cut(blocks_of(data, block), size, limit):
        expected = [next(pieces)]
        while len(b"".join(expected)) < len(chunk.data):
            expected.append(next(pieces))
        # The source's last line may lack the newline that pieces_of gives to every line.
        assert b"".join(expected) in (chunk.data, chunk.data + b"\n")
        assert len(chunk.data) <= size or len(expected) == 1


@given(LOGS, SIZES, SIZES)
def test_a_reader_counts_what_it_gave(data: bytes, size: int, limit: int) -> None:
    reader = Reader(Drip(data), size=size, line_limit=limit)
    assert b"".join(chunk.data for chunk in reader) == data
    assert reader.bytes == len(data)
    assert reader.lines == len(io.BytesIO(data).readlines())
    assert reader.problems == []


def test_the_size_is_lowered_to_the_line_limit() -> None:
    reader = Reader(io.BytesIO(b"0123456789\n"), size=100, line_limit=4)
    assert [chunk.data for chunk in reader] == [b"0123", b"4567", b"89\n"]


@pytest.mark.parametrize("line", [b"step 7 of 9\n", b"\0"], ids=["short lines", "one line without end"])
def test_memory_does_not_grow_with_the_source(line: bytes) -> None:
    def peak(blocks: int) -> int:
        tracemalloc.start()
        given = sum(len(chunk.data) for chunk in Reader(Long(line, blocks), size=1 << 18, line_limit=1 << 20))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert given == blocks * (100_000 // len(line)) * len(line)
        return most

    assert peak(400) < 1.2 * peak(50)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["without mark", "with mark"])
def test_utf16_is_read_as_utf8(codec: str, mark: str) -> None:
    text = "step 1 loss 0.5 \u20ac \U0001f600\r\nstep 2\r\n" * 40
    data, reader = read(Drip((mark + text).encode(codec)))
    assert data == text.encode()
    assert reader.lines == 80
    (problem,) = reader.problems
    assert "UTF-16" in problem.text
    assert not problem.fatal


def test_half_a_character_of_utf16_at_the_end_is_told_apart() -> None:
    data, _ = read(io.BytesIO("\ufeffabc\n".encode("utf-16-le") + b"d"))
    assert data == "abc\n\ufffd".encode()


@pytest.mark.parametrize("data", [b"a\0b\0", b"\0" * 600 + b"step 1\n", b"step\0 1\n" * 100])
def test_a_nul_here_and_there_is_no_utf16(data: bytes) -> None:
    got, reader = read(io.BytesIO(data))
    assert (got, reader.problems) == (data, [])


def test_a_read_error_ends_the_chunks_and_is_told() -> None:
    data, reader = read(Drip(b"step 1\nstep 2\nst", OSError(5, "Input/output error")))
    assert data == b"step 1\nstep 2\nst"
    assert reader.problems == [
        Problem("Reading stopped after 16 bytes: Input/output error. What came before was analysed.")
    ]


def test_a_source_that_cannot_be_opened_is_a_fatal_problem(tmp_path: Path) -> None:
    data, reader = read(open_source(Source(str(tmp_path / "gone.log"))))
    assert data == b""
    assert reader.problems == [Problem("Nothing could be read: No such file or directory.", fatal=True)]


def packed(text: bytes) -> bytes:
    return gzip.compress(text, mtime=0)


TEXT = b"".join(b"step %d loss %d\n" % (step, step * step % 977) for step in range(40_000))


def damaged(data: bytes) -> bytes:
    return data[: len(data) // 2] + bytes(64) + data[len(data) // 2 + 64 :]


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        (packed(TEXT)[:-3], "ends in the middle"),
        (packed(TEXT)[: len(packed(TEXT)) // 2], "ends in the middle"),
        (packed(TEXT) + packed(TEXT)[:5], "ends in the middle"),
        (packed(TEXT) + b"\nbash: killed\n", "not gzip"),
        (damaged(packed(TEXT)), "damaged"),
        (packed(TEXT)[:-8] + bytes(8), "damaged"),
    ],
    ids=["without its end", "half", "half a second header", "text behind it", "hole in it", "wrong checksum"],
)
def test_broken_gzip_gives_what_can_be_read(tmp_path: Path, stored: bytes, words: str) -> None:
    path = tmp_path / "a.log.gz"
    path.write_bytes(stored)
    data, reader = read(open_source(Source(str(path), "gzip")))
    assert data[: len(TEXT) // 3] == TEXT[: len(TEXT) // 3]
    (problem,) = reader.problems
    assert words in problem.text
    assert f"{len(data):,} bytes" in problem.text
    assert not problem.fatal


def test_truncated_gzip_loses_nothing_that_came_before(tmp_path: Path) -> None:
    path = tmp_path / "a.log.gz"
    path.write_bytes(packed(TEXT)[:-8])
    data, _ = read(open_source(Source(str(path), "gzip")))
    assert data == TEXT


def test_a_gzip_file_of_which_nothing_is_left_is_a_fatal_problem(tmp_path: Path) -> None:
    path = tmp_path / "a.log.gz"
    path.write_bytes(packed(TEXT)[:12])
    data, reader = read(open_source(Source(str(path), "gzip")))
    assert data == b""
    assert [problem.fatal for problem in reader.problems] == [True]
