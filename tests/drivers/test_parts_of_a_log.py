"""A log of which a part was read earlier and is gone: its state and the rest give the answer of the whole."""

import random
import tempfile
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from logsleuth.drivers.batch import concluded
from logsleuth.drivers.pieces import joined
from logsleuth.drivers.reading import Reading, read, read_log, vocabulary_of
from logsleuth.drivers.sealed import opened, sealed
from logsleuth.engine.fold import Key, State, merged
from logsleuth.engine.plan import plan
from logsleuth.engine.series import SeriesKey
from logsleuth.ingest.discover import discover
from logsleuth.layouts.whole import LogReader
from logsleuth.model.analysis import Job, Since, Span, Verdict
from logsleuth.model.before import NOTHING, Before
from logsleuth.model.origin import Source
from tests.drivers.jobs import NAMES, PROGRAM, job

PLAN = plan(PROGRAM)
VOCABULARY = vocabulary_of(PROGRAM, PLAN)
SELF_TOLD = ("lines", "docker", "json", "logfmt", "metric-lines")
"""Layouts in which every line is known by itself."""
NEVER, UNKNOWN = Since(None, None, ""), Span(None, None)


@cache
def whole(folder: Path) -> tuple[Sequence[Source], Reading]:
    sources = joined(discover([str(folder)]).sources)
    return sources, read(sources, PROGRAM, PLAN)


class Told(NamedTuple):
    """What is said of the jobs and of what went wrong in them, and when that was."""

    verdicts: list[Verdict]
    jobs: list[Job]
    since: list[Since]
    spans: list[Span]


def told(of: Reading) -> Told:
    # Telling of copies adds to the inputs.
    analysis = concluded(PROGRAM, PLAN, of._replace(inputs=deepcopy(of.inputs)))
    return Told(
        [replace(verdict, since=NEVER) for verdict in analysis.verdicts],
        [replace(of_job, span=UNKNOWN) for of_job in analysis.jobs],
        [verdict.since for verdict in analysis.verdicts],
        [of_job.span for of_job in analysis.jobs],
    )


def counted(state: State) -> dict[Key, int]:
    """How often each event was seen, but for those of which only some lines are looked at."""
    return {key: kept.count for key, kept in state.kept.items() if not PROGRAM.events[key.event].frequent}


def numbers(state: State) -> dict[SeriesKey, list[tuple[int, int, int]]]:
    """The steps of every series, and how many values each has, and their sum."""
    return {
        key: [(place, bucket.count, bucket.total) for place, bucket in sorted(series.filled.items())]
        for key, series in state.series.items()
    }


def lies_within(early: str | None, late: str | None, start: str | None, end: str | None) -> bool:
    """Whether one stretch of time lies within another; None is open."""
    return (start is None or (early or "") >= start) and (end is None or (late is not None and late <= end))


def in_parts(number: int, source: Source, data: bytes, cuts: Sequence[int], folder: Path) -> tuple[State, Before, bool]:
    """A source that is read in parts, each by another process as if the files before it were gone; whether one of the
    cuts tore something."""
    state, before, is_torn = None, NOTHING, False
    for part, (start, end) in enumerate(zip([0, *cuts], [*cuts, len(data)], strict=True)):
        file = folder / f"{part}"
        file.write_bytes(data[start:end])
        reader = LogReader(source._replace(pieces=(source._replace(path=str(file), pieces=()),)), before=before)
        read_on = read_log(number, reader, VOCABULARY, PLAN, (), state)
        state, before = opened(sealed(read_on, reader.behind, "fit"), "fit", number)
        assert before == reader.behind
        is_torn = is_torn or (before.is_torn and end < len(data))
        file.unlink()
    assert state
    return state, before, is_torn


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(NAMES), st.randoms(use_true_random=False), st.integers(1, 3))
def test_the_parts_of_a_log_give_the_answer_of_the_whole(
    simulated: Path, name: str, rng: random.Random, parts: int
) -> None:
    sources, of = whole(job(name, simulated))
    chosen = [
        at
        for at, source in enumerate(sources)
        if of.inputs[at][0].layout in SELF_TOLD and not source.pieces and source.format == "text"
    ]
    assume(chosen)
    number = rng.choice(chosen)
    data = Path(sources[number].path).read_bytes()
    ends = [at + 1 for at, byte in enumerate(data[:-1]) if byte == 10]
    assume(len(ends) >= parts)
    with tempfile.TemporaryDirectory() as folder:
        state, behind, is_torn = in_parts(number, sources[number], data, sorted(rng.sample(ends, parts)), Path(folder))
    assume(not is_torn)
    assert (behind.offset, behind.lines) == (len(data) + (not data.endswith(b"\n")), of.inputs[number][0].lines)
    assert counted(state) == counted(of.state.of({number}))
    assert numbers(state) == numbers(of.state.of({number}))
    others = of.state.of(of.state.sources.keys() - {number})
    again = of._replace(state=merged([others, state]))
    expected, got = told(of), told(again)
    assert (got.verdicts, got.jobs) == (expected.verdicts, expected.jobs)
    # Some lines are looked at only because they stand at the edge of a part. They may tell the time more exactly.
    for known, wider in zip(got.since, expected.since, strict=True):
        assert lies_within(known.earliest, known.latest, wider.earliest, wider.latest)
    for known_span, narrower in zip(got.spans, expected.spans, strict=True):
        assert lies_within(narrower.started, narrower.ended, known_span.started, known_span.ended)
