"""URLs are searched as folders are; fsspec's store in memory stands for the stores that there are."""

import gzip
import io
import sys
import tarfile
from collections.abc import Iterator

import fsspec
import pytest

from logsleuth.ingest.discover import Discovery, discover
from logsleuth.ingest.open import open_source
from logsleuth.model.origin import Source

LOG = b"step 1 loss 0.5\n"


@pytest.fixture(autouse=True)
def store() -> Iterator[None]:
    system = fsspec.filesystem("memory")
    for name, data in {
        "/job/rank_10.log": LOG * 1000,
        "/job/deep/rank_2.log.gz": gzip.compress(LOG),
        "/job/.hidden/a.log": LOG,
        "/job/train.py": LOG,
        "/job/core.17": bytes(range(256)) * 16,
        "/packed/job.tar": tar_of(LOG),
    }.items():
        system.pipe_file(name, data)
    yield
    system.store.clear()
    system.pseudo_dirs[:] = [""]


def tar_of(data: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo("logs/a.log")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def content(source: Source) -> bytes:
    with open_source(source) as stream:
        return b"".join(iter(lambda: stream.read1(1 << 16), b""))


def read(found: Discovery) -> dict[str, bytes]:
    return {source.path: content(source) for source in found.sources}


def test_a_folder() -> None:
    found = discover(["memory://job"])
    assert read(found) == {"memory:///job/deep/rank_2.log.gz": LOG, "memory:///job/rank_10.log": LOG * 1000}
    assert [path for path, _ in found.problems] == ["memory:///job/core.17"]


def test_a_file_that_is_named_is_read_whatever_it_holds() -> None:
    assert list(read(discover(["memory://job/core.17"]))) == ["memory:///job/core.17"]


@pytest.mark.parametrize("pattern", ["memory://job/*.log", "memory://jo?/rank*", "memory://job/**/rank_10.log"])
def test_a_pattern(pattern: str) -> None:
    assert read(discover([pattern])) == {"memory:///job/rank_10.log": LOG * 1000}


def test_an_archive() -> None:
    assert read(discover(["memory://packed/"])) == {"memory:///packed/job.tar!logs/a.log": LOG}


def test_what_several_urls_lead_to_counts_once_in_any_order() -> None:
    urls = ["memory://job/core.17", "memory://job", "memory://job/*"]
    found = discover(urls)
    assert list(read(found)) == [
        "memory:///job/core.17",
        "memory:///job/deep/rank_2.log.gz",
        "memory:///job/rank_10.log",
    ]
    assert [source.path for source in discover(urls[::-1]).sources] == [source.path for source in found.sources]


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("memory://gone.log", "no such file or folder"),
        ("memory://job/*.txt", "No file or folder matches this pattern"),
        ("nosuch://x/y", "protocol not known: nosuch"),
    ],
)
def test_what_is_not_there_is_told(url: str, words: str) -> None:
    ((path, problem),) = discover([url]).problems
    assert (path, problem.fatal) == (url, True)
    assert words in problem.text


def test_without_fsspec_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    ((_, problem),) = discover(["s3://bucket/job/"]).problems
    assert "pip install 'logsleuth[remote]'" in problem.text
