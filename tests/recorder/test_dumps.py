"""What an analysis says of folders with flight-recorder dumps, and of dumps beside logs."""

import gzip
import os
import pickle
import random
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logsleuth.drivers.batch import analyze
from logsleuth.ingest.discover import discover
from logsleuth.model.analysis import Analysis
from logsleuth.recorder.sources import with_dumps_told
from tests.recorder.jobs import (
    STEP,
    Recorder,
    job,
    timed_out,
    told_by_another,
    write_all,
    write_json,
    write_pickle,
)

FIXTURES = Path(__file__).parents[2] / "fixtures" / "logs" / "flight_recorder"


def said(*paths: Path) -> list[tuple[str, str, tuple[int, ...]]]:
    """Rule, severity and accused ranks of each verdict that is firm."""
    verdicts = analyze([str(path) for path in paths], local_rules=False).verdicts
    return [
        (verdict.rule, verdict.severity, verdict.culprits.ranks) for verdict in verdicts if verdict.status == "firm"
    ]


def write_logs(folder: Path, texts: dict[int, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for rank, text in texts.items():
        (folder / f"rank_{rank}.log").write_text(text)
    return folder


def one_missing(size: int = 4, missing: int = 2) -> list[Recorder]:
    recorders = job(size)
    for recorder in recorders:
        recorder.calls(5, line=80 + recorder.rank)
        if recorder.rank != missing:
            recorder.call(state="started", line=99)
    return recorders


def logs_of_one_missing(folder: Path) -> Path:
    return write_logs(folder, {rank: told_by_another(2, 5) if rank == 2 else timed_out(rank, 6) for rank in range(4)})


MISSING = [("recorder.rank_missing", "fatal", (2,))]


def test_dumps_and_logs_are_one_incident(tmp_path: Path) -> None:
    write_all(tmp_path / "dumps", one_missing())
    logs_of_one_missing(tmp_path / "logs")
    assert said(tmp_path) == MISSING
    (verdict,) = analyze(str(tmp_path), local_rules=False).verdicts
    cited = {Path(item.source).name for item in verdict.evidence}
    assert "nccl_trace_rank_2!entries" in cited
    assert any(name.endswith(".log") for name in cited)
    assert "/srv/job/train.py:82 (step)" in " ".join([verdict.title, verdict.summary, *verdict.remedies])


@pytest.mark.parametrize("packing", ["gztar", "tar", "zip"])
def test_dumps_and_logs_are_one_incident_in_an_archive(tmp_path: Path, packing: str) -> None:
    write_all(tmp_path / "job" / "dumps", one_missing())
    logs_of_one_missing(tmp_path / "job" / "logs")
    archive = Path(shutil.make_archive(str(tmp_path / "packed"), packing, tmp_path / "job"))
    assert said(archive) == MISSING
    (verdict,) = analyze(str(archive), local_rules=False).verdicts
    assert f"{archive}!dumps/nccl_trace_rank_2!entries" in {item.source for item in verdict.evidence}


def test_a_bare_timeout_gets_its_culprit_from_dumps(tmp_path: Path) -> None:
    logs = write_logs(tmp_path / "logs", {0: timed_out(0, 6)})
    assert said(logs)[0][0] == "collective.timeout_without_cause"
    write_all(tmp_path / "dumps", one_missing())
    assert said(tmp_path) == MISSING


@pytest.mark.parametrize("name", ["dump{}", "trace.r{}.pkl", "my_dumps_{}.bin", "nccl_trace_rank_node-7_{}"])
def test_names_do_not_matter(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "any"
    folder.mkdir()
    for recorder in one_missing():
        write_pickle(folder / name.format(recorder.rank), recorder.dump())
    logs_of_one_missing(tmp_path / "logs")
    assert said(tmp_path) == MISSING


def _gzipped(path: Path, dump: dict[str, object]) -> Path:
    path = path.with_name(path.name + ".gz")
    path.write_bytes(gzip.compress(pickle.dumps(dump, 4)))
    return path


@pytest.mark.parametrize("write", [write_pickle, write_json, _gzipped])
def test_forms_give_the_same_verdicts(tmp_path: Path, write: Callable[[Path, dict[str, object]], Path]) -> None:
    files = [write(tmp_path / f"trace_rank_{one.rank}", one.dump()) for one in one_missing()]
    logs = logs_of_one_missing(tmp_path / "logs")
    assert said(*files, logs) == MISSING


def test_a_rank_dumped_twice_counts_once(tmp_path: Path) -> None:
    write_all(tmp_path, one_missing())
    for recorder in one_missing():
        write_json(tmp_path / f"fr_json_rank_{recorder.rank}.json", recorder.dump())
    logs_of_one_missing(tmp_path / "logs")
    assert said(tmp_path) == MISSING


@given(st.randoms(use_true_random=False))
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_order_of_files_does_not_matter(tmp_path: Path, order: random.Random) -> None:
    folder = write_all(tmp_path / "dumps", one_missing())
    logs = logs_of_one_missing(tmp_path / "logs")
    files = [*sorted(folder.iterdir()), *sorted(logs.iterdir())]
    order.shuffle(files)
    assert said(*files) == MISSING


def test_healthy_jobs_say_nothing(tmp_path: Path) -> None:
    recorders = job(4, {"1": (0, 1), "2": (2, 3)})
    for recorder in recorders:
        recorder.calls(9).calls(3, group="1" if recorder.rank < 2 else "2")
    assert said(write_all(tmp_path, recorders)) == []
    assert said(FIXTURES / "healthy_gloo") == []


def test_a_look_at_a_running_job_accuses_nobody(tmp_path: Path) -> None:
    recorders = one_missing()
    assert all(severity == "warning" and not ranks for _, severity, ranks in said(write_all(tmp_path, recorders)))
    for rank, count in enumerate((7, 9, 7, 8)):
        recorders[rank] = Recorder(rank, recorders[rank].groups).calls(count).call(state="started")
    assert not any(severity != "warning" for _, severity, _ in said(write_all(tmp_path / "later", recorders)))


def test_dumps_of_different_moments_accuse_nobody(tmp_path: Path) -> None:
    recorders = job(4)
    for recorder in recorders:
        recorder.calls(40 if recorder.rank == 0 else 500).call(state="started")
    assert said(write_all(tmp_path, recorders)) == []


def test_seconds_of_silence_need_no_log(tmp_path: Path) -> None:
    recorders = one_missing()
    recorders[0].entries[-1]["time_created_ns"] = recorders[2].moment + 3000 * STEP
    assert said(write_all(tmp_path, recorders)) == MISSING


def test_entries_that_fell_out_of_the_buffer_accuse_nobody(tmp_path: Path) -> None:
    recorders = job(4, {"1": (0, 1, 2, 3)})
    for recorder in recorders:
        recorder.call(group="1", state="completed" if recorder.rank else "started").calls(50)
        recorder.call(state="started")
    write_logs(tmp_path / "logs", {rank: timed_out(rank, 51) for rank in range(4)})
    write_all(tmp_path / "dumps", recorders, keep=8)
    assert [(rule, ranks) for rule, _, ranks in said(tmp_path) if ranks] == []


def test_a_victim_in_an_outer_group_is_not_accused(tmp_path: Path) -> None:
    recorders = job(4, {"1": (0, 1), "2": (2, 3)})
    for recorder in recorders:
        inner = "1" if recorder.rank < 2 else "2"
        recorder.calls(3).calls(2, group=inner)
        if recorder.rank != 3:
            recorder.call(group="2" if recorder.rank == 2 else "0", state="started")
    write_all(tmp_path / "dumps", recorders)
    write_logs(tmp_path / "logs", {0: timed_out(0, 4), 1: timed_out(1, 4)})
    assert said(tmp_path) == [("recorder.rank_missing", "fatal", (3,))]


def _differing(**odd: Any) -> list[Recorder]:
    recorders = job(4)
    for recorder in recorders:
        recorder.calls(5).call(state="started", **(odd if recorder.rank == 1 else {}))
    return recorders


@pytest.mark.parametrize("odd", [{"op": "broadcast"}, {"size": (12,)}, {"dtype": "Long"}])
def test_the_odd_call_is_accused(tmp_path: Path, odd: dict[str, object]) -> None:
    assert said(write_all(tmp_path, _differing(**odd))) == [("recorder.calls_differ", "fatal", (1,))]


@pytest.mark.parametrize("odd", [{"size": (64, 64)}, {}])
def test_another_shape_of_as_many_elements_is_no_difference(tmp_path: Path, odd: dict[str, object]) -> None:
    assert said(write_all(tmp_path, _differing(**odd))) == []


def test_without_a_majority_nobody_is_accused(tmp_path: Path) -> None:
    recorders = job(4)
    for recorder in recorders:
        recorder.calls(5).call(state="started", op="broadcast" if recorder.rank < 2 else "all_gather")
    assert said(write_all(tmp_path, recorders)) == [("recorder.calls_split", "fatal", ())]


def test_all_to_all_may_send_what_it_likes(tmp_path: Path) -> None:
    recorders = job(4)
    for recorder in recorders:
        recorder.calls(5).call("all_to_all", size=(10 + recorder.rank,), state="started")
    assert said(write_all(tmp_path, recorders)) == []


def test_the_rank_without_a_dump(tmp_path: Path) -> None:
    recorders = [one.calls(5).call(state="started") for one in job(4)]
    write_all(tmp_path / "dumps", [one for one in recorders if one.rank != 1])
    assert said(tmp_path) == []
    write_logs(tmp_path / "logs", {0: timed_out(0, 6), 3: timed_out(3, 6)})
    assert said(tmp_path) == [("recorder.dump_missing", "fatal", (1,))]
    (tmp_path / "dumps" / "nccl_trace_rank_1").touch()
    assert said(tmp_path) == [("recorder.dump_missing", "fatal", (1,))]


def test_an_error_of_the_missing_rank_is_the_cause(tmp_path: Path) -> None:
    write_all(tmp_path / "dumps", one_missing())
    logs_of_one_missing(tmp_path / "logs")
    log = tmp_path / "logs" / "rank_2.log"
    error = (
        'Traceback (most recent call last):\n  File "/srv/job/train.py", line 91, in <module>\nValueError: bad batch\n'
    )
    log.write_text("".join(f"[rank2]: {line}\n" for line in error.splitlines()))
    assert said(tmp_path) == [("process.uncaught_exception", "fatal", (2,))]


def _pipeline(answers: bool) -> list[Recorder]:
    recorders = [one.calls(5) for one in job(4, {"1": (1, 2)})]
    recorders[1].call("recv 0<-1", group="1", state="started")
    recorders[2].call("send 1->0" if answers else "recv 1<-0", group="1", state="started" if answers else "completed")
    return recorders


def test_a_receive_that_nobody_answers(tmp_path: Path) -> None:
    write_all(tmp_path / "dumps", _pipeline(answers=False))
    write_logs(tmp_path / "logs", {1: timed_out(1, 1, op="RECV")})
    assert said(tmp_path) == [("recorder.exchange_deserted", "fatal", (2,))]


def test_an_exchange_with_both_sides_there(tmp_path: Path) -> None:
    assert said(write_all(tmp_path, _pipeline(answers=True))) == []


def test_parts_of_a_coalesced_call_have_the_state_of_the_whole(tmp_path: Path) -> None:
    recorders = job(2)
    for one in recorders:
        one.calls(5)
        for op in (f"send {one.rank}->{1 - one.rank}", f"recv {one.rank}<-{1 - one.rank}"):
            one.call(op, state="scheduled")
            one.entries[-1]["p2p_seq_id"] = 1
        one.call("coalesced")
        one.entries[-1]["p2p_seq_id"] = 1
        one.call()
    write_logs(tmp_path / "logs", {0: timed_out(0, 7)})
    assert not any(
        rule.startswith("recorder.") for rule, _, _ in said(write_all(tmp_path / "dumps", recorders), tmp_path)
    )


def test_a_rank_whose_dump_waits_is_not_absent_for_want_of_a_log(tmp_path: Path) -> None:
    write_all(tmp_path / "dumps", [one.calls(5).call(state="started") for one in job(4)])
    write_logs(tmp_path / "logs", {rank: timed_out(rank, 6) for rank in range(3)})
    assert [ranks for _, severity, ranks in said(tmp_path) if severity == "fatal"] == [()]


def test_ranks_that_wait_for_each_other_in_two_groups(tmp_path: Path) -> None:
    first, second = (one.calls(3) for one in job(2, {"1": (0, 1), "2": (0, 1)}))
    write_all(tmp_path / "dumps", [first.call(group="1", state="started"), second.call(group="2", state="started")])
    write_logs(tmp_path / "logs", {0: timed_out(0, 1), 1: timed_out(1, 1)})
    assert said(tmp_path) == [("recorder.groups_crossed", "fatal", ())]


def test_who_comes_out_first_of_a_broadcast_does_not_hide_who_is_missing(tmp_path: Path) -> None:
    recorders = [one.calls(5) for one in job(4)]
    for one in recorders:
        if one.rank != 1:
            one.call("broadcast", state="started" if one.rank else "completed")
    recorders[0].call(state="started")
    write_all(tmp_path / "dumps", recorders)
    write_logs(tmp_path / "logs", {0: timed_out(0, 7)})
    assert said(tmp_path) == [("recorder.rank_missing", "fatal", (1,))]


def test_a_dump_of_an_earlier_run_counts_as_none(tmp_path: Path) -> None:
    recorders = [one.calls(5).call(state="started") for one in job(4)]
    old = job(4)[1]
    old.moment -= 10**15
    recorders[1] = old.calls(5)
    write_all(tmp_path / "dumps", recorders)
    write_logs(tmp_path / "logs", {0: timed_out(0, 6)})
    assert said(tmp_path) == [("recorder.dump_missing", "fatal", (1,))]


def test_a_rank_ahead_of_all_others_is_not_taken_for_their_judge(tmp_path: Path) -> None:
    recorders = [one.calls(5) for one in job(4)]
    recorders[0].call(state="started")
    write_all(tmp_path / "dumps", recorders)
    write_logs(tmp_path / "logs", {0: timed_out(0, 6)})
    assert said(tmp_path) == [("recorder.many_missing", "fatal", ())]


def test_real_dumps() -> None:
    assert said(FIXTURES / "rank_missing") == [("recorder.rank_missing", "fatal", (1,))]
    assert said(FIXTURES / "calls_differ") == [("recorder.calls_split", "fatal", ())]


class _Calls:
    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("exit 1",)


def _told(analysis: Analysis, name: str) -> str:
    return " ".join(p.text for item in analysis.inputs if Path(item.source).name == name for p in item.problems)


@pytest.mark.parametrize(
    "data",
    [
        pickle.dumps({"version": "2.10", "entries": _Calls()}, 2),
        pickle.dumps(_Calls(), 4),
        b"",
        b'{"entries": [{"pg_config":',
    ],
    ids=["calls", "only a call", "empty", "json cut short"],
)
def test_a_hostile_or_broken_dump_loses_nobody_elses_result(tmp_path: Path, data: bytes) -> None:
    write_all(tmp_path / "dumps", one_missing())
    logs_of_one_missing(tmp_path / "logs")
    (tmp_path / "dumps" / "nccl_trace_rank_9").write_bytes(data)
    assert said(tmp_path) == MISSING
    assert "flight-recorder dump that could not be read" in _told(
        analyze(str(tmp_path), local_rules=False), "nccl_trace_rank_9"
    )


def _mutated(data: bytes, places: Iterable[tuple[float, int]]) -> bytes:
    changed = bytearray(data)
    for share, byte in places:
        changed[int(share * (len(changed) - 1))] = byte
    return bytes(changed)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=6), st.floats(0, 1), st.booleans())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_dumps_never_crash(tmp_path: Path, places: list[tuple[float, int]], cut: float, is_json: bool) -> None:
    folder = write_all(tmp_path, one_missing(2, 1))
    victim = folder / "nccl_trace_rank_0"
    if is_json:
        write_json(victim, one_missing(2, 1)[0].dump())
    data = _mutated(victim.read_bytes(), places)
    victim.write_bytes(data[: int(len(data) * max(cut, 0.5))] if cut < 0.9 else data)
    with_dumps_told(discover([str(folder)]))
