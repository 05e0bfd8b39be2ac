"""All wordings that a run looks for, found by the literals that a line holds."""

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from logsleuth.language.cards import Shelf
from logsleuth.language.program import fed_fields
from logsleuth.language.syntax import Event
from logsleuth.tokenize.blocks import BlockPattern
from logsleuth.tokenize.patience import Patience
from logsleuth.tokenize.patterns import LinePattern
from logsleuth.tokenize.scanner import Scanner, scanner_when_wanted
from logsleuth.tokenize.tables import TablePattern
from logsleuth.tokenize.view import Line


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


_Place = tuple[str, int]
"""Where a wording or a block stands: its event, its number there."""


class Candidates(NamedTuple):
    """What a line may be, most specific first."""

    lines: tuple[LineEntry, ...]
    blocks: tuple[BlockEntry, ...]


class Dictionary:
    """Literals of all wordings; index ``i`` of ``literals`` is what the scanner reports."""

    def __init__(self, events: Iterable[Event] | Shelf, series: Container[str] = ()) -> None:
        """``series`` names the numeric series that are read."""
        self._shelf = Shelf.of(events)
        self._by_literal: dict[tuple[bytes, bool], tuple[list[_Place], list[_Place]]] = {}
        looked_up: list[Event] = []
        for card in self._shelf.cards:
            for number, literals in enumerate(card.lines):
                for lines, _ in self._at(literals, card.is_frequent):
                    lines.append((card.name, number))
            for number, literals in enumerate(card.blocks):
                for _, blocks in self._at(literals):
                    blocks.append((card.name, number))
            if card.is_looked_up:
                looked_up.append(self._shelf[card.name])
        of_tables: dict[bytes, list[TablePattern]] = {}
        for event in looked_up:
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
        self._places = list(self._by_literal.values())
        self._lines: dict[_Place, LineEntry] = {}
        self._blocks: dict[_Place, BlockEntry] = {}
        self._cache: dict[tuple[int, ...], Candidates] = {}
        self.frequent = frozenset(number for number, (_, is_frequent) in enumerate(self._by_literal) if is_frequent)
        """Literals of frequent events; what others share with them has a number of its own."""
        self.of_headers = frozenset(n for n in self.tables if not any(self._places[n]))
        """Literals that stand for headers of tables only."""
        self._fed = {event.name: fed_fields(event, series) for event in looked_up if event.frequent and event.series}
        self.of_series = frozenset(
            number
            for number, (lines, _) in enumerate(self._places)
            if any(self._fields(self._line(place)) for place in lines if place[0] in self._fed)
        )
        """Literals of wordings of frequent events that feed a series that is read."""
        self._feeding: dict[tuple[int, ...], tuple[FeedEntry, ...]] = {}

    def _line(self, place: _Place) -> LineEntry:
        """A wording, made when the first line may match it."""
        entry = self._lines.get(place)
        if entry is None:
            event = self._shelf[place[0]]
            entry = self._lines[place] = LineEntry(event, LinePattern(event.wordings[place[1]]))
        return entry

    def _block(self, place: _Place) -> BlockEntry:
        entry = self._blocks.get(place)
        if entry is None:
            event = self._shelf[place[0]]
            entry = self._blocks[place] = BlockEntry(event, BlockPattern(event.blocks[place[1]]))
        return entry

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

    @property
    def patterns(self) -> tuple[tuple[Event, LinePattern], ...]:
        """All wordings that some line was tried on, those of blocks included, with their events, as they stand."""
        order = {card.name: number for number, card in enumerate(self._shelf.cards)}

        def stands(item: tuple[_Place, object]) -> tuple[int, int]:
            (name, number), _ = item
            return order[name], number

        lines = (entry for _, entry in sorted(self._lines.items(), key=stands))
        blocks = (entry for _, entry in sorted(self._blocks.items(), key=stands))
        steps = ((event, step) for event, block in blocks for step in block.steps if step is not None)
        return (*((event, pattern) for event, pattern in lines), *steps)

    def _at(self, literals: tuple[str, ...], is_frequent: bool = False) -> list[tuple[list[_Place], list[_Place]]]:
        """What stands under the literals of a wording: a line that it matches holds at least one of them."""
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
            lines = [self._line(place) for place in _once(self._places[literal][0] for literal in literals)]
            lines.sort(key=lambda e: (e.event.fallback, e.event.frequent, -e.pattern.weight, e.event.name))
            blocks = [self._block(place) for place in _once(self._places[literal][1] for literal in literals)]
            known = Candidates(tuple(lines), tuple(blocks))
            if len(self._cache) < 65_536:
                self._cache[literals] = known
        return known


def _once(places: Iterable[Iterable[_Place]]) -> list[_Place]:
    """Each place once: a line may hold several of the literals of a wording."""
    return list(dict.fromkeys(chain.from_iterable(places)))


class Claims:
    """Tells whether a line belongs to an event that is no fallback, of all events and not only of those that are read.

    Asked of few lines (the last of a traceback), and of none in most logs.
    """

    def __init__(self, events: Iterable[Event] | Shelf, engine: str | None = None) -> None:
        self._events, self._engine = Shelf.of(events).those(lambda card: not card.is_fallback), engine

    @cached_property
    def _dictionary(self) -> Dictionary:
        return Dictionary(self._events)

    @cached_property
    def _scanner(self) -> Scanner:
        return scanner_when_wanted(self._dictionary.literals, self._engine)

    @property
    def patterns(self) -> tuple[tuple[Event, LinePattern], ...]:
        """As of a dictionary; none before the first line was asked about."""
        return self._dictionary.patterns if "_dictionary" in self.__dict__ else ()

    def claimed(self, line: Line) -> bool:
        """Whether some event that is no fallback has a wording for this line."""
        literals = tuple(sorted({literal for _, literal in self._scanner.scan(line.text)}))
        return any(entry.pattern.match_framed(line) for entry in self._dictionary.candidates(literals).lines)


class Vocabulary:
    """What a run looks for (``wanted``), and what all events of its program could be.

    One for all sources of a run.
    """

    def __init__(
        self,
        wanted: Iterable[Event] | Shelf,
        events: Iterable[Event] | Shelf,
        engine: str | None = None,
        series: Container[str] = (),
    ) -> None:
        """``series`` names the numeric series that are read."""
        self.dictionary = Dictionary(wanted, series)
        self.scanner = scanner_when_wanted(self.dictionary.literals, engine)
        self.claims = Claims(events, engine)

    def given_up(self) -> list[tuple[Event, LinePattern]]:
        """The wordings that a line has kept busy for too long."""
        if not LinePattern.any_given_up:
            return []
        return [(event, pattern) for event, pattern in self._patterns() if pattern.given_up]

    def be_patient(self) -> None:
        """Gives all wordings their patience again, those that were given up too."""
        if Patience.any_strained:
            for _, pattern in self._patterns():
                pattern.patience, pattern.given_up = Patience(), None
            Patience.any_strained = LinePattern.any_given_up = False

    @property
    def is_strained(self) -> bool:
        """Whether what was read has taken patience from a wording: what is read next could be answered otherwise."""
        return any(pattern.patience.is_strained for _, pattern in self._patterns())

    def _patterns(self) -> Iterator[tuple[Event, LinePattern]]:
        return chain(self.dictionary.patterns, self.claims.patterns)
