"""What an expression is worth to the others: worked out once for all members of a scope, however many of them ask."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from logsleuth.engine.all_but_one import AllButOne, of_peers
from logsleuth.engine.roster import Sighting
from logsleuth.engine.scope import Scope
from logsleuth.engine.subject import GroupKey, Member, MemberKind
from logsleuth.language import syntax as s

MOST_CITED = 8
"""Of how many peers the lines are cited that their values were taken from."""
_KINDS = {MemberKind.GPU: "gpus", MemberKind.HOST: "hosts"}


class Told(NamedTuple):
    """What the expression is worth to one member, and the occurrences that this was taken from."""

    member: Member
    value: object
    consulted: Sequence[Sighting]


class Known(NamedTuple):
    """What is known of the members of a scope; those of which nothing is known are left out."""

    told: list[Told]
    """In the order of the members."""
    places: dict[Member, int]
    """Where in it each member stands."""
    values: AllButOne
    members: frozenset[Member]
    """All of the scope."""

    def come_to(self, name: str, own: Member | None) -> object | None:
        """What a function of peers gives of all members but one; None where too little is known of them."""
        return of_peers(name, self.values, self._place(own), self._others(own))

    def is_far(self, value: object, own: Member | None, factor: object) -> bool | None:
        """Whether the value of a member is far from those of all others; None where too little is known of them."""
        numbers = self.values.count_of_numbers(self._place(own))
        if not isinstance(value, int | float) or numbers < 2 or numbers * 2 < self._others(own):
            return None
        return isinstance(factor, int | float) and self.values.is_far(value, self._place(own), factor)

    def _place(self, own: Member | None) -> int | None:
        """Where among the values that of one member stands; None where nothing is known of it."""
        return None if own is None else self.places.get(own)

    def _others(self, own: Member | None) -> int:
        """How many members there are beside one."""
        return len(self.members) - (own in self.members)


class _Place(NamedTuple):
    node: int
    attempt: int
    of_member: Member | None
    group: GroupKey | None
    first: Member | None
    members: int


def kind_of_peers(member: Member | None) -> str:
    """Which set a member's peers are of: GPUs of a GPU, hosts of a host, else ranks."""
    return "ranks" if member is None else _KINDS.get(member.kind, "ranks")


class Peers:
    """Keeps what is known of the members; the nodes of a program live as long as it does."""

    def __init__(self) -> None:
        self._known: dict[_Place, Known] = {}

    def of(
        self, node: s.Node, scope: Scope, members: Sequence[Member], work_out: Callable[[Member], Told | None]
    ) -> Known:
        """What is known of the members."""
        group = scope.group.key if scope.group is not None else None
        place = _Place(id(node), scope.attempt, scope.member, group, members[0] if members else None, len(members))
        if place not in self._known:
            told = [told for member in members if (told := work_out(member)) is not None]
            places = {one.member: at for at, one in enumerate(told)}
            self._known[place] = Known(told, places, AllButOne([one.value for one in told]), frozenset(members))
        return self._known[place]
