"""Checks that every sample of an event is read as that event, with the fields that it gives.

Samples are read with all events of the program, so that a line which another event would claim is found out.
"""

from collections.abc import Collection, Iterable, Iterator

from logsleuth.ingest.chunks import Chunk
from logsleuth.language.program import Program, wordings_of
from logsleuth.language.syntax import Event, Place, Sample
from logsleuth.model.event import Occurrence
from logsleuth.testing.nearest import nearest, told
from logsleuth.testing.results import Result
from logsleuth.tokenize.dictionary import Vocabulary
from logsleuth.tokenize.find import Find
from logsleuth.tokenize.patterns import LinePattern
from logsleuth.tokenize.reader import SourceReader
from logsleuth.tokenize.view import Line, View


def check_samples(program: Program, only: str = "", files: Collection[str] | None = None) -> Iterator[Result]:
    """A result for every sample of every event whose name holds ``only``, and one for every event without samples and
    every wording that no sample is read by; of ``files``, those that stand in them."""
    vocabulary = Vocabulary(program.events.values(), program.events.values())
    for event in program.events.values():
        here = files is None or any(at.file in files for at in _places(event))
        if only in event.name and here:
            yield from (one for one in _of_event(event, vocabulary) if files is None or one.at.file in files)


def _places(event: Event) -> Iterator[Place]:
    """Where an event and its wordings, which may stand elsewhere, are written."""
    yield event.at
    yield from (sample.at for sample in event.samples)
    yield from (wording.at for wording in event.wordings)


def _of_event(event: Event, vocabulary: Vocabulary) -> Iterator[Result]:
    """The results for one event."""
    if not event.samples:
        yield Result(f"samples of {event.name}", event.at, "There is none; every event needs one for each wording.")
    finds: list[Find] = []
    failed = False
    for sample in event.samples:
        found = read_sample(sample.text, vocabulary)
        finds += [find for find in found if find.event.name == event.name]
        failure = _failure(event, sample, found)
        failed |= bool(failure)
        yield Result(f"sample of {event.name}", sample.at, failure)
    # A sample that fails was meant for some wording: what fails is told once.
    if event.samples and not failed:
        yield from _unread(event, finds)


def read_sample(text: str, vocabulary: Vocabulary) -> list[Find]:
    """What the events of a vocabulary find in some lines of a log."""
    found: list[Find] = []
    reader = SourceReader(0, vocabulary, True, found.append)
    reader.feed(_chunk(text))
    reader.finish()
    return found


def _chunk(text: str) -> Chunk:
    return Chunk(text.encode() + b"\n", 0, 1, False)


def _failure(event: Event, sample: Sample, finds: list[Find]) -> str:
    found = [find.occurrence() for find in finds]
    own = [o for o in found if o.event == event.name]
    if not own:
        return _not_read(event, sample, finds)
    wrong = [list(_differences(sample.gives, o)) for o in own]
    best = min(wrong, key=len)
    return "LS302: " + "\n".join(best) if best else ""


def _differences(gives: Iterable[tuple[str, object]], occurrence: Occurrence) -> Iterator[str]:
    for name, expected in gives:
        got = _value(occurrence, name)
        if not _equal(got, expected):
            yield f"expected {name} = {expected!r}, got {got!r}"


def _value(occurrence: Occurrence, name: str) -> object:
    if name in occurrence.fields:
        return occurrence.fields[name]
    if name in ("level", "exception"):
        return getattr(occurrence, name)
    return getattr(occurrence.tag, name, None)


def _equal(got: object, expected: object) -> bool:
    if isinstance(got, float) and isinstance(expected, int | float):
        return abs(got - expected) <= 1e-9 * max(abs(got), abs(expected), 1.0) or (got != got and expected != expected)
    return got == expected


# Samples that are not read as their event


def _not_read(event: Event, sample: Sample, finds: list[Find]) -> str:
    for find in finds:
        for pattern in map(LinePattern, event.wordings):
            if pattern.match_framed(find.first):
                return _taken(event, pattern, find)
    others = ", ".join(sorted({find.event.name for find in finds}))
    head = f"LS301: the sample was read as {others}" if others else "LS301: no event matches the sample"
    near = nearest(event, _lines(sample.text))
    return f"{head}\n{told(near)}" if near else head


def _lines(text: str) -> list[Line]:
    view = View(_chunk(text), True)
    lines, start = [], 0
    while start < len(view.text):
        end = view.end(start)
        lines.append(view.line(start, end))
        start = view.behind(end)
    return lines


def _taken(event: Event, own: LinePattern, find: Find) -> str:
    """Why another event has taken a line that a wording of the event matches too."""
    other, winner = find.event, find.matches[0][0]
    why = "its lines are parts of a block or table"
    if event.fallback and not other.fallback:
        why = f"{event.name} is a fallback, which gives way to every other event"
    elif event.frequent and not other.frequent:
        why = f"{event.name} is frequent, and of two events the rarer one says more"
    elif isinstance(winner, LinePattern):
        at = winner.wording.at
        why = (
            f"its wording ({at.file}:{at.line}) fixes {winner.weight} characters of plain text, "
            f"that of {event.name} fixes {own.weight}"
        )
        if winner.weight == own.weight:
            why += "; of equals the first by name is taken"
    return (
        f"LS303: the sample was read as {other.name}: {why}\n"
        "Write out more of the text that only this event's lines have, or add the wording to the other event."
    )


# Wordings that no sample is read by


def _unread(event: Event, finds: list[Find]) -> Iterator[Result]:
    patterns = [pattern for find in finds for pattern, _ in find.matches]
    read = {pattern.wording.at for pattern in patterns if isinstance(pattern, LinePattern)}
    for wording in wordings_of(event):
        if wording.at not in read:
            yield Result(f"samples of {event.name}", wording.at, f"LS304: {_UNREAD}")
    if event.tables and all(isinstance(pattern, LinePattern) for pattern in patterns):
        yield Result(f"samples of {event.name}", event.tables[0].at, f"LS304: {_UNREAD}")


_UNREAD = "no sample of the event is read by this wording; add a line as it stands in a log"
