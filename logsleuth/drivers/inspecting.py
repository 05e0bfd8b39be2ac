"""Says what is there, before any rule is asked: sources, writers, jobs, gaps, and what they mean for an answer."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from os import PathLike, fspath

from logsleuth.drivers.found import NOTHING, Place, found_source, heard_of
from logsleuth.drivers.hints import NO_HINTS, Hints, found
from logsleuth.drivers.job import job_of
from logsleuth.drivers.parts import parts_of
from logsleuth.drivers.reading import Follow, Reading, read
from logsleuth.drivers.remarks import remarks
from logsleuth.drivers.silence import silences
from logsleuth.engine.plan import plan
from logsleuth.engine.roster import Roster
from logsleuth.ingest.chunks import Chunk
from logsleuth.language.library import load
from logsleuth.language.program import Program
from logsleuth.model.inventory import FoundJob, Inventory, Repeat, Unread
from logsleuth.tokenize.pulse import Pulse, PulseTaker
from logsleuth.tokenize.voice import SHORTEST


def inspect(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    rules: Sequence[str] = (),
    local_rules: bool = True,
    hints: Hints = NO_HINTS,
    follow: Follow | None = None,
) -> Inventory:
    """Reads the logs that the paths name and says what was found in them; no rule is judged.

    Everything is as for ``analyze``: rules are only given for the events that they bring, of which some tell who is
    who. What cannot be read is told in the result. Raises RulesError for bad rules.
    """
    library = load(rules, local_rules)
    given = [paths] if isinstance(paths, str | PathLike) else paths
    return inspect_with(
        library.program, [fspath(path) for path in given], notes=library.notes, hints=hints, follow=follow
    )


def inspect_with(
    program: Program,
    paths: Sequence[str],
    *,
    notes: tuple[str, ...] = (),
    engine: str | None = None,
    chunk_size: int | None = None,
    hints: Hints = NO_HINTS,
    follow: Follow | None = None,
) -> Inventory:
    """The same with a program that is loaded already; ``engine`` and ``chunk_size`` never change the result."""
    there = found(paths, hints)
    sources = there.sources
    pulses = _Pulses()
    # What an analysis reads is read, for who is who shows in many events and must be told as it is there; but not the
    # numbers of series: whoever prints them has lines that tell it too.
    chosen = plan(program)._replace(series=frozenset())
    reading = read(sources, program, chosen, engine, chunk_size, watches=[pulses.take], follow=follow)
    jobs, copies = parts_of(reading)
    rosters = [(part, Roster(program, part.state, part.labels)) for part in jobs]
    taken = {number: pulses.finish(number) for number in range(len(sources))}
    found_jobs = []
    for part, roster in rosters:
        gaps, more = silences(roster, taken, part.state.sources)
        found_jobs.append(FoundJob(job_of(roster, part.id, reading.logs), gaps, more, _repeats(roster, reading)))
    of_source: dict[int, list[Place]] = defaultdict(list)
    for part, roster in rosters:
        heard = heard_of(roster)
        for number in part.state.sources:
            of_source[number].append(Place(part.id, roster, heard.get(number, NOTHING)))
    logs = [
        found_source(number, reading, of_source[number], taken[number], copies.get(number))
        for number in range(len(sources))
    ]
    inventory = Inventory(
        tuple(found_jobs),
        tuple(logs),
        tuple(Unread(path, problem) for path, problem in there.problems),
        (),
        max((voice.shortest for pulse in taken.values() for voice in pulse.voices), default=SHORTEST),
        (*notes, *there.notes, *reading.notes),
    )
    return remarks(inventory)


class _Pulses:
    """The pulses of all sources, taken as they are read."""

    def __init__(self) -> None:
        self._takers: dict[int, PulseTaker] = {}

    def take(self, source: int, chunk: Chunk, labelled: int) -> None:
        """The next chunk of a source."""
        if source not in self._takers:
            self._takers[source] = PulseTaker()
        self._takers[source].feed(chunk, labelled)

    def finish(self, source: int) -> Pulse:
        return self._takers.pop(source, PulseTaker()).finish()


def _repeats(roster: Roster, reading: Reading) -> tuple[Repeat, ...]:
    """The pairs of sources in which the same lines stand, those with the most first."""
    found = Counter((min(pair), max(pair)) for pair in roster.copied())
    rows = sorted(found.items(), key=lambda row: (-row[1], row[0]))
    return tuple(Repeat(reading.logs[a].path, reading.logs[b].path, number) for (a, b), number in rows)
