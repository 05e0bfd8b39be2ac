"""What an expression is worth to the others: worked out once for all members of a scope, however many of them ask."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

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


class _Place(NamedTuple):
    node: int
    attempt: int
    of_member: Member | None
    group: GroupKey | None
    first: Member
    members: int


def kind_of_peers(member: Member | None) -> str:
    """Which set a member's peers are of: GPUs of a GPU, hosts of a host, else ranks."""
    return "ranks" if member is None else _KINDS.get(member.kind, "ranks")


class Peers:
    """Keeps what is known of the members; the nodes of a program live as long as it does."""

    def __init__(self) -> None:
        self._told: dict[_Place, list[Told]] = {}

    def of(
        self, node: s.Node, scope: Scope, members: Sequence[Member], work_out: Callable[[Member], Told | None]
    ) -> list[Told]:
        """What is known of the members, in their order; those of which nothing is known are left out."""
        if not members:
            return []
        group = scope.group.key if scope.group is not None else None
        place = _Place(id(node), scope.attempt, scope.member, group, members[0], len(members))
        if place not in self._told:
            self._told[place] = [told for member in members if (told := work_out(member)) is not None]
        return self._told[place]
