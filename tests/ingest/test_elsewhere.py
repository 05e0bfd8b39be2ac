"""Which logs another machine can open, and how."""

import pickle
from pathlib import Path

import fsspec
import pytest

from logsleuth.ingest.discover import discover
from logsleuth.ingest.elsewhere import FileOpener, UrlOpener, elsewhere, unseen
from logsleuth.ingest.open import open_source
from logsleuth.model.origin import Source


def content(source: Source) -> bytes:
    with open_source(source) as stream:
        return stream.read1(1 << 20)


def test_a_file_goes_by_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.log").write_text("said\n")
    monkeypatch.chdir(tmp_path)
    (source,) = discover(["a.log"]).sources
    there = elsewhere(source)
    assert there == Source("a.log", opener=FileOpener(str(tmp_path / "a.log")))
    monkeypatch.chdir("/")
    assert content(pickle.loads(pickle.dumps(there))) == b"said\n"
    assert unseen(there) is None
    (tmp_path / "a.log").unlink()
    assert unseen(there) == str(tmp_path / "a.log")


def test_a_file_behind_a_url_goes_by_its_url() -> None:
    fsspec.filesystem("memory").pipe("/elsewhere/a.log", b"said\n")
    (source,) = discover(["memory://elsewhere/a.log"]).sources
    there = elsewhere(source)
    assert there == Source(source.path, opener=UrlOpener(source.path))
    assert content(pickle.loads(pickle.dumps(there))) == b"said\n"
    assert unseen(there) is None


def test_a_store_that_the_url_does_not_tell_stays_here() -> None:
    fsspec.filesystem("memory").pipe("/elsewhere/a.log", b"said\n")
    (source,) = discover(["memory://elsewhere/a.log"]).sources
    assert elsewhere(source._replace(path="memory://other/a.log")) is None
    assert elsewhere(source._replace(path="pigeon://a.log")) is None


def test_lines_that_were_made_stay_here(tmp_path: Path) -> None:
    assert elsewhere(Source("dump!entries", made=b"a line\n")) is None
    assert elsewhere(Source("-")) is None
    assert elsewhere(Source(str(tmp_path / "missing.log"))) is None


def test_a_log_stays_here_if_one_of_its_pieces_does(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("said\n")
    pieces = (Source(str(tmp_path / "a.log")), Source("-"))
    assert elsewhere(Source("log", pieces=pieces)) is None
    there = elsewhere(Source("log", pieces=pieces[:1]))
    assert there is not None
    assert content(there.pieces[0]) == b"said\n"
