"""Traces of rules over logs: how each clause stands, by what, and what became of the cases."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.drivers.tracing import trace
from logsleuth.language.library import load
from logsleuth.model.trace import Judged, Standing, Trace, TracedClause
from tests.small_jobs import ECHO, EVENTS, FALL, LOGS, program, rule, write

FIXTURES = Path(__file__).parents[2] / "fixtures" / "logs"
HOLDS, FAILS, OPEN, NAMES = Standing.HOLDS, Standing.FAILS, Standing.OPEN, Standing.NAMES
TWO = "the job has 2 ranks\n"
AT = "2025-03-04 10:0{}:00 {}\n"
SLIP = rule("r.slip", "when seen a.slip", severity="warning", cause="hang")
"""Who only slipped is known by it."""


def traced(folder: Path, rules: str, logs: Mapping[str, str] | str, name: str = "r.x") -> Trace:
    """The trace of one rule over logs; one text is one log without any name to go by."""
    write(folder, {"job.log": logs} if isinstance(logs, str) else logs)
    known = program(EVENTS, rules)
    (told,) = trace(known, [str(folder)], [known.rules[name]]).traces
    return told


def only(folder: Path, rules: str, logs: Mapping[str, str] | str, name: str = "r.x") -> Judged:
    (judged,) = traced(folder, rules, logs, name).judged
    return judged


def stands(judged: Judged) -> list[tuple[str, Standing, bool]]:
    return [(clause.kind, clause.holds, clause.asked) for clause in judged.clauses]


def of_kind(judged: Judged, kind: str, number: int = 0) -> TracedClause:
    return [clause for clause in judged.clauses if clause.kind == kind][number]


# Clauses


def test_behind_the_first_clause_that_fails_the_rest_is_worked_out_and_not_asked(tmp_path: Path) -> None:
    clauses = (
        "when seen a.fall as x",
        "when seen a.slip",
        "let n = count(x)",
        "when n >= 1",
        "needs seen a.fall",
        "unless seen a.hang",
    )
    judged = only(tmp_path, rule("r.x", *clauses), "fell with code 1\n")
    assert stands(judged) == [
        ("when", HOLDS, True), ("when", FAILS, True), ("let", NAMES, False), ("when", HOLDS, False), ("needs", HOLDS, False), ("unless", FAILS, False),
    ]  # fmt: skip
    assert (judged.outcome, judged.because) == ("no", "seen a.slip does not hold")


@pytest.mark.parametrize(
    ("clauses", "because"),
    [
        (("when seen a.fall", "needs seen a.slip"), "it needs seen a.slip, which does not hold"),
        (("when seen a.fall", "unless seen a.hang"), "unless seen a.hang: that is so"),
        (("when count(ranks) >= 1",), "no line was seen that it speaks of"),
        (("when seen a.fall", "when every rank has a.fall", "role symptom"), "it is not decided, and would be an effect: what is open of that is not told"),
    ],
)  # fmt: skip
def test_why_there_is_no_case(tmp_path: Path, clauses: tuple[str, ...], because: str) -> None:
    logs = {"rank_0.log": f"{TWO}fell with code 1\ngave up waiting after 1 ms\n"}
    assert only(tmp_path, rule("r.x", *clauses), logs).because == because


def test_an_open_rule_of_which_no_line_speaks_does_not_call_itself_small(tmp_path: Path) -> None:
    logs = {"agent.log": "the job has 3 ranks\n", "rank_0.log": "fell with code 1\n"}
    judged = only(tmp_path, rule("r.x", "when some rank has a.slip", severity="fatal"), logs)
    assert judged.because == "it is not decided, and no line was seen that it could be told by"
    small = only(tmp_path, rule("r.x", "when some rank has a.slip", severity="warning"), logs)
    assert small.because == "it is not decided, and would be only warning: what is open of that is not told"


def test_a_clause_that_speaks_of_what_is_not_there_says_so(tmp_path: Path) -> None:
    judged = only(tmp_path, rule("r.x", "when seen a.fall as x", "when max(x.code) > 3"), "slipped on ice\n")
    assert of_kind(judged, "when", 1).unbound == ("x",)
    assert of_kind(judged, "when", 1).parts == ()


def test_the_level_that_counted_is_told_with_those_before_it(tmp_path: Path) -> None:
    levels = "confidence certain when seen a.hang, likely when seen a.fall, likely when seen a.slip"
    judged = only(tmp_path, rule("r.x", "when seen a.fall", levels), "fell with code 1\n")
    told = [(clause.text, clause.holds) for clause in judged.clauses if clause.kind == "confidence"]
    assert told == [("certain when seen a.hang", FAILS), ("likely when seen a.fall", HOLDS)]


# Members


def test_a_quantifier_tells_who_has_it_who_has_not_and_of_whom_nothing_is_known(tmp_path: Path) -> None:
    logs = {
        "agent.log": "the job has 4 ranks\n",
        "rank_0.log": "fell with code 1\n",
        "rank_1.log": "slipped on ice\n",
        "rank_2.log": "fell with code 2\n",
    }
    judged = only(tmp_path, rule("r.x", "when every rank has a.fall"), logs)
    (part,) = of_kind(judged, "when").parts
    assert part.members == "2 of 4 ranks, 1 without a log"
    assert part.who == (("yes", "ranks 0, 2"), ("no", "rank 1"), ("unknown", "rank 3"))


def test_a_rank_whose_log_does_not_decide_it_has_a_log(tmp_path: Path) -> None:
    logs = {"agent.log": "the job has 3 ranks\n", "rank_0.log": "fell with code 1\n", "rank_1.log": "slipped on ice\n"}
    clause = "when some rank has a.fall then no a.slip within 5m"
    (first, *_) = of_kind(only(tmp_path, rule("r.x", clause), logs), "when").parts
    assert first.members == "0 of 3 ranks, 1 without a log, 1 of whom it is not known"


def test_values_are_told_member_by_member_and_with_units(tmp_path: Path) -> None:
    text = rule(
        "r.x",
        "when some rank has a.hang as h",
        "let waited = max(a.hang.ms)",
        "let long = ranks where waited > 2 * min(h.ms)",
        "when count(long) > 1",
    )
    logs = {f"rank_{rank}.log": f"gave up waiting after {ms} ms\n" for rank, ms in enumerate((1000, 1000, 90_000))}
    judged = only(tmp_path, text, logs)
    (value,) = of_kind(judged, "let").parts
    assert value.worths[0].by_member == (("ranks 0, 1", "1 s"), ("rank 2", "90 s"))
    (chosen,) = of_kind(judged, "let", 1).parts
    assert chosen.who == (("yes", "rank 2"), ("no", "ranks 0, 1"))
    assert [(worth.text, worth.values) for worth in of_kind(judged, "when", 1).parts[0].worths] == [
        ("count(long)", ("1",))
    ]


def test_scopes_in_which_a_rule_stands_alike_are_told_once(tmp_path: Path) -> None:
    logs = {f"rank_{rank}.log": "fell with code 1\n" if rank == 2 else "slipped on ice\n" for rank in range(4)}
    told = traced(tmp_path, SLIP + rule("r.x", "for each rank", "when seen a.fall", "culprit rank"), logs)
    assert told.outcome == "fired"
    assert [(one.scope, one.alike, one.outcome) for one in told.judged] == [
        ("rank 2", (), "fired"),
        ("rank 0", ("rank 1", "rank 3"), "no"),
    ]


def test_attempts_are_told_apart_the_last_first(tmp_path: Path) -> None:
    told = traced(tmp_path, SLIP + rule("r.x", "when seen a.fall"), "slipped on ice\nstarting over\nslipped on ice\n")
    assert [one.attempt for one in told.judged] == [1, 0]


def test_a_rule_that_found_nothing_to_be_judged_in_is_told_all_the_same(tmp_path: Path) -> None:
    judged = only(tmp_path, rule("r.x", "for each pg", "when seen a.fall"), "slipped on ice\n")
    assert (judged.was_judged, judged.because) == (False, "there was no process group to judge it for")
    assert of_kind(judged, "when").holds is FAILS


# What comes nearest


def test_of_what_a_filter_lets_not_pass_the_nearest_is_told_with_the_part_that_fails(tmp_path: Path) -> None:
    logs = {
        "rank_0.log": "gave up waiting after 1000 ms\ngave up waiting after 4000 ms\ngave up waiting after 2000 ms\n"
    }
    judged = only(tmp_path, rule("r.x", "when seen a.hang[ms > 5 s and rank == 0]"), logs)
    (sought,) = of_kind(judged, "when").parts[0].sought
    assert (sought.seen, sought.passing) == (3, 0)
    assert [(miss.line.line, miss.failing) for miss in sought.misses] == [
        (2, ("ms = 4 s, asked: > 5 s",)),
        (3, ("ms = 2 s, asked: > 5 s",)),
        (1, ("ms = 1 s, asked: > 5 s",)),
    ]


def test_a_filter_that_asks_for_a_binding_tells_its_value(tmp_path: Path) -> None:
    text = rule("r.x", "when seen a.fall as x and seen a.exit[r == x.code]")
    judged = only(tmp_path, text, "fell with code 7\nsaw rank 3 end\n")
    (sought,) = of_kind(judged, "when").parts[1].sought
    assert sought.misses[0].failing == ("r = 3, asked: == 7 (x.code)",)


def test_a_filter_that_asks_for_a_list_tells_what_is_in_it(tmp_path: Path) -> None:
    text = "list codes = [7, 9]\n" + rule(
        "r.x", "when seen a.fall[code in codes] or seen a.fall[not (code in codes or code > 5)]"
    )
    judged = only(tmp_path, text, "fell with code 6\n")
    told = [part.sought[0].misses[0].failing for part in of_kind(judged, "when").parts]
    assert told == [
        ("code = 6, asked: in codes (codes = [7, 9])",),
        ("code = 6, asked: not (code in codes or code > 5) (codes = [7, 9])",),
    ]


def test_a_side_that_nothing_tells_is_said_once(tmp_path: Path) -> None:
    text = rule("r.x", "let other = max(a.exit.r)", "when seen a.fall[code == other]")
    judged = only(tmp_path, text, "fell with code 1\nfell with code 2\n")
    (sought,) = of_kind(judged, "when").parts[0].sought
    assert [miss.failing for miss in sought.misses] == [("asked: code == other, and other is unknown",)]


def test_a_member_is_told_its_own_value_also_where_it_is_a_gpu(tmp_path: Path) -> None:
    event = 'event g.hot "A GPU is hot." { line "gpu {index:int} has {c:int} degrees" about gpu {index} }\n'
    text = event + rule("r.x", "when seen g.hot", "let hot = gpus where max(g.hot.c) > 90", "when count(hot) >= 1")
    judged = only(tmp_path, text, {"node-7/monitor.log": "gpu 0 has 95 degrees\ngpu 1 has 60 degrees\n"})
    (part,) = of_kind(judged, "let").parts
    assert [value for _, value in part.worths[0].by_member] == ["95", "60"]
    assert [word for word, _ in part.who] == ["yes", "no"]


def test_the_job_in_which_a_rule_came_nearest_counts(tmp_path: Path) -> None:
    logs = {"slurm-1001.out": AT.format(1, "fell with code 1"), "slurm-1002.out": AT.format(5, "slipped on ice")}
    told = traced(tmp_path, SLIP + rule("r.x", "when seen a.fall", "when seen a.hang"), logs)
    assert [(one.job, one.holding) for one in told.judged] == [("1002", 0), ("1001", 1)]
    assert told.nearest.job == "1001"


def test_occurrences_of_other_scopes_are_told_where_there_is_none_here(tmp_path: Path) -> None:
    logs = {
        "rank_0.log": "slipped on ice\n",
        "rank_1.log": "fell with code 1\nstarting over\n",
        "rank_2.log": "starting over\nslipped on ice\n",
    }
    judged = next(
        one
        for one in traced(
            tmp_path, SLIP + rule("r.x", "for each rank", "when seen a.fall", "culprit rank"), logs
        ).judged
        if one.outcome == "no"
    )
    (sought,) = of_kind(judged, "when").parts[0].sought
    assert (sought.seen, sought.elsewhere) == (0, 1)
    assert sought.misses[0].failing[0].startswith("it is of rank 1")


def test_lines_that_nearly_are_an_event_are_told_where_there_is_none(tmp_path: Path) -> None:
    judged = only(tmp_path, rule("r.x", "when seen a.fall"), "fell with kode 1\n")
    (sought,) = of_kind(judged, "when").parts[0].sought
    assert (sought.seen, sought.elsewhere) == (0, 0)
    assert [(near.fits, near.found) for near in sought.near] == [("fell with ", "kode 1")]


def test_events_that_a_filter_keeps_out_change_no_verdict(tmp_path: Path) -> None:
    # Without the filter, the line of rank 7 would make the job larger.
    rules = rule("r.x", "when every rank has a.fall[code == 1]")
    write(tmp_path, {"job.log": "[rank0]: fell with code 1\n[rank7]: fell with code 2\n"})
    known = program(EVENTS, rules)
    assert trace(known, [str(tmp_path)], [known.rules["r.x"]]).analysis == analyze_with(known, [str(tmp_path)])


# Sequences


@pytest.mark.parametrize(
    ("lines", "steps"),
    [
        ("0 fell with code 1/1 slipped on ice", [(HOLDS, ""), (HOLDS, "60 s later, asked: within 2 min"), (HOLDS, "no a.hang there")]),
        ("0 fell with code 1/5 slipped on ice", [(HOLDS, ""), (FAILS, "the nearest came 5 min later, asked: within 2 min")]),
        ("1 slipped on ice/3 fell with code 1", [(HOLDS, ""), (FAILS, "the nearest came before it, by 2 min")]),
        ("3 fell with code 1", [(HOLDS, ""), (FAILS, "there is no a.slip")]),
        ("0 fell with code 1/1 slipped on ice/2 gave up waiting after 1 ms", [(HOLDS, ""), (HOLDS, "60 s later, asked: within 2 min"), (FAILS, "one came 60 s later")]),
        ("0 fell with code 1/1 fell with code 2/4 slipped on ice", [(HOLDS, "2 such"), (FAILS, "the nearest came 4 min later, asked: within 2 min")]),
    ],
)  # fmt: skip
def test_the_step_that_was_last_reached(tmp_path: Path, lines: str, steps: list[tuple[Standing, str]]) -> None:
    log = "".join(AT.format(*line.split(" ", 1)) for line in lines.split("/"))
    judged = only(
        tmp_path, rule("r.x", "when seen a.fall then a.slip within 2 min then never a.hang"), {"rank_0.log": log}
    )
    (part,) = of_kind(judged, "when").parts
    assert [(step.holds, step.words) for step in part.steps] == steps


def test_an_absence_that_the_logs_do_not_decide_tells_until_when_they_would_have_to_go(tmp_path: Path) -> None:
    judged = only(
        tmp_path,
        rule("r.x", "when seen a.fall then no a.slip within 5 min"),
        {"rank_0.log": AT.format(1, "fell with code 1")},
    )
    clause = of_kind(judged, "when")
    assert (judged.outcome, clause.holds) == ("open", OPEN)
    assert clause.closes == "logs until 2025-03-04T10:06:00.000"
    assert clause.parts[0].steps[1].words == "the logs end before 2025-03-04T10:06:00.000"


def test_a_set_that_is_open_tells_which_of_its_patterns_is_for_whom(tmp_path: Path) -> None:
    judged = only(
        tmp_path,
        rule("r.x", "let down = ranks where seen a.fall then no a.slip within 5 min", "when seen a.fall", "when count(down) >= 1"),
        {"rank_0.log": AT.format(1, "fell with code 1"), "rank_1.log": AT.format(1, "hello")},
    )  # fmt: skip
    whole, of_rank = of_kind(judged, "let").parts
    assert whole.who == (("no", "rank 1"), ("unknown", "rank 0"))
    assert (of_rank.text, of_rank.holds) == ("for rank 0, seen a.fall then no a.slip within 5 min", OPEN)
    assert of_rank.steps[1].words == "the logs end before 2025-03-04T10:06:00.000"


# What became of the cases


def test_a_case_that_another_explains_names_it_and_its_lines(tmp_path: Path) -> None:
    (fate,) = only(tmp_path, FALL + ECHO, LOGS, "r.echo").fates
    assert (fate.what, fate.who, fate.by, fate.words) == ("echo", "rank 1", "r.fall", "r.fall explains it (rank 0)")
    assert fate.verdict == "v1"
    assert fate.lines[0].text == "fell with code 1"


def test_the_answer_says_that_it_is_the_answer(tmp_path: Path) -> None:
    (fate,) = only(tmp_path, FALL + ECHO, LOGS, "r.fall").fates
    assert (fate.what, fate.who, fate.words, fate.verdict) == ("root", "rank 0", "it is the answer", "v1")


def test_a_case_that_is_told_later_says_what_comes_before_it_and_why(tmp_path: Path) -> None:
    rules = FALL + SLIP
    (fate,) = only(tmp_path, rules, "fell with code 1\nslipped on ice\n", "r.slip").fates
    assert (fate.what, fate.words) == ("root", "it is told after r.fall: error comes before warning")


def test_a_case_on_the_same_lines_is_told_with_the_one_that_asks_for_more(tmp_path: Path) -> None:
    rules = rule("r.more", "when seen a.fall", "when count(a.fall) >= 1") + rule(
        "r.x", "when seen a.fall", cause="hang"
    )
    (fate,) = only(tmp_path, rules, "fell with code 1\n").fates
    assert (fate.what, fate.by) == ("merged", "r.more")


def test_what_recovered_says_so(tmp_path: Path) -> None:
    first, _ = traced(
        tmp_path, SLIP + rule("r.x", "when seen a.fall"), "fell with code 1\nstarting over\nslipped on ice\n"
    ).judged
    assert "only a warning, for the job went on" in first.fates[0].words


def test_an_open_case_that_is_answered_otherwise_is_not_told(tmp_path: Path) -> None:
    rules = rule("r.x", "when every rank has a.fall") + rule(
        "r.fall", "when seen a.fall", "when count(a.fall) >= 1", cause="hang"
    )
    (fate,) = only(tmp_path, rules, {"rank_0.log": f"{TWO}fell with code 1\n"}).fates
    assert (fate.what, fate.by) == ("open", "r.fall")


@pytest.mark.parametrize(
    "folder", ["handbook/01_nccl_timeout/hit", "elastic/restarted/rank_0_killed_in_every_attempt", "gpu/throttled"]
)
def test_every_verdict_has_a_trace_that_leads_to_it_and_tracing_changes_nothing(folder: str) -> None:
    known = load(local=False).program
    path = str(FIXTURES / folder)
    analysis, traces = trace(known, [path], list(known.rules.values()))
    assert analysis == analyze_with(known, [path])
    by_verdict = {
        fate.verdict: one.rule
        for one in traces
        for judged in one.judged
        for fate in judged.fates
        if fate.what != "echo"
    }
    assert {verdict.id for verdict in analysis.verdicts} <= by_verdict.keys()
    assert {v.rule for v in analysis.verdicts if v.status == "firm"} <= {
        one.rule for one in traces if one.outcome == "fired"
    }
