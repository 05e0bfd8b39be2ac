"""Whatever a log is packed with, it reads as what was packed, and damage is told alike."""

import bz2
import gzip
import importlib
import io
import lzma
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.ingest import decoders
from logsleuth.ingest.chunks import Reader
from logsleuth.ingest.unpack import unpacked
from tests.ingest.test_discover import zstd_of

TEXT = b"".join(b"step %d loss %d\n" % (step, step * step % 977) for step in range(5000))
PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "zstd": zstd_of,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}
PACKINGS = pytest.mark.parametrize("packing", PACK)


def read(data: bytes, size: int = 1 << 16) -> bytes:
    stream = unpacked(io.BytesIO(data))
    return b"".join(iter(lambda: stream.read1(size), b""))


def read_as_log(data: bytes) -> tuple[bytes, list[str]]:
    class Opened(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return stream.read1(size or 1)

    stream = unpacked(io.BytesIO(data))
    reader = Reader(Opened())
    return b"".join(chunk.data for chunk in reader), [problem.text for problem in reader.problems]


@PACKINGS
@given(
    parts=st.lists(st.binary(max_size=200).filter(lambda part: b"\0" not in part), max_size=4), size=st.integers(1, 99)
)
def test_streams_one_behind_the_other_are_read_as_one(packing: str, parts: list[bytes], size: int) -> None:
    text = b"step 1\n" + b"".join(parts)
    data = b"".join(PACK[packing](part) for part in [b"step 1\n", *parts])
    assert read(data, size) == text
    assert read(data + bytes(512), size) == text


@PACKINGS
def test_packed_twice(packing: str) -> None:
    assert read(gzip.compress(PACK[packing](TEXT))) == TEXT


@PACKINGS
@pytest.mark.parametrize("kept", [0.3, 0.9])
def test_what_is_cut_short_is_told(packing: str, kept: float) -> None:
    data = PACK[packing](TEXT)
    text, problems = read_as_log(data[: int(len(data) * kept)])
    assert TEXT.startswith(text)
    assert f"the {packing} data ends in the middle" in problems[0]


@PACKINGS
def test_a_second_stream_that_is_cut_short_is_told(packing: str) -> None:
    data = PACK[packing](TEXT)
    for more in (data[:2], data[:20]):
        text, problems = read_as_log(data + more)
        assert text.startswith(TEXT)
        assert len(text) < len(TEXT) + 20
        assert f"the {packing} data ends in the middle" in problems[0]


@PACKINGS
def test_what_follows_and_is_not_packed_is_told(packing: str) -> None:
    text, problems = read_as_log(PACK[packing](TEXT) + b"\nbash: line 3: killed\n")
    assert text == TEXT
    assert f"not {packing} follows" in problems[0]


@pytest.mark.parametrize("packing", ["gzip", "bzip2", "xz"])
def test_damage_is_told(packing: str) -> None:
    data = PACK[packing](TEXT)
    middle = len(data) // 2
    _, problems = read_as_log(data[:middle] + bytes(64) + data[middle + 64 :])
    assert f"the {packing} data is damaged" in problems[0]


@given(st.binary(max_size=400), st.integers(1, 500), st.integers(0, 30))
def test_gzip_reads_alike_without_the_fast_decoder(text: bytes, size: int, cut: int) -> None:
    data = gzip.compress(b"step 1\n" + text) + gzip.compress(text)
    cut_short = data[: len(data) - cut]
    fast = read_as_log(cut_short)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "isal.igzip_lib", None)
        slow = read_as_log(cut_short)
        # Of a stream that is cut short each gives what it has decoded by then, which may be a few bytes less.
        shorter, longer = sorted((fast[0], slow[0]), key=len)
        assert longer.startswith(shorter)
        assert cut or slow == fast
        assert read(data, size) == b"step 1\n" + text + text


def test_what_needs_much_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoders, "XZ_MEMORY", 1 << 20)
    _, problems = read_as_log(lzma.compress(TEXT))
    assert "needs more memory" in problems[0]


def test_a_missing_decoder_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    importlib.invalidate_caches()
    with pytest.raises(OSError, match=r"pip install backports\.zstd"):
        read(zstd_of(TEXT))
