"""What must hold for every report, whatever the logs say and wherever it is printed."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from logsleuth.model.analysis import (
    Analysis,
    Clock,
    Confidence,
    Culprits,
    Echo,
    Evidence,
    Input,
    Job,
    Problem,
    Severity,
    Since,
    Verdict,
)
from logsleuth.model.analysis import Span as TimeSpan
from logsleuth.report.page import Line, Span, Wrap
from logsleuth.report.terminal import draw, render
from tests.report.analyses import data_loading_slow, killed, root, several
from tests.report.paper import Paper

any_text = st.text(st.characters(exclude_categories=[]), max_size=120)
texts = st.tuples() | st.tuples(any_text) | st.tuples(any_text, any_text)
ranks = st.lists(st.integers(0, 70_000), max_size=30, unique=True).map(lambda found: tuple(sorted(found)))
stamps = st.none() | any_text | st.datetimes().map(lambda when: when.isoformat())
evidence = st.builds(
    Evidence,
    any_text,
    st.integers(1),
    st.integers(0),
    st.none() | st.integers(0, 9),
    st.none() | any_text,
    stamps,
    any_text,
)
verdicts = st.builds(
    Verdict,
    id=any_text,
    job=any_text,
    attempt=st.integers(0, 3),
    rule=any_text,
    cause=any_text,
    title=any_text,
    severity=st.sampled_from(Severity),
    role=st.sampled_from(["root", "symptom"]),
    status=st.sampled_from(["firm", "open"]),
    confidence=st.sampled_from(Confidence),
    since=st.builds(Since, stamps, stamps, any_text),
    culprits=st.builds(Culprits, ranks, ranks, texts),
    summary=any_text,
    chain=texts,
    evidence=st.tuples() | st.tuples(evidence) | st.tuples(evidence, evidence),
    occurrences=st.integers(0, 10**9),
    explains=st.tuples() | st.tuples(st.builds(Echo, any_text, any_text, st.integers(0), ranks)),
    alternatives=texts,
    remedies=texts,
    next_steps=texts,
    see=texts,
    unknowns=texts,
)
jobs = st.builds(
    Job,
    any_text,
    st.integers(0, 9),
    st.booleans(),
    ranks,
    ranks,
    texts,
    st.integers(0, 3),
    st.builds(TimeSpan, stamps, stamps),
)
inputs = st.builds(
    Input,
    any_text,
    any_text,
    st.integers(0),
    st.integers(0),
    st.integers(0),
    st.lists(st.builds(Problem, any_text, st.booleans()), max_size=2),
)
analyses = st.builds(
    Analysis,
    st.lists(verdicts, max_size=3).map(tuple),
    st.lists(jobs, max_size=2).map(tuple),
    st.lists(inputs, max_size=3).map(tuple),
    texts,
)


@pytest.fixture
def columns(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("TERM", "xterm-256color")
    for variable in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(variable, raising=False)
    return monkeypatch


@settings(max_examples=150, deadline=None)
@given(analysis=analyses, width=st.integers(50, 200), encoding=st.sampled_from(["utf-8", "latin-1", "ascii", "cp1252"]))
def test_nothing_that_a_log_holds_escapes_onto_the_terminal(analysis: Analysis, width: int, encoding: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        patch.delenv("FORCE_COLOR", raising=False)
        text = render(analysis, Paper(encoding))
    assert text.endswith("\n")
    text.encode(encoding)
    for row in text[:-1].split("\n"):
        assert row.isprintable()
        assert cell_len(row) <= width
        assert row == row.rstrip(" ")


@settings(max_examples=50, deadline=None)
@given(analysis=analyses)
def test_equal_analyses_give_equal_reports(analysis: Analysis) -> None:
    assert render(analysis, Paper()) == render(replace(analysis), Paper())


def test_markup_in_a_log_is_text(columns: pytest.MonkeyPatch) -> None:
    columns.setenv("COLUMNS", "100")
    marked = replace(
        root(), verdicts=(replace(killed(), summary="[bold red]x[/bold red] :bomb: https://example.org 42"),)
    )
    for is_terminal in (False, True):
        assert "[bold red]x[/bold red] :bomb: https://example.org 42" in render(marked, Paper(is_terminal=is_terminal))


def test_colours_say_nothing_that_the_words_do_not(columns: pytest.MonkeyPatch) -> None:
    columns.setenv("COLUMNS", "80")
    coloured = render(several(), Paper(is_terminal=True))
    assert "\x1b[1;31mFATAL" in coloured
    columns.setenv("NO_COLOR", "1")
    assert "31m" not in render(several(), Paper(is_terminal=True))
    columns.setenv("TERM", "dumb")
    plain = render(several(), Paper(is_terminal=True))
    assert "\x1b" not in plain
    assert plain == render(several(), Paper())


@pytest.mark.parametrize(
    ("said", "width"), [("10", 50), ("80", 80), ("4000", 200), ("0", 100), ("many", 100), ("", 100)]
)
def test_the_width_is_kept_within_what_can_be_read(columns: pytest.MonkeyPatch, said: str, width: int) -> None:
    columns.setenv("COLUMNS", said)
    row = draw([Line((Span("x" * 1000),), wrap=Wrap.FULL)], Paper()).split("\n")[0]
    assert len(row) == width


def test_prose_stays_narrow_enough_to_be_read_where_lines_of_logs_use_all_the_width(
    columns: pytest.MonkeyPatch,
) -> None:
    columns.setenv("COLUMNS", "200")
    rows = draw([Line((Span("word " * 100),)), Line((Span("word " * 100),), wrap=Wrap.FULL)], Paper()).split("\n")
    assert max(map(len, rows[:3])) <= 100
    assert max(map(len, rows)) > 190


def test_clocks_that_are_wrong_are_told_where_that_is_certain() -> None:
    clocks = (
        Clock("node-7", None, 0.0, 0.05, 20), Clock("node-8", None, 12.41, 0.05, 20), Clock("node-9", None, -7200.0, 0.5, 20),
        Clock("gpu-a12", None, 3.0, 4.0, 20), Clock("gpu-a13", None, 0.9, 0.05, 20), Clock("gpu-a14", None, 9.0, None, 0),
        Clock(None, "x.log", 12.41, 0.05, 20),
    )  # fmt: skip
    analysis = root()
    text = render(replace(analysis, jobs=(replace(analysis.jobs[0], clocks=clocks),)), Paper())
    assert "the clocks of node-8 and x.log are 12.4 s ahead of the others\n" in text
    assert "the clock of node-9 is 2 h behind the others\n" in text
    assert not any(host in text.replace("hosts", "") for host in ("gpu-a12", "gpu-a13", "gpu-a14"))


def test_a_newest_job_that_went_well_hides_no_older_failure() -> None:
    failed = root()
    new = replace(failed.jobs[0], id="new")
    text = render(replace(failed, jobs=(new, *failed.jobs)), Paper())
    opening, _, rest = text.partition(f"Job {failed.jobs[0].id}\n")
    assert opening.split("\n", 1)[0] == "Job new, the newest of 2 jobs in these logs:"
    assert "Nothing wrong found." in opening
    assert failed.verdicts[0].summary in rest


@pytest.mark.parametrize("others", [(), (replace(killed(), status="open"),), (data_loading_slow(),)])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_note_is_never_the_answer(others: tuple[Verdict, ...], jobs: int) -> None:
    note = replace(killed(), severity=Severity.INFO, summary="a note", job="a")
    made = replace(several(), verdicts=(note, *(replace(one, job="a") for one in others)))
    made = replace(made, jobs=tuple(replace(made.jobs[0], id=name) for name in "ab"[:jobs]))
    text = render(made, Paper())
    assert "INFO" not in text
    assert ("Nothing wrong found" in text.split("\n\nWorth knowing")[0]) == (not others)
    assert "Worth knowing\n  info: a note" in text
    if others:
        assert f"{'UNDECIDED' if others[0].status == 'open' else 'WARNING'}: {others[0].summary}" in text
