"""Which cases are causes, and which only echoes of others."""

from pathlib import Path

import pytest

from tests.small_jobs import names, only, rule, verdicts

ECHO = rule("s.echo", "when seen a.echo as x", "culprit x", severity="warning")
SLIP = rule("s.slip", "when seen a.slip as x", "culprit x", severity="warning")


def fall(*explains: str, culprit: str = "culprit x") -> str:
    return rule("r.fall", "when seen a.fall as x", culprit, *(f"explains {clause}" for clause in explains))


def roots(folder: Path, rules: str, text: str) -> dict[str, tuple[int, ...]]:
    """The rules that are told, with the ranks that they name."""
    return {v.rule: v.culprits.ranks for v in verdicts(folder, rules, text)}


FALL, OWN, OTHER = "[rank1]: fell with code 1\n", "[rank1]: lost sight of 2\n", "[rank2]: lost sight of 1\n"


@pytest.mark.parametrize(
    ("on", "left"),
    [("same", (2,)), ("other", (1,)), ("any", None)],
)  # fmt: skip
def test_whose_occurrences_are_explained(tmp_path: Path, on: str, left: tuple[int, ...] | None) -> None:
    found = roots(tmp_path, fall(f"a.echo on {on} ranks") + ECHO, FALL + OWN + OTHER)
    assert found == {"r.fall": (1,), **({"s.echo": left} if left else {})}


def test_a_case_is_an_echo_only_if_all_that_decides_it_is_explained(tmp_path: Path) -> None:
    """Not split by culprit, the case of both ranks stands on one that nothing explains."""
    whole = rule("s.echo", "when seen a.echo", severity="warning")
    assert set(roots(tmp_path, fall("a.echo on other ranks") + whole, FALL + OWN + OTHER)) == {"r.fall", "s.echo"}
    assert set(roots(tmp_path, fall("a.echo on other ranks") + whole, FALL + OTHER)) == {"r.fall"}


def test_a_filter_says_which_occurrences_are_explained(tmp_path: Path) -> None:
    assert set(roots(tmp_path, fall('a.echo[peer == "1"] on other ranks') + ECHO, FALL + OTHER)) == {"r.fall"}
    assert set(roots(tmp_path, fall('a.echo[peer == "7"] on other ranks') + ECHO, FALL + OTHER)) == {"r.fall", "s.echo"}


def test_a_filter_may_speak_of_the_case(tmp_path: Path) -> None:
    explains = fall("a.exit[r == x.code] on any ranks") + rule(
        "s.exit", "when seen a.exit as x", "culprit x", severity="warning"
    )
    assert roots(tmp_path, explains, FALL + "saw rank 1 end\nsaw rank 2 end\n") == {"r.fall": (1,), "s.exit": (2,)}


def test_lists_and_several_events(tmp_path: Path) -> None:
    rules = "list echoes = [a.echo, a.hang]\n" + ECHO + SLIP
    text = FALL + OTHER + "[rank2]: slipped on ice\n"
    assert set(roots(tmp_path, rules + fall("echoes, a.slip on other ranks"), text)) == {"r.fall"}
    assert set(roots(tmp_path, rules + fall("echoes on other ranks"), text)) == {"r.fall", "s.slip"}
    assert set(roots(tmp_path, rules + fall("a.slip on other ranks", "echoes on other ranks"), text)) == {"r.fall"}


def test_what_explains_is_explained_by_nothing_of_its_own(tmp_path: Path) -> None:
    """A case never explains its own occurrences away, nor those that another culprit's case rests on by accident."""
    assert roots(tmp_path, fall("a.fall on any ranks"), FALL) == {"r.fall": (1,)}


def test_explanations_reach_over_several_steps(tmp_path: Path) -> None:
    rules = (
        fall("a.slip on any ranks")
        + rule("s.slip", "when seen a.slip", "explains a.echo on any ranks", severity="warning")
        + ECHO
    )
    assert set(roots(tmp_path, rules, FALL + "[rank1]: slipped on ice\n" + OTHER)) == {"r.fall"}


# Members that cannot be told apart


def test_a_line_without_a_label_may_be_anybodys(tmp_path: Path) -> None:
    for on in ("same", "other", "any"):
        found = verdicts(
            tmp_path / on, fall(f"a.echo on {on} ranks") + ECHO, FALL + "[rank2]: hello\nlost sight of 1\n"
        )
        assert names(found) == ["r.fall"]


def test_local_ranks_of_different_hosts_are_different(tmp_path: Path) -> None:
    logs = {"node-1/x.log": "[default1]: fell with code 1\n", "node-2/x.log": "[default1]: lost sight of 1\n"}
    rules = rule("r.fall", "when seen a.fall as x", "culprit x", "explains a.echo on same ranks") + ECHO
    assert names(verdicts(tmp_path / "a", rules, logs)) == ["r.fall", "s.echo"]
    assert names(verdicts(tmp_path / "b", rules.replace("same", "other"), logs)) == ["r.fall"]


def test_without_a_culprit_all_ranks_are_others(tmp_path: Path) -> None:
    assert set(roots(tmp_path, fall("a.echo on other ranks", culprit="") + ECHO, FALL + OWN + OTHER)) == {"r.fall"}


def test_other_ranks_of_a_host_are_those_elsewhere(tmp_path: Path) -> None:
    logs = {
        "node-1/rank_0.log": "fell with code 1\n",
        "node-1/rank_1.log": "lost sight of 1\n",
        "node-2/rank_2.log": "lost sight of 1\n",
    }
    rules = fall("a.echo on other ranks", culprit="culprit hosts of x") + ECHO
    found = verdicts(tmp_path, rules, logs)
    assert [(v.rule, v.culprits.ranks) for v in found] == [("r.fall", ()), ("s.echo", (1,))]


def test_what_concerns_the_job_is_explained_on_any_ranks(tmp_path: Path) -> None:
    noticed = rule("s.notice", "when seen a.notice", severity="warning")
    for on in ("same", "any"):
        assert set(roots(tmp_path / on, fall(f"a.notice on {on} ranks") + noticed, FALL + "notice: it ended\n")) == {
            "r.fall"
        }


# Time


def clocked(second: int, text: str) -> str:
    return f"2024-05-01 10:00:{second:02d} {text}\n"


@pytest.mark.parametrize(("second", "explained"), [(40, True), (31, True), (29, True), (20, False)])
def test_what_certainly_came_before_is_not_explained(tmp_path: Path, second: int, explained: bool) -> None:
    logs = {"rank_1.log": clocked(30, "fell with code 1"), "rank_2.log": clocked(second, "lost sight of 1")}
    found = {v.rule for v in verdicts(tmp_path, fall("a.echo on other ranks") + ECHO, logs)}
    assert found == ({"r.fall"} if explained else {"r.fall", "s.echo"})


def test_position_in_a_shared_file_is_no_order(tmp_path: Path) -> None:
    assert set(roots(tmp_path, fall("a.echo on other ranks") + ECHO, OTHER + FALL)) == {"r.fall"}


def test_the_lines_of_one_writer_are_in_order(tmp_path: Path) -> None:
    rules = fall("a.echo on same ranks") + ECHO
    assert set(roots(tmp_path / "a", rules, FALL + OWN)) == {"r.fall"}
    assert set(roots(tmp_path / "b", rules, OWN + FALL)) == {"r.fall", "s.echo"}


def test_all_of_a_case_must_have_begun_later(tmp_path: Path) -> None:
    """Two falls, one before the echo and one after it: as one case they may explain it."""
    logs = {
        "rank_1.log": clocked(10, "fell with code 1"), "rank_2.log": clocked(20, "lost sight of 1"), "rank_3.log": clocked(50, "fell with code 1"),
    }  # fmt: skip
    assert {v.rule for v in verdicts(tmp_path, fall("a.echo on other ranks", culprit="") + ECHO, logs)} == {"r.fall"}


# Attempts


AGAIN = "starting over\n"


def test_an_explanation_stays_in_its_attempt(tmp_path: Path) -> None:
    found = verdicts(tmp_path, fall("a.echo on any ranks") + ECHO, FALL + AGAIN + OTHER)
    assert {v.rule: v.attempt for v in found} == {"r.fall": 0, "s.echo": 1}


def test_in_later_attempts_an_explanation_reaches_on(tmp_path: Path) -> None:
    later = fall("a.echo on any ranks in later attempts") + ECHO
    assert {v.rule for v in verdicts(tmp_path / "a", later, FALL + AGAIN + OTHER + AGAIN + OTHER)} == {"r.fall"}
    assert {v.rule for v in verdicts(tmp_path / "b", later, OTHER + AGAIN + FALL)} == {"r.fall", "s.echo"}
    assert {v.rule for v in verdicts(tmp_path / "c", later, FALL + OTHER)} == {"r.fall"}


# Open cases, circles


def test_an_open_case_explains_nothing(tmp_path: Path) -> None:
    rules = rule("r.fall", "when seen a.fall", "when some rank has a.slip", "explains a.echo on any ranks") + ECHO
    found = verdicts(tmp_path, rules, "the job has 4 ranks\n" + FALL + OTHER)
    assert names(found) == ["s.echo", "r.fall?"]


def circle(*edges: str) -> str:
    """Rules c.x for each edge ``x>yz``: it holds where ``slipped on x`` is seen and explains those on y and z."""
    out = ""
    for edge in edges:
        name, _, targets = edge.partition(">")
        clauses = [f'explains a.slip[what == "{target}"] on any ranks' for target in targets]
        out += rule(f"c.{name}", f'when seen a.slip[what == "{name}"]', *clauses)
    return out


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ("a>b b>c c>", "a"), ("a>b b>a", "ab"), ("a>b b>c c>a", "abc"), ("r>a a>b b>a", "r"), ("a>bc b>a c>", "ab"), ("a>b b>a c>d d>c", "abcd"),
        ("a>b b>ac c>d d>c", "ab"), ("a>bd b>a d>e e>d f>", "abf"), ("a>a", "a"), ("a> b>", "ab"),
    ],
)  # fmt: skip
def test_cases_that_explain_each_other_in_a_circle_are_roots_and_what_follows_from_them_is_not(
    tmp_path: Path, edges: str, expected: str
) -> None:
    rules = edges.split()
    text = "".join(f"[rank{place}]: slipped on {edge[0]}\n" for place, edge in enumerate(rules))
    assert "".join(sorted(v.rule.removeprefix("c.") for v in verdicts(tmp_path, circle(*rules), text))) == expected


def test_ranks_that_accuse_each_other_are_told_together(tmp_path: Path) -> None:
    lost = rule("r.lost", "when some rank has a.echo as x", "culprit x", "explains a.echo on other ranks")
    assert only(tmp_path, lost, OWN + OTHER).culprits.ranks == (1, 2)


# What is told of echoes


def test_a_verdict_tells_what_it_explains(tmp_path: Path) -> None:
    (verdict,) = verdicts(
        tmp_path,
        fall("a.echo, a.exit on other ranks") + ECHO,
        FALL + OTHER * 2 + "[rank3]: lost sight of 1\nsaw rank 2 end\n",
    )
    assert [(echo.rule, echo.title, echo.occurrences, echo.ranks) for echo in verdict.explains] == [
        ("a.echo", "A rank lost another one", 3, (2, 3)), ("a.exit", "A launcher saw the end of a rank", 1, (2,)),
    ]  # fmt: skip
