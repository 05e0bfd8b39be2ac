"""An archive without names gives the same answer, or it is said that it does not."""

import gzip
import json
import tarfile
from pathlib import Path

import pytest

import logsleuth
from logsleuth.collecting.collect import collect
from logsleuth.drivers.redacting import Redacted, redact
from logsleuth.language.library import load
from logsleuth.redaction.redactor import Redactor

LOGS = Path(__file__).parents[2] / "fixtures" / "logs"
TRACEBACK = b"""\
[rank3]: Traceback (most recent call last):
[rank3]:   File "/home/alice/hummingbird/train.py", line 3, in step
[rank3]: RuntimeError: no batch for node-7 (10.20.0.7)
"""


def written(folder: Path, *paths: Path) -> tuple[Path, Path, Redacted]:
    plain, target = folder / "plain.tar.gz", folder / "redacted.tar.gz"
    collect(plain, [str(path) for path in paths], [], "node-7", 1772704800, 1 << 26)
    return plain, target, redact(load((), False).program, plain, target, 1772704800)


def members(archive: Path) -> dict[str, bytes]:
    with tarfile.open(archive) as tar:
        return {info.name: file.read() for info in tar if (file := tar.extractfile(info))}


@pytest.mark.parametrize(
    "job", ["real/one_raises_filtered", "flight_recorder/rank_missing", "network/peer_unreachable/told_by_torch_only"]
)
def test_the_same_verdicts(job: str, tmp_path: Path) -> None:
    plain, target, told = written(tmp_path, LOGS / job)
    assert told.differences == []
    assert told.left_out == []
    before, after = (logsleuth.analyze(archive, local_rules=False) for archive in (plain, target))
    assert [verdict.rule for verdict in after.verdicts] == [verdict.rule for verdict in before.verdicts] != []
    assert [verdict.culprits.ranks for verdict in after.verdicts] == [v.culprits.ranks for v in before.verdicts]


def test_names_are_in_no_member_nor_in_its_name(tmp_path: Path) -> None:
    job = tmp_path / "home" / "alice" / "hummingbird"
    job.mkdir(parents=True)
    (job / "rank_3.log").write_bytes(TRACEBACK)
    (job / "node-7.log.gz").write_bytes(gzip.compress(b"begins on node-7 at /home/alice/hummingbird\n"))
    (job / "last.log").write_bytes("ends on node-7\n".encode("utf-16"))
    _, target, told = written(tmp_path, tmp_path / "home")
    found = members(target)
    whole = b"".join([*found.values(), *(name.encode() for name in found)])
    for name in (b"alice", b"hummingbird", b"node-7", b"10.20.0.7", b"n\0o\0d\0e"):
        assert name not in whole
    assert told.counts == {"hosts": 1, "users": 1, "addresses": 1}
    assert sorted(name.rpartition("/")[2] for name in found) == sorted(
        [
            "host-a7.log",
            "rank_3.log",
            "last.log",
            ".logsleuth-manifest.json",
        ]
    )
    assert json.loads(found[".logsleuth-manifest.json"])["members"] == list(found)[:-1]
    (verdict,) = logsleuth.analyze(target, local_rules=False).verdicts
    assert verdict.culprits.ranks == (3,)


def test_an_answer_that_changed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Redactor, "text", lambda _, data: data.replace(b"Error", b"Hint"))
    (tmp_path / "rank_3.log").write_bytes(TRACEBACK)
    _, _, told = written(tmp_path, tmp_path / "rank_3.log")
    assert len(told.differences) == 1
    assert told.differences[0].startswith("only before: uncaught-exception (fatal, root, firm, ")
    assert told.differences[0].endswith(" of rank 3")
