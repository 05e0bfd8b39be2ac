"""What each form of condition says of a job."""

from pathlib import Path

import pytest

from tests.small_jobs import names, only, rule, verdicts

FOUR = "the job has 4 ranks\n"


def at(*ranks: int, text: str = "fell with code 1", clock: str = "") -> str:
    """The same line of several ranks."""
    return "".join(f"[rank{rank}]: {clock}{text}\n" for rank in ranks)


ALIVE = at(0, 1, 2, 3, text="hello")


def holds(folder: Path, condition: str, text: str) -> list[str]:
    """The verdict of a rule that asks for this condition, and for a line that is there in any case."""
    return names(verdicts(folder, rule("r.one", "when seen a.notice", f"when {condition}"), "notice: here\n" + text))


TRUE, OPEN, FALSE = ["r.one"], ["r.one?"], list[str]()


# Events, and what is not there


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("seen a.fall", TRUE), ("seen a.slip", FALSE), ("no a.slip", TRUE), ("no a.fall", FALSE), ("not seen a.fall", FALSE), ("not no a.fall", TRUE),
        ("seen a.fall[code == 1]", TRUE), ("seen a.fall[code > 1]", FALSE), ("no a.fall[code > 1]", TRUE), ("seen a.fall[not code is known]", FALSE),
        ("seen a.fall and no a.slip", TRUE), ("seen a.slip or seen a.fall", TRUE), ("seen a.slip or seen a.hang", FALSE), ("seen a.fall and seen a.slip", FALSE),
        ("not (seen a.slip and seen a.fall)", TRUE), ("seen a.slip and seen a.hang or seen a.fall", TRUE), ("seen a.fall or seen a.slip and seen a.hang", TRUE),
    ],
)  # fmt: skip
def test_events(tmp_path: Path, condition: str, expected: list[str]) -> None:
    assert holds(tmp_path, condition, "fell with code 1\n") == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("seen a.fall[rank == 1]", TRUE), ("seen a.fall[rank == 0]", FALSE), ("seen a.fall[host == \"node-7\"]", TRUE), ("seen a.fall[level == \"E\"]", TRUE),
        ("seen a.fall[text contains \"code 1\"]", TRUE), ("seen a.fall[pid is known]", FALSE), ("seen a.fall[exception == \"RuntimeError\"]", TRUE),
        ("seen a.fall[local_rank is known]", FALSE), ("seen a.fall[attempt == 0]", TRUE), ("seen a.fall[time is known]", TRUE),
    ],
)  # fmt: skip
def test_every_event_knows_its_origin(tmp_path: Path, condition: str, expected: list[str]) -> None:
    log = "2024-05-01 10:00:00,000 ERROR RuntimeError: fell with code 1\n"
    text = {"node-7/rank_1.log": log, "x.log": "notice: here\n"}
    assert names(verdicts(tmp_path, rule("r.one", "when seen a.notice", f"when {condition}"), text)) == expected


def test_fields_of_an_earlier_binding(tmp_path: Path) -> None:
    joined = rule("r.one", "when seen a.exit as e", "when seen a.fall[code == e.r] as f", verdict="{f.code}")
    assert only(tmp_path, joined, "saw rank 3 end\nfell with code 2\nfell with code 3\n").summary == "3"
    assert verdicts(tmp_path, joined, "saw rank 4 end\nfell with code 2\nfell with code 3\n") == []


def test_a_binding_is_known_within_its_own_condition(tmp_path: Path) -> None:
    both = rule("r.one", "when seen a.exit as e and seen a.fall[code == e.r]")
    assert names(verdicts(tmp_path, both, "saw rank 3 end\nfell with code 3\n")) == TRUE
    assert verdicts(tmp_path, both, "saw rank 3 end\nfell with code 4\n") == []


# Quantifiers


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("some rank has a.fall", TRUE), ("no rank has a.fall", FALSE), ("no rank has a.slip", TRUE), ("every rank has a.fall", FALSE), ("most ranks have a.fall", TRUE),
        ("exactly 3 ranks have a.fall", TRUE), ("exactly 2 ranks have a.fall", FALSE), ("all but 1 rank have a.fall", TRUE), ("all but 2 ranks have a.fall", FALSE),
        ("at least 3 ranks have a.fall", TRUE), ("at least 4 ranks have a.fall", FALSE), ("at least 75% of ranks have a.fall", TRUE),
        ("at least 76% of ranks have a.fall", FALSE), ("every rank has a.fall or every rank has a.hello", FALSE),
    ],
)  # fmt: skip
def test_quantifiers_over_ranks_that_all_left_a_log(tmp_path: Path, condition: str, expected: list[str]) -> None:
    condition = condition.replace(" or every rank has a.hello", "")
    assert holds(tmp_path, condition, FOUR + ALIVE + at(0, 1, 2)) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("some rank has a.fall", TRUE), ("some rank has a.slip", OPEN), ("no rank has a.slip", OPEN), ("no rank has a.fall", FALSE), ("every rank has a.fall", OPEN),
        ("every rank has a.slip", FALSE), ("most ranks have a.fall", OPEN), ("exactly 2 ranks have a.fall", OPEN), ("exactly 1 rank has a.fall", FALSE),
        ("exactly 4 ranks have a.slip", FALSE), ("at least 2 ranks have a.fall", TRUE), ("at least 3 ranks have a.fall", OPEN), ("at least 5 ranks have a.fall", FALSE),
        ("at least 50% of ranks have a.fall", TRUE), ("at least 80% of ranks have a.fall", OPEN),
    ],
)  # fmt: skip
def test_what_ranks_without_a_log_could_still_change_is_open(
    tmp_path: Path, condition: str, expected: list[str]
) -> None:
    assert holds(tmp_path, condition, FOUR + at(0, 1)) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [("every rank has a.exit", FALSE), ("exactly 2 ranks have a.exit", TRUE), ("no rank has a.exit", FALSE), ("all but 2 ranks have a.exit", TRUE), ("most ranks have a.exit", FALSE)],
)  # fmt: skip
def test_a_rank_without_a_log_of_which_others_told_has_answered(
    tmp_path: Path, condition: str, expected: list[str]
) -> None:
    told = "saw rank 2 end\nsaw rank 3 end\n"
    text = {"launcher.log": FOUR + "notice: here\n" + told, "ranks.log": at(0, 1, text="hello")}
    assert names(verdicts(tmp_path, rule("r.one", "when seen a.notice", f"when {condition}"), text)) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [("every rank has a.fall", OPEN), ("some rank has a.fall", TRUE), ("no rank has a.slip", TRUE), ("some rank has a.slip", FALSE), ("exactly 2 ranks have a.fall", OPEN), ("at least 3 ranks have a.fall", OPEN)],
)  # fmt: skip
def test_a_job_of_unknown_size_may_be_larger(tmp_path: Path, condition: str, expected: list[str]) -> None:
    assert holds(tmp_path, condition, at(0, 1)) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("every seen rank has a.fall", TRUE), ("all but 1 seen rank have a.fall", FALSE), ("exactly 2 seen ranks have a.fall", TRUE), ("every seen rank has a.slip", FALSE),
        ("no seen rank has a.slip", TRUE), ("most seen ranks have a.fall", TRUE), ("at least 100% of seen ranks have a.fall", TRUE),
    ],
)  # fmt: skip
def test_seen_counts_only_ranks_with_a_log(tmp_path: Path, condition: str, expected: list[str]) -> None:
    assert holds(tmp_path, condition, FOUR + at(0, 1)) == expected


def test_what_others_tell_of_a_rank_without_a_log_does_not_count_among_the_seen(tmp_path: Path) -> None:
    text = {
        "launcher.log": FOUR + "notice: here\nsaw rank 2 end\nsaw rank 3 end\n",
        "ranks.log": at(0, 1, text="hello"),
    }
    for condition in ("every seen rank has a.exit", "some seen rank has a.exit", "at least 2 seen ranks have a.exit"):
        assert verdicts(tmp_path, rule("r.one", "when seen a.notice", f"when {condition}"), text) == []


def test_only_counting_the_seen_caps_the_confidence(tmp_path: Path) -> None:
    for condition, confidence in (
        ("every seen rank has a.fall", "likely"),
        ("at least 2 ranks have a.fall", "certain"),
    ):
        verdict = only(tmp_path, rule("r.one", f"when {condition}", "confidence certain"), FOUR + at(0, 1))
        assert verdict.confidence == confidence
        assert ("only ranks that left a log were counted" in verdict.unknowns) is (confidence == "likely")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("every host has a.fall", FALSE), ("some host has a.fall", TRUE), ("exactly 1 host has a.fall", TRUE), ("all but 1 host have a.fall", TRUE),
        ("most hosts have a.fall", FALSE), ("no host has a.slip", TRUE), ("every host has a.hang", TRUE),
    ],
)  # fmt: skip
def test_quantifiers_over_hosts(tmp_path: Path, condition: str, expected: list[str]) -> None:
    hang = "gave up waiting after 100 ms\n"
    text = {
        "node-1/rank_0.log": "notice: here\nfell with code 1\n" + hang,
        "node-1/rank_1.log": "fell with code 1\n",
        "node-2/rank_2.log": hang,
    }
    assert names(verdicts(tmp_path, rule("r.one", "when seen a.notice", f"when {condition}"), text)) == expected


def test_one_occurrence_may_concern_many_ranks(tmp_path: Path) -> None:
    events = 'event b.absent { witness peer line "no sign of ranks {who:ranks}" about ranks {who} }\n'
    both = events + rule(
        "r.one", "when exactly 3 ranks have b.absent as x", "culprit x", verdict="{x} of {x.who}, {count(x)}"
    )
    verdict = only(tmp_path, both, FOUR + ALIVE + "[rank0]: no sign of ranks 1-3\n")
    assert (verdict.culprits.ranks, verdict.summary) == ((1, 2, 3), "Ranks 1-3 of 1-3, 3")


def test_a_process_without_a_name_is_a_member_too(tmp_path: Path) -> None:
    assert holds(tmp_path, "some rank has a.fall", "fell with code 1\n") == TRUE
    assert holds(tmp_path, "some rank has a.slip", "fell with code 1\n") == FALSE


# Patterns of several steps


def test_without_is_about_the_same_member(tmp_path: Path) -> None:
    without = rule("r.one", "when some rank has a.fall as x without a.slip", "culprit x")
    text = at(0, 1) + at(0, 2, text="slipped on ice")
    assert only(tmp_path, without, text).culprits.ranks == (1,)
    assert only(tmp_path, without.replace("some rank has", "seen"), text).culprits.ranks == (1,)


def test_without_does_not_ask_when(tmp_path: Path) -> None:
    without = rule("r.one", 'when some rank has a.fall without a.slip[what == "ice"]')
    assert verdicts(tmp_path, without, at(0, text="slipped on ice") + at(0)) == []
    assert verdicts(tmp_path, without, at(0) + at(0, text="slipped on ice")) == []
    assert names(verdicts(tmp_path, without, at(0) + at(0, text="slipped on snow"))) == TRUE


def test_a_step_may_speak_of_the_first(tmp_path: Path) -> None:
    told = rule("r.one", "when seen a.exit as e without a.fall[code == e.r]", "culprit e")
    text = "saw rank 3 end\nsaw rank 4 end\n[rank3]: fell with code 3\n[rank4]: fell with code 3\n"
    assert only(tmp_path, told, text).culprits.ranks == (4,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (at(0) + at(0, text="slipped on ice"), TRUE), (at(0, text="slipped on ice") + at(0), FALSE), (at(0) + at(1, text="slipped on ice"), FALSE),
        (at(1, text="slipped on snow") + at(0) + at(1) + at(1, text="slipped on ice"), TRUE),
    ],
)  # fmt: skip
def test_then_inside_a_quantifier_is_about_one_member(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert holds(tmp_path, "some rank has a.fall then a.slip", FOUR + ALIVE + text) == expected


def test_then_under_seen_may_be_about_two_members(tmp_path: Path) -> None:
    then = rule("r.one", "when seen a.fall as f then a.slip as s", verdict="{f}, {s}: {s.what}")
    assert only(tmp_path, then, at(0) + at(1, text="slipped on ice")).summary == "Rank 0, rank 1: ice"
    assert verdicts(tmp_path, then, at(1, text="slipped on ice") + at(0)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (at(0), TRUE), (at(0) + at(0, text="slipped on ice"), FALSE), (at(0, text="slipped on ice") + at(0), TRUE), (at(0) + at(1, text="slipped on ice"), TRUE),
    ],
)  # fmt: skip
def test_then_no_inside_a_quantifier(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert holds(tmp_path, "some rank has a.fall then no a.slip", FOUR + ALIVE + text) == expected


def test_then_no_under_seen(tmp_path: Path) -> None:
    assert holds(tmp_path, "seen a.fall then no a.slip", at(0) + at(1, text="slipped on ice")) == FALSE
    assert holds(tmp_path, "seen a.fall then no a.slip", at(1, text="slipped on ice") + at(0)) == TRUE


def clocked(second: int, text: str) -> str:
    return f"2024-05-01 10:00:{second:02d} {text}\n"


def test_then_goes_by_the_clock_over_files(tmp_path: Path) -> None:
    then = rule("r.one", "when seen a.fall then a.slip")
    fall, slip = "fell with code 1", "slipped on ice"
    assert names(verdicts(tmp_path / "a", then, {"b.log": clocked(10, fall), "a.log": clocked(20, slip)})) == TRUE
    assert verdicts(tmp_path / "b", then, {"a.log": clocked(20, fall), "b.log": clocked(10, slip)}) == []
    assert verdicts(tmp_path / "c", then, {"a.log": fall + "\n", "b.log": slip + "\n"}) == []


def test_then_goes_by_the_clock_in_a_file_of_several_writers(tmp_path: Path) -> None:
    then = rule("r.one", "when seen a.fall then a.slip")
    late_flush = "[rank1]:" + clocked(30, "slipped on ice") + "[rank0]:" + clocked(10, "fell with code 1")
    assert names(verdicts(tmp_path, then, late_flush)) == TRUE
    assert verdicts(tmp_path, rule("r.one", "when seen a.slip then a.fall"), late_flush) == []


def test_every_later_step_is_found_if_there_is_one(tmp_path: Path) -> None:
    """The first of several that could come next is taken, in whatever file it stands."""
    then = rule("r.one", "when seen a.fall then a.slip then a.hang")
    hang = "gave up waiting after 100 ms"
    logs = {
        "a.log": clocked(40, "slipped on ice"),
        "b.log": clocked(10, "slipped on ice"),
        "c.log": clocked(0, "fell with code 1") + clocked(20, hang),
    }
    assert names(verdicts(tmp_path, then, logs)) == TRUE


# Numbers


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("count(a.fall) == 3", TRUE), ("count(a.fall) != 3", FALSE), ("count(a.fall[code == 1]) == 2", TRUE), ("count(a.slip) == 0", TRUE), ("count(a.slip) < 1", TRUE),
        ("count(seen ranks) == 2", TRUE), ("count(ranks) == 4", TRUE), ("count(ranks) > 4", FALSE), ("2 <= count(seen ranks)", TRUE), ("count(hosts) == 0", TRUE),
        ("count(seen ranks) < count(ranks)", TRUE), ("seen a.fall as x and count(x) == 2", TRUE), ("seen a.fall as x and count(x) == 3", FALSE),
        ("seen a.fall as x and x.code == 7", TRUE), ("seen a.fall as x and x.code == 8", FALSE), ("seen a.fall as x and x.code > 6", TRUE),
    ],
)  # fmt: skip
def test_comparisons(tmp_path: Path, condition: str, expected: list[str]) -> None:
    assert holds(tmp_path, condition, FOUR + at(0, 1) + at(0, text="fell with code 7")) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [("count(ranks) >= 2", TRUE), ("count(ranks) >= 3", OPEN), ("count(ranks) < 2", FALSE), ("count(ranks) == 2", OPEN), ("count(ranks) == 1", FALSE), ("count(ranks) != 1", TRUE)],
)  # fmt: skip
def test_a_size_that_is_not_stated_is_a_least_size(tmp_path: Path, condition: str, expected: list[str]) -> None:
    assert holds(tmp_path, condition, at(0, 1)) == expected


def test_units(tmp_path: Path) -> None:
    events = 'event b.mem { line "only {free:bytes} free for {t:duration} more" }\n'
    found = rule("r.one", "when seen b.mem[free < 1 GiB and t >= 5 m] as x", verdict="{x.free}, {x.t}")
    assert (
        only(tmp_path / "a", events + found, "only 512.00 MiB free for 0:10:00 more\n").summary == "512.00 MiB, 10 min"
    )
    assert verdicts(tmp_path / "b", events + found, "only 1.50 GiB free for 0:10:00 more\n") == []


# Truths


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("some rank has a.slip and seen a.fall", OPEN), ("some rank has a.slip and seen a.hang", FALSE), ("some rank has a.slip or seen a.fall", TRUE),
        ("some rank has a.slip or seen a.hang", OPEN), ("not some rank has a.slip", OPEN), ("not (some rank has a.slip or seen a.fall)", FALSE),
        ("not (some rank has a.slip and seen a.hang)", TRUE),
    ],
)  # fmt: skip
def test_what_is_unknown_is_combined_after_kleene(tmp_path: Path, condition: str, expected: list[str]) -> None:
    assert holds(tmp_path, condition, FOUR + at(0, 1)) == expected


# Sets, and members that left no log


@pytest.mark.parametrize(
    "condition",
    [
        "no a.fall", "not seen a.fall", "seen a.fall", "count(a.fall) == 0", "count(a.fall) >= 3 within 10 s",
    ],
)  # fmt: skip
def test_nothing_is_known_of_a_member_without_a_log(tmp_path: Path, condition: str) -> None:
    events = 'event b.told { witness launcher line "saw {n:int} of them" about job }\n'
    rules = rule("r.one", "when seen b.told", f"let x = silent ranks where {condition}", "when count(x) == 2")
    assert names(verdicts(tmp_path, events + rules, FOUR + "saw 2 of them\n" + at(0, 1))) == OPEN


def test_an_absence_within_a_time_is_of_the_rank_of_the_scope(tmp_path: Path) -> None:
    rules = rule("r.one", "for each rank", "when seen a.fall then no a.slip within 60 s", "culprit rank")
    text = "[rank{}]: 2025-03-04 10:{} {}\n"
    ends = text.format(0, "00:00", "fell with code 1") + text.format(1, "05:00", "slipped on ice")
    assert names(verdicts(tmp_path / "ends", rules, ends)) == OPEN
    goes_on = ends + text.format(0, "05:00", "hello")
    assert only(tmp_path / "goes_on", rules, goes_on).culprits.ranks == (0,)


def test_what_was_evicted_may_have_come_in_time(tmp_path: Path) -> None:
    falls = "".join(f"2025-03-04 10:{n // 60:02}:{n % 60:02} fell with code 1\n" for n in range(200))
    for number, expected in ((32, TRUE), (100, OPEN), (201, FALSE)):
        rules = rule("r.one", "when seen a.fall", f"when count(a.fall) >= {number} within 10 m")
        assert names(verdicts(tmp_path / str(number), rules, falls)) == expected


def test_peers_of_the_rank_of_a_scope_are_the_others(tmp_path: Path) -> None:
    rules = rule(
        "r.one",
        "for each rank",
        "when seen a.fall",
        "when last(a.fall.code) < peers.mode(last(a.fall.code))",
        "culprit rank",
    )
    found = only(tmp_path, rules, at(0, text="fell with code 7") + at(1, text="fell with code 5"))
    assert found.culprits.ranks == (1,)


def test_job_ranks_are_those_of_the_whole_job(tmp_path: Path) -> None:
    header = "[rank{0}]:[E1130 12:10:00.100000000 ProcessGroupNCCL.cpp:632] [PG ID 1 PG GUID 1(tp) Rank {0}] "
    text = (
        FOUR + "".join(header.format(rank) + "fell with code 1\n" for rank in (0, 1)) + at(2, 3, text="slipped on ice")
    )
    for condition, expected in (
        ("count(job.ranks) == 4", TRUE), ("count(ranks) == 4", OPEN), ("count(seen ranks) == 2", TRUE),
        ("count(a.fall) <= 50% of job.ranks", TRUE), ("count(a.fall) <= 25% of job.ranks", FALSE),
    ):  # fmt: skip
        rules = rule("r.one", "for each pg", "when seen a.fall", f"when {condition}")
        assert names(verdicts(tmp_path / condition.replace("/", ""), rules, text)) == expected


@pytest.mark.parametrize(("number", "expected"), [("nan", TRUE), ("inf", TRUE), ("1.5", FALSE)])
def test_what_is_infinite_is_no_number(tmp_path: Path, number: str, expected: list[str]) -> None:
    events = 'event b.norm { line "the norm is {x:float}" }\n'
    rules = events + rule("r.one", "when seen b.norm as norm", "when isnan(norm.x)")
    assert names(verdicts(tmp_path, rules, f"the norm is {number}\n")) == expected
