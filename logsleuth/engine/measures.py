"""What expressions of conditions are worth: fields, names that a rule has given, counts, sets, members and peers."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from logsleuth.engine.aggregates import most_within, reduced
from logsleuth.engine.expressions import Lookup
from logsleuth.engine.headway import OF_TIME, Headway
from logsleuth.engine.memory import Memory, Values, Worth
from logsleuth.engine.peers import MOST_CITED, Known, Peers, Told, kind_of_peers
from logsleuth.engine.plan import Plan
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.scope import At, Bindings, MemberSet, Scope, ValueSet
from logsleuth.engine.search import Found, Search
from logsleuth.engine.series_calls import SeriesCalls
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.engine.truth import Between, Truth, calculated, extreme
from logsleuth.engine.values import binding_values, reduced_binding, sighting_values, time_of
from logsleuth.language import syntax as s
from logsleuth.language.program import Program

_OUTLIER = 5.0
"""How many times farther than its peers usually are a member lies from their median to be an outlier."""


_MANY = s.EventField | s.Attribute | s.SeriesName
"""Arguments that stand for the values of many occurrences rather than for one number."""

TruthOf = Callable[[s.Node, At], Truth]


class Measures:
    """Works out expressions. ``truth_of`` decides the conditions in them."""

    def __init__(self, program: Program, plan: Plan, roster: Roster, truth_of: TruthOf) -> None:
        self._roster, self._truth_of = roster, truth_of
        self.search = Search(program, plan, roster, self.lookup)
        self._series = SeriesCalls(plan, roster)
        self._headway = Headway(program, roster)
        self._support: list[Sighting] | None = None
        self.memory = Memory()
        self._peers = Peers()

    def lookup(self, sighting: Sighting, scope: Scope, known: Bindings) -> Lookup:
        """The lookup of a filter's names on one occurrence."""
        at = At(scope, known, None, sighting)

        def look(node: s.Node) -> tuple[object, ...]:
            if isinstance(node, s.Field) and (found := sighting_values(sighting, node.name)):
                return found
            return tuple(self.values(node, at) or ())

        return look

    def values(self, node: s.Node, at: At) -> Values:
        """The values that an expression may have: several for a field of several occurrences, None where unknown."""
        match node:
            case s.Value():
                return (node.value / 100 if node.unit == "percent" and not isinstance(node.value, str) else node.value,)
            case s.Values():
                return node.items
            case s.Field():
                return self._named(node.name, at)
            case s.Attribute():
                return self._attribute(node, at)
            case s.EventField():
                return self._field_values(node, at)
            case s.Members():
                return (self.members(node, at),)
            case s.Call():
                return self._remembered(node, at, partial(self._call, node))
            case s.Operation(operator="of"):
                return self._share(node, at)
            case s.Operation(operator="+" | "-" | "*" | "/") if node.right is not None:
                left, right = self.values(node.left, at), self.values(node.right, at)
                if left is None or right is None:
                    return None
                results = (calculated(node.operator, a, b) for a, b in self.search.work.pairs(left, right))
                return [result for result in results if result is not None] or None
            case s.Reference() | s.SeriesName() | s.Mention() | s.Let():
                return None  # Only functions ask for these.
        truth = self._truth_of(node, at)
        return None if truth is None else (truth,)

    def _remembered(self, node: s.Node, at: At, work_out: Callable[[At], Values]) -> Values:
        """What an expression is worth, worked out once for each member, or once for all where it asks for no member."""
        if at.sighting is not None:
            return work_out(at)
        if not self.memory.depends_on_member(node, at.scope.lets):
            at = at._replace(member=None)

        def first() -> Worth:
            with self._recorded() as consulted:
                values = work_out(at)
            return Worth(values, tuple(consulted))

        worth = self.memory.recall(node, at.scope, at.member, first)
        if self._support is not None:
            self._support += worth.consulted
        return worth.values

    def _one(self, node: s.Node, at: At) -> object | None:
        """The value of an expression where it has one."""
        values = self.values(node, at)
        return values[0] if values is not None and len(values) == 1 else None

    # Names

    def _named(self, name: str, at: At) -> Values:
        if name in at.scope.lets:
            let = at.scope.lets[name]
            if isinstance(let, s.Let):
                return self._remembered(let.value, at._replace(sighting=None), partial(self.values, let.value))
            return (let,)
        if name in ("ranks", "hosts", "gpus"):
            return (self._everybody(name, "", False, at.scope),)
        if name in at.known:
            return (MemberSet(tuple(dict.fromkeys(m for x in at.known[name] for m in x.subject.members))),)
        return () if at.sighting is not None else None

    def _attribute(self, node: s.Attribute, at: At) -> Values:
        chosen = at.scope.lets.get(node.binding)
        if chosen is None:
            return binding_values(at.known, node.binding, node.field)
        if not isinstance(chosen, MemberSet):
            return None
        found = (self._named(node.field, at._replace(member=member)) for member in chosen.members)
        return tuple(dict.fromkeys(value for told in found if told is not None for value in told)) or None

    # Members

    def _everybody(self, kind: str, which: str, job_wide: bool, scope: Scope) -> MemberSet:
        if kind == "hosts":
            return MemberSet(tuple(Member(MemberKind.HOST, (host,)) for host in self._roster.hosts))
        if kind == "gpus":
            gpus = self._roster.gpus(scope.attempt)
            return MemberSet(gpus, of=len(gpus))
        group = None if job_wide else scope.group
        members = self._roster.everyone(scope.attempt) if group is None else group.members
        asked = len(members)
        if which:
            members = tuple(member for member in members if self._roster.left_log(member) is (which == "seen"))
        return MemberSet(members, of=asked)

    def size(self, scope: Scope, job_wide: bool = False) -> object:
        """How many ranks the scope has: a number where lines state it, else at least so many."""
        group = None if job_wide else scope.group
        size = self._roster.size if group is None else group.size
        return size if (group or self._roster).size_is_stated else Between(size, math.inf)

    def members(self, node: s.Members, at: At) -> MemberSet:
        """The members that a set is made of, and those that it may hold."""
        if node.of:
            return self._hosts_of(node.of, at)
        everybody = self._everybody(node.kind, node.which, node.job_wide, at.scope)
        if node.where is None:
            return everybody
        yes: list[Member] = []
        maybe: list[Member] = []
        support: dict[Member, tuple[Sighting, ...]] = {}
        for member in everybody.members:
            with self._recorded() as consulted:
                truth = self._truth_of(node.where, at._replace(member=member, sighting=None))
            if truth:
                yes.append(member)
                support[member] = tuple({id(s): s for s in consulted}.values())
            elif truth is None:
                maybe.append(member)
        silent = tuple(member for member in maybe if not self._roster.left_log(member))
        everyone = self._everybody(node.kind, "", node.job_wide, at.scope).members
        return MemberSet(tuple(yes), tuple(maybe), support, len(everyone), silent)

    @contextmanager
    def _recorded(self) -> Iterator[list[Sighting]]:
        """Collects the occurrences that values are taken from meanwhile."""
        outer, self._support = self._support, []
        try:
            yield self._support
        finally:
            self._support = outer

    def _hosts_of(self, name: str, at: At) -> MemberSet:
        hosts: dict[str, None] = {}
        for value in self._named(name, at) or ():
            if isinstance(value, MemberSet):
                hosts |= dict.fromkeys(host for m in value.members if (host := self._roster.host_of(m)))
            elif isinstance(value, ValueSet):
                hosts |= dict.fromkeys(self._roster.host_at(str(address)) for address in value.values)
        for sighting in at.known.get(name, ()):
            if sighting.subject.host:
                hosts[sighting.subject.host] = None
        return MemberSet(tuple(Member(MemberKind.HOST, (host,)) for host in hosts))

    # Functions

    def _call(self, node: s.Call, at: At) -> Values:
        name, arguments = node.function, node.arguments
        if series := self._series.named(arguments[0], at.sighting):
            return self._series.of(node, series, at.scope, at.member, at.sighting)
        if name == "count":
            return (self._count(node, at),)
        if name in OF_TIME and isinstance(arguments[0], s.Reference):
            return self._time(node, arguments[0], at)
        if name == "distinct":
            return (ValueSet(tuple(dict.fromkeys(self._collected(arguments[0], at)))),)
        if name in ("min", "max") and not isinstance(arguments[0], _MANY):
            told = [value for item in arguments for value in self.values(item, at) or (None,)]
            result = None if None in told else extreme(name == "max", told)
        elif name == "known":
            result = next((value for item in arguments for value in self.values(item, at) or ()), None)
        elif name.startswith("peers."):
            result = self._peers_of(arguments[0], at).come_to(name, at.member or at.scope.member)
        elif name == "outlier":
            return self._outlier(node, at)
        elif name in ("abs", "isnan"):
            value = self._one(arguments[0], at)
            if not isinstance(value, int | float):
                return None
            result = abs(value) if name == "abs" else not math.isfinite(value)
        else:
            what = arguments[0]
            if isinstance(what, s.Attribute) and what.binding not in at.scope.lets:
                result = reduced_binding(name, at.known.get(what.binding, ()), what.field)
            else:
                result = reduced(name, self._collected(what, at))
        return None if result is None else (result,)

    def _time(self, node: s.Call, reference: s.Reference, at: At) -> Values:
        if self._headway.is_of_job(reference.event):
            at = at._replace(member=None, scope=at.scope._replace(member=None))
        further = [self._one(item, at) for item in (*node.arguments[1:], *dict(node.options).values())]
        found, member = self.found(reference, at).kept, at.member or at.scope.member
        told = self._headway.ask(node.function, reference.event, found, at.scope.attempt, member, further)
        return None if told is None else (told,)

    def _share(self, node: s.Operation, at: At) -> Values:
        assert node.right is not None
        share, whole = self._one(node.left, at), self._one(node.right, at)
        if isinstance(whole, MemberSet):
            whole = self._number_of(node.right, whole, at)
        result = calculated("*", share, whole)
        return None if result is None else (result,)

    def _count(self, node: s.Call, at: At) -> object:
        what = node.arguments[0]
        if isinstance(what, s.Reference):
            found, least, most = self.found(what, at)
            within = dict(node.options).get("within")
            if isinstance(within, s.Value) and isinstance(within.value, int | float):
                low, high = most_within([x.began.high for x in found], within.value)
            else:
                low, high = len(found) + least, len(found)
            is_silent = at.member is not None and not self._roster.left_log(at.member)
            return Between(low, math.inf if is_silent else high + most)
        value = self._one(what, at)
        if isinstance(value, ValueSet):
            return len(value.values)
        return self._number_of(what, value, at) if isinstance(value, MemberSet) else 0

    def _number_of(self, node: s.Node, chosen: MemberSet, at: At) -> object:
        if isinstance(node, s.Field) and node.name == "ranks" and node.name not in at.scope.lets:
            return self.size(at.scope)
        if isinstance(node, s.Members) and node.is_all_ranks:
            return self.size(at.scope, node.job_wide)
        return Between(len(chosen.members), len(chosen.members) + len(chosen.maybe))

    def found(self, reference: s.Reference, at: At) -> Found:
        """The occurrences of an event in the scope: of the member at hand, or of anybody."""
        if at.member is not None:
            return self.search.find_of((at.member,), reference, at.scope, at.known)
        return self.search.find(reference, at.scope, at.known)

    def _collected(self, node: s.Node, at: At) -> list[object]:
        """The values of a field over the occurrences of an event, of a binding or over a set, as they came in time."""
        if isinstance(node, s.EventField):
            return list(self._field_values(node, at))
        if not isinstance(node, s.Attribute):
            return list(self.values(node, at) or ())
        chosen = at.scope.lets.get(node.binding)
        if isinstance(chosen, MemberSet):
            told = (self._one(s.Field(node.field, node.at), at._replace(member=m)) for m in chosen.members)
            return [value for value in told if value is not None]
        found = sorted(at.known.get(node.binding, ()), key=time_of)
        return [value for sighting in found for value in sighting_values(sighting, node.field)]

    def _field_values(self, node: s.EventField, at: At) -> Sequence[object]:
        found = sorted(self.found(node.reference, at).kept, key=time_of)
        told = [(value, x) for x in found for value in sighting_values(x, node.field)]
        if self._support is not None and told:
            self._support += [told[-1][1]]
        return [value for value, _ in told]

    # Peers

    def _peers_of(self, node: s.Node, at: At) -> Known:
        """What is known of the members of the scope, the one at hand among them."""
        own = at.member or at.scope.member
        everybody = self._everybody(kind_of_peers(own), "", False, at.scope).members

        def work_out(member: Member) -> Told | None:
            with self._recorded() as consulted:
                value = self._one(node, at._replace(member=member, sighting=None))
            return None if value is None else Told(member, value, consulted)

        known = self._peers.of(node, at.scope, everybody, work_out)
        if self._support is not None:
            others = [told for told in known.told[: MOST_CITED + 1] if told.member != own]
            self._support += [sighting for told in others[:MOST_CITED] for sighting in told.consulted]
        return known

    def _outlier(self, node: s.Call, at: At) -> Values:
        known = self._peers_of(node.arguments[0], at)
        own = self._one(node.arguments[0], at)
        factor = self._one(dict(node.options).get("factor", s.Value(_OUTLIER)), at)
        is_far = known.is_far(own, at.member or at.scope.member, factor)
        return None if is_far is None else (is_far,)
