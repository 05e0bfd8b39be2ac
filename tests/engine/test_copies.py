"""Sources that are given twice count once, and those that only look alike do not."""

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logsleuth.drivers.batch import analyze_with
from logsleuth.engine.copies import agree
from logsleuth.language.library import load
from logsleuth.model.analysis import Analysis
from logsleuth.model.origin import PathLabel, Tag
from tests.small_jobs import analysed, rule

FIXTURES = Path(__file__).parents[2] / "fixtures/logs"
JOBS = sorted({log.parent for log in FIXTURES.rglob("*.log") if log.name in ("train.log", "console.log", "agent.log")})
PROGRAM = load((), False).program
FALL = rule("r.fall", "when seen a.fall as x", "culprit x", verdict="{count(x)} fell")


def told(found: Analysis) -> list[tuple[object, ...]]:
    """What must not change: causes, culprits and numbers of the verdicts, and who is seen."""
    verdicts = [(v.rule, v.cause, v.status, v.severity, v.culprits, v.occurrences, v.explains) for v in found.verdicts]
    return [*verdicts, *((job.id, job.seen_ranks, job.size) for job in found.jobs)]


def test_a_copy_counts_once_and_is_told(tmp_path: Path) -> None:
    found = analysed(tmp_path, FALL, {"rank_3.log": "fell with code 1\n", "copy.log": "fell with code 1\n"})
    (verdict,) = found.verdicts
    assert (verdict.occurrences, verdict.culprits.ranks) == (1, (3,))
    assert verdict.evidence[0].source.endswith("rank_3.log")
    problems = {Path(source.source).name: [p.text for p in source.problems] for source in found.inputs}
    assert problems["rank_3.log"] == []
    assert problems["copy.log"] == [f"It repeats {tmp_path / 'rank_3.log'}, so it was counted once."]


def test_what_both_names_tell_is_told_of_the_one_that_is_left(tmp_path: Path) -> None:
    logs = {"node-7/train.log": "fell with code 1\n", "rank_3.log": "fell with code 1\n"}
    (verdict,) = analysed(tmp_path, FALL, logs).verdicts
    assert (verdict.culprits.ranks, verdict.evidence[0].host, verdict.occurrences) == ((3,), "node-7", 1)


def test_a_packed_copy_counts_once(tmp_path: Path) -> None:
    (tmp_path / "old.log.gz").write_bytes(gzip.compress(b"fell with code 1\n"))
    (verdict,) = analysed(tmp_path, FALL, {"rank_3.log": "fell with code 1\n"}).verdicts
    assert verdict.occurrences == 1


def test_ranks_that_say_the_same_are_two(tmp_path: Path) -> None:
    logs = {"rank_3.log": "fell with code 1\n", "rank_4.log": "fell with code 1\n"}
    (verdict,) = analysed(tmp_path, FALL, logs).verdicts
    assert (verdict.occurrences, verdict.culprits.ranks) == (2, (3, 4))


def test_files_that_differ_in_a_number_are_two_unless_a_stamp_proves_that_they_are_one(tmp_path: Path) -> None:
    plain = {"out1.txt": "fell with code 1\n", "out2.txt": "fell with code 1\n"}
    stamped = {name: "2025-03-04 03:12:55,120 " + text for name, text in plain.items()}
    assert analysed(tmp_path / "plain", FALL, plain).verdicts[0].occurrences == 2
    assert analysed(tmp_path / "stamped", FALL, stamped).verdicts[0].occurrences == 1


def test_names_that_tell_of_different_writers_do_not_agree() -> None:
    assert agree(PathLabel(Tag(rank=3)), PathLabel(Tag(host="node-7")))
    assert not agree(PathLabel(Tag(rank=3)), PathLabel(Tag(rank=4)))
    assert not agree(PathLabel(attempt=0), PathLabel(attempt=1))


@pytest.mark.parametrize("job", JOBS, ids=lambda job: str(job.relative_to(FIXTURES)))
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_copy_of_any_log_changes_nothing(
    job: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    chosen = data.draw(st.sampled_from(sorted(job.rglob("*.log"))))
    copy = tmp_path_factory.mktemp("spare") / data.draw(st.sampled_from(("aaa.log", "zzz.txt", "saved.out")))
    copy.write_bytes(chosen.read_bytes())
    assert told(analyze_with(PROGRAM, [str(job), str(copy)])) == told(analyze_with(PROGRAM, [str(job)]))
