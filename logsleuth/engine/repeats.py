"""Which occurrences are one and the same, seen in two logs: a console that was kept, and the ranks' own logs.

Two ranks may say the same words, so equal lines alone prove nothing. A source counts as copied into another only where
most of what is kept of it stands there too, in its order, with nothing that contradicts, and where something shows that
it cannot be another process: both tell the same writer, stamps are equal, or the other is a log that collects several
writers' lines and holds the lines of this one.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, combinations
from typing import NamedTuple

from logsleuth.engine.calendar import Calendar
from logsleuth.engine.facts import short_host
from logsleuth.engine.fold import Kept, Key, State
from logsleuth.language.program import Program
from logsleuth.model.event import Occurrence
from logsleuth.model.origin import PathLabel, Tag

Id = tuple[str, int, int, int]
_MOST = 0.8
"""Share of the kept occurrences of a source that must recur."""
_HELD = 0.9
"""Share of the line endings of a source that a collecting log must hold."""
_FEW = 24
"""Sources in which one message may stand to have all pairs of them looked at; in more, only pairs with a collector."""
_PLACED = 2.0
"""Seconds by which a stamp may be off that does not tell its day itself."""
_CERTAIN = 1.0
_NO_BLOCKS: tuple[Sequence[int], Sequence[int]] = (), ()
_STRENGTHS = ((1e-6, 1.0), (1e-3, 0.5), (1.0, 0.25))
"""What an equal stamp proves, by its resolution in seconds."""

_Pair = tuple[Occurrence, Occurrence]


class Repeats(NamedTuple):
    state: State
    """The state in which every occurrence is kept, and counted, once."""
    twins: dict[Id, tuple[Occurrence, ...]]
    """For those that stand for several: the occurrences in other sources that were taken out for them."""


def identity(occurrence: Occurrence) -> Id:
    """What tells an occurrence from all others."""
    return occurrence.event, occurrence.source, occurrence.offset, occurrence.end_offset


def without_repeats(
    program: Program,
    state: State,
    labels: dict[int, PathLabel],
    occurrences: list[Occurrence],
    calendar: Calendar,
    placed: Container[int] = (),
) -> Repeats:
    """Takes out what stands in two sources; the one that says more of who wrote it is kept.

    ``placed`` are the sources whose stamps do not tell their day themselves, see ``undated``.
    """
    search = _Search(program, state, labels, occurrences, calendar, placed)
    dropped: dict[Id, Occurrence] = {}
    for pairs in search.copied():
        for kept, other in pairs:
            if identity(kept) not in dropped and identity(other) not in dropped:
                dropped[identity(other)] = kept
    if not dropped:
        return Repeats(state, {})
    twins: dict[Id, list[Occurrence]] = defaultdict(list)
    for occurrence in occurrences:
        if identity(occurrence) in dropped:
            twins[identity(dropped[identity(occurrence)])].append(occurrence)
    return Repeats(_counted_once(state, dropped), {key: tuple(found) for key, found in twins.items()})


class _Search:
    """Looks for sources that are copied into others."""

    def __init__(
        self,
        program: Program,
        state: State,
        labels: dict[int, PathLabel],
        occurrences: list[Occurrence],
        calendar: Calendar,
        placed: Container[int],
    ) -> None:
        self._state, self._labels, self._calendar, self._placed = state, labels, calendar, placed
        self._number: dict[int, Counter[str]] = defaultdict(Counter)
        """By source and event, how many are compared."""
        self._told: dict[Id, tuple[object, ...]] = {}
        self._of_rank: dict[tuple[str, int, int, object], list[Occurrence]] = defaultdict(list)
        self._alike: dict[tuple[str, int], dict[int, list[Occurrence]]] = defaultdict(lambda: defaultdict(list))
        self._messages: dict[int, set[tuple[str, int]]] = defaultdict(set)
        self._evicted = {(key.source, key.event) for key, kept in state.kept.items() if kept.evicted}
        quoted = _quoted(program, occurrences)
        launched = set()
        for o in occurrences:
            event = program.events[o.event]
            if event.witness == "launcher":
                launched.add(o.source)
            if not event.frequent and identity(o) not in quoted:
                self._number[o.source][o.event] += 1
                who = self._told[identity(o)] = self._writer(o)
                self._alike[o.event, o.message][o.source].append(o)
                self._of_rank[o.event, o.message, o.source, who[0]].append(o)
                self._messages[o.source].add((o.event, o.message))
        writers = {source: {tag for tag in life.lives if not tag.is_bare} for source, life in state.sources.items()}
        self._collectors = {source for source, tags in writers.items() if source in launched or len(tags) > 1}

    def copied(self) -> Iterator[list[_Pair]]:
        """The occurrences that are one, by pairs of sources: the one to keep first."""
        for left, right in sorted(self._candidates()):
            shared = sorted(self._messages[left] & self._messages[right])
            pairs = [pair for key in shared for pair in self._same(key, left, right)]
            ordered = _in_order(pairs)
            if len(ordered) >= _MOST * len(pairs) and self._is_copied(ordered, left, right):
                yield self._ranked(ordered, left, right)

    def _candidates(self) -> set[tuple[int, int]]:
        found: set[tuple[int, int]] = set()
        places = _Places({source: self._place(source) for source in self._messages})
        beside = {source: places.beside(source) for source in self._collectors & self._messages.keys()}
        for sources in self._alike.values():
            if len(sources) <= _FEW:
                found |= {(a, b) for a, b in combinations(sorted(sources), 2) if places.agree(a, b)}
            else:
                collectors = self._collectors & sources.keys()
                found |= {(min(a, b), max(a, b)) for a in collectors for b in sources.keys() & beside[a]}
        return found

    def _place(self, source: int) -> tuple[object, ...]:
        label = self._labels.get(source, PathLabel())
        return (*label.tag, label.attempt, label.run)

    def _who(self, o: Occurrence) -> tuple[object, ...]:
        return self._told[identity(o)]

    def _writer(self, o: Occurrence) -> tuple[object, ...]:
        """Rank, local rank, task, host and process, from the line or else from the name of its source."""
        label = self._labels.get(o.source, PathLabel()).tag
        told = o.tag._replace(host=short_host(o.tag.host)) if o.tag.host else o.tag
        label = label._replace(host=short_host(label.host)) if label.host else label
        return tuple(a if a is not None else b for a, b in zip(told, label, strict=True))

    def _same(self, key: tuple[str, int], left: int, right: int) -> Iterator[_Pair]:
        """Those with one message, matched one to one in the order of both sources."""
        found = self._alike[key]
        fewer, more = (left, right) if len(found[left]) <= len(found[right]) else (right, left)
        taken: set[Id] = set()
        for o in found[fewer]:
            rank = self._who(o)[0]
            of_rank, of_nobody = self._of_rank.get((*key, more, rank), []), self._of_rank.get((*key, more, None), [])
            near = found[more] if rank is None else sorted([*of_rank, *of_nobody], key=identity)
            for other in near:
                if identity(other) not in taken and self._may_be_one(o, other):
                    yield (o, other) if fewer == left else (other, o)
                    taken.add(identity(other))
                    break

    def _may_be_one(self, o: Occurrence, other: Occurrence) -> bool:
        mine, its = self._calendar.seconds(o.stamp), self._calendar.seconds(other.stamp)
        is_exact = o.source not in self._placed and other.source not in self._placed
        is_then = mine is None or its is None or abs(mine - its) < (1e-7 if is_exact else _PLACED)
        return is_then and o.fields == other.fields and _agree(self._who(o), self._who(other))

    def _is_copied(self, pairs: list[_Pair], left: int, right: int) -> bool:
        for side, (copied, into) in enumerate(((left, right), (right, left))):
            matched = Counter(pair[side].event for pair in pairs)
            # What the other source may have held and not kept cannot be missed there.
            expected = sum(
                matched[event] if (into, event) in self._evicted else number
                for event, number in self._number[copied].items()
            )
            if matched and len(pairs) >= _MOST * expected:
                return self._is_proved(pairs, copied, into) or self._is_collected(copied, into)
        return False

    def _is_proved(self, pairs: list[_Pair], copied: int, into: int) -> bool:
        # A local rank is one process only on one host: two consoles may well agree in all of theirs.
        own_label = self._labels.get(copied, PathLabel()).tag
        proofs = (0, 1, 4) if own_label.local_rank is not None and into in self._collectors else (0, 4)
        stamps: dict[float, float] = {}
        for o, other in pairs:
            mine, its = self._who(o), self._who(other)
            if any(mine[at] is not None and mine[at] == its[at] for at in proofs):
                return True
            if o.stamp and other.stamp and into not in self._placed and copied not in self._placed:
                stamps[o.stamp.seconds] = _strength(o.stamp.seconds)
        return sum(stamps.values()) >= _CERTAIN

    def _is_collected(self, copied: int, into: int) -> bool:
        mine, its = self._state.sources[copied].endings, self._state.sources[into].endings
        # A log keeps only its smallest checksums: above its largest one nothing is known of a longer log.
        largest = max(its, default=0)
        comparable = {ending for ending in mine if ending <= largest} if len(its) >= _FEW else mine
        is_own = copied not in self._collectors and into in self._collectors
        return is_own and bool(comparable) and len(comparable & its) >= _HELD * len(comparable)

    def _ranked(self, pairs: list[_Pair], left: int, right: int) -> list[_Pair]:
        """The pairs with the occurrence of the source that tells more of its writers first; else of its own log."""
        told = [sum(part is not None for pair in pairs for part in self._who(pair[side])[:2]) for side in (0, 1)]
        all_told = [sum(part is not None for pair in pairs for part in self._who(pair[side])) for side in (0, 1)]
        writers = [len(self._state.sources[source].lives) for source in (left, right)]
        is_turned = (-told[1], -all_told[1], writers[1]) < (-told[0], -all_told[0], writers[0])
        return [(b, a) for a, b in pairs] if is_turned else pairs


class _Places:
    """What the names of sources tell of where they are from, each as a row of what may not be told."""

    def __init__(self, rows: Mapping[int, tuple[object, ...]]) -> None:
        self._rows = rows
        self._by_part: dict[tuple[int, object], set[int]] = defaultdict(set)
        for source, row in rows.items():
            for part in enumerate(row):
                self._by_part[part].add(source)

    def agree(self, left: int, right: int) -> bool:
        """Whether nothing that both tell differs."""
        return _agree(self._rows[left], self._rows[right])

    def beside(self, source: int) -> set[int]:
        """The other sources that agree with it."""
        told = [(at, value) for at, value in enumerate(self._rows[source]) if value is not None]
        alike = [(self._by_part[at, value], self._by_part.get((at, None), set())) for at, value in told]
        everybody = set(self._rows), set[int]()
        least = min(alike, key=lambda sets: sum(map(len, sets)), default=everybody)
        return {other for among in least for other in among if other != source and self.agree(source, other)}


def _agree(left: Iterable[object], right: Iterable[object]) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(left, right, strict=True))


def _strength(seconds: float) -> float:
    micros = round(seconds * 1e6)
    resolution = 1.0 if micros % 1_000_000 == 0 else 1e-3 if micros % 1_000 == 0 else 1e-6
    return dict(_STRENGTHS)[resolution]


def _in_order(pairs: list[_Pair]) -> list[_Pair]:
    """As many of the pairs as stand in one order in both sources."""
    ordered = sorted(pairs, key=lambda pair: (pair[0].offset, pair[0].end_offset, pair[1].offset))
    ends: list[int] = []
    chains: list[tuple[int, int]] = []
    """For every pair the length of the longest chain that ends with it, and its predecessor."""
    last: list[int] = []
    for number, (_, other) in enumerate(ordered):
        length = bisect_left(ends, other.offset + 1)
        ends[length : length + 1] = [other.offset]
        last[length : length + 1] = [number]
        chains.append((length, last[length - 1] if length else -1))
    chosen, at = [], last[-1] if last else -1
    while at >= 0:
        chosen.append(ordered[at])
        at = chains[at][1]
    return chosen[::-1]


def _quoted(program: Program, occurrences: list[Occurrence]) -> set[Id]:
    """What stands inside a block that says whom it is about: the launcher's own words about it."""
    blocks: dict[tuple[int, Tag], list[tuple[int, int]]] = defaultdict(list)
    for o in occurrences:
        if program.events[o.event].about and o.end_offset > o.offset:
            blocks[o.source, o.tag].append((o.offset, o.end_offset))
    reach = {writer: _reach(sorted(of)) for writer, of in blocks.items()}
    found: set[Id] = set()
    for o in occurrences:
        starts, ends = reach.get((o.source, o.tag), _NO_BLOCKS)
        before = bisect_left(starts, o.offset)
        if before and o.offset <= ends[before - 1]:
            found.add(identity(o))
    return found


def _reach(blocks: list[tuple[int, int]]) -> tuple[Sequence[int], Sequence[int]]:
    """Where blocks start, in order, and how far those reach that have started until then."""
    return [start for start, _ in blocks], list(accumulate((end for _, end in blocks), max))


def _counted_once(state: State, dropped: dict[Id, Occurrence]) -> State:
    kept: dict[Key, Kept] = {}
    for key, old in state.kept.items():
        gone = {identity(o) for o in old.occurrences} & dropped.keys()
        if not gone:
            kept[key] = old
        elif len(gone) < len(old.occurrences):
            earliest = [o for o in old.earliest if identity(o) not in gone]
            latest = [o for o in old.latest if identity(o) not in gone]
            kept[key] = Kept(old.count - len(gone), earliest, latest, len(gone))
    return State(kept, state.sources, state.series)
