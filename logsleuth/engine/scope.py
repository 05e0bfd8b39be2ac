"""Where a rule is judged: an attempt, and in it one member, one process group or one communicator."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from logsleuth.engine.roster import Sighting
from logsleuth.engine.subject import Group, Member
from logsleuth.language import syntax as s

Bindings = dict[str, list[Sighting]]


@dataclass(frozen=True, slots=True)
class MemberSet:
    """Members for which something holds, those for which it may, and on what that rests."""

    members: tuple[Member, ...]
    maybe: tuple[Member, ...] = ()
    support: Mapping[Member, tuple[Sighting, ...]] = field(default_factory=dict, hash=False)
    of: int = 0
    """How many members were asked."""
    silent: tuple[Member, ...] = ()
    """Those of ``maybe`` that left no log."""


@dataclass(frozen=True, slots=True)
class ValueSet:
    """Different values, in the order in which they were seen."""

    values: tuple[object, ...]


Lets = Mapping[str, s.Let | MemberSet | ValueSet]
"""What a rule has named: sets are worked out where they are named, other expressions where they are used."""


_NOTHING: Lets = MappingProxyType({})


class Scope(NamedTuple):
    attempt: int
    member: Member | None = None
    group: Group | None = None
    lets: Lets = _NOTHING


class At(NamedTuple):
    """Where an expression stands: the scope, what is bound, and the member that it is asked of."""

    scope: Scope
    known: Bindings
    member: Member | None = None
    sighting: Sighting | None = None
    """The occurrence that a filter is asked of."""
