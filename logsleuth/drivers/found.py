"""What is told of one source: what it is, who writes in it, and when."""

from collections.abc import Mapping, Sequence

from logsleuth.drivers.reading import Reading
from logsleuth.drivers.silence import gaps_of_source
from logsleuth.engine.facts import short_host
from logsleuth.engine.roster import Roster
from logsleuth.engine.subject import MemberKind
from logsleuth.model.analysis import Input, Span
from logsleuth.model.inventory import FoundSource, Writers
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import BARE, PathLabel, Stamp
from logsleuth.tokenize.pulse import Pulse

_Attempts = Mapping[str, Mapping[int, Sequence[int]]]
"""By job and source, the attempts of which it tells something."""


def found_source(
    number: int,
    reading: Reading,
    jobs: Sequence[tuple[str, Roster]],
    attempts: _Attempts,
    pulse: Pulse,
    copy_of: int | None,
) -> FoundSource:
    """A source that was read; ``jobs`` are those that it belongs to, none where it is a copy."""
    log, inputs = reading.logs[number], reading.inputs[number]
    life, label = reading.state.sources.get(number, SourceLife()), reading.labels[number]
    roster = jobs[0][1] if jobs else None
    stamps = [stamp for stamp in (life.first_stamp, life.last_stamp) if stamp]
    problems = tuple({problem: None for item in inputs for problem in item.problems})
    is_one = len(log.pieces) == 1 and log.pieces[0].path == log.path
    return FoundSource(
        source=log.path,
        pieces=() if is_one else tuple(piece.path for piece in log.pieces),
        format=", ".join(dict.fromkeys(item.format for item in inputs)),
        layout=_layout(inputs),
        encoding=next((item.encoding for item in inputs if item.encoding), pulse.encoding),
        bytes=sum(item.bytes for item in inputs),
        lines=sum(item.lines for item in inputs),
        events=sum(item.events for item in inputs),
        framing=pulse.framing,
        writers=_writers(number, roster, label, life),
        attempts=_attempts(number, jobs, attempts, label),
        span=_span(roster, life),
        has_year=any(stamp.has_year for stamp in stamps) if stamps else None,
        has_zone=any(stamp.has_zone for stamp in stamps) if stamps else None,
        jobs=tuple(name for name, _ in jobs),
        copy_of=None if copy_of is None else reading.logs[copy_of].path,
        gaps=gaps_of_source(roster, pulse) if roster else (),
        problems=problems,
    )


def _layout(inputs: Sequence[Input]) -> str | None:
    return next((layout for item in inputs if isinstance(layout := getattr(item, "layout", None), str)), None)


def _writers(number: int, roster: Roster | None, label: PathLabel, life: SourceLife) -> Writers:
    """All that the name and the lines tell; numbers of tasks only where they are no ranks."""
    ranks, locals_, hosts, tasks, pids = set[int](), set[int](), set[str](), set[int](), set[int]()
    for tag in [BARE, *life.lives]:
        whole = tag._replace(**{key: value for key, value in label.tag._asdict().items() if getattr(tag, key) is None})
        if whole.host:
            hosts.add(short_host(whole.host))
        if whole.pid is not None:
            pids.add(whole.pid)
        if roster is None:
            ranks |= {whole.rank} if whole.rank is not None else set()
            continue
        writer = roster.identity.writer(number, tag)
        hosts |= {writer.host} if writer.host else set()
        is_known = False
        for member in writer.members:
            is_known = is_known or member.kind is MemberKind.RANK
            ranks |= {member.rank} if member.rank is not None else set()
            locals_ |= {member.local_rank} if member.local_rank is not None else set()
        if whole.task is not None and not is_known:
            tasks.add(whole.task)
    return Writers(
        tuple(sorted(ranks)), tuple(sorted(locals_)), tuple(sorted(hosts)), tuple(sorted(tasks)), tuple(sorted(pids))
    )


def _attempts(
    number: int, jobs: Sequence[tuple[str, Roster]], attempts: _Attempts, label: PathLabel
) -> tuple[int, ...]:
    if label.attempt is not None:
        return (label.attempt,)
    told = {attempt for name, _ in jobs for attempt in attempts[name].get(number, ())}
    # A log that goes on over a restart holds what lies between, whether some line of it was kept or not.
    return tuple(range(min(told), max(told) + 1)) if told else ()


def _span(roster: Roster | None, life: SourceLife) -> Span:
    """The first and the last stamp, as they stand in the source."""

    def text(stamp: Stamp | None) -> str | None:
        return roster.calendar.text(roster.calendar.seconds(stamp)) if roster else None

    return Span(text(life.first_stamp), text(life.last_stamp))
