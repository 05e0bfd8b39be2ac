"""Puts what definitions say in the place of their names, before the names of a rule are resolved.

So neither the checker of rules nor the engine knows of definitions: they see trees as a rule could have written them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from logsleuth.language import syntax as s
from logsleuth.language.check_condition import Names
from logsleuth.language.functions import FUNCTIONS
from logsleuth.language.limits import DEEPEST, MOST_TERMS
from logsleuth.language.messages import Message
from logsleuth.language.program import ORIGIN_FIELDS
from logsleuth.language.substitute import SCOPE_NAMES, MisfitError, Substitution, event_of, parts, rebuilt

Notes = dict[s.Place, str]
"""What to add to a message about a place, for definitions that have a part in it."""
ANYTHING = ""
"""The name of the parameter that stands where nothing can be said."""


class Meaning(NamedTuple):
    """A definition that can be used."""

    definition: s.Definition
    body: s.Node
    """Without calls of other definitions."""
    uses: tuple[s.Definition, ...]
    """Those that it called, and that these did."""


class Lookup(Protocol):
    """Finds definitions by name."""

    declared: Mapping[str, s.Definition]
    names: Names

    def meaning(self, name: str, at: s.Place) -> Meaning | None:
        """What a definition means; None where it has errors, which are told elsewhere."""


class Expansion:
    """Expands what one owner says: a rule, an adjustment, an event, or another definition."""

    def __init__(
        self,
        definitions: Lookup,
        lets: frozenset[str] = frozenset(),
        bindings: frozenset[str] = frozenset(),
        parameters: frozenset[str] = frozenset(),
    ) -> None:
        self._definitions, self._names = definitions, definitions.names
        self._lets, self._local, self._parameters = lets, lets | bindings | SCOPE_NAMES, parameters
        self._terms = 0
        self.errors: list[Message] = []
        self.notes: Notes = {}
        self._calls: dict[s.Place, s.Definition] = {}
        self._hidden: set[str] = set()
        self.used: dict[str, s.Definition] = {}
        """All that were used, directly or not, in the order of their first use."""

    def node(self, node: s.Node, event: str = "") -> s.Node:
        """A condition or a value without definitions; ``event`` where it stands in a filter of its."""
        self._terms = 0
        expanded: s.Node = self._visit(node, event)
        if self.used and not self.errors and _depth(expanded) > DEEPEST:
            at = min(self._calls, key=lambda place: (place.line, place.column))
            self._too_large(at, f"nests more than {DEEPEST} terms deep")
            return s.Parameter(ANYTHING, "", at)
        return expanded

    def _visit(self, node: Any, event: str) -> Any:
        match node:
            case s.Field():
                return self._name(node, event)
            case s.Call() if node.function in self._definitions.declared and node.function not in FUNCTIONS:
                return self._call(node, event)
            case s.Mention() if node.name.partition(".")[0] in self._parameters:
                return self._field_of_parameter(node)
            case s.Reference() | s.Mention():
                inner = event_of(node, self._is_event)
                return rebuilt(node, lambda part: self._visit(part, inner))
            case s.Members():
                return rebuilt(node, lambda part: self._visit(part, ""))
        return rebuilt(node, lambda part: self._visit(part, event))

    # Names

    def _is_event(self, name: str) -> bool:
        return name in self._names.fields or name in self._names.series

    def _is_field(self, event: str, name: str) -> bool:
        if event in self._names.series:
            return name in ("value", "step")
        fields = self._names.fields.get(event, {})
        return fields is None or name in fields or name in ORIGIN_FIELDS

    def _name(self, node: s.Field, event: str) -> s.Node:
        is_field = bool(event) and self._is_field(event, node.name)
        if node.name in self._parameters:
            if is_field and node.name not in self._hidden and self._names.fields.get(event, {}) is not None:
                self._hidden.add(node.name)
                text = f"the parameter '{node.name}' hides the field '{node.name}' of '{event}'"
                self.errors.append(Message("LS224", node.at, text, "Call the parameter otherwise."))
            return s.Parameter(node.name, "", node.at)
        if node.name in self._local or is_field or node.name not in self._definitions.declared:
            return node
        return self._expanded(node.name, (), node.at, event)

    def _field_of_parameter(self, node: s.Mention) -> s.Node:
        name, _, field = node.name.partition(".")
        if "." in field or node.filter is not None:
            text = f"only a field of the parameter '{name}' can be asked for, without a filter"
            self.errors.append(Message("LS227", node.at, text, "Filter the event where the definition is called."))
        return s.Parameter(name, field, node.at)

    # Calls

    def _call(self, node: s.Call, event: str) -> s.Node:
        if node.options:
            text = f"'{node.function}' is a definition and takes nothing by name, such as {node.options[0][0]} = ..."
            self._wrong_call(node.function, node.at, text)
        arguments = tuple(self._visit(argument, event) for argument in node.arguments)
        return self._expanded(node.function, arguments, node.at, event)

    def _expanded(self, name: str, arguments: tuple[s.Node, ...], at: s.Place, event: str) -> s.Node:
        definition = self._definitions.declared[name]
        asked, given = len(definition.parameters), len(arguments)
        if asked != given:
            counted = f"{asked or 'no'} argument{'s' if asked != 1 else ''}"
            self._wrong_call(name, at, f"'{name}' takes {counted}, not {given}")
            return s.Parameter(ANYTHING, "", at)
        meaning = self._definitions.meaning(name, at)
        if meaning is None:
            return s.Parameter(ANYTHING, "", at)
        self._calls[at] = definition
        self.notes[at] = f", in '{name}' (defined at {told(definition.at)})"
        self.used |= {one.name: one for one in (definition, *meaning.uses)}
        substitution = Substitution(definition, arguments, at, self._lets, self._is_event, bool(event))
        try:
            body = substitution.body(meaning.body)
        except MisfitError as misfit:
            self.errors.append(misfit.message)
            return s.Parameter(ANYTHING, "", at)
        # Trees are shared and so never large, but whoever walks them walks each as often as it stands there.
        note = f"; '{name}', defined at {told(definition.at)}, asks for it"
        self.notes |= dict.fromkeys(substitution.asked, note)
        for _ in parts(body):
            self._terms += 1
            if self._terms > MOST_TERMS:
                self._too_large(at, f"grows to more than {MOST_TERMS:,} terms")
                return s.Parameter(ANYTHING, "", at)
        return body

    def _wrong_call(self, name: str, at: s.Place, text: str) -> None:
        definition = self._definitions.declared[name]
        remedy = f"It is defined at {told(definition.at)}: {definition.told}."
        self.errors.append(Message("LS226", at, text, remedy))

    def _too_large(self, at: s.Place, how: str) -> None:
        name = self._calls[at].name
        remedy = "Define less in terms of other definitions, or use them less often in one condition."
        self.errors.append(Message("LS228", at, f"with '{name}' written out this {how}", remedy))


def _depth(node: s.Node) -> int:
    """How deep a tree is, as far as a limit asks."""
    level: list[s.Node] = [node]
    depth = 0
    while level and depth <= DEEPEST:
        depth += 1
        level = [part for item in level for part in _below(item)]
    return depth


def _below(node: s.Node) -> list[Any]:
    """The nodes right below one."""
    found: list[Any] = []

    def collect(part: Any) -> Any:
        found.append(part)
        return part

    rebuilt(node, collect)
    return found


def told(at: s.Place) -> str:
    """``site.sleuth:3``."""
    return f"{at.file}:{at.line}"


class Expander:
    """Expands rules and what sites make of them, and knows afterwards what to say of errors in what was expanded."""

    def __init__(self, definitions: Lookup) -> None:
        self._definitions = definitions
        self.errors: list[Message] = []
        self.notes: Notes = {}

    def rule(self, rule: s.Rule) -> s.Rule:
        """The rule without definitions."""
        if not self._definitions.declared:
            return rule
        names = _names_in(rule)
        expand = self._expansion(names).node
        return replace(
            rule,
            when=tuple(
                self._clause(item, names) if isinstance(item, s.Clause) else replace(item, value=expand(item.value))
                for item in rule.when
            ),
            needs=tuple(self._clause(item, names) for item in rule.needs),
            unless=tuple(self._clause(item, names) for item in rule.unless),
            confidence=tuple(
                replace(level, condition=expand(level.condition)) if level.condition else level
                for level in rule.confidence
            ),
            explains=tuple(rebuilt(item, expand) for item in rule.explains),
        )

    def adjustment(self, adjustment: s.Adjustment, rules: Mapping[str, s.Rule]) -> s.Adjustment:
        """What a site makes of one of the rules, without definitions."""
        rule = rules.get(adjustment.rule)
        if rule is None or not self._definitions.declared:
            return adjustment
        names = _names_in(rule)
        needs = tuple(self._clause(item, names) for item in adjustment.needs)
        return replace(adjustment, needs=needs, unless=tuple(self._clause(item, names) for item in adjustment.unless))

    def group_from(self, event: s.Event) -> s.Event:
        """The event, with the condition of its ``pg from`` without definitions."""
        if not event.group_from:
            return event
        other, condition = event.group_from
        return replace(event, group_from=(other, self._expansion(_NO_NAMES).node(condition, event.name)))

    def _clause(self, clause: s.Clause, names: "_Names") -> s.Clause:
        """A condition, with what its definitions say."""
        expansion = self._expansion(names)
        condition = expansion.node(clause.condition)
        said = "; ".join(definition.told for definition in expansion.used.values())
        return replace(clause, condition=condition, defined=f" ({said})" if said else "")

    def _expansion(self, names: "_Names") -> Expansion:
        """One whose errors and notes become ours."""
        expansion = Expansion(self._definitions, names.lets, names.bindings)
        expansion.errors, expansion.notes = self.errors, self.notes
        return expansion


class _Names(NamedTuple):
    """What a rule names itself: that goes before what is defined."""

    lets: frozenset[str]
    bindings: frozenset[str]


_NO_NAMES = _Names(frozenset(), frozenset())


def _names_in(rule: s.Rule) -> _Names:
    lets = frozenset(item.name for item in rule.when if isinstance(item, s.Let))
    return _Names(lets, frozenset(item.binding for item in parts(rule) if isinstance(item, s.Pattern | s.Step)))


def blamed(errors: Iterable[Message], notes: Notes) -> list[Message]:
    """The errors, each once; what an argument makes wrong in a definition says in which."""
    found: dict[Message, None] = {}
    for message in errors:
        is_of_call = message.code in ("LS226", "LS227", "LS228")
        note = "" if is_of_call else _note_at(message.place, notes)
        found[replace(message, text=message.text + note)] = None
    return list(found)


def _note_at(place: s.Place, notes: Notes) -> str:
    """The note of a place, or of one that it is a part of."""
    if place in notes:
        return notes[place]
    for at, note in notes.items():
        if (at.file, at.line) == (place.file, place.line) and 0 <= place.column - at.column < at.width:
            return note
    return ""
