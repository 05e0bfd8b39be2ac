"""Every kind of source gives its bytes, unpacked."""

import gzip
import io
import os
import sys
import threading
from pathlib import Path

import pytest

from logsleuth.ingest.open import open_source
from logsleuth.model.origin import Source

TEXT = b"step 1\nstep 2\n"
STORED = {"plain": TEXT, "gzip": gzip.compress(TEXT), "several": gzip.compress(TEXT[:7]) + gzip.compress(TEXT[7:])}
KINDS = pytest.mark.parametrize("kind", STORED)


def content(source: Source) -> bytes:
    with open_source(source) as stream:
        return b"".join(iter(lambda: stream.read1(5), b""))


@KINDS
def test_a_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(STORED[kind])
    assert content(Source(str(path))) == TEXT


def test_zeros_that_a_block_device_leaves_behind_gzip_are_no_content(tmp_path: Path) -> None:
    path = tmp_path / "a.log.gz"
    path.write_bytes(STORED["gzip"] + bytes(512))
    assert content(Source(str(path), "gzip")) == TEXT


@KINDS
def test_standard_input_which_stays_open(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(STORED[kind]))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert content(Source("-")) == TEXT
    assert not stdin.buffer.closed


def test_no_standard_input_is_an_os_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(OSError, match="no standard input"), open_source(Source("-")):
        pass


@KINDS
def test_a_named_pipe(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(STORED[kind],))
    writer.start()
    assert content(Source(str(path))) == TEXT
    writer.join()


@KINDS
def test_a_file_descriptor(kind: str) -> None:
    reading, writing = os.pipe()
    os.write(writing, STORED[kind])
    os.close(writing)
    assert content(Source(f"/dev/fd/{reading}")) == TEXT
    os.close(reading)


@pytest.mark.parametrize("data", [b"", b"\x1f", b"\x1f\x8b"])
def test_hardly_anything(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(data)
    assert content(Source(str(path))) == data
