"""Finds the values of series that rules ask for one by one."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from logsleuth.engine.expressions import Lookup
from logsleuth.engine.point_filters import asks_for, passing
from logsleuth.engine.points import KEPT, Column, columns_of_series
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.scope import Bindings, Scope
from logsleuth.engine.subject import Member, Subject
from logsleuth.engine.work import Work
from logsleuth.language import syntax as s

LookupFor = Callable[[Sighting, Scope, Bindings], Lookup]
MembersOf = Callable[[Subject], tuple[Member, ...]]


class _Found(NamedTuple):
    reference: s.Reference
    scope: Scope
    found: list[Sighting]


class PointSearch:
    """Finds values of series on one roster. There are thousands of a series, and only those that a filter lets pass
    become occurrences."""

    def __init__(self, roster: Roster, lookup: LookupFor, members_of: MembersOf, work: Work) -> None:
        self._roster, self._lookup, self._members_of, self._work = roster, lookup, members_of, work
        self._columns: dict[tuple[str, int], list[Column]] = {}
        self._members: dict[tuple[str, int], dict[Member, list[Column]]] = {}
        self._found: dict[int, _Found] = {}
        """What a reference found last, whatever was bound, by its identity."""

    def find(self, reference: s.Reference, scope: Scope, known: Bindings) -> list[Sighting]:
        """The values that pass the reference's filter."""
        last = self._found.get(id(reference))
        if last is not None and last.reference is reference and last.scope is scope:
            self._work.spend(1)
            return last.found
        found = self._passing(self._of(reference.event, scope.attempt), reference, scope, known)
        if reference.filter is None or not asks_for(reference.filter, scope.lets, known):
            # Asked for again and again, once for each value that a pattern may begin with.
            self._found[id(reference)] = _Found(reference, scope, found)
        return found

    def find_of(
        self, members: Iterable[Member], reference: s.Reference, scope: Scope, known: Bindings
    ) -> list[Sighting]:
        """Those that concern some of these members."""
        place = reference.event, scope.attempt
        if place not in self._members:
            by_member = self._members[place] = defaultdict(list)
            for column in self._of(*place):
                for member in self._members_of(column.subject):
                    by_member[member].append(column)
        chosen = {id(column): column for member in members for column in self._members[place].get(member, ())}
        return self._passing(chosen.values(), reference, scope, known)

    def _of(self, name: str, attempt: int) -> list[Column]:
        place = name, attempt
        if place not in self._columns:
            self._columns[place] = columns_of_series(self._roster, name, attempt)
        return self._columns[place]

    def _passing(
        self, columns: Iterable[Column], reference: s.Reference, scope: Scope, known: Bindings
    ) -> list[Sighting]:
        if reference.filter is None:
            return [one for column in columns for one in column.sightings(_at_the_ends(column))]
        passes = passing(
            reference.filter, scope.lets, lambda sighting: self._lookup(sighting, scope, known), self._work.spend
        )
        found: list[Sighting] = []
        for column in columns:
            size = len(column)
            self._work.spend(size)
            found += column.sightings(passes(column, range(size)))
        return found


def _at_the_ends(column: Column) -> Iterable[int]:
    size = len(column)
    return range(size) if size <= 2 * KEPT else (*range(KEPT), *range(size - KEPT, size))
