"""From conditions to cases: the clauses of a rule."""

from pathlib import Path

import pytest

from tests.small_jobs import names, only, rule, verdicts

FOUR = "the job has 4 ranks\n"
FALL = "[rank1]: fell with code 1\n"
SLIP = "[rank1]: slipped on ice\n"


def answers(folder: Path, text: str, *clauses: str) -> list[str]:
    return names(verdicts(folder, rule("r.one", *clauses), text))


# When, needs, unless


def test_all_whens_must_hold(tmp_path: Path) -> None:
    assert answers(tmp_path, FALL + SLIP, "when seen a.fall", "when seen a.slip") == ["r.one"]
    assert answers(tmp_path, FALL, "when seen a.fall", "when seen a.slip") == []


def test_a_when_that_is_open_leaves_the_case_open(tmp_path: Path) -> None:
    assert answers(tmp_path, FOUR + FALL, "when seen a.fall", "when some rank has a.slip") == ["r.one?"]


def test_no_case_is_open_of_which_nothing_was_seen(tmp_path: Path) -> None:
    assert answers(tmp_path, FOUR + FALL, "when some rank has a.slip") == []
    assert answers(tmp_path, FOUR, "when no rank has a.slip") == []


@pytest.mark.parametrize(
    ("needs", "expected"),
    [("seen a.slip", ["r.one"]), ("seen a.hang", []), ("some rank has a.hang", ["r.one?"]), ("count(ranks) == 4", ["r.one"]), ("count(ranks) == 5", [])],
)  # fmt: skip
def test_needs(tmp_path: Path, needs: str, expected: list[str]) -> None:
    assert answers(tmp_path, FOUR + FALL + SLIP, "when seen a.fall", f"needs {needs}") == expected


@pytest.mark.parametrize(
    ("unless", "expected", "confidence"),
    [("seen a.slip", [], ""), ("seen a.hang", ["r.one"], "certain"), ("some rank has a.hang", ["r.one"], "likely"), ("seen a.hang or seen a.slip", [], "")],
)  # fmt: skip
def test_unless(tmp_path: Path, unless: str, expected: list[str], confidence: str) -> None:
    found = verdicts(
        tmp_path, rule("r.one", "when seen a.fall", f"unless {unless}", "confidence certain"), FOUR + FALL + SLIP
    )
    assert names(found) == expected
    assert [v.confidence for v in found] == ([confidence] if confidence else [])
    assert all(bool(v.unknowns) is (confidence == "likely") for v in found)


def test_several_needs_and_unlesses(tmp_path: Path) -> None:
    when = "when seen a.fall"
    assert answers(tmp_path, FALL + SLIP, when, "needs seen a.slip", "needs seen a.hang") == []
    assert answers(tmp_path, FALL + SLIP, when, "unless seen a.hang", "unless seen a.slip") == []
    assert answers(tmp_path, FALL + SLIP, when, "needs seen a.slip", "unless seen a.hang") == ["r.one"]


def test_needs_and_unless_know_what_when_has_bound(tmp_path: Path) -> None:
    when = "when seen a.exit as e"
    text = "saw rank 1 end\nfell with code 1\nslipped on ice\n"
    assert answers(tmp_path, text, when, "needs seen a.fall[code == e.r]") == ["r.one"]
    assert answers(tmp_path, text, when, "unless seen a.fall[code == e.r]") == []
    assert answers(tmp_path, text, when, "unless seen a.fall[code == 2 and e.r == 1]") == ["r.one"]


def test_what_needs_and_unless_ask_for_decides_nothing(tmp_path: Path) -> None:
    verdict = only(tmp_path, rule("r.one", "when seen a.fall", "needs seen a.slip", "unless no a.slip"), FALL + SLIP)
    assert [evidence.text for evidence in verdict.evidence] == ["[rank1]: fell with code 1"]


def test_a_name_that_needs_binds_can_be_told(tmp_path: Path) -> None:
    told = rule("r.one", "when seen a.fall", "needs seen a.slip as s", verdict="{s.what}")
    assert only(tmp_path, told, FALL + SLIP).summary == "ice"


# Confidence


@pytest.mark.parametrize(
    ("levels", "confidence"),
    [
        ("", "likely"), ("confidence certain", "certain"), ("confidence possible", "possible"),
        ("confidence certain when seen a.slip, likely when seen a.fall, else possible", "certain"),
        ("confidence certain when seen a.hang, likely when seen a.fall, else possible", "likely"),
        ("confidence certain when seen a.hang, else possible", "possible"), ("confidence certain when seen a.hang", "possible"),
        ("confidence certain when some rank has a.hang, else possible", "possible"), ("confidence certain when x.code == 1, else possible", "certain"),
    ],
)  # fmt: skip
def test_confidence(tmp_path: Path, levels: str, confidence: str) -> None:
    assert only(tmp_path, rule("r.one", "when seen a.fall as x", levels), FOUR + FALL + SLIP).confidence == confidence


def test_a_doubt_makes_nothing_surer(tmp_path: Path) -> None:
    doubtful = rule("r.one", "when seen a.fall", "unless some rank has a.hang", "confidence possible")
    assert only(tmp_path, doubtful, FOUR + FALL).confidence == "possible"


# For each


def test_for_each_rank_looks_at_one_rank_at_a_time(tmp_path: Path) -> None:
    both = rule("r.one", "for each rank", "when seen a.fall as x", "when seen a.slip", "culprit x", verdict="{x}")
    text = "[rank0]: fell with code 1\n[rank1]: slipped on ice\n[rank2]: fell with code 1\n[rank2]: slipped on ice\n"
    assert only(tmp_path, both, text).culprits.ranks == (2,)
    assert only(tmp_path, both.replace("for each rank", ""), text).culprits.ranks == (0, 2)


def test_for_each_rank_an_absence_is_that_ranks(tmp_path: Path) -> None:
    absent = rule("r.one", "for each rank", "when seen a.fall as x", "when no a.slip", "culprit x")
    text = "[rank0]: fell with code 1\n[rank2]: fell with code 1\n[rank2]: slipped on ice\n"
    assert only(tmp_path, absent, text).culprits.ranks == (0,)


def test_what_one_rank_says_too_often_leaves_nothing_open_of_another(tmp_path: Path) -> None:
    absent = rule("r.one", "for each rank", "when seen a.fall as x", "when no a.slip[rank == x.rank]", "culprit x")
    text = "[rank0]: fell with code 1\n" + "[rank2]: slipped on ice\n" * 100
    assert names(verdicts(tmp_path, absent, text)) == ["r.one"]


def test_for_each_rank_works_where_no_rank_is_known(tmp_path: Path) -> None:
    each = rule("r.one", "for each rank", "when seen a.fall", "when seen a.slip")
    assert answers(
        tmp_path / "a", "fell with code 1\nslipped on ice\n", "for each rank", "when seen a.fall", "when seen a.slip"
    ) == ["r.one"]
    logs = {"a.log": "fell with code 1\n", "b.log": "slipped on ice\n"}
    assert verdicts(tmp_path / "b", each, logs) == []
    local = "[default0]: fell with code 1\n[default1]: slipped on ice\n[default2]: fell with code 1\n[default2]: slipped on ice\n"
    assert only(tmp_path / "c", each + rule("r.two", "when seen a.hang"), local).occurrences == 2


def test_for_each_host(tmp_path: Path) -> None:
    both = rule(
        "r.one", "for each host", "when seen a.fall as x", "when seen a.slip", "culprit hosts of x", verdict="{x}"
    )
    logs = {
        "node-1/rank_0.log": "fell with code 1\n", "node-1/rank_1.log": "slipped on ice\n",
        "node-2/rank_2.log": "fell with code 1\n", "node-3/rank_3.log": "slipped on ice\n",
    }  # fmt: skip
    assert only(tmp_path, both, logs).culprits.hosts == ("node-1",)


# Culprits


def test_without_the_clause_nobody_is_named(tmp_path: Path) -> None:
    assert not only(tmp_path, rule("r.one", "when seen a.fall as x"), FALL).culprits


@pytest.mark.parametrize(
    ("clause", "ranks", "hosts"),
    [("culprit x", (3,), ("node-7",)), ("culprit x.rank", (3,), ("node-7",)), ("culprit hosts of x", (), ("node-7",)), ("culprit x.host", (), ("node-7",))],
)  # fmt: skip
def test_whom_the_clause_names(tmp_path: Path, clause: str, ranks: tuple[int, ...], hosts: tuple[str, ...]) -> None:
    found = only(tmp_path, rule("r.one", "when seen a.fall as x", clause), {"node-7/rank_3.log": "fell with code 1\n"})
    assert (found.culprits.ranks, found.culprits.hosts) == (ranks, hosts)


def test_all_whom_the_binding_concerns_are_named(tmp_path: Path) -> None:
    text = "[rank3]: fell with code 1\n[rank1]: fell with code 2\n[rank3]: fell with code 3\n"
    found = only(tmp_path, rule("r.one", "when seen a.fall as x", "culprit x"), text)
    assert (found.culprits.ranks, found.occurrences) == ((1, 3), 3)


def test_hosts_that_are_not_known_are_not_named(tmp_path: Path) -> None:
    assert not only(tmp_path, rule("r.one", "when seen a.fall as x", "culprit hosts of x"), FALL).culprits


def test_hosts_of_a_set_are_named_once_each(tmp_path: Path) -> None:
    rules = rule("r.one", "when seen a.fall", "let x = ranks where seen a.fall", "culprit hosts of x")
    hosts = enumerate(("node-1", "node-2", "node-2"))
    found = only(tmp_path, rules, {f"{host}/rank_{rank}.log": "fell with code 1\n" for rank, host in hosts})
    assert found.culprits.hosts == ("node-1", "node-2")
    assert found.culprits.ranks == ()
