"""``logsleuth collect``: what is in the archive, what is not, and that it says so."""

import gzip
import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from logsleuth.probes import running
from tests.cli.tools import DMESG, prints

Logsleuth = Callable[..., int]
Captured = pytest.CaptureFixture[str]
MANIFEST = ".logsleuth-manifest.json"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which one stands, with a log of a rank; the tools of this node are out of reach."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796032800")
    monkeypatch.setattr(running, "FURTHER", ())
    log = tmp_path / "job" / "node-7" / "rank_3.log"
    log.parent.mkdir(parents=True)
    log.write_text("step 1 loss 2.3\nstep 2 loss 2.2\n", encoding="utf-8")
    return tmp_path


def members(archive: Path) -> dict[str, bytes]:
    found = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            assert member.isreg()
            assert (member.uid, member.gid, member.uname, member.gname) == (0, 0, "", "")
            body = tar.extractfile(member)
            assert body is not None
            found[member.name] = body.read()
    return found


def manifest(archive: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(members(archive)[MANIFEST])
    return document


def test_logs_keep_their_paths_and_outputs_lie_under_the_host(
    place: Path, logsleuth: Logsleuth, capsys: Captured
) -> None:
    (place / "bin").mkdir()
    prints(place / "bin", "dmesg", DMESG)
    assert logsleuth("collect", "job", "-o", "a.tar.gz") == 0
    assert capsys.readouterr().out.startswith("Wrote a.tar.gz, ")
    found = members(place / "a.tar.gz")
    assert found["logs/job/node-7/rank_3.log"] == b"step 1 loss 2.3\nstep 2 loss 2.2\n"
    host = manifest(place / "a.tar.gz")["host"]
    header, _, body = found[f"{host}/dmesg.txt"].decode().partition("\n")
    assert header == f'### logsleuth probe=dmesg host={host} exit=0 at=2026-11-30T10:00:00Z command="dmesg"'
    assert body == DMESG
    assert {name.split("/")[0] for name in found} == {"logs", host, MANIFEST}


def test_it_is_called_after_the_host_and_replaces_nothing(place: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    assert logsleuth("collect", "job", "--no-probes") == 0
    (archive,) = place.glob("logsleuth-*.tar.gz")
    before = archive.read_bytes()
    assert logsleuth("collect", "job", "--no-probes") == 2
    assert "there is a file of this name already" in capsys.readouterr().err
    assert archive.read_bytes() == before


def test_the_same_files_give_the_same_archive(place: Path, logsleuth: Logsleuth) -> None:
    (place / "job" / "node-10").mkdir()
    (place / "job" / "node-10" / "rank_4.log").write_text("step 1\n", encoding="utf-8")
    for name, paths in (("a", ["job/node-7", "job/node-10"]), ("b", ["job/node-10", "job/node-7"])):
        assert logsleuth("collect", *paths, "-o", f"{name}.tar.gz", "--no-probes") == 0
    assert Path("a.tar.gz").read_bytes() == Path("b.tar.gz").read_bytes()
    assert list(members(place / "a.tar.gz")) == ["logs/job/node-7/rank_3.log", "logs/job/node-10/rank_4.log", MANIFEST]


@pytest.mark.parametrize("given", ["{place}/job", "../{name}/job"])
def test_paths_that_lead_elsewhere_stay_in_the_archive(given: str, place: Path, logsleuth: Logsleuth) -> None:
    given = given.format(place=place, name=place.name)
    assert logsleuth("collect", given, "-o", "a.tar.gz", "--no-probes") == 0
    assert f"logs{place}/job/node-7/rank_3.log" in members(place / "a.tar.gz")


def test_of_a_large_log_both_ends_are_kept(place: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    lines = [f"step {number} loss 2.3\n" for number in range(2000)]
    Path("job/node-7/rank_3.log").write_text("".join(lines), encoding="utf-8")
    assert logsleuth("collect", "job", "-o", "a.tar.gz", "--no-probes", "--max-size", "4KiB") == 0
    assert "rank_3.log: 32.05 KiB of it are not in the archive" in capsys.readouterr().out
    kept = members(place / "a.tar.gz")["logs/job/node-7/rank_3.log"].decode()
    head, mark, tail = kept.partition("\n### logsleuth left out ")
    assert mark
    told, _, tail = tail.partition("\n")
    assert "".join(lines).startswith(head)
    assert "".join(lines).endswith(tail)
    assert set(tail.splitlines(keepends=True)) <= set(lines)
    assert int(told.split()[0]) == len("".join(lines)) - len(head) - len(tail)
    assert 3 * len(head) < len(tail) < 4096
    (member,) = manifest(place / "a.tar.gz")["members"]
    assert member["left_out"] == int(told.split()[0])


def test_what_is_packed_is_kept_whole_or_not_at_all(place: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    packed = gzip.compress(b"".join(os.urandom(16).hex().encode() + b"\n" for _ in range(400)))
    Path("job/rank_0.log.gz").write_bytes(packed)
    assert logsleuth("collect", "job", "-o", "a.tar.gz", "--no-probes") == 0
    assert members(place / "a.tar.gz")["logs/job/rank_0.log.gz"] == packed
    assert logsleuth("collect", "job", "-o", "b.tar.gz", "--no-probes", "--max-size", "1KiB") == 0
    assert "raise --max-size for it" in capsys.readouterr().err
    assert list(members(place / "b.tar.gz")) == ["logs/job/node-7/rank_3.log", MANIFEST]


def test_links_do_not_lead_out_of_what_is_named(place: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    (place / "private").mkdir()
    (place / "private" / "diary.log").write_text("dear diary\n", encoding="utf-8")
    (place / "job" / "diary.log").symlink_to(place / "private" / "diary.log")
    (place / "job" / "folder").symlink_to(place / "private", target_is_directory=True)
    (place / "job" / "again.log").symlink_to(place / "job" / "node-7" / "rank_3.log")
    assert logsleuth("collect", "job", "-o", "a.tar.gz", "--no-probes") == 0
    assert "A link leads to it out of what was named" in capsys.readouterr().err
    assert list(members(place / "a.tar.gz")) == ["logs/job/node-7/rank_3.log", MANIFEST]
    assert logsleuth("collect", "job/diary.log", "-o", "b.tar.gz", "--no-probes") == 0
    assert members(place / "b.tar.gz")["logs/job/diary.log"] == b"dear diary\n"


def test_what_cannot_be_read_is_told_and_the_rest_is_there(place: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    os.mkfifo(place / "job" / "pipe.log")
    assert logsleuth("collect", "job/node-7", "job/pipe.log", "-", "nowhere.log", "-o", "a.tar.gz", "--no-probes") == 0
    err = capsys.readouterr().err
    assert "nowhere.log: There is no such file or folder" in err
    assert "pipe.log: It is no file" in err
    left_out = [entry["path"] for entry in manifest(place / "a.tar.gz")["left_out"]]
    assert left_out == ["-", "job/pipe.log", "nowhere.log"]
    assert "logs/job/node-7/rank_3.log" in members(place / "a.tar.gz")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--no-probes"], "there is nothing to collect"),
        (["--no-probes", "nowhere.log"], "nothing could be collected"),
        (["job", "--max-size", "much"], "--max-size much: that is no size"),
        (["job", "--no-probes", "-o", "nowhere/a.tar.gz"], "there is no such folder"),
    ],
)
def test_a_mistake_is_a_sentence_and_leaves_no_file(
    arguments: list[str], complaint: str, place: Path, logsleuth: Logsleuth, capsys: Captured
) -> None:
    assert logsleuth("collect", *arguments) == 2
    out, err = capsys.readouterr()
    assert (out, complaint in err, "Traceback" in err) == ("", True, False)
    assert [path.name for path in place.iterdir()] == ["job"]


def test_a_hostile_name_harms_nothing(place: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    (place / "job" / "\x1b]0;owned\x07..%2f.log").write_text(
        "".join(f"step {n}\n" for n in range(500)), encoding="utf-8"
    )
    assert logsleuth("collect", "job", "-o", "a.tar.gz", "--no-probes", "--max-size", "1KiB") == 0
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err
    assert all(".." not in Path(name).parts for name in members(place / "a.tar.gz"))
