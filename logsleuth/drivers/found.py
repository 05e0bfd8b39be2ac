"""What is told of one source: what it is, who writes in it, and when."""

from collections.abc import Sequence
from typing import NamedTuple

from logsleuth.drivers.reading import Reading
from logsleuth.drivers.silence import gaps_of_source
from logsleuth.engine.facts import short_host
from logsleuth.engine.roster import Roster
from logsleuth.engine.subject import MemberKind, Subject
from logsleuth.model.analysis import Input, Span
from logsleuth.model.inventory import FoundSource, Writers
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import BARE, PathLabel, Stamp
from logsleuth.tokenize.pulse import Pulse


class Heard(NamedTuple):
    """What occurrences tell of the source that they stand in."""

    attempts: set[int]
    """Those to which they belong."""
    speakers: set[Subject]
    """Who wrote them, and of whom processes said that they speak of themselves."""


class Place(NamedTuple):
    """A job that a source belongs to."""

    job: str
    roster: Roster
    heard: Heard


NOTHING = Heard(set(), set())


def heard_of(roster: Roster) -> dict[int, Heard]:
    """Of all sources of a job in which something occurred."""
    found: dict[int, Heard] = {}
    for sighting in roster.all_sightings():
        source, event = sighting.occurrence.source, sighting.event
        attempts, speakers = found.setdefault(source, Heard(set(), set()))
        attempts.add(sighting.attempt)
        if event.witness != "launcher":
            speakers.add(roster.identity.writer(source, sighting.occurrence.tag))
        if event.witness == "process" and event.about:
            speakers.add(sighting.subject)
    return found


def found_source(
    number: int,
    reading: Reading,
    places: Sequence[Place],
    pulse: Pulse,
    copy_of: int | None,
) -> FoundSource:
    """A source that was read; it has no ``places`` where it is a copy."""
    log, inputs = reading.logs[number], reading.inputs[number]
    life, label = reading.state.sources.get(number, SourceLife()), reading.labels[number]
    roster = places[0].roster if places else None
    stamps = [stamp for stamp in (life.first_stamp, life.last_stamp) if stamp]
    problems = tuple({problem: None for item in inputs for problem in item.problems})
    is_one = len(log.pieces) == 1 and log.pieces[0].path == log.path
    return FoundSource(
        source=log.path,
        pieces=() if is_one else tuple(piece.path for piece in log.pieces),
        format=", ".join(dict.fromkeys(item.format for item in inputs)),
        layout=_layout(inputs),
        encoding=reading.encodings[number] or pulse.encoding,
        bytes=sum(item.bytes for item in inputs),
        lines=sum(item.lines for item in inputs),
        events=sum(item.events for item in inputs),
        framing=pulse.framing,
        writers=_writers(number, places, label, life),
        attempts=_attempts(places, label),
        span=_span(roster, life),
        has_year=any(stamp.has_year for stamp in stamps) if stamps else None,
        has_zone=any(stamp.has_zone for stamp in stamps) if stamps else None,
        jobs=tuple(place.job for place in places),
        copy_of=None if copy_of is None else reading.logs[copy_of].path,
        gaps=gaps_of_source(roster, pulse) if roster else (),
        problems=problems,
    )


def _layout(inputs: Sequence[Input]) -> str:
    return ", ".join(dict.fromkeys(str(getattr(item, "layout", "lines")) for item in inputs))


def _writers(number: int, places: Sequence[Place], label: PathLabel, life: SourceLife) -> Writers:
    """All that the name, the lines and what occurred in them tell; numbers of tasks only where they are no ranks."""
    hosts, tasks, pids = set[str](), set[int](), set[int]()
    speakers = {speaker for place in places for speaker in place.heard.speakers}
    ranks = {label.tag.rank} if not places and label.tag.rank is not None else set()
    for tag in [BARE, *life.lives]:
        whole = label.tag._replace(**{key: told for key, told in tag._asdict().items() if told is not None})
        hosts |= {short_host(whole.host)} if whole.host else set()
        pids |= {whole.pid} if whole.pid is not None else set()
        writers = [place.roster.identity.writer(number, tag) for place in places]
        speakers |= set(writers)
        is_rank = any(member.kind is MemberKind.RANK for writer in writers for member in writer.members)
        if whole.task is not None and not is_rank:
            tasks.add(whole.task)
    members = {member for speaker in speakers for member in speaker.members}
    ranks |= {member.rank for member in members if member.rank is not None}
    hosts |= {speaker.host for speaker in speakers if speaker.host}
    return Writers(
        tuple(sorted(ranks)),
        tuple(sorted({member.local_rank for member in members if member.local_rank is not None})),
        tuple(sorted(hosts)),
        tuple(sorted(tasks)),
        tuple(sorted(pids)),
    )


def _attempts(places: Sequence[Place], label: PathLabel) -> tuple[int, ...]:
    if label.attempt is not None:
        return (label.attempt,)
    told = {attempt for place in places for attempt in place.heard.attempts}
    # A log that goes on over a restart holds what lies between, whether some line of it was kept or not.
    return tuple(range(min(told), max(told) + 1)) if told else ()


def _span(roster: Roster | None, life: SourceLife) -> Span:
    """The first and the last stamp, as they stand in the source."""

    def text(stamp: Stamp | None) -> str | None:
        return roster.calendar.text(roster.calendar.seconds(stamp)) if roster else None

    return Span(text(life.first_stamp), text(life.last_stamp))
