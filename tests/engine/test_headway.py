"""How time goes by while a job is followed, seen by rules."""

from collections.abc import Mapping
from typing import NamedTuple

from logsleuth.drivers.batch import judged
from logsleuth.drivers.reading import read
from logsleuth.engine.jobs import ONLY, Part
from logsleuth.engine.plan import plan
from logsleuth.model.analysis import Verdict
from logsleuth.model.origin import Source
from logsleuth.model.present import Arrivals, Present
from tests.small_jobs import program, rule

EVENTS = """
event b.step "A step." { line "at step {step:int} loss {loss:float}" series loss at step }
event b.note "Something of the job." { line "notice" about job }
"""
GUARD = "when waiting(b.step) > 0 s"
BEHIND = rule(
    "r.behind", GUARD, "let late = ranks where behind(b.step) > 15 s", "when seen b.step", "when count(late) >= 1",
    "culprit late",
)  # fmt: skip
SILENT = rule("r.silent", "when seen b.step", "when silence(b.step) > 100 s")
QUIET = rule("r.quiet", "when seen b.step", "when quiet(b.step) > 100 s")
NOTED = rule("r.noted", "let it = ranks where waiting(b.note) < 30 s", "when seen b.step", "when count(it) == 2")


class Line(NamedTuple):
    moment: float
    text: str


def steps(number: int, start: float = 0, every: float = 10) -> list[Line]:
    return [Line(start + every * n, f"at step {n} loss 2.5") for n in range(1, number + 1)]


def told(rules: str, ranks: Mapping[int, list[Line]], now: float | None, watched_from: int = 0) -> dict[str, Verdict]:
    """The firm verdicts on logs without stamps, whose lines came at these moments."""
    checked = program(EVENTS + rules)
    chosen = plan(checked)
    sources = [
        Source(f"rank_{rank}.log", made="".join(f"{x.text}\n" for x in of).encode()) for rank, of in ranks.items()
    ]
    reading = read(sources, checked, chosen)
    arrivals = {}
    for number, of in enumerate(ranks.values()):
        arrivals[number], end = Arrivals(), 0
        for at, line in enumerate(of):
            end += len(line.text) + 1
            if at + 1 == watched_from:
                arrivals[number].begin(end, line.moment)
            if at >= watched_from:
                arrivals[number].note(end, line.moment)
    present = None if now is None else Present(now, arrivals)
    verdicts = judged(
        checked, chosen, Part(ONLY, reading.state, reading.labels), reading.logs, present=present
    ).verdicts
    return {verdict.rule: verdict for verdict in verdicts if verdict.status == "firm"}


def test_the_rank_that_does_not_come_is_behind_without_any_stamp() -> None:
    ranks = {0: steps(9), 1: steps(9), 2: steps(8)}
    assert told(BEHIND, ranks, 106)["r.behind"].culprits.ranks == (2,)
    assert not told(BEHIND, ranks, 104)


def test_nobody_is_behind_where_the_logs_have_ended() -> None:
    assert not told(BEHIND + SILENT, {0: steps(9), 1: steps(9), 2: steps(8)}, None)


def test_most_peers_must_have_passed() -> None:
    assert not told(BEHIND, {0: steps(9), 1: steps(8), 2: steps(8)}, 200)


def test_of_lines_that_nobody_saw_come_nothing_is_known() -> None:
    assert not told(BEHIND, {0: steps(9), 1: steps(9), 2: steps(8)}, 200, watched_from=8)


def test_other_lines_break_the_silence() -> None:
    assert "r.silent" in told(SILENT, {0: steps(9)}, 191)
    assert not told(SILENT, {0: [*steps(9), Line(150, "evaluating")]}, 191)


def test_what_is_about_the_job_is_asked_of_anybody() -> None:
    ranks = {0: [*steps(9), Line(95, "notice")], 1: steps(9)}
    assert "r.noted" in told(NOTED, ranks, 120)
    assert not told(NOTED, ranks, 130)


def test_the_end_of_the_logs_is_the_present() -> None:
    stamped = [Line(n, f"2024-05-01 10:00:{n:02d} at step {n} loss 2.5") for n in range(1, 9)]
    assert "r.quiet" in told(QUIET, {0: stamped}, 109)
    assert not told(QUIET, {0: stamped}, 107)
    assert not told(QUIET, {0: stamped}, None)
