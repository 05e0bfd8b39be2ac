"""Finds rules that no input can fire, and conditions that no input can fail."""

from collections.abc import Iterator, Mapping

from logsleuth.language import syntax as s
from logsleuth.language.bounds import Bounds, atom_of, constant
from logsleuth.language.kinds import Kinds
from logsleuth.language.messages import WARNING, Message
from logsleuth.language.program import types_of, types_of_column
from logsleuth.language.shape import shape
from logsleuth.language.walk import walk


def check_reachable(rule: s.Rule, events: Mapping[str, s.Event], kinds: Kinds) -> Iterator[Message]:
    """A warning for each condition of a resolved rule that never holds, or always does."""
    yield from _across_clauses(rule, kinds)
    yield from _scope(rule, events)
    for clause in (*rule.when, *rule.needs, *rule.unless):
        if not isinstance(clause, s.Clause):
            continue
        for part in conjuncts(clause):
            if isinstance(part, s.Value) and isinstance(part.value, bool):
                say = _always if part.value else _never
                yield say(part.at, "it is a constant", "Ask for what an event or a function tells.")
        for node in walk(clause):
            if isinstance(node, s.Quantified):
                yield from _quantifier(node)
                yield from _nobody(node, events)
            elif isinstance(node, s.Operation):
                yield from _comparison(node)
            elif isinstance(node, s.Reference) and node.filter is not None:
                parts = list(conjuncts(node.filter))
                yield from _contradictions(parts, kinds, node.event)
                if node.event in events:
                    yield from _untold(parts, events[node.event], kinds)


def conjuncts(node: s.Node) -> Iterator[s.Node]:
    """The conditions that all have to hold for this one to hold."""
    if isinstance(node, s.Clause):
        yield from conjuncts(node.condition)
    elif isinstance(node, s.AllOf):
        for item in node.items:
            yield from conjuncts(item)
    else:
        yield node


def _never(at: s.Place, why: str, remedy: str) -> Message:
    return Message("LS238", at, f"this never holds: {why}", remedy, WARNING)


def _always(at: s.Place, why: str, remedy: str) -> Message:
    return Message("LS239", at, f"this always holds: {why}", remedy, WARNING)


# Of one condition


def _quantifier(node: s.Quantified) -> Iterator[Message]:
    at = node.pattern.reference.at
    if node.quantifier == "at least percent" and node.number > 100:
        yield _never(at, f"no {node.number:g}% of the members exist", "Write 100% or less, or 'every'.")
    elif node.quantifier in ("at least", "at least percent") and node.number == 0:
        yield _always(at, "at least none is any number", "Write 'some', or the least number that counts.")
    elif node.quantifier == "exactly" and node.number == 0:
        remedy = f"Write 'no {node.member} has'."
        yield Message("LS239", at, "'exactly 0' asks that nobody has it, which has a word of its own", remedy, WARNING)


def _nobody(node: s.Quantified, events: Mapping[str, s.Event]) -> Iterator[Message]:
    event = events.get(node.pattern.reference.event)
    if event is not None and event.about_job:
        why = f"'{event.name}' is about the job, and so about no {node.member}"
        say, word = (_always, "no") if node.quantifier == "no" else (_never, "seen")
        yield say(node.pattern.reference.at, why, f"Write '{word} {event.name}'.")


def _scope(rule: s.Rule, events: Mapping[str, s.Event]) -> Iterator[Message]:
    """Events about the job, asked for of a member."""
    if rule.scope not in ("rank", "host"):
        return
    for item in rule.when:
        for part in conjuncts(item) if isinstance(item, s.Clause) else ():
            if isinstance(part, s.Seen):
                event = events.get(part.pattern.reference.event)
                if event is not None and event.about_job:
                    why = f"'{event.name}' is about the job, and the rule is judged for each {rule.scope}"
                    yield _never(part.pattern.reference.at, why, "Leave out 'for each', or ask for another event.")


def _comparison(node: s.Operation) -> Iterator[Message]:
    """A comparison of two constants that are written there, or of a number with what it can never be."""
    if node.right is None:
        return
    if isinstance(node.right, s.Values) and not node.right.items and node.operator == "in":
        yield _never(node.right.at, "the list is empty", "Put into the list what fits.")
    elif isinstance(node.left, s.Value) and isinstance(node.right, s.Value):
        if (atom := atom_of(node, {})) is not None:
            holds = atom.holds_for(constant(node.left, {}))
            say = _always if holds else _never
            yield say(node.at, "both sides are constants", "Compare with what an event or a function tells.")
    elif (atom := atom_of(node, {})) is not None and isinstance(atom.operand, s.Call):
        least = _least_of(atom.operand)
        if least is not None and not atom.bounds.meets(least):
            yield _never(node.at, f"'{atom.operand.function}' is never below 0", "Compare it with a number it can be.")
        elif least is not None and atom.bounds.covers(least):
            yield _always(node.at, f"'{atom.operand.function}' is never below 0", "Remove it, or ask for 1 or more.")


def _least_of(call: s.Call) -> Bounds | None:
    """What a function may give at all, where that is not any number."""
    return Bounds(least=0) if call.function in ("count", "abs") else None


# Of several


def _contradictions(parts: list[s.Node], kinds: Kinds, event: str) -> Iterator[Message]:
    """Conditions on one field, or on what one call gives, that exclude each other."""
    told: dict[object, Bounds] = {}
    for part in parts:
        if not isinstance(part, s.Operation) or (atom := atom_of(part, kinds.constants)) is None:
            continue
        if not (name := _one(atom.operand, kinds, event)):
            continue
        key = shape(atom.operand)
        before = told.get(key)
        if before is not None and not before.meets(atom.bounds):
            remedy = "Write 'or' between the two, or remove one of them."
            yield _never(part.at, f"no '{name}' is both this and what is asked of it before", remedy)
            return
        told[key] = before.both(atom.bounds) if before else atom.bounds


def _one(operand: s.Node, kinds: Kinds, event: str) -> str:
    """What a message calls an operand that has one value; nothing for one that may have several."""
    match operand:
        case s.Call():
            return f"{operand.function}(...)"
        case s.Field() if event and kinds.is_field(event, operand.name) and operand.name not in _MANY:
            return operand.name
    return ""


_MANY = frozenset(("rank", "local_rank"))
"""Fields that have several values where an occurrence concerns several members."""


def _untold(parts: list[s.Node], event: s.Event, kinds: Kinds) -> Iterator[Message]:
    """Fields that a filter asks for together and no wording tells together."""
    given = kinds.own_fields(event.name)
    asked: dict[str, s.Place] = {}
    for part in parts:
        if isinstance(part, s.Operation) and isinstance(part.left, s.Field) and part.left.name in given:
            asked.setdefault(part.left.name, part.left.at)
    made = {count.field for count in event.counts}
    if len(asked) > 1 and not any(asked.keys() - made <= one for one in _told_together(event)):
        names = " and ".join(f"'{name}'" for name in asked)
        remedy = "Ask for fields of one wording, or write 'or' between them."
        yield _never(list(asked.values())[-1], f"no wording of '{event.name}' tells {names} together", remedy)


def _told_together(event: s.Event) -> Iterator[set[str]]:
    for wording in event.wordings:
        yield set(types_of(wording))
    for block in event.blocks:
        yield {name for item in block.items if item.wording for name in types_of(item.wording)}
    for table in event.tables:
        yield {name for column in table.columns for name in types_of_column(column)}


# Of several clauses


def _across_clauses(rule: s.Rule, kinds: Kinds) -> Iterator[Message]:
    asked = [part for item in (*rule.when, *rule.needs) if isinstance(item, s.Clause) for part in conjuncts(item)]
    yield from _contradictions(asked, kinds, "")
    seen: dict[object, s.Node] = {}
    for part in asked:
        if isinstance(part, s.Seen | s.Quantified) and _asks_for_some(part):
            reference = part.pattern.reference
            seen.setdefault((reference.event, reference.job_wide), part)
            seen.setdefault((reference.event, reference.job_wide, shape(reference.filter)), part)
    for part in asked:
        if isinstance(part, s.Absent):
            key: tuple[object, ...] = (part.reference.event, part.reference.job_wide)
            if part.reference.filter is not None:
                key = (*key, shape(part.reference.filter))
            if key in seen:
                why = f"the rule asks for '{part.reference.event}' and for none of it"
                yield _never(part.reference.at, why, "Remove one of the two, or narrow it by a filter.")
    yield from _repeated(rule, asked)


def _asks_for_some(part: s.Seen | s.Quantified) -> bool:
    """Whether it holds only where the event occurred."""
    if isinstance(part, s.Seen):
        return True
    return part.quantifier in ("every", "some", "most") or (
        part.quantifier in ("exactly", "at least", "at least percent") and part.number > 0
    )


def _repeated(rule: s.Rule, asked: list[s.Node]) -> Iterator[Message]:
    """What an ``unless`` takes back, and what is asked for twice."""
    shapes: set[object] = set()
    for part in asked:
        if (kind := shape(part)) in shapes:
            at = s.place_of(part)
            yield Message("LS240", at, "this condition stands in the rule already", "Remove one of the two.", WARNING)
        shapes.add(kind)
    without_names = {shape(_nameless(part)) for part in asked} if rule.unless else set()
    for clause in rule.unless:
        ways = clause.condition.items if isinstance(clause.condition, s.AnyOf) else (clause.condition,)
        for way in ways:
            if shape(_nameless(way)) in without_names:
                why = "what 'unless' names is what a 'when' or 'needs' of the rule asks for"
                yield Message(
                    "LS238", s.place_of(way), f"this rule never holds: {why}", "Remove one of the two.", WARNING
                )


def _nameless(node: s.Node) -> s.Node:
    """A condition without the names that it binds."""
    if isinstance(node, s.Seen) and not node.pattern.steps:
        return s.Seen(s.Pattern(node.pattern.reference, "", ()))
    return node
