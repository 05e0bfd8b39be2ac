"""By how much clocks differ, and that it does not matter once it is known."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.engine.anchors import Anchors, Dial
from logsleuth.engine.skew import FEWEST, WIDEST, ZONE_STEP, readings
from logsleuth.model.analysis import Analysis, Clock
from tests.small_jobs import analysed, only, rule

HOUR = 3600.0
ONE, TWO, THREE = (Dial(host, source, False) for source, host in enumerate(("node-1", "node-2", "node-3")))
STEP = 'event t.step "A step." { line "step {step:int} took" frequent }\n'
MET = """
event t.met "The agents have met." {
  witness launcher about job line "met for attempt {n:int} of {size:int}" states attempt = n, world_size = size
}
event t.timeout "A collective timed out." {
  witness watchdog line "SeqNum={seq:int}, OpType={op} ran for {ran:ms} ms" began said - ran
}
"""
FALL = rule("r.fall", "when some rank has a.fall as x", "culprit x", "explains a.slip on other ranks")
SLIP = rule("r.slip", "when some rank has a.slip as x", "culprit x", "explains a.fall on other ranks", cause="aborted")
READ = rule("r.steps", "when count(t.step) > 9000") + rule("r.timeouts", "when count(t.timeout) > 9000")
RULES = STEP + MET + FALL + SLIP + READ


def shared(rows: Mapping[Dial, Mapping[int, float]], ranks: Mapping[Dial, set[int]] | None = None) -> Anchors:
    """Anchors that are steps."""
    return Anchors({d: {("step", n): t for n, t in row.items()} for d, row in rows.items()}, ranks=dict(ranks or {}))


def offsets(anchors: Anchors, *dials: Dial) -> dict[str, tuple[float, float | None]]:
    """Offset and uncertainty of each clock by its host; no uncertainty where the offset is not known."""
    _, told = readings(dials, anchors)
    return {
        r.host or str(r.source): (r.clock.ahead, r.clock.uncertainty if r.anchors else None) for r in told
    }  # fmt: skip


def steps(start: float, *late: float) -> dict[int, float]:
    return {n: start + 10.0 * n + more for n, more in enumerate(late or (0.0,) * 8)}


def stamp(seconds: float) -> str:
    day, rest = divmod(round(seconds * 1000), 86_400_000)
    minutes, millis = divmod(rest, 60_000)
    return f"2024-05-{day + 1:02d} {minutes // 60:02d}:{minutes % 60:02d}:{millis // 1000:02d},{millis % 1000:03d}"


def log(start: float, last: str, at: float, count: int = 12) -> str:
    """A rank's log: a step every ten seconds, and what it says last."""
    lines = [f"{stamp(start + 10.0 * n)} step {n} took" for n in range(count)]
    return "\n".join([*lines, f"{stamp(start + at)} {last}"]) + "\n"


# Estimates


def test_an_offset_is_the_median_of_what_steps_show() -> None:
    found = offsets(shared({ONE: steps(0), TWO: steps(12.5, 0, 0.1, -0.1, 0, 4.0, 0), THREE: steps(0)}))
    assert found["node-1"][0] == found["node-3"][0] == 0
    assert found["node-2"][0] == pytest.approx(12.5)


def test_the_uncertainty_is_how_far_steps_scatter() -> None:
    found = offsets(shared({ONE: steps(0.01), TWO: steps(0.01, -1.0, 1.0, 0, -1.0, 1.0), THREE: steps(0.01)}))
    assert found["node-2"][1] == pytest.approx(1.0)
    assert found["node-3"][1] == pytest.approx(0.05)


def test_whole_seconds_are_not_exact() -> None:
    assert offsets(shared({ONE: steps(0), TWO: steps(7)}))["node-2"] == (7, 0.5)


@pytest.mark.parametrize(("count", "known"), [(FEWEST, True), (FEWEST - 1, False)])
def test_few_shared_steps_measure_nothing(count: int, known: bool) -> None:
    found = offsets(shared({ONE: steps(0, *[0.0] * count), TWO: steps(4.0, *[0.0] * count)}))
    assert (found["node-2"][1] is not None) is known
    assert found["node-2"][0] == (4.0 if known else 0.0)


def test_steps_that_scatter_were_not_shared() -> None:
    apart = [n * 3 * WIDEST for n in range(8)]
    assert offsets(shared({ONE: steps(0), TWO: steps(0, *apart)}))["node-2"] == (0, None)


def test_what_lies_days_apart_is_another_run() -> None:
    assert offsets(shared({ONE: steps(0), TWO: steps(48 * HOUR)}))["node-2"] == (0, None)


def test_clocks_are_compared_through_others() -> None:
    early, late = {n: float(n) for n in range(8)}, {n: n + 5.0 for n in range(4, 12)}
    found = offsets(shared({ONE: early, TWO: late, THREE: {n: n + 9.0 for n in range(8, 16)}}))
    assert [found[host][0] for host in ("node-1", "node-2", "node-3")] == [-5, 0, 4]


def test_one_rank_in_two_places_ran_twice() -> None:
    rows = {ONE: steps(0), TWO: steps(9)}
    assert offsets(shared(rows, ranks={ONE: {0}, TWO: {1}}))["node-2"] == (9, 0.5)
    assert offsets(shared(rows, ranks={ONE: {0}, TWO: {0}}))["node-2"] == (0, None)


def test_sources_of_a_host_show_one_clock_but_may_show_it_in_another_zone() -> None:
    again = Dial("node-1", 7, False)
    clocks, told = readings((), shared({ONE: steps(0), again: steps(0.2), TWO: steps(0)}))
    assert clocks[ONE] == clocks[again]
    assert [r.source for r in told] == [None, None]
    clocks, told = readings((), shared({ONE: steps(0), again: steps(2 * HOUR + 0.2), TWO: steps(0)}))
    assert clocks[again].ahead - clocks[ONE].ahead == pytest.approx(2 * HOUR + 0.2)
    assert sorted((r.host, r.source) for r in told if r.source is not None) == [("node-1", 0), ("node-1", 7)]


def test_a_dial_without_anchors_shows_the_clock_of_its_host() -> None:
    silent = Dial("node-2", 9, False)
    clocks, _ = readings([silent], shared({ONE: steps(0), TWO: steps(30), THREE: steps(0)}))
    assert clocks[silent].ahead == 30


@pytest.mark.parametrize(
    ("off", "ahead", "doubted"),
    [(0.0, 0, False), (3.0, 0, False), (HOUR + 2, HOUR, False), (5 * ZONE_STEP, 5 * ZONE_STEP, False), (400.0, 0, True)],
)  # fmt: skip
def test_one_shared_moment_proves_a_zone_or_a_contradiction(off: float, ahead: float, doubted: bool) -> None:
    clocks, _ = readings((), shared({ONE: {1: 0.0}, TWO: {1: off}}))
    assert (clocks[TWO].ahead, clocks[TWO].is_doubted) == (ahead, doubted)
    assert clocks[TWO].uncertainty == (off if doubted else WIDEST if ahead else 0)


def test_timeouts_of_one_collective_may_lie_as_far_apart_as_they_lasted() -> None:
    key = ("timeout", 1)
    for off, ahead in ((500.0, 0.0), (HOUR, HOUR)):
        anchors = Anchors({}, {ONE: {key: 0.0}, TWO: {key: off}}, {key: 600.0})
        clocks, _ = readings((), anchors)
        assert clocks[TWO].ahead == ahead
        assert not clocks[TWO].is_doubted


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.floats(0, 50))), st.integers(-50_000, 50_000))
def test_offsets_follow_the_clock(told: list[tuple[int, int, float]], shift: int) -> None:
    """Setting a clock changes its own offset against the others by as much, and no other's."""
    rows: dict[Dial, dict[int, float]] = {ONE: steps(0), TWO: steps(0), THREE: steps(0)}
    for place, number, late in told:
        rows[(ONE, TWO, THREE)[place]][number] = 10.0 * number + late
    before, told_before = readings((), shared(rows))
    after, _ = readings((), shared({**rows, TWO: {n: t + shift for n, t in rows[TWO].items()}}))
    moved = [after[d].ahead - before[d].ahead for d in (ONE, TWO, THREE)]
    if all(reading.anchors for reading in told_before):
        assert moved[1] - moved[0] == pytest.approx(shift, abs=1e-6)
        assert moved[2] - moved[0] == pytest.approx(0, abs=1e-6)


# From logs


def clocks(found: Analysis) -> dict[str | None, Clock]:
    return {clock.host or clock.source: clock for clock in found.jobs[0].clocks}


def test_steps_in_logs_tell_how_clocks_differ(tmp_path: Path) -> None:
    logs = {f"node-{n}/rank_{n}.log": log(HOUR + (12.4 if n == 2 else 0), "hello", 200) for n in range(4)}
    found = clocks(analysed(tmp_path, RULES, logs))
    assert found["node-2"] == Clock("node-2", None, 12.4, 0.05, 12)
    assert {found[f"node-{n}"].offset for n in (0, 1, 3)} == {0}


def test_a_rank_that_starts_over_anchors_nothing(tmp_path: Path) -> None:
    twice = log(HOUR, "hello", 200) + log(2 * HOUR, "hello", 200)
    logs = {"node-0/rank_0.log": twice, "node-1/rank_1.log": log(2 * HOUR, "hello", 200)}
    assert [clock.uncertainty for clock in analysed(tmp_path, RULES, logs).jobs[0].clocks] == [None, None]


def test_agents_that_have_met_tell_a_zone(tmp_path: Path) -> None:
    logs = {f"node-{n}/agent.log": f"{stamp((2 + n) * HOUR)} met for attempt 0 of 8\n" for n in range(2)}
    assert [c.offset for c in analysed(tmp_path, RULES, logs).jobs[0].clocks] == [0, HOUR]


def test_a_clock_that_cannot_be_right_is_told(tmp_path: Path) -> None:
    logs = {
        f"node-{n}/rank_{n}.log": f"{stamp(HOUR + 333 * n)} met for attempt 0 of 2\n{stamp(HOUR + 333 * n + 9)} slipped on ice\n"
        for n in range(2)
    }
    rules = STEP + MET + READ + rule("r.slip", "when some rank has a.slip as x", "culprit x")
    verdict = only(tmp_path, rules, logs)
    assert verdict.unknowns == ("the clock of node-1 contradicts others by an unknown difference",)


def test_stamps_are_told_as_they_are_written(tmp_path: Path) -> None:
    logs = {
        "node-0/rank_0.log": log(HOUR, "hello", 200), "node-1/rank_1.log": log(HOUR, "hello", 200),
        "node-2/rank_2.log": log(3 * HOUR, "fell with code 1", 130),
    }  # fmt: skip
    verdict = only(tmp_path, RULES, logs)
    assert verdict.since.earliest == verdict.since.latest == "2024-05-01T03:02:10.000"
    assert [evidence.time for evidence in verdict.evidence] == ["2024-05-01T03:02:10.000"]


def answer(logs: Mapping[str, str]) -> list[tuple[object, ...]]:
    """What is said of logs, but for when."""
    with TemporaryDirectory() as folder:
        found = analysed(Path(folder), RULES, logs)
    return [(v.rule, v.cause, v.culprits, v.explains, v.confidence) for v in found.verdicts]


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2), st.integers(-6 * 3600, 6 * 3600), st.integers(121, 160), st.integers(121, 160), st.integers(0, 3)
)  # fmt: skip
def test_setting_one_clock_changes_no_verdict(host: int, shift: int, fell: int, slipped: int, count: int) -> None:
    def logs(shifted: int) -> dict[str, str]:
        start = [12 * HOUR + (shifted if n == host else 0) for n in range(3)]
        return {
            "node-0/rank_0.log": log(start[0], "fell with code 1", fell),
            "node-1/rank_1.log": log(start[1], "slipped on ice", slipped),
            "node-2/rank_2.log": log(start[2], "hello", 170, 12 - count),
        }

    assert answer(logs(0)) == answer(logs(shift))


@settings(max_examples=25, deadline=None)
@given(st.integers(-2000, 2000), st.integers(0, 3000))
def test_a_small_skew_that_nothing_tells_makes_nothing_certain(skew: int, apart: int) -> None:
    """The fall came first and explains the slip: it is told, however the clocks differ."""
    logs = {
        "node-0/rank_0.log": f"{stamp(HOUR)} fell with code 1\n",
        "node-1/rank_1.log": f"{stamp(HOUR + (apart + skew) / 1000)} slipped on ice\n",
    }
    assert answer(logs)[0][0] == "r.fall"
