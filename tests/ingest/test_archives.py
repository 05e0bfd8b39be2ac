"""Archives are read as the folders that they were packed from; what is wrong with one is told, and the rest is read."""

import bz2
import gzip
import io
import lzma
import random
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.drivers.batch import analyze
from logsleuth.drivers.pieces import joined
from logsleuth.ingest import allowance, contents
from logsleuth.ingest.chunks import Reader
from logsleuth.ingest.discover import Discovery, discover
from logsleuth.ingest.labels import label
from logsleuth.ingest.layers import head_of
from logsleuth.ingest.open import in_reading_order, open_source
from logsleuth.model.analysis import Problem
from logsleuth.model.origin import Source, Tag
from tests.ingest.test_discover import zstd_of

Files = Iterable[tuple[str, bytes]]
LOG = b"step 1 loss 0.5\n"
FIXTURE = Path(__file__).parents[2] / "fixtures" / "logs" / "process" / "killed" / "one_of_four" / "train.log"
LOGS = [("logs/rank_10.log", LOG * 10), ("logs/rank_2.log", LOG * 2), ("./agent.out", b"agent\n")]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tar_of(files: Files, format: int = tarfile.PAX_FORMAT) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=format) as archive:
        for name, data in files:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def zip_of(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return packed.getvalue()


def tar_with(name: str, kind: bytes, target: str = "") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, target
        archive.addfile(member)
        log = tarfile.TarInfo("a.log")
        log.size = len(LOG)
        archive.addfile(log, io.BytesIO(LOG))
    return packed.getvalue()


PACKED: dict[str, Callable[[Files], bytes]] = {
    "tar": tar_of,
    "gnu tar": lambda files: tar_of(files, tarfile.GNU_FORMAT),
    "ustar": lambda files: tar_of(files, tarfile.USTAR_FORMAT),
    "tar.gz": lambda files: gzip.compress(tar_of(files)),
    "tar.bz2": lambda files: bz2.compress(tar_of(files)),
    "tar.xz": lambda files: lzma.compress(tar_of(files)),
    "tar.zst": lambda files: zstd_of(tar_of(files)),
    "zip": zip_of,
    "stored zip": lambda files: zip_of(files, zipfile.ZIP_STORED),
    "bzip2 zip": lambda files: zip_of(files, zipfile.ZIP_BZIP2),
    "zip.gz": lambda files: gzip.compress(zip_of(files)),
    "two tars": lambda files: b"".join(tar_of([file]) for file in files),
    "tar in tar.gz": lambda files: gzip.compress(tar_of([("in.tar", tar_of(files))])),
    "tar.gz in zip": lambda files: zip_of([("in.tar.gz", gzip.compress(tar_of(files)))]),
    "zip in tar.gz": lambda files: gzip.compress(tar_of([("in.zip", zip_of(files))])),
}


def content(source: Source) -> bytes:
    with open_source(source) as stream:
        return b"".join(iter(lambda: stream.read1(1 << 16), b""))


def told(found: Discovery) -> dict[str, bytes]:
    """What each source holds, all read in the order that costs least."""
    read = {found.sources[place].path: content(found.sources[place]) for place in in_reading_order(found.sources)}
    return {path.rpartition("!")[2]: read[path] for path in sorted(read)}


def found_in(data: bytes) -> Discovery:
    Path("job").write_bytes(data)
    return discover(["job"])


@pytest.mark.parametrize("packing", PACKED)
def test_an_archive_is_the_folder_that_it_was(packing: str) -> None:
    found = found_in(PACKED[packing](LOGS))
    assert found.problems == []
    assert [source.path.rpartition("!")[2] for source in found.sources] == [
        "agent.out",
        "logs/rank_2.log",
        "logs/rank_10.log",
    ]
    assert told(found) == {"agent.out": b"agent\n", "logs/rank_10.log": LOG * 10, "logs/rank_2.log": LOG * 2}


@pytest.mark.parametrize("packing", PACKED)
def test_members_can_be_opened_in_any_order_and_again(packing: str) -> None:
    files = {f"rank_{rank}.log": b"%d\n" % rank * 3000 for rank in range(5)}
    sources = found_in(PACKED[packing](files.items())).sources * 2
    random.Random(7).shuffle(sources)
    for source in sources:
        assert content(source) == files[source.path.rpartition("!")[2]]


@given(
    st.lists(st.tuples(st.from_regex(r"[a-c]{1,3}\.log", fullmatch=True), st.binary(max_size=3000)), max_size=6),
    st.integers(0, 3000),
)
def test_a_tar_that_is_cut_anywhere_gives_what_came_before(files: list[tuple[str, bytes]], cut: int) -> None:
    whole = {
        name: data for name, data in files if b"\0" not in data and not data.startswith((b"\x1f\x8b", b"BZ", b"PK"))
    }
    data = tar_of((name, LOG + data) for name, data in whole.items())
    found = found_in(gzip.compress(data[: max(len(data) - cut, 0)]))
    for source in found.sources:
        if "!" in source.path:
            reader = Reader(open_source(source))
            read = b"".join(chunk.data for chunk in reader)
            original = LOG + whole[source.path.rpartition("!")[2]]
            assert original.startswith(read)
            assert read == original or reader.problems


@pytest.mark.parametrize("packing", ["tar", "tar.gz", "zip"])
def test_evidence_cites_the_member(packing: str) -> None:
    Path("job").write_bytes(PACKED[packing]([("logs/train.log", FIXTURE.read_bytes())]))
    (verdict,) = analyze("job", local_rules=False).verdicts
    (plain,) = analyze(str(FIXTURE), local_rules=False).verdicts
    assert (verdict.rule, verdict.culprits) == (plain.rule, plain.culprits)
    assert [(item.source, item.line, item.offset, item.text) for item in verdict.evidence] == [
        ("job!logs/train.log", item.line, item.offset, item.text) for item in plain.evidence
    ]


@pytest.mark.parametrize("packing", ["tar", "tar.gz", "zip"])
def test_an_archive_may_come_through_standard_input(monkeypatch: pytest.MonkeyPatch, packing: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PACKED[packing](LOGS))))
    found = discover(["-"])
    assert [source.path for source in found.sources] == ["-!agent.out", "-!logs/rank_2.log", "-!logs/rank_10.log"]
    assert told(found)["logs/rank_2.log"] == LOG * 2


@pytest.mark.parametrize("packing", ["tar", "tar.gz", "zip"])
def test_pieces_of_a_log_are_joined_wherever_they_lie_in_the_archive(packing: str) -> None:
    text = "2026-11-30 {}:00:00 INFO step\n2026-11-30 {}:30:00 INFO step\n"
    pieces = {"x.log": text.format(12, 12), "x.log.1": text.format(11, 11), "x.log.2": text.format(10, 10)}
    found = found_in(PACKED[packing]((name, data.encode()) for name, data in pieces.items()))
    (log,) = joined(found.sources)
    assert [file.path for file in log.files] == ["job!x.log.2", "job!x.log.1", "job!x.log"]
    assert [content(file).decode() for file in log.files] == [pieces["x.log.2"], pieces["x.log.1"], pieces["x.log"]]


def test_members_are_judged_as_files_of_a_folder() -> None:
    files = [
        ("a.log", LOG),
        ("train.py", LOG),
        (".git/b.log", LOG),
        ("._a.log", LOG),
        ("core.17", bytes(range(256)) * 16),
    ]
    found = found_in(tar_of([*files, ("r.log.gz", gzip.compress(LOG))]))
    assert [(source.path, source.format) for source in found.sources] == [
        ("job!a.log", "text"),
        ("job!r.log.gz", "gzip"),
    ]
    assert [(path, problem.fatal) for path, problem in found.problems] == [("job!core.17", False)]


@pytest.mark.parametrize(
    "name", ["/etc/passwd.log", "../../up.log", "x" * 200 + "/b.log", "\x1b[31m\n.log", "r\udce9.log"]
)
def test_no_name_does_harm(name: str) -> None:
    found = found_in(tar_of([(name, LOG)]))
    assert list(told(found).values()) == [LOG]
    assert found.problems == []
    assert list(Path.cwd().iterdir()) == [Path.cwd() / "job"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE])
def test_links_and_folders_are_no_logs(kind: bytes) -> None:
    assert told(found_in(tar_with("l.log", kind, "/etc/passwd"))) == {"a.log": LOG}


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_devices_are_told(kind: bytes) -> None:
    found = found_in(tar_with("d.log", kind))
    assert told(found) == {"a.log": LOG}
    assert [path for path, _ in found.problems] == ["job!d.log"]


@pytest.mark.parametrize("packing", ["tar", "zip"])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_a_member_that_is_there_twice_the_last_is_read(packing: str) -> None:
    found = found_in(PACKED[packing]([("a.log", b"old\n"), ("a.log", b"new\n")]))
    assert told(found) == {"a.log": b"new\n"}
    assert "2 times" in found.problems[0][1].text


def test_an_encrypted_member_is_told_and_the_others_are_read() -> None:
    data = bytearray(zip_of([("secret.log", LOG), ("a.log", LOG)]))
    data[6] |= 1
    data[data.index(b"PK\1\2") + 8] |= 1
    found = found_in(bytes(data))
    assert told(found) == {"a.log": LOG}
    assert found.problems[0][0] == "job!secret.log"
    assert "encrypted" in found.problems[0][1].text


def test_a_member_with_a_wrong_checksum_is_told() -> None:
    data = zip_of([("a.log", LOG)], zipfile.ZIP_STORED).replace(LOG, LOG.upper())
    reader = Reader(open_source(found_in(data).sources[0]))
    assert b"".join(chunk.data for chunk in reader) == LOG.upper()
    assert "wrong checksum" in reader.problems[0].text


def test_archives_are_entered_twice_at_most() -> None:
    found = found_in(tar_of([("b.tar", tar_of([("c.tar", tar_of([("a.log", LOG)]))])), ("a.log", LOG)]))
    assert told(found) == {"a.log": LOG}
    assert [path for path, _ in found.problems] == ["job!b.tar!c.tar"]


def test_too_many_members_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "MOST_MEMBERS", 2)
    found = found_in(gzip.compress(tar_of((f"{number}.log", LOG) for number in range(9))))
    assert list(told(found)) == ["0.log", "1.log"]
    assert "more than 2 members" in found.problems[0][1].text


@pytest.mark.parametrize("packing", ["tar.gz", "tar.xz", "zip", "zip.gz"])
def test_what_unpacks_to_far_more_than_it_is_is_not_read_on(monkeypatch: pytest.MonkeyPatch, packing: str) -> None:
    monkeypatch.setattr(allowance, "FREE", 1 << 20)
    monkeypatch.setattr(allowance, "RATIO", 20)
    found = found_in(PACKED[packing]([("a.log", LOG * 200_000), ("b.log", LOG * 200_000)]))
    problems = [problem for _, problem in found.problems]
    for source in found.sources:
        reader = Reader(open_source(source))
        assert sum(len(chunk.data) for chunk in reader) < 2 << 20
        problems += reader.problems
    assert any("20 times its size" in problem.text for problem in problems)


def test_a_header_of_any_size_is_not_taken_into_memory() -> None:
    header = bytearray(tar_of([("a.log", LOG)])[:512])
    header[156:157], header[124:136], header[148:156] = b"x", b"77777777777\0", b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    assert "a header of the archive is" in found_in(bytes(header) + bytes(9999)).problems[0][1].text


def test_an_archive_without_logs_is_a_problem() -> None:
    assert found_in(zip_of([("train.py", LOG)])) == Discovery(
        [], [("job", Problem("Nothing in this archive could be read as a log.", True))]
    )


def test_the_name_of_an_archive_tells_as_that_of_a_folder() -> None:
    assert label("out/node-7.tar.gz!rank_3.log").tag == Tag(rank=3, host="node-7")
    assert label("rank_1.zip!logs/rank_3.log").tag == Tag(rank=3)
    assert label("s3://bucket/job.tar!in.tgz!attempt_1/0/stdout.log").attempt == 1


def test_few_bytes_are_asked_of_a_stream_that_gives_them_one_by_one() -> None:
    assert head_of(io.BytesIO(LOG), 4) == LOG[:4]
