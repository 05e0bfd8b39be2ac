"""Findings as verdicts: evidence, times, and what a log cannot do to them."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logsleuth.diagnosis.story import MOST_EVIDENCE
from logsleuth.report.document import to_document
from tests.small_jobs import analysed, only, rule, verdicts

FALL = rule("r.fall", "when seen a.fall as x", "culprit x", verdict="{x} fell")
BLOCK = """
event b.row {
  block within 9 lines { line "Row of {r:int}" line "first: {a:int}" line "nothing here" line "second: {b:int}" line "third: {c:int}" }
  about rank {r}
}
"""


def test_what_a_verdict_takes_from_its_rule(tmp_path: Path) -> None:
    told = 'rule r.one """\n  Something\n  happened.\n""" { severity fatal cause killed when seen a.fall verdict "fell" alternatives hang, segfault see "https://example.org" see "b" }'
    verdict = only(tmp_path, told, "fell with code 1\n")
    assert (verdict.id, verdict.rule, verdict.cause, verdict.severity, verdict.role, verdict.status) == (
        "v1",
        "r.one",
        "killed",
        "fatal",
        "root",
        "firm",
    )
    assert (verdict.summary, verdict.alternatives, verdict.see) == (
        "Fell",
        ("hang", "segfault"),
        ("https://example.org", "b"),
    )
    assert " ".join(verdict.title.split()) == "Something happened"


def test_evidence_is_a_place_with_its_rank_host_and_time(tmp_path: Path) -> None:
    logs = {"node-7/rank_3.log": "hello\n2024-05-01 10:00:00,500 ERROR fell with code 1\n"}
    (evidence,) = only(tmp_path, FALL, logs).evidence
    assert (evidence.source, evidence.line, evidence.offset) == (str(tmp_path / "node-7" / "rank_3.log"), 2, 6)
    assert (evidence.rank, evidence.host, evidence.time) == (3, "node-7", "2024-05-01T10:00:00.500")
    assert evidence.text == "2024-05-01 10:00:00,500 ERROR fell with code 1"


def test_of_a_block_the_lines_are_cited_that_say_something(tmp_path: Path) -> None:
    text = "Row of 3\nfirst: 1\nnothing here\nsecond: 2\nthird: 3\n"
    verdict = only(tmp_path, BLOCK + rule("r.one", "when seen b.row"), text)
    assert [(e.line, e.text) for e in verdict.evidence] == [(2, "first: 1"), (4, "second: 2")]
    assert verdict.occurrences == 1


def test_of_a_block_that_says_nothing_the_first_line_is_cited(tmp_path: Path) -> None:
    events = 'event b.two { block within 9 lines { line "This is the end" line "beautiful friend" } }\n'
    assert [
        e.line
        for e in only(
            tmp_path, events + rule("r.one", "when seen b.two"), "This is the end\nbeautiful friend\n"
        ).evidence
    ] == [1]


def test_many_lines_are_counted_and_a_few_are_cited_of_each_member_first(tmp_path: Path) -> None:
    text = "[rank0]: fell with code 1\n" * 30 + "".join(f"[rank{n}]: fell with code 1\n" for n in range(1, 5))
    verdict = only(tmp_path, FALL, text)
    assert (verdict.occurrences, len(verdict.evidence)) == (34, MOST_EVIDENCE)
    assert {e.rank for e in verdict.evidence} == {0, 1, 2, 3, 4}
    assert len({(e.source, e.offset) for e in verdict.evidence}) == MOST_EVIDENCE


def test_a_line_that_concerns_several_is_no_single_ranks(tmp_path: Path) -> None:
    events = 'event b.gone { witness peer line "no sign of {who:ranks}" about ranks {who} }\n'
    verdict = only(tmp_path, events + rule("r.one", "when seen b.gone as x", "culprit x"), "[rank0]: no sign of 1, 2\n")
    assert (verdict.culprits.ranks, verdict.evidence[0].rank) == ((1, 2), None)


def test_a_line_is_cited_once_whatever_rests_on_it(tmp_path: Path) -> None:
    twice = rule("r.one", "when seen a.fall as x", "when seen a.fall[code == 1] as y", "when some rank has a.fall")
    assert len(only(tmp_path, twice, "fell with code 1\n").evidence) == 1


def test_it_began_with_the_earliest(tmp_path: Path) -> None:
    logs = {
        "a.log": "2024-05-01 10:00:09 fell with code 1\n",
        "b.log": "2024-05-01 10:00:03 fell with code 1\nfell with code 1\n",
    }
    assert only(tmp_path, FALL, logs).since.latest == "2024-05-01T10:00:03.000"


def test_verdicts_are_numbered_in_their_order(tmp_path: Path) -> None:
    found = verdicts(
        tmp_path,
        FALL + rule("r.slip", "when seen a.slip", severity="info"),
        "[rank0]: fell with code 1\n[rank1]: slipped on ice\n",
    )
    assert [(v.id, v.rule) for v in found] == [("v1", "r.fall"), ("v2", "r.slip")]


# Hostile text


HOSTILE = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=60)
TOLD = rule(
    "r.slip", "when seen a.slip as x", "culprit x", 'chain "{x.what}" -> "{x.text}"', 'remedy "- {x.text}"', verdict="{x} on {x.what}: {x.text} at {x.source}"
)  # fmt: skip


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(HOSTILE, HOSTILE)
def test_whatever_a_log_holds_an_analysis_ends_and_can_be_written_down(tmp_path: Path, before: str, what: str) -> None:
    found = analysed(
        tmp_path,
        TOLD,
        f"{before}\n[rank1]: slipped on {what}\nslipped on {what} \x1b[31m{before}\n{before} slipped on x\n",
    )
    assert json.loads(json.dumps(to_document(found)))
    for verdict in found.verdicts:
        assert len(verdict.remedies) == 1
        assert all("\n" not in text for text in (verdict.summary, *verdict.chain, *verdict.remedies))
        for evidence in verdict.evidence:
            assert not any(ord(char) < 32 and char != "\t" for char in evidence.text)


def test_an_escape_sequence_reaches_nobody(tmp_path: Path) -> None:
    verdict = only(tmp_path, TOLD, "[rank1]: slipped on \x1b[31mred\x1b[0m \x1b]0;title\x07 ice\n")
    assert verdict.evidence[0].text == "[rank1]: slipped on red  ice"
    assert "\x1b" not in verdict.summary


@pytest.mark.parametrize(
    "text",
    [
        "[rank99999999999999999999]: fell with code 1\n",
        "[rank1]: fell with code 99999999999999999999999999\n",
        "saw rank 9999999 end\n",
    ],
)
def test_absurd_numbers_are_no_error(tmp_path: Path, text: str) -> None:
    analysed(tmp_path, FALL + rule("r.exit", "when every rank has a.exit as x", "culprit x", verdict="{x}"), text)
