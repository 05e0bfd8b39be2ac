"""One stream of chunks from several files."""

import gzip
from pathlib import Path

import pytest

from logsleuth.layouts.whole import LogReader
from logsleuth.model.origin import Log, Source


def written(folder: Path, *texts: bytes) -> Source:
    files = []
    for number, text in enumerate(texts):
        path = folder / f"x.log.{number}"
        path.write_bytes(text)
        files.append(Source(str(path)))
    return Source(str(folder / "x.log"), "text", tuple(files))


@pytest.mark.parametrize("size", [1, 7, 100])
def test_offsets_and_lines_count_on(tmp_path: Path, size: int) -> None:
    reader = LogReader(written(tmp_path, b"one\ntwo\n", b"", gzip.compress(b"three\n"), b"four\n"), size)
    chunks = list(reader)
    whole = b"".join(chunk.data for chunk in chunks)
    assert whole == b"one\ntwo\nthree\nfour\n"
    for chunk in chunks:
        assert whole[chunk.offset :].startswith(chunk.data)
        assert chunk.line == 1 + whole.count(b"\n", 0, chunk.offset)
    assert [(item.bytes, item.lines) for item in reader.inputs] == [(8, 2), (0, 0), (6, 1), (5, 1)]


def test_a_line_of_the_log_is_found_in_the_file_that_holds_it(tmp_path: Path) -> None:
    source = written(tmp_path, b"one\ntwo\n", b"three\nfour\n")
    reader = LogReader(source)
    assert b"".join(chunk.data for chunk in reader).index(b"four") == 14
    log = Log(source.path, tuple(reader.pieces))
    first, second = (file.path for file in source.files)
    assert log.place(2, 4) == (first, 2, 4)
    assert log.place(3, 8) == (second, 1, 0)
    assert log.place(4, 14) == (second, 2, 6)
    assert [reader.input_at(offset).source for offset in (0, 7, 8, 18)] == [first, first, second, second]


def test_a_line_ends_with_its_file(tmp_path: Path) -> None:
    source = written(tmp_path, b"one\ntw", b"three\n")
    reader = LogReader(source)
    chunks = list(reader)
    assert b"".join(chunk.data for chunk in chunks) == b"one\ntw\nthree\n"
    assert (chunks[-1].offset, chunks[-1].line) == (7, 3)
    assert Log(source.path, tuple(reader.pieces)).place(3, 7) == (source.files[1].path, 1, 0)


def test_a_file_that_cannot_be_read_loses_no_other(tmp_path: Path) -> None:
    source = written(tmp_path, b"one\n", b"two\n", b"three\n")
    Path(source.files[1].path).unlink()
    reader = LogReader(source)
    assert [chunk.data for chunk in reader] == [b"one\n", b"three\n"]
    assert [bool(item.problems) for item in reader.inputs] == [False, True, False]


def test_counts_that_were_told_are_those_of_the_file(tmp_path: Path) -> None:
    reader = LogReader(written(tmp_path, b"a\nb\nc\n", b"d\ne\n"), size=2)
    lines = []
    for chunk in reader:
        lines.append(chunk.line)
        reader.told = chunk.data.count(b"\n")
    assert lines == [1, 2, 3, 4, 5]
