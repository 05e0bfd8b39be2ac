"""Conditions and values of rules in English."""

from collections.abc import Iterable, Mapping, Sequence

from logsleuth.authoring.document import Code, Name, Topic, Words, joined
from logsleuth.authoring.function_words import FUNCTION_WORDS
from logsleuth.language import syntax as s
from logsleuth.language.constants import written

_MOST_VALUES = 8
"""Values of a named list that are written out behind its name."""
_COMPARED = {
    "==": " is ", "!=": " is not ", "<": " is below ", "<=": " is at most ", ">": " is above ", ">=": " is at least ",
    "contains": " contains ", "starts with": " starts with ", "matches": " matches ",
}  # fmt: skip
_RECKONED = {"+": " + ", "-": " - ", "*": " × ", "/": " / ", "of": " of "}
_QUANTIFIERS = {"every": "every", "some": "some", "no": "no", "most": "most"}
_MEMBERS = {"ranks": "ranks", "hosts": "hosts", "gpus": "GPUs"}


class Prose:
    """Tells the conditions of one rule; ``lets`` are those of its names that stand for constants are told with."""

    def __init__(self, lets: Mapping[str, s.Node] | None = None) -> None:
        self._lets = lets or {}

    def clause(self, clause: s.Clause) -> Words:
        """A condition; as the rule writes it where there are no words for it."""
        try:
            return self.condition(clause.condition)
        except LookupError:
            return (Code(clause.text),)

    def each(self, clauses: Iterable[s.Clause], kind: type[s.AllOf | s.AnyOf]) -> list[Words]:
        """Conditions one by one: those of which all (``AllOf``) or any (``AnyOf``) count are taken apart."""
        told: list[Words] = []
        for clause in clauses:
            inner = clause.condition
            parts = inner.items if isinstance(inner, kind) else (inner,)
            try:
                told += [self.condition(part) for part in parts]
            except LookupError:
                told.append((Code(clause.text),))
        return told

    def let(self, let: s.Let) -> Words:
        """What a name stands for."""
        try:
            return (Name(let.name), ": ", *self.condition(let.value))
        except LookupError:
            return (Name(let.name), " is worked out by the rule")

    def condition(self, node: s.Node) -> Words:
        """A condition or a value. Raises LookupError for what there are no words for."""
        match node:
            case s.Seen():
                return ("there is ", *self._pattern(node.pattern))
            case s.Absent():
                return ("there is no ", *self.reference(node.reference))
            case s.Quantified():
                return self._quantified(node)
            case s.Together():
                return ("all of ", Name(node.binding), f" began within {written(node.within)} of each other")
            case s.Not():
                return self._negated(node.item)
            case s.AllOf():
                return joined([self._inner(item) for item in node.items], " and ")
            case s.AnyOf():
                return joined([self._inner(item) for item in node.items], " or ")
            case s.Operation():
                return self._operation(node)
            case _:
                return self._value(node)

    def reference(self, reference: s.Reference, binding: str = "") -> Words:
        """An event with its filter: ``proc.exit (death) whose code is -9``."""
        named: Words = (Topic(reference.event), *((" (", Name(binding), ")") if binding else ()))
        if reference.job_wide:
            named = (*named, " of the whole job")
        if reference.filter is None:
            return named
        return (*named, " where ", *self.condition(reference.filter))

    # Conditions

    def _inner(self, node: s.Node) -> Words:
        """A part of a longer condition; in parentheses where it could be taken apart."""
        told = self.condition(node)
        loose = isinstance(node, s.AllOf | s.AnyOf) or (
            isinstance(node, s.Seen) and (node.pattern.steps or node.pattern.reference.filter)
        )
        return ("(", *told, ")") if loose else told

    def _negated(self, node: s.Node) -> Words:
        if isinstance(node, s.Operation) and node.operator == "is known":
            if seen := _asked_for(node.left):
                return ("there is no ", *self.reference(seen))
            return (*self.condition(node.left), " is not told")
        if isinstance(node, s.Seen) and not node.pattern.steps:
            return ("there is no ", *self.reference(node.pattern.reference))
        return ("it is not so that ", *self._inner(node))

    def _pattern(self, pattern: s.Pattern) -> Words:
        words = self.reference(pattern.reference, pattern.binding)
        for step in pattern.steps:
            other = self.reference(step.reference, step.binding)
            within = f" within {written(step.within)}" if step.within else ""
            match step.kind:
                case "then":
                    words = (*words, f", then{within} ", *other)
                case "then no":
                    words = (*words, f", then{within} no ", *other)
                case "then never":
                    words = (*words, ", then to the end no ", *other)
                case "without":
                    words = (*words, ", and nowhere ", *other)
                case kind:
                    raise LookupError(kind)
        return words

    def _quantified(self, node: s.Quantified) -> Words:
        amount = f"{node.number:g}"
        is_plural = node.quantifier == "most" or (node.quantifier not in _QUANTIFIERS and node.number != 1)
        is_plural = is_plural or node.quantifier in ("all but", "at least percent")
        noun = node.member + ("s" if is_plural else "")
        other = "other " if node.other else ""
        if node.quantifier in _QUANTIFIERS:
            who = f"{_QUANTIFIERS[node.quantifier]} {other}{noun}"
        elif node.quantifier == "at least percent":
            who = f"at least {amount}% of the {other}{noun}"
        else:
            who = f"{node.quantifier} {amount} {other}{noun}"
        seen = (" that left a log") if node.seen_only else ""
        return (f"{who}{seen} {'have' if is_plural else 'has'} ", *self._pattern(node.pattern))

    def _operation(self, node: s.Operation) -> Words:
        if node.operator == "is known" and (seen := _asked_for(node.left)):
            return ("there is ", *self.reference(seen))
        left = self._inner(node.left) if isinstance(node.left, s.AllOf | s.AnyOf) else self.condition(node.left)
        if node.operator == "is known":
            return (*left, " is told")
        if node.right is None:
            raise LookupError(node.operator)
        if node.operator in ("in", "not in"):
            return (*left, " is one of " if node.operator == "in" else " is none of ", *self.condition(node.right))
        if node.operator in _RECKONED:
            return self._reckoned(node, left)
        if node.operator == "matches" and isinstance(node.right, s.Value):
            return (*left, " matches ", Code(str(node.right.value)))
        right = self.condition(node.right)
        return (*left, _COMPARED[node.operator], *right)

    def _reckoned(self, node: s.Operation, left: Words) -> Words:
        assert node.right is not None
        right = self.condition(node.right)
        if node.operator in ("*", "/", "-"):
            right = ("(", *right, ")") if _is_sum(node.right) else right
            left = ("(", *left, ")") if node.operator != "-" and _is_sum(node.left) else left
        return (*left, _RECKONED[node.operator], *right)

    # Values

    def _value(self, node: s.Node) -> Words:
        match node:
            case s.Value():
                return (Code(written(node)),) if isinstance(node.value, str) else (written(node),)
            case s.Values():
                return self._values(node)
            case s.Field():
                return self._field(node.name)
            case s.Attribute():
                return (Name(node.field), " of ", Name(node.binding))
            case s.Reference():
                return self.reference(node)
            case s.EventField():
                return (Name(node.field), " of ", *self.reference(node.reference))
            case s.SeriesName():
                return (Code(node.name),)
            case s.Members():
                return self._members(node)
            case s.Call():
                return self._call(node)
            case _:
                raise LookupError(type(node).__name__)

    def _field(self, name: str) -> Words:
        let = self._lets.get(name)
        if let is None and name in _MEMBERS:
            return (f"the {_MEMBERS[name]}",)
        return (Name(name), f" ({written(let)})") if isinstance(let, s.Value) else (Name(name),)

    def _values(self, node: s.Values) -> Words:
        told = ", ".join(written(s.Value(item)) for item in node.items)
        if not node.name:
            return (Code(told),)
        return (Code(node.name), *((" (", Code(told), ")") if len(node.items) <= _MOST_VALUES else ()))

    def _members(self, node: s.Members) -> Words:
        noun = ("the job's " if node.job_wide else "the ") + _MEMBERS[node.kind]
        if node.of:
            return (noun, " of ", Name(node.of))
        left = {"seen": " that left a log", "silent": " that left no log"}.get(node.which, "")
        if node.where is None:
            return (noun + left,)
        return (noun + left, " and" if left else "", " for which ", *self.condition(node.where))

    def _call(self, node: s.Call) -> Words:
        before, behind = FUNCTION_WORDS[node.function]
        arguments = [self.condition(argument) for argument in node.arguments]
        if node.function == "known" and len(arguments) > 1:
            told: Words = (*joined(arguments, ", ", " or else "),)
        elif node.function == "quiet" and len(arguments) > 1:
            told = (*arguments[0], ", up to ", *arguments[1])
        elif len(arguments) > 1:
            told = ("of ", *joined(arguments, ", ", " and "))
        else:
            told = arguments[0]
        if node.function == "count" and isinstance(told[0], str):
            told = (told[0].removeprefix("the "), *told[1:])
        return (before, *told, behind, *self._options(node))

    def _options(self, node: s.Call) -> Words:
        options = dict(node.options)
        words: Words = ()
        if "of" in options:
            words = (" of ", *self.condition(options.pop("of")))
        if "over" in options:
            words = (*words, " over the last ", *self.condition(options.pop("over")))
        if "within" in options:
            words = (*words, " within ", *self.condition(options.pop("within")))
        told: Sequence[Words] = [(f"{name} = ", *self.condition(value)) for name, value in options.items()]
        return (*words, " (", *joined(told), ")") if told else words


def _asked_for(node: s.Node) -> s.Reference | None:
    """The event of ``last(EVENT.text)``: every line has a text, so that it is known where the event was seen."""
    match node:
        case s.Call(function="first" | "last", arguments=(s.EventField(reference=reference, field="text"),)):
            return reference
        case _:
            return None


def _is_sum(node: s.Node | None) -> bool:
    return isinstance(node, s.Operation) and node.operator in ("+", "-")
