"""Tests of ``logsleuth.report.phrasing``."""

from dataclasses import replace

import pytest

from logsleuth.model.analysis import Confidence, Culprits, Since
from logsleuth.report import phrasing
from tests.report.analyses import killed, timeout_symptom


def test_counts_agree_with_their_nouns() -> None:
    assert phrasing.count(1, "line") == "1 line"
    assert phrasing.count(12_345, "line") == "12,345 lines"
    assert phrasing.count(0, "process", "processes") == "0 processes"


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (list("abcdef"), "a, b, c, d, e and f"),
        (list("abcdefg"), "a, b, c, d, e and 2 more"),
    ],
)
def test_long_lists_are_counted(names: list[str], words: str) -> None:
    assert phrasing.listed(names) == words


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ([3], "rank 3"),
        ([0, 1, 2, 3, 7], "ranks 0-3, 7"),
        (range(16_384), "ranks 0-16383"),
        (range(0, 18, 2), "ranks 0, 2, 4, 6, 8, 10, 12, 14, 16"),
        (range(0, 20, 2), "ranks 0, 2, 4, 6, 8, 10, 12, 14 and 2 more"),
        ([0, 1, 2, *range(10, 30, 2)], "ranks 0-2, 10, 12, 14, 16, 18, 20, 22 and 3 more"),
    ],
)
def test_ranks_are_written_in_runs_and_many_are_counted(members: list[int], words: str) -> None:
    assert phrasing.ranks(members) == words


@pytest.mark.parametrize(
    ("who", "words"),
    [
        (Culprits(), ""),
        (Culprits(ranks=(2,)), "rank 2"),
        (Culprits(ranks=(2, 5), hosts=("node-7", "node-9")), "ranks 2, 5 on node-7 and node-9"),
        (Culprits(local_ranks=(1,)), "local rank 1 (global rank not known)"),
        (Culprits(local_ranks=(1,), hosts=("node-7",)), "local rank 1 on node-7 (global rank not known)"),
        (Culprits(hosts=("node-7",)), "host node-7"),
        (Culprits(hosts=("a", "b")), "hosts a and b"),
    ],
)
def test_culprits(who: Culprits, words: str) -> None:
    assert phrasing.culprits(who) == words


@pytest.mark.parametrize(
    ("iso", "words"),
    [
        ("2025-11-30T00:17:10.164", "2025-11-30 00:17:10.164"),
        ("2025-11-30T00:17:10.164123456+01:00", "2025-11-30 00:17:10.164+01:00"),
        ("2025-11-30T00:17:10Z", "2025-11-30 00:17:10Z"),
        ("--11-30T00:17:10.164000", "Nov 30 00:17:10.164"),
        ("--01-02T00:17:10", "Jan 2 00:17:10"),
        ("--13-99T00:00:00", "--13-99 00:00:00"),
        ("2025-11-30", "2025-11-30"),
        ("T00:17:10.1649", "00:17:10.164"),
        ("00:17:10", "00:17:10"),
        ("yesterday", "yesterday"),
    ],
)
def test_instants(iso: str, words: str) -> None:
    assert phrasing.instant(iso) == words


@pytest.mark.parametrize(
    ("when", "words"),
    [
        (Since(None, None, "no clock in these logs"), "not known (no clock in these logs)"),
        (Since("--11-30T01:02:03", None, "stamp of the line"), "Nov 30 01:02:03 at the earliest (stamp of the line)"),
        (Since(None, "--11-30T01:02:03", ""), "Nov 30 01:02:03 at the latest"),
        (Since("--11-30T01:02:03", "--11-30T01:02:03", "stamp"), "Nov 30 01:02:03 (stamp)"),
        (Since("--11-30T01:02:03", "--11-30T01:02:09", ""), "between Nov 30 01:02:03 and 01:02:09"),
        (Since("--11-03T01:02:03", "--11-30T01:02:09", ""), "between Nov 3 01:02:03 and Nov 30 01:02:09"),
        (
            Since("2025-12-31T23:59:59", "2026-01-01T00:00:01", ""),
            "between 2025-12-31 23:59:59 and 2026-01-01 00:00:01",
        ),
        (Since("01:02:03", "01:02:09", ""), "between 01:02:03 and 01:02:09"),
    ],
)
def test_since(when: Since, words: str) -> None:
    assert phrasing.since(when) == words


@pytest.mark.parametrize("confidence", Confidence)
def test_certainty_starts_with_the_word_of_the_document(confidence: Confidence) -> None:
    assert phrasing.certainty(replace(killed(), confidence=confidence)).startswith(confidence)
    assert phrasing.certainty(replace(timeout_symptom(), confidence=confidence)).startswith(
        f"{confidence} that this happened"
    )


def test_an_open_verdict_says_that_the_logs_end_too_early() -> None:
    assert "the logs end before it is decided" in phrasing.certainty(replace(killed(), status="open"))
