"""Checks what the conditions of a rule compare and reckon with: kinds of things, and units."""

from collections.abc import Mapping

from logsleuth.language import syntax as s
from logsleuth.language.constants import written
from logsleuth.language.functions import FUNCTIONS
from logsleuth.language.kinds import Fields, Kind, Kinds, kind_of_value
from logsleuth.language.messages import Message
from logsleuth.language.walk import children, conditions, references, walk

_EQUAL = frozenset(("==", "!="))
_ORDER = frozenset(("<", "<=", ">", ">="))
_OF_TEXTS = frozenset(("contains", "starts with", "matches"))
_PLAIN = frozenset(("", "percent", "steps"))
"""Units whose numbers compare with plain ones: a share is a share of one."""
_EXAMPLES = {"seconds": "30 s", "bytes": "2 GiB"}


def check_types(rule: s.Rule, fields: Fields, series: Mapping[str, str]) -> list[Message]:
    """What does not fit in the conditions of a resolved rule; ``series`` are all series with their units.

    Nothing is told of a rule in which a definition could not be written out: what stands in its place has no kind.
    """
    asked = (*conditions(rule), *references(rule))
    if any(isinstance(node, s.Parameter) for condition in asked for node in walk(condition)):
        return []
    checker = _Checker(Kinds(rule, fields, series))
    for item in conditions(rule):
        if isinstance(item, s.Let):
            checker.let(item)
        else:
            checker.condition(item, "")
    for clause in rule.explains:
        for reference in clause.references:
            checker.value(reference, "")
    return checker.errors


class _Checker:
    def __init__(self, kinds: Kinds) -> None:
        self.kinds = kinds
        self.errors: list[Message] = []

    def let(self, let: s.Let) -> None:
        """Checks what a let names: functions take events and series by their own names only."""
        kind = self.kinds.of(let.value, "")
        if kind is not None and kind.what in ("event", "series"):
            text = f"a let names a value, a condition or a set, and this is {kind.said}"
            self._error("LS232", let.value, text, f"Write the name of {kind.said} where it is asked for.")
        self.value(let.value, "")

    def condition(self, node: s.Node, event: str) -> None:
        """Checks a node where a condition is asked."""
        if isinstance(node, s.Clause):
            node = node.condition
        kind = self.kinds.of(node, event)
        if isinstance(node, s.AllOf | s.AnyOf | s.Not):
            for item in children(node):
                self.condition(item, event)
        elif kind is not None and kind.what != "truth":
            told = "Write 'seen' before it." if kind.what == "event" else _TO_CONDITION
            self._error("LS232", node, f"a condition is asked here, and this is {kind.said}", told)
        else:
            self.value(node, event)

    def value(self, node: s.Node, event: str) -> None:
        """Checks what stands beneath a node, whatever the node is asked for."""
        match node:
            case s.Reference():
                if node.filter is not None:
                    self.condition(node.filter, node.event)
                return
            case s.Members():
                if node.where is not None:
                    self.condition(node.where, "")
                return
            case s.AllOf() | s.AnyOf() | s.Not():
                self.condition(node, event)
                return
            case s.Operation():
                self._operation(node, event)
            case s.Call():
                self._call(node, event)
        for child in children(node):
            self.value(child, event)

    def _error(self, code: str, node: s.Node, text: str, remedy: str) -> None:
        self.errors.append(Message(code, s.place_of(node), text, remedy))

    # Operations

    def _operation(self, node: s.Operation, event: str) -> None:
        left = self.kinds.of(node.left, event)
        if node.right is None:
            return
        if isinstance(node.right, s.Values):
            self._listed(node, node.right, left)
            return
        right = self.kinds.of(node.right, event)
        if node.operator == "of":
            if right and right.what not in ("number", "members"):
                text = f"a share is one of a number or of a set, and {_named(node.right)} is {right.said}"
                self._error("LS230", node.right, text, "Write count(...) around an event, or name a set such as ranks.")
            return
        if node.operator in _OF_TEXTS:
            self._of_text(node, left, right)
        elif self._is_value(node.left, left) and self._is_value(node.right, right) and left and right:
            self._pair(node, left, right, event)

    def _is_value(self, node: s.Node, kind: Kind | None) -> bool:
        """Whether it may be a value to compare or to reckon with."""
        if kind is not None and kind.what in ("members", "event", "series"):
            remedy = {
                "members": "Write count(...) around it for how many there are.",
                "event": "Write count(...) around it for how many there are, or name one of its fields.",
                "series": "Ask a function, such as last(...) or max(...), for one of its values.",
            }[kind.what]
            self._error("LS232", node, f"a value is asked here, and this is {kind.said}", remedy)
            return False
        return True

    def _pair(self, node: s.Operation, left: Kind, right: Kind, event: str) -> None:
        assert node.right is not None
        if node.operator in _EQUAL or node.operator in _ORDER:
            if left.what != right.what:
                told = f"{_named(node.left)} is {left.said} and {_named(node.right)} is {right.said}"
                text = f"{told}, so this comparison {_fate(node.operator)}"
                self._error("LS230", node, text, _alike(node, left, right))
            elif node.operator in _ORDER and left.what != "number" and left.what != "moment":
                text = f"only numbers have an order, and {_named(node.left)} is {left.said}"
                self._error("LS230", node, text, "Compare with == or !=, or ask 'in [...]' or 'starts with'.")
            elif left.what == "number":
                self._units(node, left, right, event)
        elif {left.what, right.what} <= {"number", "moment"}:
            if node.operator in ("+", "-"):
                self._sum(node, left, right, event)
        else:
            wrong, kind = (node.left, left) if left.what not in ("number", "moment") else (node.right, right)
            text = f"'{node.operator}' asks for numbers, and {_named(wrong)} is {kind.said}"
            self._error("LS230", wrong, text, _TO_NUMBER)

    def _sum(self, node: s.Operation, left: Kind, right: Kind, event: str) -> None:
        assert node.right is not None
        if "moment" not in (left.what, right.what):
            self._units(node, left, right, event)
            return
        other, operand = (right, node.right) if left.what == "moment" else (left, node.left)
        if other.what == "number" and other.unit != "seconds":
            text = f"a moment and {other.said} cannot be added or subtracted"
            self._error("LS231", operand, text, f"Write a time, such as {_EXAMPLES['seconds']}.")

    def _units(self, node: s.Operation, left: Kind, right: Kind, event: str) -> None:
        assert node.right is not None
        if left.unit == right.unit or _is_nothing(node.left) or _is_nothing(node.right):
            return
        if left.unit in _PLAIN and right.unit in _PLAIN:
            self._share(node, left, right)
            return
        number, beside = (node.right, node.left) if isinstance(node.right, s.Value) else (node.left, node.right)
        unit = left.unit if beside is node.left else right.unit
        if isinstance(number, s.Value) and number.unit == "" and unit in _EXAMPLES:
            text = (
                f"{written(number)} has no unit, and {_named(beside)} is {'a time' if unit == 'seconds' else 'memory'}"
            )
            suffix = _SUFFIXES.get(self.kinds.type_of(beside, event))
            example = f"{written(number)} {suffix}" if suffix else _EXAMPLES[unit]
            remedy = f"Write its unit, as in {example}; whatever lines write, fields are kept in {unit}."
            self._error("LS231", number, text, remedy)
            return
        told = f"{_named(node.left)} is {left.said} and {_named(node.right)} is {right.said}"
        remedy = "Compare, add and subtract only what is in one unit."
        self._error("LS231", node, f"{told}, which do not go together", remedy)

    def _share(self, node: s.Operation, left: Kind, right: Kind) -> None:
        """A share of one beside a number of hundredths."""
        for number, kind in ((node.left, right), (node.right, left)):
            if isinstance(number, s.Value) and kind.unit == "percent" and number.unit == "":
                value = number.value
                if isinstance(value, int | float) and value > 2 and node.operator not in ("+", "-"):
                    text = (
                        f"a share is kept as a part of one (97% is 0.97), and this compares it with {written(number)}"
                    )
                    self._error("LS231", number, text, f"Write {written(number)}%.")

    def _of_text(self, node: s.Operation, left: Kind | None, right: Kind | None) -> None:
        if left and left.what == "numbers" and node.operator == "contains":
            if right and right.what != "number":
                self._error("LS230", node, f"{left.said} never holds {right.said}", "Write a number.")
            return
        wrong = next(((n, k) for n, k in ((node.left, left), (node.right, right)) if k and k.what != "text"), None)
        if wrong and wrong[0] is not None:
            remedy = "Compare it with == or in [...]."
            text = f"'{node.operator}' asks for texts, and {_named(wrong[0])} is {wrong[1].said}"
            self._error("LS230", wrong[0], text, remedy)

    def _listed(self, node: s.Operation, listed: s.Values, left: Kind | None) -> None:
        """``x in [...]``: the items are of the kind of ``x``."""
        if not self._is_value(node.left, left) or left is None:
            return
        strange = [item for item in listed.items if kind_of_value(item).what != left.what]
        # A named list may hold a fact in several kinds, for several fields; one that is written here may not.
        if strange and not (listed.name and len(strange) < len(listed.items)):
            kind = kind_of_value(strange[0])
            item = written(s.Value(strange[0]))
            text = f"{_named(node.left)} is {left.said}, and {item} in this list is {kind.said}"
            self._error("LS230", listed, text, "Write items as the left side is: texts in quotes, numbers without.")

    # Functions

    def _call(self, node: s.Call, event: str) -> None:
        function = FUNCTIONS[node.function]
        for argument in node.arguments:
            kind = self.kinds.of(argument, event)
            if kind is None:
                continue
            if function.of_numbers and kind.what not in ("number", "moment", "series"):
                text = f"'{node.function}' asks for numbers, and {_named(argument)} is {kind.said}"
                self._error("LS230", argument, text, _OF_FIELD)
            elif node.function == "count" and kind.what not in ("members", "event", "series"):
                what = f"{_named(argument)} is {kind.said}"
                text = f"'count' asks for an event, a binding, a set or distinct(...), and {what}"
                self._error("LS230", argument, text, "Write distinct(...) around a field to count its values.")


_TO_CONDITION = "Compare it with something, or ask whether it 'is known'."
_TO_NUMBER = "Reckon with fields that are numbers, or with what a function gives."
_OF_FIELD = "Name a field that is a number, such as train.step.loss."
_SUFFIXES = {"ms": "ms", "s": "s", "mib": "MiB", "gib": "GiB"}
"""How lines write fields of these types."""


def _is_nothing(node: s.Node) -> bool:
    """Nought is nought in every unit."""
    return isinstance(node, s.Value) and node.value == 0


def _named(node: s.Node) -> str:
    """What a message calls an operand."""
    match node:
        case s.Value():
            return written(node)
        case s.Field():
            return f"'{node.name}'"
        case s.Attribute():
            return f"'{node.binding}.{node.field}'"
        case s.EventField():
            return f"'{node.reference.event}.{node.field}'"
        case s.Call():
            return f"{node.function}(...)"
    return "this"


def _fate(operator: str) -> str:
    return "always holds" if operator == "!=" else "never holds"


def _alike(node: s.Operation, left: Kind, right: Kind) -> str:
    number = next((x for x in (node.left, node.right) if isinstance(x, s.Value) and isinstance(x.value, str)), None)
    if number and "number" in (left.what, right.what):
        return "Write the number without quotes."
    number = next((x for x in (node.left, node.right) if isinstance(x, s.Value)), None)
    if number and "text" in (left.what, right.what):
        return f'Write it as a text, "{number.value}", or give the field a type such as int.'
    return "Compare things of one kind."
