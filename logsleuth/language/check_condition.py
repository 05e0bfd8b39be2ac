"""Checks conditions and filters: what each name in them stands for, and whether functions get what they take."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from logsleuth.language import syntax as s
from logsleuth.language.check_given import option, span
from logsleuth.language.constants import constants_in
from logsleuth.language.excerpt import inside
from logsleuth.language.functions import FUNCTIONS
from logsleuth.language.messages import Message, did_you_mean
from logsleuth.language.program import ORIGIN_FIELDS
from logsleuth.language.template import NUMERIC
from logsleuth.model.cause import CAUSES

Fields = dict[str, dict[str, str] | None]
"""Each event's fields with their types; None where they are unknown because the event has errors."""

_SCOPE_NAMES = ("ranks", "hosts", "gpus")
_JOB = "job."
_UNITS = NUMERIC
NO_EVENT = "No rule file that was read declares it."
_NOTHING = ("None", "null", "nil", "NULL", "none")
_TIMES = frozenset(("time", "began"))


def _is_series(node: s.Node) -> bool:
    return isinstance(node, s.SeriesName | s.Parameter) or (isinstance(node, s.Field) and node.name == "value")


_SERIES = "An event makes one of a field with `series FIELD at STEP`; its name is area.FIELD."


def _ask_for(name: str) -> str:
    """What to write for the values of other languages that look like names."""
    if name in ("True", "False"):
        return f"Write `{name.lower()}`."
    return "Write `x.field is known` to ask whether it was told." if name in _NOTHING else ""


class Names(NamedTuple):
    """What conditions may speak of."""

    fields: Fields
    lists: dict[str, s.ListOf]
    series: dict[str, str]
    """Every series with the unit of its values."""
    definitions: tuple[str, ...] = ()
    """What may be called like a function."""
    causes: Mapping[str, str] = CAUSES
    """Every cause with its kind."""


class ConditionChecker:
    """Checks the conditions of one rule, or the one filter of an event; what they bind is known to the later ones."""

    def __init__(self, owner: str, names: Names) -> None:
        self.owner, self.names = owner, names
        self.errors: list[Message] = []
        self.bindings: dict[str, str] = {}
        """Name -> event."""
        self.lets: dict[str, s.Let] = {}

    def error(self, code: str, at: s.Place, text: str, remedy: str = "") -> None:
        self.errors.append(Message(code, at, text, remedy))

    # Conditions

    def clause(self, clause: s.Clause | s.Let) -> s.Clause | s.Let:
        """A condition or a ``let`` with its names resolved."""
        if isinstance(clause, s.Clause):
            return s.Clause(
                self.node(clause.condition), clause.text + constants_in(clause.text, self.lets) + clause.defined
            )
        value = self.node(clause.value)
        let = s.Let(clause.name, value, self.unit(value), clause.at)
        if clause.name in self.bindings or clause.name in self.lets:
            self.error("LS205", clause.at, f"'{clause.name}' names something else already", "Choose another name.")
        self.lets[clause.name] = let
        return let

    def node(self, node: s.Node, event: str = "") -> s.Node:
        """A condition, or an expression of a filter of ``event``, with its names resolved and its lists in place."""
        match node:
            case s.Seen() | s.Quantified():
                return replace(node, pattern=self.pattern(node.pattern))
            case s.Absent():
                return replace(node, reference=self.reference(node.reference))
            case s.Together():
                self.check_name(node.binding, node.at)
                return replace(node, within=self._span(node.within, may_be_steps=False))
            case s.Field():
                self._check_field(node, event)
            case s.Mention():
                return self._mention(node, event)
            case s.Members():
                return self._members(node)
            case s.Call():
                return self._call(node, event)
            case s.Values() if node.name:
                return self._values(node)
            case s.Operation():
                right = self.node(node.right, event) if node.right is not None else None
                return replace(node, left=self.node(node.left, event), right=right)
            case s.Not():
                return s.Not(self.node(node.item, event))
            case s.AllOf() | s.AnyOf():
                return type(node)(tuple(self.node(item, event) for item in node.items))
        return node

    def pattern(self, pattern: s.Pattern) -> s.Pattern:
        reference = self.reference(pattern.reference)
        self._bind(pattern.binding, reference)
        steps = []
        for step in pattern.steps:
            within = self._span(step.within, may_be_steps=True) if step.within is not None else None
            steps.append(replace(step, reference=self.reference(step.reference), within=within))
            self._bind(step.binding, step.reference)
        return s.Pattern(reference, pattern.binding, tuple(steps))

    def _span(self, given: s.Node, *, may_be_steps: bool) -> s.Value:
        if isinstance(given, s.Field) and given.name not in self.lets and given.name not in self.bindings:
            self.check_name(given.name, given.at)
            return s.Value(1, "seconds")
        return span(given, self.lets, self.errors, may_be_steps=may_be_steps)

    def reference(self, reference: s.Reference) -> s.Reference:
        """An event that is there, with its filter checked."""
        name = reference.event
        job_wide = name.startswith(_JOB) and name not in self._events()
        if job_wide:
            name = name.removeprefix(_JOB)
        if name not in self._events():
            remedy = did_you_mean(name, self.names.fields) or NO_EVENT
            self.error("LS201", reference.at, f"there is no event '{name}'", remedy)
        chosen = None if reference.filter is None else self.node(reference.filter, name)
        return s.Reference(name, chosen, reference.at, job_wide)

    def _events(self) -> Iterable[str]:
        return self.names.fields.keys() | self.names.series.keys()

    def _bind(self, name: str, reference: s.Reference) -> None:
        if name and (self.bindings.get(name, reference.event) != reference.event or name in self.lets):
            self.error("LS205", reference.at, f"'{name}' names another event already", "Choose another name.")
        elif name:
            self.bindings[name] = reference.event

    # Names

    def check_name(self, name: str, at: s.Place) -> None:
        """Whether something is bound to the name."""
        known = self.bindings.keys() | self.lets.keys()
        if name not in known:
            remedy = (
                _ask_for(name)
                or did_you_mean(name, [*known, *self.names.definitions])
                or (f"Bound are {', '.join(sorted(known))}." if known else "Name occurrences with 'as'.")
            )
            self.error("LS204", at, f"nothing is called '{name}' in '{self.owner}'", remedy)

    def check_attribute(self, attribute: s.Attribute) -> None:
        """Whether the binding or set is there, and has the field or per-member ``let``."""
        place, whole = attribute.at, f"{attribute.binding}.{attribute.field}"
        parted = place.width == len(whole)
        self.check_name(attribute.binding, replace(place, width=len(attribute.binding)) if parted else place)
        if event := self.bindings.get(attribute.binding):
            at = inside(place, whole, len(attribute.binding) + 1, len(attribute.field)) if parted else place
            self.check_event_field(event, attribute.field, at)
        elif attribute.binding in self.lets and attribute.field not in self.lets:
            text = f"no let is called '{attribute.field}' in '{self.owner}'"
            self.error("LS204", attribute.at, text, did_you_mean(attribute.field, self.lets))

    def check_event_field(self, event: str, field: str, at: s.Place) -> None:
        fields = self._fields_of(event)
        if fields is not None and field not in fields and field not in ORIGIN_FIELDS:
            known = f"It has {', '.join(sorted(fields))}." if fields else "It has none of its own."
            self.error("LS202", at, f"'{event}' has no field '{field}'", did_you_mean(field, fields) or known)

    def _fields_of(self, event: str) -> dict[str, str] | None:
        if event in self.names.series:
            return {"value": "float", "step": "int"}
        return self.names.fields.get(event)

    def _check_field(self, node: s.Field, event: str) -> None:
        fields = self._fields_of(event) if event else {}
        if not event:
            if node.name not in _SCOPE_NAMES:
                self.check_name(node.name, node.at)
        elif fields is not None and node.name not in self.lets:
            self.check_event_field(event, node.name, node.at)

    def _mention(self, node: s.Mention, event: str) -> s.Node:
        """What a dotted name stands for: an event, a field of it, a series, or something of a binding or a set."""
        for name, job_wide in ((node.name, False), (node.name.removeprefix(_JOB), node.name.startswith(_JOB))):
            head, _, tail = name.rpartition(".")
            if name in self.names.series and node.filter is None:
                return s.SeriesName(name, node.at)
            if name in self._events():
                return s.Reference(name, self._filter(node, name), node.at, job_wide)
            if head in self.names.fields:
                whole = node.at.width == len(node.name)  # a definition may have put it where it is called
                at = inside(node.at, node.name, len(node.name) - len(tail), len(tail)) if whole else node.at
                self.check_event_field(head, tail, at)
                return s.EventField(s.Reference(head, self._filter(node, head), node.at, job_wide), tail)
        head, _, tail = node.name.partition(".")
        if node.name.startswith(_JOB) and tail in _SCOPE_NAMES and node.filter is None:
            return s.Members(tail, "", True, None, "", node.at)
        is_known = head == "its" or head in self.bindings or head in self.lets
        near = "" if is_known and "." not in tail else did_you_mean(node.name, [*self.names.fields, *self.names.series])
        if "." in tail or near:
            self.error("LS201", node.at, f"there is no event '{node.name}'", near or NO_EVENT)
            return node
        attribute = s.Attribute(head, tail, node.at)
        if not (head == "its" and event):
            self.check_attribute(attribute)
        return attribute

    def _filter(self, node: s.Mention, event: str) -> s.Node | None:
        return None if node.filter is None else self.node(node.filter, event)

    def _members(self, node: s.Members) -> s.Members:
        if node.of and node.of not in _SCOPE_NAMES:
            self.check_name(node.of, node.at)
        return replace(node, where=None if node.where is None else self.node(node.where))

    def _values(self, node: s.Values) -> s.Node:
        chosen = self.names.lists.get(node.name)
        if chosen is None:
            remedy = did_you_mean(node.name, self.names.lists) or f"Declare it: list {node.name} = [...]."
            self.error("LS203", node.at, f"there is no list '{node.name}'", remedy)
            return node
        if chosen.events:
            text = f"'{node.name}' is a list of events, not of values"
            self.error("LS214", node.at, text, "Name a list of values, or write them: in [1, 2].")
        return s.Values(chosen.values, node.name, node.at)

    # Functions

    def _call(self, node: s.Call, event: str) -> s.Call:
        arguments = tuple(self.node(item, event) for item in node.arguments)
        options = tuple(
            (name, option(node, name, self.node(item, event), self.lets, self.errors)) for name, item in node.options
        )
        function = FUNCTIONS.get(node.function)
        if function is None:
            remedy = (
                did_you_mean(node.function, [*FUNCTIONS, *self.names.definitions])
                or f"There are {', '.join(sorted(FUNCTIONS))}."
            )
            self.error("LS215", node.at, f"there is no function '{node.function}'", remedy)
        else:
            least = function.arguments
            if len(arguments) < least or (len(arguments) > least and not function.repeats):
                text = f"'{node.function}' takes {least} argument{'s' if least > 1 else ''}, not {len(arguments)}"
                self.error("LS216", node.at, text)
            for name, _ in options:
                if name not in function.options:
                    known = f"It knows {', '.join(function.options)}." if function.options else ""
                    remedy = did_you_mean(name, function.options) or known
                    self.error("LS216", node.at, f"'{node.function}' has no option '{name}'", remedy)
            if function.of_series and arguments and not _is_series(arguments[0]):
                self.error("LS216", node.at, f"'{node.function}' asks for a series, such as train.loss", _SERIES)
            if function.of_event and arguments and not isinstance(arguments[0], s.Reference | s.Parameter):
                self.error("LS216", node.at, f"'{node.function}' asks for an event, such as train.step")
            for name in function.required:
                if name not in dict(options):
                    self.error("LS216", node.at, f"'{node.function}' needs '{name} = ...'")
        return s.Call(node.function, arguments, options, node.at)

    # Units

    def unit(self, node: s.Node) -> str:
        """The unit of an expression's value, for texts; nothing where it has none."""
        match node:
            case s.Value():
                return node.unit
            case s.Attribute() if node.binding in self.bindings:
                return self._unit_of_field(self.bindings[node.binding], node.field)
            case s.EventField():
                return self._unit_of_field(node.reference.event, node.field)
            case s.SeriesName():
                return self.names.series[node.name]
            case s.Field() if node.name in self.lets:
                return self.lets[node.name].unit
            case s.Call() if node.function in FUNCTIONS:
                gives = FUNCTIONS[node.function].gives
                return self.unit(node.arguments[0]) if gives == "same" and node.arguments else gives
            case s.Operation() if node.operator in ("+", "-", "*", "/", "of") and node.right is not None:
                left, right = self.unit(node.left), self.unit(node.right)
                if node.operator == "/":
                    return "" if left == right else left
                if node.operator == "*" and "percent" in (left, right):
                    return right if left == "percent" else left
                return right if node.operator == "of" else left or right
        return ""

    def _unit_of_field(self, event: str, field: str) -> str:
        if event in self.names.series:
            return self.names.series[event] if field == "value" else ""
        kind = (self._fields_of(event) or {}).get(field, "")
        return "time" if not kind and field in _TIMES else _UNITS.get(kind, "")
