"""Logs read into the series of members."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from logsleuth.drivers.reading import read
from logsleuth.engine.plan import plan
from logsleuth.engine.roster import Roster
from logsleuth.engine.series_of_members import SeriesView, points
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.language import syntax as s
from logsleuth.language.reads import series_read
from logsleuth.language.walk import conditions
from logsleuth.model.origin import Source
from tests.small_jobs import EVENTS, program, rule, write

NUMBERS = """
event t.step "A step." {
  frequent
  line "step {n:int} took {seconds:ms} ms"
  line "rank {r:int} step {n:int} took {seconds:ms} ms"
  line "took {seconds:ms} ms, loss {loss:float}"
  about rank {r}
  series seconds at n
  series loss at n
}
event t.summary "Some steps." { line "on average {seconds:s} s until {n:int}" series seconds at n }
"""
READ = frozenset(("t.seconds", "t.loss"))


def roster(folder: Path, logs: Mapping[str, str], series: frozenset[str] = READ) -> Roster:
    """The job of these logs, as if a rule read the series."""
    write(folder, logs)
    events = "job.size", "job.again", "t.step", "t.summary"
    checked = program(EVENTS, NUMBERS, *(rule(f"r.r{n}", f"when seen {name}") for n, name in enumerate(events)))
    chosen = plan(checked)._replace(series=series)
    reading = read([Source(str(folder / path)) for path in sorted(logs)], checked, chosen, "plain")
    return Roster(checked, reading.state, reading.labels)


def values(view: SeriesView) -> list[tuple[int, float]]:
    return [(point.step, point.value) for point in points(view)]


def of_rank(rank: int) -> Member:
    return Member(MemberKind.RANK, (rank,))


def steps(start: int, end: int, ms: int) -> str:
    return "".join(f"step {n} took {ms} ms\n" for n in range(start, end))


def test_every_member_has_its_series_in_base_units(tmp_path: Path) -> None:
    logs = {"rank_0.log": steps(0, 3, 500), "rank_1.log": steps(0, 2, 250) + "on average 2 s until 2\n"}
    job = roster(tmp_path, logs)
    found = job.series("t.seconds", 0)
    assert {member: values(view) for member, view in found.items()} == {
        of_rank(0): [(0, 0.5), (1, 0.5), (2, 0.5)],
        of_rank(1): [(0, 0.25), (1, 0.25), (2, 2.0)],
    }
    assert not job.series_is_job_wide("t.seconds", 0)


def test_a_value_stands_where_its_line_does(tmp_path: Path) -> None:
    view = roster(tmp_path, {"rank_0.log": "hello\n" + steps(7, 8, 500)}).series("t.seconds", 0)[of_rank(0)]
    (point,) = points(view)
    assert (point.source, point.offset, point.line, view.text(point)) == (0, 6, 2, "step 7 took 500 ms")


def test_a_line_may_say_whose_numbers_it_tells(tmp_path: Path) -> None:
    found = roster(tmp_path, {"job.log": "rank 4 step 1 took 10 ms\nrank 5 step 1 took 20 ms\n"}).series("t.seconds", 0)
    assert {member: values(view) for member, view in found.items()} == {
        of_rank(4): [(1, 0.01)],
        of_rank(5): [(1, 0.02)],
    }


def test_what_only_one_member_prints_is_the_jobs(tmp_path: Path) -> None:
    job = roster(tmp_path, {"rank_0.log": steps(0, 3, 500), "rank_1.log": "hello\n", "console.log": steps(0, 3, 500)})
    assert len(job.series("t.seconds", 0)) == 2
    assert job.series_is_job_wide("t.seconds", 0)


def test_attempts_are_kept_apart(tmp_path: Path) -> None:
    job = roster(tmp_path, {"job.log": steps(0, 4, 500) + "starting over\n" + steps(2, 5, 250)})
    assert job.attempts == [0, 1]
    per_attempt = [values(view) for attempt in (0, 1) for view in job.series("t.seconds", attempt).values()]
    assert per_attempt == [[(n, 0.5) for n in range(4)], [(n, 0.25) for n in range(2, 5)]]


def test_lines_without_a_step_are_counted(tmp_path: Path) -> None:
    log = "took 10 ms, loss 3\nhello\ntook 20 ms, loss 2\n"
    (view,) = roster(tmp_path, {"job.log": log}).series("t.loss", 0).values()
    assert values(view) == [(0, 3.0), (1, 2.0)]
    assert not view.by_step


def test_what_has_no_step_is_not_put_among_what_has(tmp_path: Path) -> None:
    (view,) = (
        roster(tmp_path, {"job.log": steps(100, 102, 500) + "took 10 ms, loss 3\n"}).series("t.seconds", 0).values()
    )
    assert view.by_step
    assert values(view) == [(100, 0.5), (101, 0.5)]


def test_what_no_rule_reads_is_not_extracted(tmp_path: Path) -> None:
    job = roster(tmp_path, {"job.log": "took 10 ms, loss 3\n"}, frozenset(("t.loss",)))
    assert job.series("t.seconds", 0) == {}
    assert len(job.series("t.loss", 0)) == 1


def test_a_rule_reads_the_series_that_its_conditions_name() -> None:
    at = s.Place("x.sleuth", 1, 1)
    compared = s.Operation(">", s.Call("mean", (s.SeriesName("t.seconds", at),), (), at), s.Value(3))
    referred = s.Seen(s.Pattern(s.Reference("t.loss", None, at), "", ()))
    made = s.Rule("r.x", "", at, when=(s.Clause(s.AllOf((compared, s.Not(referred))), ""),))
    assert set(series_read(conditions(made), {"t.seconds", "t.loss", "t.other"})) == {"t.seconds", "t.loss"}
    assert list(series_read(conditions(made), {"t.other"})) == []
    checked = program(EVENTS, NUMBERS)
    chosen = plan(replace(checked, rules={**checked.rules, "r.x": made}))
    assert chosen.series == {"t.seconds", "t.loss"}
    assert {event.name for event in chosen.events} >= {"t.step", "t.summary"}


def test_an_attempt_of_which_only_numbers_are_known_is_one(tmp_path: Path) -> None:
    write(tmp_path, {"rank_3.log": steps(1, 9, 200)})
    checked = program(NUMBERS, rule("r.one", "when seen t.seconds"))
    reading = read([Source(str(tmp_path / "rank_3.log"))], checked, plan(checked), "plain")
    job = Roster(checked, reading.state, reading.labels)
    assert job.attempts == [0]
    assert job.members(0) == [of_rank(3)]


def test_ranks_that_only_lines_of_a_series_name_are_ranks_of_the_job(tmp_path: Path) -> None:
    lines = "".join(f"rank {rank} step {step} took {200 + rank} ms\n" for step in range(3) for rank in range(4))
    write(tmp_path, {"train.log": lines})
    checked = program(EVENTS, NUMBERS, rule("r.r", "when mean(t.seconds) > 0"))
    chosen = plan(checked)._replace(series=READ)
    reading = read([Source(str(tmp_path / "train.log"))], checked, chosen, "plain")
    assert not reading.state.kept, "no rule asks for the lines themselves"
    job = Roster(checked, reading.state, reading.labels)
    assert (job.seen_ranks, job.size) == ((0, 1, 2, 3), 4)
    assert job.everyone(0) == tuple(of_rank(rank) for rank in range(4))
