"""Checks that every sample of an event is read as that event, with the fields that it gives.

Samples are read with all events of the program, so that a line which another event would claim is found out.
"""

from collections.abc import Iterable, Iterator

from logsleuth.ingest.chunks import Chunk
from logsleuth.language.program import Program
from logsleuth.language.syntax import Event, Sample
from logsleuth.model.event import Occurrence
from logsleuth.testing.results import Result
from logsleuth.tokenize.dictionary import Vocabulary
from logsleuth.tokenize.find import Find
from logsleuth.tokenize.reader import SourceReader


def check_samples(program: Program, only: str = "") -> Iterator[Result]:
    """A result for every sample of every event whose name holds ``only``, and one for every event without samples."""
    vocabulary = Vocabulary(program.events.values(), program.events.values())
    for event in program.events.values():
        if only not in event.name:
            continue
        if not event.samples:
            yield Result(f"samples of {event.name}", event.at, "There is none; every event needs one for each wording.")
        for sample in event.samples:
            found = read_sample(sample.text, vocabulary)
            yield Result(f"sample of {event.name}", sample.at, _failure(event, sample, found))


def read_sample(text: str, vocabulary: Vocabulary) -> list[Occurrence]:
    """What the events of a vocabulary read in some lines of a log."""
    found: list[Find] = []
    reader = SourceReader(0, vocabulary, True, found.append)
    data = text.encode() + b"\n"
    reader.feed(Chunk(data, 0, 1, False))
    reader.finish()
    return [find.occurrence() for find in found]


def _failure(event: Event, sample: Sample, found: list[Occurrence]) -> str:
    own = [o for o in found if o.event == event.name]
    if not own:
        others = sorted({o.event for o in found})
        return f"LS301: the sample was read as {', '.join(others)}" if others else "LS301: no event matches the sample"
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
