"""What is kept of many occurrences, and what may be said of those that are not."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.drivers.reading import read
from logsleuth.engine.fold import KEPT, Kept, State, merged
from logsleuth.engine.plan import Plan, plan
from logsleuth.model.event import Occurrence
from logsleuth.model.origin import BARE, Source
from tests.small_jobs import EVENTS, names, only, program, rule, verdicts, write

FALLS = rule("r.fall", "when seen a.fall[code == 7] as x", verdict="{x.code}")


def fold(folder: Path, text: str, rules: str, chunk_size: int | None = None) -> tuple[State, Plan]:
    write(folder, {"job.log": text})
    checked = program(EVENTS, rules)
    chosen = plan(checked)
    return read([Source(str(folder / "job.log"))], checked, chosen, "plain", chunk_size).state, chosen


def codes(kept: Kept) -> list[object]:
    return [o.fields["code"] for o in kept.occurrences]


def test_the_earliest_and_the_latest_are_kept_and_all_are_counted(tmp_path: Path) -> None:
    text = "".join(f"fell with code {n}\n" for n in range(100))
    state, _ = fold(tmp_path, text, rule("r.any", "when seen a.fall"))
    (kept,) = state.kept.values()
    assert kept.count == 100
    assert codes(kept) == [*range(KEPT), *range(100 - KEPT, 100)]


@pytest.mark.parametrize("count", [1, KEPT - 1, KEPT, KEPT + 1, 2 * KEPT])
def test_up_to_twice_as_many_all_are_kept(tmp_path: Path, count: int) -> None:
    state, _ = fold(tmp_path, "".join(f"fell with code {n}\n" for n in range(count)), rule("r.any", "when seen a.fall"))
    (kept,) = state.kept.values()
    assert codes(kept) == list(range(count))


def test_each_writer_subject_filter_and_segment_is_kept_apart(tmp_path: Path) -> None:
    text = "[rank0]: fell with code 1\n[rank1]: fell with code 7\nsaw rank 5 end\nsaw rank 6 end\nstarting over\nsaw rank 5 end\n"
    rules = FALLS + rule("r.any", "when seen a.fall and seen a.exit")
    state, chosen = fold(tmp_path, text, rules)
    falls = [(chosen.filters["a.fall"][key.use] is None, key.tag.rank) for key in state.kept if key.event == "a.fall"]
    assert sorted(falls, key=repr) == [(False, 1), (True, 0), (True, 1)]
    assert [(key.about, key.segment) for key in state.kept if key.event == "a.exit"] == [
        ((5,), 0),
        ((6,), 0),
        ((5,), 1),
    ]


def test_a_block_that_ends_late_is_kept_in_its_place(tmp_path: Path) -> None:
    events = 'event b.x { block within 5 lines { line "Begin {n:int}" maybe line "End" } line "Begin short {n:int}" }\n'
    text = "Begin 1\nBegin short 2\nEnd\nBegin short 3\n"
    state, _ = fold(tmp_path, text, events + rule("r.any", "when seen b.x"))
    (kept,) = state.kept.values()
    assert [o.fields["n"] for o in kept.occurrences] == [1, 2, 3]


@pytest.mark.parametrize("chunk_size", [64, 1 << 20])
def test_a_block_that_ends_behind_many_others_is_still_the_first(tmp_path: Path, chunk_size: int) -> None:
    events = 'event b.x { block within 500 lines { line "Begin {n:int}" line "End" } line "short {n:int}" }\n'
    text = "Begin 0\n" + "".join(f"short {n}\n" for n in range(1, 200)) + "End\n"
    state, _ = fold(tmp_path, text, events + rule("r.any", "when seen b.x"), chunk_size)
    (kept,) = state.kept.values()
    assert [o.fields["n"] for o in kept.occurrences] == [*range(KEPT), *range(200 - KEPT, 200)]


def occurrence(offset: int) -> Occurrence:
    return Occurrence("a.b", 0, offset, 1, offset, BARE, None, None, 0, None, None, None, {}, "")


def kept_of(offsets: list[int]) -> Kept:
    found = [occurrence(offset) for offset in sorted(offsets)]
    return Kept(len(found), found[:KEPT], found[-KEPT:])


@given(st.sets(st.integers(0, 500)), st.randoms(use_true_random=False))
def test_parts_merge_to_the_whole_in_any_order(offsets: set[int], rng: random.Random) -> None:
    whole = kept_of(list(offsets))
    parts: list[list[int]] = [[], [], []]
    for offset in offsets:
        rng.choice(parts).append(offset)
    again = Kept()
    for part in parts:
        again = again.merged(kept_of(part))
    assert again == whole


def test_states_merge() -> None:
    assert merged([]) == State()


# What evicted occurrences leave open


def many(label: str, count: int, code: int = 1) -> str:
    return "".join(f"{label}fell with code {code}\n" for _ in range(count))


def test_what_a_filter_asks_for_is_not_evicted_by_what_it_does_not_ask_for(tmp_path: Path) -> None:
    text = many("", 100) + many("", 1, 7) + many("", 100)
    assert only(tmp_path, FALLS, text).summary == "7"


def test_what_was_evicted_leaves_a_join_open(tmp_path: Path) -> None:
    """The filter speaks of another event's field, so it is asked of the kept occurrences only."""
    joined = rule("r.one", "when seen a.slip as s", "when seen a.fall[code == s.pid]")
    text = "slipped on ice\n" + many("", 100)
    assert names(verdicts(tmp_path, joined, text)) == ["r.one?"]
    assert verdicts(tmp_path, joined, "slipped on ice\n" + many("", 64)) == []


def test_what_was_evicted_leaves_an_absence_open(tmp_path: Path) -> None:
    joined = rule("r.one", "when seen a.slip as s", "when no a.fall[code == s.pid]")
    assert names(verdicts(tmp_path, joined, "slipped on ice\n" + many("", 100))) == ["r.one?"]
    assert names(verdicts(tmp_path, joined, "slipped on ice\n" + many("", 64))) == ["r.one"]


@pytest.mark.parametrize(
    ("quantifier", "verdict"),
    [("some rank has", ["r.one?"]), ("no rank has", ["r.one?"]), ("every rank has", ["r.one?"]), ("at least 1 rank has", ["r.one?"])],
)  # fmt: skip
def test_what_was_evicted_leaves_a_quantifier_open(tmp_path: Path, quantifier: str, verdict: list[str]) -> None:
    joined = rule("r.one", "when seen a.slip as s", f"when {quantifier} a.fall[code == s.pid]")
    text = "the job has 2 ranks\n[rank0]: slipped on ice\n" + many("[rank0]: ", 100) + many("[rank1]: ", 100)
    assert names(verdicts(tmp_path, joined, text)) == verdict


def test_what_was_evicted_leaves_a_without_open(tmp_path: Path) -> None:
    joined = rule("r.one", "when some rank has a.slip as s without a.fall[code == s.pid]")
    assert names(verdicts(tmp_path, joined, "[rank0]: slipped on ice\n" + many("[rank0]: ", 100))) == ["r.one?"]
    assert names(verdicts(tmp_path, joined, "[rank0]: slipped on ice\n" + many("[rank0]: ", 64))) == ["r.one"]


def test_members_are_counted_however_many_occurrences_they_have(tmp_path: Path) -> None:
    counted = rule("r.one", "when exactly 2 ranks have a.fall", "when every rank has a.fall as x", verdict="{x}")
    text = "the job has 2 ranks\n" + many("[rank0]: ", 100) + many("[rank1]: ", 100)
    assert only(tmp_path, counted, text).summary == "Ranks 0, 1"


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [
        ("count(a.fall) >= 3", ["r.one"]), ("count(a.fall) >= 100", ["r.one"]), ("count(a.fall) > 100", []), ("count(a.fall) == 100", ["r.one"]),
        ("count(a.fall) < 70", []), ("count(a.fall[code == 1]) >= 100", ["r.one"]),
    ],
)  # fmt: skip
def test_all_occurrences_are_counted(tmp_path: Path, condition: str, verdict: list[str]) -> None:
    counted = rule("r.one", "when seen a.slip", f"when {condition}")
    assert names(verdicts(tmp_path, counted, "slipped on ice\n" + many("", 100))) == verdict


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [("count(a.fall[rank == 0]) >= 3", ["r.one"]), ("count(a.fall[rank == 0]) >= 80", ["r.one?"]), ("count(a.fall[rank == 0]) < 10", []),
     ("count(a.fall[rank == 0]) == 80", ["r.one?"]), ("count(a.fall[rank == 0]) == 64", ["r.one?"]), ("count(a.fall[rank == 0]) != 12", ["r.one"])],
)  # fmt: skip
def test_a_number_of_which_some_were_evicted_is_a_least_number(
    tmp_path: Path, condition: str, verdict: list[str]
) -> None:
    counted = rule("r.one", "when seen a.slip", f"when {condition}")
    text = "[rank0]: slipped on ice\n" + many("[rank0]: ", 100)
    assert names(verdicts(tmp_path, counted, text)) == verdict


def test_records_that_share_a_line_are_all_kept(tmp_path: Path) -> None:
    c10 = "[E709 17:05:38.162555850 ProcessGroupNCCL.cpp:632] "
    text = f"the job has 2 ranks\nloss=5.46[rank0]:{c10}fell with code 3[rank1]:{c10}fell with code 4\n"
    both = rule("r.one", "when every rank has a.fall as x", "when no a.slip", "culprit x", verdict="{x.code}")
    verdict = only(tmp_path, both, text)
    assert (verdict.culprits.ranks, verdict.summary, len(verdict.evidence)) == ((0, 1), "3, 4", 2)


def test_two_blocks_of_an_event_on_the_same_lines_are_no_eviction(tmp_path: Path) -> None:
    events = 'event b.x { block within 5 lines { line "Begin {n:int}" line "End" } block within 5 lines { line "Begin {m:int}" line "End" } }\n'
    absent = rule("r.one", "when seen b.x as x", "when no b.x[n == x.pid]")
    assert names(verdicts(tmp_path, events + absent, "Begin 1\nEnd\n")) == ["r.one"]
