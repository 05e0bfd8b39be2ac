"""All wordings that a run looks for, found by the literals that a line holds."""

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple, TypeVar

from logsleuth.language.literals import literals_of
from logsleuth.language.program import fed_fields
from logsleuth.language.syntax import Event, Wording
from logsleuth.tokenize.blocks import BlockPattern
from logsleuth.tokenize.patterns import LinePattern
from logsleuth.tokenize.scanner import PlainScanner, Scanner, make_scanner
from logsleuth.tokenize.tables import TablePattern
from logsleuth.tokenize.view import Line

_FEW = 128
"""Lines that are looked through without a scanner."""


class LineEntry(NamedTuple):
    """A single-line wording of an event."""

    event: Event
    pattern: LinePattern


class FeedEntry(NamedTuple):
    """A wording that tells numbers for series."""

    event: Event
    pattern: LinePattern
    fields: frozenset[tuple[str, str]]
    """(event, field) of each of these."""


class BlockEntry(NamedTuple):
    """The first line of a block of an event."""

    event: Event
    block: BlockPattern


_Entry = TypeVar("_Entry", LineEntry, BlockEntry)


class Candidates(NamedTuple):
    """What a line may be, most specific first."""

    lines: tuple[LineEntry, ...]
    blocks: tuple[BlockEntry, ...]


class Dictionary:
    """Literals of all wordings; index ``i`` of ``literals`` is what the scanner reports."""

    def __init__(self, events: Iterable[Event], series: Container[str] = ()) -> None:
        """``series`` names the numeric series that are read."""
        events = tuple(events)
        self.marking = frozenset(event.name for event in events if event.marks_attempt)
        """Events that say that an attempt begins, or which one it is."""
        self._by_literal: dict[tuple[bytes, bool], tuple[list[LineEntry], list[BlockEntry]]] = {}
        for event in events:
            for wording in event.wordings:
                entry = LineEntry(event, LinePattern(wording))
                for lines, _ in self._at(wording, event.frequent):
                    lines.append(entry)
            for block in event.blocks:
                opening = BlockEntry(event, BlockPattern(block))
                for _, blocks in self._at(opening.block.opener.wording):
                    blocks.append(opening)
        of_tables: dict[bytes, list[TablePattern]] = {}
        for event in events:
            for table in event.tables:
                table_pattern = TablePattern(event, table)
                for header in dict.fromkeys(table.headers):
                    of_tables.setdefault(header.encode(), []).append(table_pattern)
                    self._by_literal.setdefault((header.encode(), False), ([], []))
        self.literals: Sequence[bytes] = [literal for literal, _ in self._by_literal]
        self.tables = {
            number: tuple(of_tables[literal])
            for number, (literal, is_frequent) in enumerate(self._by_literal)
            if literal in of_tables and not is_frequent
        }
        """Tables by the literals of their headers."""
        self._entries = list(self._by_literal.values())
        self._cache: dict[tuple[int, ...], Candidates] = {}
        self.frequent = frozenset(number for number, (_, is_frequent) in enumerate(self._by_literal) if is_frequent)
        """Literals of frequent events; what others share with them has a number of its own."""
        self.of_headers = frozenset(n for n in self.tables if not any(self._entries[n]))
        """Literals that stand for headers of tables only."""
        self._fed = {event.name: fed_fields(event, series) for event in events if event.frequent and event.series}
        self.of_series = frozenset(
            number for number, (lines, _) in enumerate(self._entries) if any(self._fields(entry) for entry in lines)
        )
        """Literals of wordings of frequent events that feed a series that is read."""
        self._feeding: dict[tuple[int, ...], tuple[FeedEntry, ...]] = {}

    def _fields(self, entry: LineEntry) -> frozenset[tuple[str, str]]:
        """The fields that a line of the wording may feed to series that are read; none where it tells no number.

        All of its event: what the most specific wording does not find, a vaguer one would find wrongly.
        """
        fed = self._fed.get(entry.event.name)
        # The fields of a wording are worked out of its text: not for every wording of every start.
        if not fed or fed.isdisjoint(entry.pattern.types):
            return frozenset()
        return frozenset((entry.event.name, field) for field in fed)

    def numbers_of(self, event: Event) -> tuple[str, ...]:
        """The fields of a frequent event that its series need: numbers, steps, and those that say whom it is about."""
        fed = self._fed.get(event.name, frozenset())
        names = [name for clause in event.series if clause.field in fed for name in (clause.field, clause.step)]
        names += [part for count in event.counts if count.field in names for part in count.parts]
        return tuple(dict.fromkeys(name for name in (*(field for _, field in event.about), *names) if name))

    @cached_property
    def patterns(self) -> tuple[tuple[Event, LinePattern], ...]:
        """All wordings, those of blocks included, with their events."""
        lines = _once(entry for lines, _ in self._entries for entry in lines)
        blocks = _once(entry for _, blocks in self._entries for entry in blocks)
        steps = ((event, step) for event, block in blocks for step in block.steps if step is not None)
        return (*((event, pattern) for event, pattern in lines), *steps)

    def _at(self, wording: Wording, is_frequent: bool = False) -> list[tuple[list[LineEntry], list[BlockEntry]]]:
        """What stands under the literals of a wording: a line that it matches holds at least one of them."""
        literals = literals_of(wording)
        assert literals  # the checker refuses wordings without one
        return [self._by_literal.setdefault((literal.encode(), is_frequent), ([], [])) for literal in literals]

    def feeding(self, literals: tuple[int, ...]) -> tuple[FeedEntry, ...]:
        """The wordings of frequent events, most specific first, that may take numbers for series from such a line."""
        known = self._feeding.get(literals)
        if known is None:
            lines = self.candidates(literals).lines
            known = tuple(FeedEntry(*entry, fields) for entry in lines if (fields := self._fields(entry)))
            if len(self._feeding) < 65_536:
                self._feeding[literals] = known
        return known

    def candidates(self, literals: tuple[int, ...]) -> Candidates:
        """The wordings that a line with these literals may match. Frequent events come after others, fallback
        events after all: what is written at every step says less than what is not."""
        known = self._cache.get(literals)
        if known is None:
            lines = _once(entry for literal in literals for entry in self._entries[literal][0])
            lines.sort(key=lambda e: (e.event.fallback, e.event.frequent, -e.pattern.weight, e.event.name))
            blocks = _once(entry for literal in literals for entry in self._entries[literal][1])
            known = Candidates(tuple(lines), tuple(blocks))
            if len(self._cache) < 65_536:
                self._cache[literals] = known
        return known


def _once(entries: Iterable[_Entry]) -> list[_Entry]:
    """The entries, each once: a line may hold several of the literals of a wording."""
    return list({id(entry): entry for entry in entries}.values())


class Claims:
    """Tells whether a line belongs to an event that is no fallback, of all events and not only of those that are read.

    Asked of few lines (the last of a traceback), and of none in most logs, so its scanner is made when they are many:
    that takes as long as to look through ``_FEW`` lines without one.
    """

    def __init__(self, events: Iterable[Event], engine: str | None = None) -> None:
        self._events, self._engine = [event for event in events if not event.fallback], engine
        self._asked = 0

    @cached_property
    def _dictionary(self) -> Dictionary:
        return Dictionary(self._events)

    @cached_property
    def _plain(self) -> Scanner:
        return PlainScanner(self._dictionary.literals)

    @cached_property
    def _fast(self) -> Scanner:
        return make_scanner(self._dictionary.literals, self._engine)

    @property
    def patterns(self) -> tuple[tuple[Event, LinePattern], ...]:
        """As of a dictionary; none before the first line was asked about."""
        return self._dictionary.patterns if "_dictionary" in self.__dict__ else ()

    def claimed(self, line: Line) -> bool:
        """Whether some event that is no fallback has a wording for this line."""
        self._asked += 1
        scanner = self._plain if self._asked <= _FEW else self._fast
        literals = tuple(sorted({literal for _, literal in scanner.scan(line.text)}))
        return any(entry.pattern.match_framed(line) for entry in self._dictionary.candidates(literals).lines)


class Vocabulary:
    """What a run looks for (``wanted``), and what all events of its program could be.

    One for all sources of a run.
    """

    def __init__(
        self,
        wanted: Iterable[Event],
        events: Iterable[Event],
        engine: str | None = None,
        series: Container[str] = (),
    ) -> None:
        """``series`` names the numeric series that are read."""
        self.dictionary = Dictionary(wanted, series)
        self.scanner = make_scanner(self.dictionary.literals, engine)
        self.claims = Claims(events, engine)

    def given_up(self) -> list[tuple[Event, LinePattern]]:
        """The wordings that a line has kept busy for too long."""
        if not LinePattern.any_given_up:
            return []
        return [(event, pattern) for event, pattern in self._patterns() if pattern.given_up]

    @property
    def is_strained(self) -> bool:
        """Whether what was read has taken patience from a wording: what is read next could be answered otherwise."""
        return any(pattern.patience.is_strained for _, pattern in self._patterns())

    def _patterns(self) -> Iterator[tuple[Event, LinePattern]]:
        return chain(self.dictionary.patterns, self.claims.patterns)
