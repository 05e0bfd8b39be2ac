"""How a live job is doing, from its logs and from when they grew."""

import pickle
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from logsleuth.drivers.batch import concluded_with
from logsleuth.drivers.hints import NO_HINTS, found
from logsleuth.drivers.reading import read
from logsleuth.drivers.vitals import vitals_of
from logsleuth.engine.plan import plan
from logsleuth.language.program import Program
from logsleuth.model import vitals as v
from logsleuth.model.analysis import Analysis
from logsleuth.model.present import Arrivals, Present
from logsleuth.model.vitals import JobVitals, Vitals
from tests.drivers.jobs import FIXTURES, NAMES, PROGRAM
from tests.drivers.jobs import job as job_named
from tests.small_jobs import EVENTS, LOGS, program, rule

NOW = 1_772_000_000.0
PLAN = plan(PROGRAM)

Growth = Callable[[str, int], Arrivals]
"""When the log with this name, of so many bytes, grew."""


def vitals(root: Path, logs: Mapping[str, str] | None = None, growth: Growth | None = None) -> Vitals:
    """Of the logs in a folder, after these were written into it; with a growth as they are followed."""
    return judged(root, logs, growth)[1]


def judged(
    root: Path, logs: Mapping[str, str] | None = None, growth: Growth | None = None, by: Program = PROGRAM
) -> tuple[Analysis, Vitals]:
    """The same with the analysis of these logs."""
    for name, text in (logs or {}).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    there = found([str(root)], NO_HINTS)
    chosen = PLAN if by is PROGRAM else plan(by)
    reading = read(there.sources, by, chosen)
    analysis, judgements = concluded_with(by, chosen, reading, None)
    if growth is None:
        return analysis, vitals_of(reading, judgements, None)
    paths = [Path(log.path) for log in reading.logs]
    arrivals = {number: growth(path.name, path.stat().st_size) for number, path in enumerate(paths)}
    return analysis, vitals_of(reading, judgements, Present(NOW, arrivals))


def only(of: Vitals) -> JobVitals:
    (job,) = of.jobs
    return job


def states(job: JobVitals) -> dict[str, str]:
    return {rank.name: rank.state for rank in job.ranks}


def clock(seconds: float) -> str:
    whole = int(seconds)
    return f"2026-03-14 {9 + whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d},{round(seconds % 1 * 1000):03d}"


def steps(rank: int, upto: int, each: float = 2.0, size: int = 4, loss: float = 4.0) -> str:
    """The log of a rank that tells every step with its time."""
    first = f"{clock(0)} INFO Initializing distributed: GLOBAL_RANK: {rank}, MEMBER: {rank + 1}/{size}\n"
    return first + "".join(
        f"{clock((step + 1) * each)} INFO step {step}/1000 | loss {loss - step * 0.001:.4f}\n" for step in range(upto)
    )


def evenly(each: float, last: float = 0.0) -> Growth:
    """Grew by 64 bytes every so many seconds, the last time so many seconds ago."""

    def growth(_: str, size: int) -> Arrivals:
        arrivals = Arrivals()
        number = -(-size // 64)
        for part in range(number):
            arrivals.note(min((part + 1) * 64, size), NOW - last - (number - 1 - part) * each)
        return arrivals

    return growth


def test_a_job_that_trains(tmp_path: Path) -> None:
    job = only(vitals(tmp_path, {f"node-{rank // 2}_rank_{rank}.log": steps(rank, 50) for rank in range(4)}))
    assert (job.state, job.step, job.total, job.attempt) == (v.TRAINING, 49, 1000, 0)
    assert job.speed == pytest.approx(0.5)
    assert job.since_step == 0
    assert job.started == "2026-03-14T09:00:00.000"
    assert job.loss == pytest.approx(3.951)
    assert len(job.losses) == 32
    assert job.losses[-1] == job.loss
    assert [(rank.rank, rank.host, rank.state, rank.step) for rank in job.ranks] == [
        (rank, f"node-{rank // 2}", v.RUNNING, 49) for rank in range(4)
    ]


def test_what_was_read_is_counted(tmp_path: Path) -> None:
    of = vitals(tmp_path, {"rank_0.log": steps(0, 50), "rank_1.log": steps(1, 50)})
    assert (of.sources, of.lines) == (2, 102)
    assert of.bytes == sum(path.stat().st_size for path in tmp_path.iterdir())
    assert of.events > 0


def test_a_job_that_has_not_begun(tmp_path: Path) -> None:
    job = only(
        vitals(tmp_path, {"rank_0.log": f"{clock(0)} INFO Initializing distributed: GLOBAL_RANK: 0, MEMBER: 1/2\n"})
    )
    assert (job.state, job.step, job.speed, job.since_step, job.loss) == (v.STARTING, None, None, None, None)


def test_without_a_clock_nothing_is_said_of_times(tmp_path: Path) -> None:
    job = only(vitals(tmp_path, {"rank_0.log": "".join(f"step {n} | loss 1.0\n" for n in range(9))}))
    assert (job.state, job.step, job.speed, job.since_step) == (v.TRAINING, 8, None, None)
    assert [rank.quiet for rank in job.ranks] == [None]


def test_the_growth_of_logs_tells_what_stamps_do_not(tmp_path: Path) -> None:
    log = "".join(f"step {n:06d} | loss 1.25".ljust(63) + "\n" for n in range(40))
    logs = {"rank_0.log": log, "rank_1.log": log.replace("1.25", "1.26")}
    job = only(vitals(tmp_path, logs, evenly(4.0, last=7.0)))
    assert job.step == 39
    assert job.speed == pytest.approx(0.25)
    assert job.since_step == pytest.approx(7.0)
    assert [rank.quiet for rank in job.ranks] == [7.0, 7.0]


def test_stamps_are_as_old_as_the_bytes_that_came_last(tmp_path: Path) -> None:
    def growth(_: str, size: int) -> Arrivals:
        arrivals = Arrivals()
        arrivals.begin(size, NOW - 100)  # It was all there before anybody looked.
        return arrivals

    job = only(vitals(tmp_path, {"rank_0.log": steps(0, 50), "rank_1.log": steps(1, 45)}, growth))
    assert job.since_step == pytest.approx(100.0)
    assert job.speed == pytest.approx(0.5)


def test_the_speed_is_that_of_late(tmp_path: Path) -> None:
    slow = steps(0, 100, each=5.0)
    fast = "".join(f"{clock(510 + n * 0.5)} INFO step {n + 100}/1000 | loss 1.0\n" for n in range(400))
    assert only(vitals(tmp_path, {"rank_0.log": slow + fast})).speed == pytest.approx(2.0)


def test_a_rank_that_stays_behind_while_others_go_on_is_silent(tmp_path: Path) -> None:
    logs = {f"rank_{rank}.log": steps(rank, 20 if rank == 2 else 100) for rank in range(4)}
    job = only(vitals(tmp_path, logs))
    assert states(job) == {"rank 0": v.RUNNING, "rank 1": v.RUNNING, "rank 2": v.SILENT, "rank 3": v.RUNNING}
    assert job.ranks[2].step == 19
    assert job.ranks[2].quiet == pytest.approx(160.0)


def test_a_rank_that_is_a_little_behind_is_not(tmp_path: Path) -> None:
    logs = {f"rank_{rank}.log": steps(rank, 80 if rank == 2 else 100) for rank in range(4)}
    assert set(states(only(vitals(tmp_path, logs))).values()) == {v.RUNNING}


def test_ranks_that_never_told_steps_are_not_silent(tmp_path: Path) -> None:
    logs = {
        "rank_0.log": steps(0, 900, size=2),
        "rank_1.log": f"{clock(0)} INFO Initializing distributed: GLOBAL_RANK: 1, MEMBER: 2/2\n",
    }
    job = only(vitals(tmp_path, logs))
    assert states(job) == {"rank 0": v.RUNNING, "rank 1": v.RUNNING}
    assert job.ranks[1].quiet == pytest.approx(1800.0)


def test_a_job_is_silent_when_no_step_came_for_much_longer_than_ever(tmp_path: Path) -> None:
    logs = {f"rank_{rank}.log": steps(rank, 50) for rank in range(2)}
    assert only(vitals(tmp_path, logs, evenly(1.0, last=250.0))).state == v.TRAINING
    assert only(vitals(tmp_path, logs, evenly(1.0, last=350.0))).state == v.SILENT


def test_a_pause_that_came_before_is_none(tmp_path: Path) -> None:
    paused = "".join(f"{clock(600 + n * 2)} INFO step {n + 50}/1000 | loss 1.0\n" for n in range(10))
    logs = {"rank_0.log": steps(0, 50) + paused}
    assert only(vitals(tmp_path, logs, evenly(1.0, last=1000.0))).state == v.TRAINING
    assert only(vitals(tmp_path, logs, evenly(1.0, last=2000.0))).state == v.SILENT


def test_ranks_of_which_no_line_is_known(tmp_path: Path) -> None:
    job = only(vitals(tmp_path, {f"rank_{rank}.log": steps(rank, 20) for rank in (0, 1, 3)}))
    assert states(job)["rank 2"] == v.UNSEEN
    assert (job.ranks[2].step, job.ranks[2].quiet) == (None, None)


def test_a_killed_rank_is_blamed_and_the_others_have_ended() -> None:
    job = only(vitals(FIXTURES / "process" / "killed" / "one_of_four"))
    assert job.state == v.ENDED
    assert states(job) == {"rank 0": v.ENDED, "rank 1": v.ENDED, "rank 2": v.BLAMED, "rank 3": v.ENDED}


@pytest.mark.parametrize("name", NAMES[::3])
def test_those_are_blamed_whom_verdicts_blame(name: str, tmp_path: Path) -> None:
    analysis, whole = judged(job_named(name, tmp_path))
    for of, job in zip(whole.jobs, analysis.jobs, strict=True):
        firm = [
            one
            for one in analysis.verdicts
            if (one.job, one.attempt, one.status, one.role) == (job.id, of.attempt, "firm", "root")
        ]
        guilty = {rank for one in firm if one.severity.fails for rank in one.culprits.ranks}
        assert {rank.rank for rank in of.ranks if rank.state == v.BLAMED and rank.rank is not None} == guilty
        if job.silent_ranks:
            assert {rank.rank for rank in of.ranks if rank.state == v.UNSEEN} <= {*job.silent_ranks, None}


def judged_by(root: Path, *rules: str, logs: Mapping[str, str] = LOGS) -> JobVitals:
    """By rules of a few lines; ``LOGS`` are those of two ranks, of which rank 0 falls."""
    return only(judged(root, logs, by=program(EVENTS, *rules))[1])


def test_whom_a_warning_names_is_warned_and_the_job_does_not_fail(tmp_path: Path) -> None:
    job = judged_by(tmp_path, rule("r.fall", "when seen a.fall as x", "culprit x", severity="warning"))
    assert job.state == v.STARTING
    assert states(job) == {"rank 0": v.WARNED, "rank 1": v.RUNNING}


def test_notes_blame_nobody(tmp_path: Path) -> None:
    job = judged_by(tmp_path, rule("r.fall", "when seen a.fall as x", "culprit x", severity="info"))
    assert states(job) == {"rank 0": v.RUNNING, "rank 1": v.RUNNING}


def test_a_host_is_blamed_as_a_whole_and_none_of_its_ranks(tmp_path: Path) -> None:
    event = 'event a.host "A host broke." { witness kernel line "host {h} broke" about host {h} }\n'
    logs = {f"node-7/{name}": text for name, text in LOGS.items()} | {"kernel.log": "host node-7 broke\n"}
    job = judged_by(tmp_path, event, rule("r.host", "when seen a.host as x", "culprit x"), logs=logs)
    assert job.blamed_hosts == ("node-7",)
    assert v.BLAMED not in states(job).values()


def test_local_ranks_are_told_apart_by_their_hosts(tmp_path: Path) -> None:
    told = "saw local rank 0 end (pid 7)\nsaw local rank 1 end (pid 8)\n"
    logs = {f"{host}/agent.log": told for host in ("node-1", "node-2")}
    logs["node-2/agent.log"] += "[default1]:fell with code 1\n"
    job = judged_by(tmp_path, rule("r.fall", "when seen a.fall as x", "culprit x"), logs=logs)
    assert [(rank.name, rank.host) for rank in job.ranks if rank.state == v.BLAMED] == [("local rank 1", "node-2")]


def test_a_job_of_which_one_node_has_finished_goes_on(tmp_path: Path) -> None:
    finished = (
        "I0314 09:00:21.000000 21529 torch/distributed/elastic/agent/server/api.py:932] [default] worker group "
        "successfully finished. Waiting 300 seconds for other agents to finish.\n"
    )
    logs = {"node-0/agent.log": finished, "node-0/rank_0.log": steps(0, 10, size=2)}
    assert only(vitals(tmp_path, logs | {"node-1/rank_1.log": steps(1, 40, size=2)})).state == v.TRAINING
    assert only(vitals(tmp_path, logs | {"node-1/rank_1.log": steps(1, 10, size=2)})).state == v.ENDED


def test_a_job_fails_before_it_ends(tmp_path: Path) -> None:
    trace = 'Traceback (most recent call last):\n  File "/srv/job/train.py", line 9, in main\nValueError: no\n'
    logs = {f"rank_{rank}.log": steps(rank, 20, size=2) for rank in range(2)}
    logs["rank_1.log"] += trace
    job = only(vitals(tmp_path, logs))
    assert job.state == v.FAILING
    assert states(job) == {"rank 0": v.RUNNING, "rank 1": v.BLAMED}


def test_a_job_that_says_so_has_ended_unless_it_goes_on(tmp_path: Path) -> None:
    log = steps(0, 20, size=1) + f"{clock(50)} INFO Training complete\n"
    job = only(vitals(tmp_path, {"rank_0.log": log}))
    assert job.state == v.ENDED
    assert states(job) == {"rank 0": v.ENDED}
    again = "".join(f"{clock(60 + n * 2)} INFO step {n + 20}/1000 | loss 1.0\n" for n in range(10))
    job = only(vitals(tmp_path, {"rank_0.log": log + again}))
    assert job.state == v.TRAINING
    assert states(job) == {"rank 0": v.RUNNING}


def test_a_loss_that_is_no_number_is_told(tmp_path: Path) -> None:
    log = steps(0, 20) + f"{clock(42)} INFO step 20/1000 | loss nan\n"
    job = only(vitals(tmp_path, {"rank_0.log": log}))
    assert job.loss != job.loss
    assert job.losses[:-1] == pytest.approx([4.0 - n * 0.001 for n in range(20)])


def test_memory_is_that_of_whom_uses_most(tmp_path: Path) -> None:
    def log(memory: float) -> str:
        return "".join(
            f"[2024-02-03 08:11:{n:02d},412] [INFO] [timer.py:215:stop] epoch=0/micro_step={n * 2}/global_step={n}, "
            f"RunningAvgSamplesPerSec=12.1, CurrSamplesPerSec=12.2, MemAllocated={memory}GB, MaxMemAllocated=33.1GB\n"
            for n in range(10, 20)
        )

    job = only(vitals(tmp_path, {"rank_0.log": log(20.5), "rank_1.log": log(21.5)}))
    assert (job.memory, job.memory_is, job.step) == (21.5e9, "allocated", 19)


def test_a_bar_tells_how_far_a_loop_is(tmp_path: Path) -> None:
    bars = "".join(
        f" {n}0%|{'#' * n}| {n}0{again}/1000 [00:50<07:30,  2.00it/s]\n" for n in range(1, 8) for again in (0, 1)
    )
    job = only(vitals(tmp_path, {"train.log": bars}))
    assert (job.step, job.total) == (700, 1000)


def test_jobs_come_with_the_newest_first(tmp_path: Path) -> None:
    later = steps(0, 20).replace("2026-03-14", "2026-03-15")
    jobs = vitals(tmp_path, {"slurm-4711.out": steps(0, 20), "slurm-4712.out": later}).jobs
    assert [job.job for job in jobs] == ["4712", "4711"]


def test_only_the_last_attempt_is_told() -> None:
    job = only(vitals(FIXTURES / "inspect" / "two_nodes"))
    assert job.attempt == 2
    assert job.step == 203


def test_without_a_present_no_clock_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> float:
        raise AssertionError

    logs = {f"rank_{rank}.log": steps(rank, 20) for rank in range(2)}
    monkeypatch.setattr("time.time", refuse)
    monkeypatch.setattr("time.monotonic", refuse)
    assert only(vitals(tmp_path, logs)).step == 19


def test_a_thousand_ranks_go_through_a_pipe(tmp_path: Path) -> None:
    logs = {"rank_7.log": steps(7, 20, size=1000)}
    of = vitals(tmp_path, logs)
    assert len(only(of).ranks) == 1000
    busy = tuple(
        rank._replace(name=f"rank {number}", host=f"node-{number // 8}", step=1_000_000 + number, quiet=number + 0.1)
        for number, rank in enumerate(only(of).ranks)
    )
    full = of._replace(jobs=(only(of)._replace(ranks=busy),))
    assert len(pickle.dumps(full)) < 100_000
    assert pickle.loads(pickle.dumps(full)) == full
