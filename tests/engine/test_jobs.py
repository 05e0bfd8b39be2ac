"""Several jobs in one call are judged one by one; one job is never taken apart."""

import shutil
from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.language.library import load
from tests.small_jobs import analysed, names, rule

FIXTURES = Path(__file__).parents[2] / "fixtures/logs"
FALL = rule("r.fall", "when seen a.fall as x", "culprit x") + rule("r.slip", "when seen a.slip as x", "culprit x")
OLD, NEW = "2025-03-04 03:00:00 ", "2025-03-04 05:00:00 "


def test_one_job_has_the_plain_id(tmp_path: Path) -> None:
    found = analysed(tmp_path, FALL, {"slurm-8812.out": "fell with code 1\n", "rank_0.log": "slipped on ice\n"})
    assert [job.id for job in found.jobs] == ["job"]
    assert {v.job for v in found.verdicts} == {"job"}


def test_the_newest_job_comes_first_and_the_other_has_verdicts_of_its_own(tmp_path: Path) -> None:
    logs = {"slurm-8812.out": OLD + "fell with code 1\n", "slurm-8813.out": NEW + "slipped on ice\n"}
    found = analysed(tmp_path, FALL, logs)
    assert [job.id for job in found.jobs] == ["8813", "8812"]
    assert [(v.id, v.job, v.rule) for v in found.verdicts] == [("v1", "8813", "r.slip"), ("v2", "8812", "r.fall")]
    assert found.failed


def test_a_failure_of_an_older_job_still_fails(tmp_path: Path) -> None:
    found = analysed(
        tmp_path, FALL, {"slurm-1.out": "", "slurm-8812.out": OLD + "fell with code 1\n", "slurm-8813.out": NEW}
    )
    assert names(list(found.verdicts)) == ["r.fall"]
    assert found.failed


def test_jobs_without_a_clock_are_in_the_order_of_their_names(tmp_path: Path) -> None:
    logs = {"slurm-10001.out": "fell with code 1\n", "slurm-9999.out": "slipped on ice\n"}
    assert [job.id for job in analysed(tmp_path, FALL, logs).jobs] == ["9999", "10001"]


def test_hosts_attempts_and_agents_of_one_rendezvous_are_one_job(tmp_path: Path) -> None:
    logs = {
        "node-7/logs/job42_abcd1234/attempt_0/0/stderr.log": "fell with code 1\n",
        "node-7/logs/job42_abcd1234/attempt_1/0/stderr.log": "fell with code 2\n",
        "node-8/logs/job42_wxyz5678/attempt_0/0/stderr.log": "fell with code 1\n",
        "node-8/console.log": "starting over\n",
    }
    assert [job.id for job in analysed(tmp_path, FALL, logs).jobs] == ["job"]


def test_a_run_without_a_name_is_no_job_of_its_own(tmp_path: Path) -> None:
    logs = {f"logs/none_abcd123{n}/attempt_0/0/stderr.log": f"fell with code {n}\n" for n in (1, 2)}
    assert [job.id for job in analysed(tmp_path, FALL, logs).jobs] == ["job"]


def test_a_console_belongs_to_the_job_that_it_lies_beside(tmp_path: Path) -> None:
    logs = {
        "a/logs/first_abcd1234/attempt_0/0/stderr.log": "fell with code 1\n",
        "a/console.log": "the job has 2 ranks\n",
        "b/logs/second_abcd1234/attempt_0/0/stderr.log": "fell with code 1\n",
        "b/console.log": "the job has 4 ranks\n",
    }
    assert {job.id: job.size for job in analysed(tmp_path, FALL, logs).jobs} == {"first": 2, "second": 4}


def test_a_log_that_speaks_of_a_job_belongs_to_it(tmp_path: Path) -> None:
    logs = {
        "logs/first_abcd1234/attempt_0/0/stderr.log": "fell with code 1\n",
        "logs/second_abcd1234/attempt_0/0/stderr.log": "fell with code 1\n",
        "console.log": "slipped on logs/second_abcd1234/attempt_0/0/error.json\n",
    }
    found = analysed(tmp_path, FALL, logs)
    assert {v.job for v in found.verdicts if v.rule == "r.slip"} == {"second"}


def test_a_log_of_nobody_belongs_to_the_job_at_its_time_and_else_to_all(tmp_path: Path) -> None:
    jobs = {
        "slurm-8812.out": OLD + "fell with code 1\n2025-03-04 03:30:00 x\n",
        "slurm-8813.out": NEW + "fell with code 1\n",
    }
    timed = analysed(tmp_path / "timed", FALL, {**jobs, "kern.log": "2025-03-04 03:10:00 slipped on ice\n"})
    assert [v.job for v in timed.verdicts if v.rule == "r.slip"] == ["8812"]
    untimed = analysed(tmp_path / "untimed", FALL, {**jobs, "kern.log": "slipped on ice\n"})
    assert [v.job for v in untimed.verdicts if v.rule == "r.slip"] == ["8813", "8812"]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("process/exception/one_of_four", "collective/timeout/one_of_four"),
        ("process/killed/one_of_four", "process/teardown_failure/abort_at_exit"),
    ],
)
def test_two_jobs_in_one_call_get_the_verdicts_that_each_gets_alone(tmp_path: Path, left: str, right: str) -> None:
    program = load((), False).program
    folders = {}
    for number, job in ((8812, left), (8813, right)):
        folders[str(number)] = tmp_path / f"job-{number}"
        shutil.copytree(FIXTURES / job, folders[str(number)])
    together = analyze_with(program, [str(tmp_path)])
    assert {job.id for job in together.jobs} == {"8812", "8813"}
    for name, folder in folders.items():
        alone = analyze_with(program, [str(folder)])
        own = [v for v in together.verdicts if v.job == name]
        assert [(v.rule, v.severity, v.culprits, v.occurrences, v.summary) for v in own] == [
            (v.rule, v.severity, v.culprits, v.occurrences, v.summary) for v in alone.verdicts
        ]
        assert own
