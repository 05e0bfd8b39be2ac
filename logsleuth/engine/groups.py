"""Which process group or communicator an occurrence concerns, and who its members are.

torch names a group by a GUID that is equal on all its ranks (since 2.5), before that by a number that each process
counts for itself, and before 2.2 not at all. The default group is number 0 everywhere. A number means one group only
where no two ranks claim the same place in it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from logsleuth.engine.expressions import holds
from logsleuth.engine.subject import MOST_RANKS, Group, GroupKey, Member, MemberKind, Subject, local_ranks_between
from logsleuth.language import syntax as s
from logsleuth.language.program import Program
from logsleuth.model import origin
from logsleuth.model.event import Occurrence

DEFAULT = GroupKey("pg", "0")
_UNKNOWN = GroupKey("pg", "?")
_DEFAULT_NAMES = frozenset(("default_pg", "default"))
_NEAREST = 8
"""Lines of the same writer behind and before an occurrence that are asked for its group."""


class Told(NamedTuple):
    """An occurrence with what is known of it before its group is."""

    occurrence: Occurrence
    subject: Subject
    attempt: int


class Groups:
    """Resolves groups, from all occurrences of a job."""

    def __init__(self, program: Program, told: Sequence[Told]) -> None:
        self._program = program
        self.events = frozenset(_group_events(program, told))
        """Events that speak of a group, also where a line of theirs does not tell which."""
        concerned = [item for item in told if item.occurrence.event in self.events]
        self._shared = _ambiguous(concerned)
        self._unnamed = _unnamed(concerned)
        siblings = _by_writer(program, concerned)
        self._keys = {id(item.occurrence): self._key(item, siblings) for item in concerned}
        self._by_attempt: dict[int, dict[GroupKey, list[Told]]] = defaultdict(lambda: defaultdict(list))
        for item in concerned:
            self._by_attempt[item.attempt][self._keys[id(item.occurrence)]].append(item)
        for groups in self._by_attempt.values():
            self._join_unknown(groups)

    def of(self, occurrence: Occurrence) -> GroupKey | None:
        """The group that the occurrence concerns; None for an event that speaks of no group."""
        return self._keys.get(id(occurrence))

    def all(self, kind: str, attempt: int, size: int, size_is_stated: bool) -> list[Group]:
        """The groups of one kind of which something was seen in the attempt of a job of this size.

        Where several groups are named, occurrences whose group is not known are in none of them.
        """
        groups = self._by_attempt.get(attempt, {})
        keys = sorted(key for key in groups if key.kind == kind and (key != _UNKNOWN or self._is_alone(key, groups)))
        return [self._group(key, groups[key], size, size_is_stated) for key in keys]

    def _is_alone(self, key: GroupKey, groups: Mapping[GroupKey, object]) -> bool:
        return (
            self._unnamed is not False
            and not self._shared
            and not any(other.kind == key.kind and other != key for other in groups)
        )

    # Keys

    def _key(self, item: Told, siblings: Mapping[object, Sequence[Occurrence]]) -> GroupKey:
        own = self._own_key(item.occurrence)
        if own is not None:
            return own
        # The lines beside it may name the group that this one does not.
        clause = self._program.events[item.occurrence.event].group_from
        if clause is not None:
            event, condition = clause
            near = siblings.get((event, item.occurrence.source, item.occurrence.tag), ())
            for other in _nearest(near, item.occurrence):
                key = self._own_key(other)
                if key is not None and holds(condition, _Lookup(item.occurrence, other)):
                    return key
        group = item.occurrence.group
        return DEFAULT if group is not None and _is_nameless(group) and self._unnamed else _UNKNOWN

    def _own_key(self, o: Occurrence) -> GroupKey | None:
        belongs = dict(self._program.events[o.event].belongs)
        if "comm" in belongs:
            name = o.fields.get(belongs["comm"])
            return GroupKey("comm", "?" if name is None else f"{name:x}" if isinstance(name, int) else str(name))
        group = o.group
        if group is None or _is_nameless(group):
            return None
        if group.guid in ("0", None) and (group.number == "0" or group.description in _DEFAULT_NAMES):
            return DEFAULT
        if group.guid is not None:
            return GroupKey("pg", group.guid)
        return None if group.number in self._shared else GroupKey("pg", f"number {group.number}")

    def _join_unknown(self, groups: dict[GroupKey, list[Told]]) -> None:
        """Occurrences without a group join the only one that there is."""
        known = [key for key in groups if key.kind == "pg" and key != _UNKNOWN]
        if _UNKNOWN in groups and len(known) == 1 and not self._shared:
            lost = groups.pop(_UNKNOWN)
            groups[known[0]] += lost
            self._keys.update((id(item.occurrence), known[0]) for item in lost)

    # Members

    def _group(self, key: GroupKey, items: Sequence[Told], size: int, size_is_stated: bool) -> Group:
        members = dict.fromkeys(m for item in items for m in item.subject.members if m.is_process)
        if _ranks_known(members):
            # A process that is not known to be any of the ranks may be each of them: it is no member of its own.
            members = dict.fromkeys(member for member in members if member.rank is not None)
        if key in (DEFAULT, _UNKNOWN):
            # Garbage may claim any size: ranks are listed as far as a job can have them.
            numbers = range(min(size, MOST_RANKS)) if _ranks_known(members) else range(0)
            ranks = {*(Member(MemberKind.RANK, (rank,)) for rank in numbers), *local_ranks_between(members)}
            return Group(key, _ordered({*members, *ranks}), max(size, len(members)), size_is_stated)
        places = self._places(items)
        if stated := self._stated_size(items):
            return Group(key, _ordered(members), max(stated, len(members)), True)
        inferred = _spaced(places)
        everyone = _ordered({*members, *inferred})
        return Group(key, everyone, max(len(everyone), max(places, default=-1) + 1), False, inferred - set(members))

    def _stated_size(self, items: Sequence[Told]) -> int | None:
        sizes = set()
        for item in items:
            field = dict(self._program.events[item.occurrence.event].belongs).get("size")
            if field is not None and isinstance(size := item.occurrence.fields.get(field), int) and size > 0:
                sizes.add(size)
        return sizes.pop() if len(sizes) == 1 else None

    def _places(self, items: Sequence[Told]) -> dict[int, Member]:
        """Rank in the group -> member, as far as lines tell both and agree."""
        found: dict[int, set[Member]] = defaultdict(set)
        for item in items:
            place = _place_of(item.occurrence)
            if place is not None and len(item.subject.members) == 1:
                found[place].add(item.subject.members[0])
        return {place: next(iter(members)) for place, members in found.items() if len(members) == 1}


class _Lookup:
    """Fields of an occurrence, and behind ``its`` those of another."""

    def __init__(self, own: Occurrence, other: Occurrence) -> None:
        self._own, self._other = own, other

    def __call__(self, node: s.Node) -> tuple[object, ...]:
        if isinstance(node, s.Attribute) and node.binding == "its":
            value = self._other.fields.get(node.field)
        else:
            value = self._own.fields.get(node.name) if isinstance(node, s.Field) else None
        return () if value is None else (value,)


def _group_events(program: Program, told: Iterable[Told]) -> Iterable[str]:
    yield from (card.name for card in program.uses().cards if card.tells_groups)
    for item in told:
        group = item.occurrence.group
        if group is not None and not _is_nameless(group):
            yield item.occurrence.event


def _ambiguous(told: Iterable[Told]) -> frozenset[str]:
    """Numbers of groups that stand for several: two ranks have the same place in them, or one rank has two."""
    members: dict[tuple[str, int], set[Member]] = defaultdict(set)
    places: dict[tuple[str, Member], set[int]] = defaultdict(set)
    for item in told:
        group, place = item.occurrence.group, _place_of(item.occurrence)
        if group is None or group.guid is not None or group.number in (None, "0") or place is None:
            continue
        for member in item.subject.members:
            members[group.number, place].add(member)
            places[group.number, member].add(place)
    shared = {number for (number, _), who in members.items() if len(who) > 1}
    return frozenset(shared | {number for (number, _), who in places.items() if len(who) > 1})


def _unnamed(told: Iterable[Told]) -> bool | None:
    """Whether lines that only tell a rank in a group (torch before 2.2) all speak of the default group, where that is
    the global rank; False where some rank has another place, so that there are other groups; None where it is open."""
    pairs = {
        (place, member.rank)
        for item in told
        if (group := item.occurrence.group) is not None and _is_nameless(group)
        if (place := group.rank) is not None
        for member in item.subject.members
        if member.rank is not None
    }
    if any(place != rank for place, rank in pairs):
        return False
    is_named = any(group is not None and not _is_nameless(group) for group in (i.occurrence.group for i in told))
    return True if len(pairs) > 1 and not is_named else None


def _by_writer(program: Program, told: Iterable[Told]) -> dict[object, list[Occurrence]]:
    """The occurrences that others take their group from, by event and writer, in the order of the source."""
    telling = program.shelf.those(lambda card: card.tells_groups)
    asked = {event.group_from[0] for event in telling if event.group_from}
    found: dict[object, list[Occurrence]] = defaultdict(list)
    for o in sorted((item.occurrence for item in told), key=lambda o: (o.source, o.offset)):
        if o.event in asked:
            found[o.event, o.source, o.tag].append(o)
    return found


def _nearest(near: Sequence[Occurrence], to: Occurrence) -> list[Occurrence]:
    """Those that follow, nearest first, then those before."""
    behind = [o for o in near if o.offset > to.offset][:_NEAREST]
    return behind + [o for o in reversed(near) if o.offset < to.offset][:_NEAREST]


def _is_nameless(group: origin.Group) -> bool:
    """Whether a line's tag tells only a rank in a group, and not which."""
    return group.guid is None and group.number is None


def _place_of(o: Occurrence) -> int | None:
    return None if o.group is None else o.group.rank


def _ranks_known(members: Iterable[Member]) -> bool:
    return any(member.rank is not None for member in members)


def _ordered(members: Iterable[Member]) -> tuple[Member, ...]:
    return tuple(sorted(members, key=lambda member: (member.rank is None, member.rank or 0, repr(member))))


def _spaced(places: Mapping[int, Member]) -> frozenset[Member]:
    """All members of a group whose ranks are evenly spaced, as in tensor, data and pipeline parallelism."""
    known = sorted((place, member.rank) for place, member in places.items() if member.rank is not None)
    if len(known) < 3:
        return frozenset()
    (first, start), (second, following) = known[:2]
    stride, rest = divmod(following - start, second - first)
    if rest or stride < 1 or any(rank != start + (place - first) * stride for place, rank in known):
        return frozenset()
    base, largest = start - first * stride, known[-1][0]
    if base < 0:
        return frozenset()
    return frozenset(Member(MemberKind.RANK, (base + place * stride,)) for place in range(largest + 1))
