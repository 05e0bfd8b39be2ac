"""What kind of thing an expression of a rule is: a number in some unit, a text, a condition, a set of members."""

from collections.abc import Mapping
from typing import NamedTuple

from logsleuth.language import syntax as s
from logsleuth.language.functions import FUNCTIONS
from logsleuth.language.template import NUMERIC
from logsleuth.language.walk import bindings, conditions, patterns


class Kind(NamedTuple):
    """``what`` is ``number``, ``text``, ``truth``, ``moment``, ``numbers`` (a list), ``members``, ``event`` or
    ``series``; a number has a unit: ``bytes``, ``seconds``, ``percent``, ``steps`` or none."""

    what: str
    unit: str = ""

    @property
    def said(self) -> str:
        """In words: ``a text``, ``a time in seconds``."""
        return _UNITS[self.unit] if self.what == "number" else _KINDS[self.what]


_UNITS = {
    "": "a plain number",
    "bytes": "an amount of memory",
    "seconds": "a time in seconds",
    "percent": "a share",
    "steps": "a number of steps",
}
_KINDS = {
    "text": "a text",
    "truth": "a condition",
    "moment": "a moment",
    "numbers": "a list of numbers",
    "members": "a set of members",
    "event": "an event",
    "series": "a series",
}
NUMBER, TEXT, TRUTH, MOMENT, MEMBERS = Kind("number"), Kind("text"), Kind("truth"), Kind("moment"), Kind("members")
_OF_ORIGIN = {
    "rank": NUMBER, "local_rank": NUMBER, "pid": NUMBER, "occurrences": NUMBER, "attempt": NUMBER, "source": NUMBER,
    "host": TEXT, "level": TEXT, "exception": TEXT, "text": TEXT, "time": MOMENT, "began": MOMENT,
}  # fmt: skip
_ALL = frozenset(("ranks", "hosts", "gpus"))
_COMPARISONS = frozenset(
    ("==", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "starts with", "matches", "is known")
)
Fields = Mapping[str, dict[str, str] | None]


def kind_of_type(name: str) -> Kind:
    """The kind of the values of a type of a template."""
    if name in NUMERIC:
        return Kind("number", NUMERIC[name])
    return {"hex": NUMBER, "moment": MOMENT, "ranks": Kind("numbers")}.get(name, TEXT)


def kind_of_origin(name: str) -> Kind | None:
    """The kind of a field that every event has."""
    return _OF_ORIGIN.get(name)


def kind_of_value(value: object, unit: str = "") -> Kind:
    """The kind of a constant."""
    if isinstance(value, bool):
        return TRUTH
    return TEXT if isinstance(value, str) else Kind("number", unit)


class Kinds:
    """Tells the kinds of the expressions of one rule; None where it cannot be known."""

    def __init__(self, rule: s.Rule, fields: Fields, series: Mapping[str, str]) -> None:
        """``rule`` is resolved; ``series`` are all series with their units."""
        self._fields, self._series = fields, series
        self._bindings = {
            name: of.event
            for condition in conditions(rule)
            for pattern in patterns(condition)
            for name, of in bindings(pattern)
        }
        self.constants = {
            item.name: item.value for item in rule.when if isinstance(item, s.Let) and isinstance(item.value, s.Value)
        }
        self._lets: dict[str, Kind | None] = {}
        """Of each let, as far as it is read: one is known to those behind it."""
        for item in rule.when:
            if isinstance(item, s.Let):
                self._lets[item.name] = self.of(item.value, "")

    def of(self, node: s.Node, event: str) -> Kind | None:
        """The kind of an expression, of a filter of ``event`` where that is not empty."""
        match node:
            case s.Value():
                return kind_of_value(node.value, node.unit)
            case s.Field():
                return self._of_name(node.name, event)
            case s.Attribute():
                if node.binding in self._lets:
                    return self._lets.get(node.field)
                return self.of_field(self._bindings.get(node.binding, ""), node.field)
            case s.EventField():
                return self.of_field(node.reference.event, node.field)
            case s.SeriesName():
                return Kind("series", self._series.get(node.name, ""))
            case s.Reference():
                return Kind("event")
            case s.Members():
                return MEMBERS
            case s.Call():
                return self._of_call(node, event)
            case s.Operation() if node.operator in _COMPARISONS:
                return TRUTH
            case s.Operation():
                return self._of_arithmetic(node, event)
            case s.Values() | s.Mention() | s.Let() | s.Clause():
                return None
        return TRUTH

    def own_fields(self, event: str) -> dict[str, str]:
        """The fields of an event with their types, those that every event has left out."""
        return self._fields.get(event) or {}

    def type_of(self, node: s.Node, event: str) -> str:
        """The type of a field as templates write it (``ms``); nothing of anything else."""
        match node:
            case s.Field() if event:
                return self.own_fields(event).get(node.name, "")
            case s.Attribute():
                return self.own_fields(self._bindings.get(node.binding, "")).get(node.field, "")
            case s.EventField():
                return self.own_fields(node.reference.event).get(node.field, "")
        return ""

    def is_field(self, event: str, name: str) -> bool:
        """Whether a bare name in a filter of the event is one of its fields, and so hides a let."""
        if event in self._series:
            return name in ("value", "step") or (name not in self._lets and name in _OF_ORIGIN)
        return name in (self._fields.get(event) or ()) or name in _OF_ORIGIN

    def of_field(self, event: str, field: str) -> Kind | None:
        """The kind of a field of an event or of the values of a series."""
        if event in self._series and field in ("value", "step"):
            return Kind("number", self._series[event] if field == "value" else "")
        kind = (self._fields.get(event) or {}).get(field)
        return kind_of_type(kind) if kind else kind_of_origin(field)

    def _of_name(self, name: str, event: str) -> Kind | None:
        if event and self.is_field(event, name):
            return self.of_field(event, name)
        if name in self._lets:
            return self._lets[name]
        return MEMBERS if name in _ALL or name in self._bindings else None

    def _of_call(self, node: s.Call, event: str) -> Kind | None:
        function = FUNCTIONS[node.function]
        if function.is_condition:
            return TRUTH
        if node.function == "distinct":
            return MEMBERS
        if function.gives != "same":
            return Kind("number", function.gives)
        kind = next((kind for argument in node.arguments if (kind := self.of(argument, event))), None)
        if kind is not None and kind.what == "series":
            return Kind("number", kind.unit)
        # What is asked of a text and gives a number is told there, and not once more where it is compared.
        return None if kind and function.of_numbers and kind.what not in ("number", "moment") else kind

    def _of_arithmetic(self, node: s.Operation, event: str) -> Kind | None:
        assert node.right is not None
        left, right = self.of(node.left, event), self.of(node.right, event)
        if node.operator == "of":
            return Kind("number", right.unit) if right and right.what == "number" else NUMBER
        if left is None or right is None:
            return None
        if MOMENT in (left, right):
            return Kind("number", "seconds") if left == right else MOMENT
        if node.operator in ("+", "-"):
            return left if left.unit else right
        plain = ("", "percent", "steps")
        if node.operator == "/":
            return NUMBER if left.unit == right.unit else left if right.unit in plain else None
        return left if right.unit in plain else right if left.unit in plain else None
