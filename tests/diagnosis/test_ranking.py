"""In which order roots are told."""

from pathlib import Path

import pytest

from tests.small_jobs import names, rule, verdicts

WITNESSES = ("device", "kernel", "scheduler", "launcher", "process", "peer", "watchdog")
SEEN = "".join(f'event w.{name} {{ witness {name} line "seen by {name} on {{n:int}}" }}\n' for name in WITNESSES)


def order(folder: Path, rules: str, text: dict[str, str] | str) -> list[str]:
    return [name.partition(".")[2] for name in names(verdicts(folder, rules, text))]


def by(name: str, **words: str) -> str:
    return rule(f"r.{name}", f"when seen w.{name}", **words)


@pytest.mark.parametrize(
    ("better", "worse"),
    [("device", "process"), ("kernel", "launcher"), ("scheduler", "process"), ("launcher", "peer"), ("process", "peer"), ("process", "watchdog"), ("peer", "watchdog")],
)  # fmt: skip
def test_the_better_witness_comes_first(tmp_path: Path, better: str, worse: str) -> None:
    # By their names and by their causes the other would come first.
    rules = (
        SEEN
        + rule("r.a", f"when seen w.{worse}", cause="gpu-ecc-error")
        + rule("r.b", f"when seen w.{better}", cause="slow-rank")
    )
    assert order(tmp_path, rules, f"[rank0]: seen by {worse} on 1\n[rank1]: seen by {better} on 1\n") == ["b", "a"]


def test_the_best_witness_of_several_counts(tmp_path: Path) -> None:
    rules = SEEN + rule("r.a", "when seen w.peer") + rule("r.b", "when seen w.watchdog", "when seen w.kernel")
    assert order(
        tmp_path, rules, "[rank0]: seen by peer on 1\n[rank1]: seen by watchdog on 1\n[rank1]: seen by kernel on 1\n"
    ) == ["b", "a"]


def test_failures_come_before_warnings(tmp_path: Path) -> None:
    rules = SEEN + by("device", severity="warning") + by("watchdog", severity="error")
    assert order(tmp_path, rules, "[rank0]: seen by device on 1\n[rank1]: seen by watchdog on 1\n") == [
        "watchdog",
        "device",
    ]


def test_warnings_come_before_notes(tmp_path: Path) -> None:
    rules = SEEN + by("device", severity="info") + by("watchdog", severity="warning")
    assert order(tmp_path, rules, "[rank0]: seen by device on 1\n[rank1]: seen by watchdog on 1\n") == [
        "watchdog",
        "device",
    ]


def test_the_attempt_that_decided_the_job_comes_first(tmp_path: Path) -> None:
    rules = SEEN + by("device") + by("watchdog")
    assert order(tmp_path, rules, "seen by device on 1\nstarting over\nseen by watchdog on 1\n") == [
        "watchdog",
        "device",
    ]


def clocked(second: int, name: str) -> str:
    return f"2024-05-01 10:00:{second:02d} seen by {name} on 1\n"


@pytest.mark.parametrize(
    ("second", "expected"), [(10, ["watchdog", "device"]), (29, ["device", "watchdog"]), (50, ["device", "watchdog"])]
)
def test_what_certainly_came_first_is_told_first(tmp_path: Path, second: int, expected: list[str]) -> None:
    logs = {"rank_0.log": clocked(30, "device"), "rank_1.log": clocked(second, "watchdog")}
    assert order(tmp_path, SEEN + by("device") + by("watchdog"), logs) == expected


def test_time_orders_again_and_again(tmp_path: Path) -> None:
    logs = {
        f"rank_{n}.log": clocked(second, name)
        for n, (second, name) in enumerate([(50, "device"), (30, "process"), (10, "watchdog"), (11, "peer")])
    }
    assert order(tmp_path, SEEN + "".join(map(by, WITNESSES)), logs) == ["peer", "watchdog", "process", "device"]


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ({"cause": "gpu-ecc-error"}, {"cause": "slow-rank"}, "the kind of cause"), ({"cause": "killed"}, {"cause": "gpu-oom"}, "the kind of cause"),
        ({"cause": "slow-rank"}, {"cause": "uncaught-exception"}, "a cause that says more than that none is known"),
        ({"cause": "slow-rank"}, {"cause": "cause-not-in-log"}, "a cause that says more than that none is known"),
        ({"confidence": "certain"}, {"confidence": "likely"}, "confidence"), ({"confidence": "likely"}, {"confidence": "possible"}, "confidence"),
        ({"severity": "fatal"}, {"severity": "error"}, "severity"),
    ],
)  # fmt: skip
def test_what_decides_between_equal_witnesses(
    tmp_path: Path, first: dict[str, str], second: dict[str, str], why: str
) -> None:
    def made(name: str, words: dict[str, str]) -> str:
        confidence = f"confidence {words.get('confidence', 'likely')}"
        return rule(
            name,
            f"when seen w.process[n == {1 if name == 'r.z' else 2}]",
            confidence,
            cause=words.get("cause", "killed"),
            severity=words.get("severity", "error"),
        )

    rules = SEEN + made("r.z", first) + made("r.a", second)
    assert order(tmp_path, rules, "[rank0]: seen by process on 2\n[rank1]: seen by process on 1\n") == ["z", "a"], why


def test_then_the_number_of_members_and_the_name(tmp_path: Path) -> None:
    rules = SEEN + "".join(
        rule(f"r.{name}", f"when seen w.process[n == {n}] as x", "culprit x") for n, name in enumerate("abc")
    )
    text = "[rank5]: seen by process on 0\n[rank3]: seen by process on 1\n[rank1]: seen by process on 2\n[rank2]: seen by process on 2\n"
    assert order(tmp_path, rules, text) == ["c", "a", "b"]


def test_the_same_rule_with_other_culprits_is_told_for_each_attempt(tmp_path: Path) -> None:
    rules = SEEN + rule("r.a", "when seen w.process as x", "culprit x", verdict="{x}")
    text = "[rank1]: seen by process on 1\nstarting over\n[rank2]: seen by process on 1\n"
    assert [(v.culprits.ranks, v.attempt) for v in verdicts(tmp_path, rules, text)] == [((2,), 1), ((1,), 0)]
