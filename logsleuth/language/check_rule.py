"""Checks one rule against the events and lists that there are, and puts its lists in place."""

import re
from collections.abc import Iterable
from dataclasses import replace

from logsleuth.language import syntax as s
from logsleuth.language.messages import Message, did_you_mean
from logsleuth.language.program import ORIGIN_FIELDS
from logsleuth.model.analysis import Confidence, Severity
from logsleuth.model.cause import CAUSES

SCOPES = ("attempt", "rank", "host")
ROLES = ("root", "symptom")
TEXT_HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
"""A hole of a verdict, chain, remedy or next: ``{x}``, ``{x.field}``, ``{count(x)}``, ``{count(ranks)}``."""
HOLE_CONTENT = re.compile(r"([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?|count\(([A-Za-z_]\w*)\)")
COUNTABLE = ("ranks", "hosts")

Fields = dict[str, dict[str, str] | None]


class RuleChecker:
    """Checks one rule. ``fields`` gives each event's fields (None where they are unknown because it has errors)."""

    def __init__(self, rule: s.Rule, fields: Fields, lists: dict[str, s.ListOf]) -> None:
        self.rule, self.fields, self.lists = rule, fields, lists
        self.errors: list[Message] = []
        self.bindings: dict[str, str] = {}

    def run(self) -> tuple[s.Rule, list[Message]]:
        """The rule with its lists resolved, and everything that is wrong with it."""
        rule = self.rule
        self._check_words()
        # Conditions first: those that hold bind the names that the other clauses use.
        when = tuple(self._node(item) for item in rule.when)
        needs = tuple(self._node(item) for item in rule.needs)
        bound = dict(self.bindings)
        unless = tuple(self._node(item) for item in rule.unless)
        levels = tuple(
            replace(level, condition=self._node(level.condition) if level.condition else None)
            for level in rule.confidence
        )
        self.bindings = bound
        if rule.culprit:
            self._check_binding(rule.culprit.binding, rule.culprit.at)
        explains = tuple(self._explains(item) for item in rule.explains)
        for text in (rule.verdict, *rule.chain, rule.remedy, rule.next):
            self._check_text(text)
        resolved = replace(rule, when=when, needs=needs, unless=unless, confidence=levels, explains=explains)
        return resolved, self.errors

    def _error(self, code: str, at: s.Place, text: str, remedy: str = "") -> None:
        self.errors.append(Message(code, at, text, remedy))

    def _check_words(self) -> None:
        rule = self.rule
        for clause in ("severity", "cause", "when", "verdict"):
            if not getattr(rule, clause):
                self._error(
                    "LS209", rule.at, f"'{rule.name}' has no {clause}", f"Add a line that starts with {clause}."
                )
        if rule.severity:
            self._check_word("severity", rule.severity, [level.value for level in Severity])
        self._check_word("role", rule.role, ROLES)
        self._check_word("for each", rule.scope, SCOPES)
        for level in rule.confidence:
            self._check_word("confidence", level.confidence, [level.value for level in Confidence])
        for cause in (rule.cause, *rule.alternatives):
            if cause and cause not in CAUSES:
                remedy = did_you_mean(cause, CAUSES) or "The vocabulary stands in docs/causes.md."
                self._error("LS207", rule.at, f"there is no cause '{cause}'", remedy)

    def _check_word(self, clause: str, word: str, known: Iterable[str]) -> None:
        if word not in known:
            remedy = did_you_mean(word, known) or f"Known are {', '.join(known)}."
            self._error("LS208", self.rule.at, f"'{word}' after '{clause}'", remedy)

    def _check_binding(self, name: str, at: s.Place) -> None:
        if name not in self.bindings:
            known = ", ".join(sorted(self.bindings))
            remedy = did_you_mean(name, self.bindings) or (
                f"Bound are {known}." if known else "Name occurrences with 'as'."
            )
            self._error("LS204", at, f"nothing is called '{name}' in '{self.rule.name}'", remedy)

    def _check_text(self, text: str) -> None:
        for hole in TEXT_HOLE.finditer(text):
            if hole[1] is None:
                continue
            match = HOLE_CONTENT.fullmatch(hole[1])
            if not match:
                self._error("LS212", self.rule.at, f"'{hole[0]}' is no hole of a text", "Write {{ for a brace itself.")
            elif match[1]:
                self._check_attribute(s.Attribute(match[1], match[2] or "text", self.rule.at))
            elif match[3] not in COUNTABLE:
                self._check_binding(match[3], self.rule.at)

    def _check_attribute(self, attribute: s.Attribute) -> None:
        self._check_binding(attribute.binding, attribute.at)
        event = self.bindings.get(attribute.binding)
        if event:
            self._check_field(event, attribute.field, attribute.at)

    def _check_field(self, event: str, field: str, at: s.Place) -> None:
        fields = self.fields.get(event)
        if fields is not None and field not in fields and field not in ORIGIN_FIELDS:
            known = f"It has {', '.join(sorted(fields))}." if fields else "It has none of its own."
            self._error("LS202", at, f"'{event}' has no field '{field}'", did_you_mean(field, fields) or known)

    def _explains(self, clause: s.Explains) -> s.Explains:
        references = [self._reference(reference) for reference in clause.references]
        for name, at in clause.lists:
            chosen = self.lists.get(name)
            if chosen is None:
                self._error("LS203", at, f"there is no list '{name}'", did_you_mean(name, self.lists))
            elif chosen.values:
                self._error("LS214", at, f"'{name}' is a list of values, not of events")
            else:
                references += [s.Reference(event, None, place) for event, place in chosen.events]
        return replace(clause, references=tuple(references), lists=())

    def _reference(self, reference: s.Reference) -> s.Reference:
        if reference.event not in self.fields:
            remedy = did_you_mean(reference.event, self.fields)
            self._error("LS201", reference.at, f"there is no event '{reference.event}'", remedy)
        if reference.filter is None:
            return reference
        return replace(reference, filter=self._node(reference.filter, reference.event))

    def _pattern(self, pattern: s.Pattern) -> s.Pattern:
        reference = self._reference(pattern.reference)
        self._bind(pattern.binding, reference)
        steps = []
        for step in pattern.steps:
            steps.append(replace(step, reference=self._reference(step.reference)))
            self._bind(step.binding, step.reference)
        return s.Pattern(reference, pattern.binding, tuple(steps))

    def _bind(self, name: str, reference: s.Reference) -> None:
        if name and self.bindings.get(name, reference.event) != reference.event:
            self._error("LS205", reference.at, f"'{name}' names another event already")
        elif name:
            self.bindings[name] = reference.event

    def _node(self, node: s.Node, event: str = "") -> s.Node:
        """A condition, or an expression of a filter of ``event``, with its names checked and its lists in place."""
        match node:
            case s.Seen() | s.Quantified():
                return replace(node, pattern=self._pattern(node.pattern))
            case s.Absent():
                return replace(node, reference=self._reference(node.reference))
            case s.Comparison():
                return replace(node, left=self._operand(node.left), right=self._operand(node.right))
            case s.Field():
                self._check_field(event, node.name, node.at)
            case s.Attribute():
                self._check_attribute(node)
            case s.Values() if node.name:
                return self._values(node)
            case s.Operation():
                right = self._node(node.right, event) if node.right is not None else None
                return s.Operation(node.operator, self._node(node.left, event), right)
            case s.Not():
                return s.Not(self._node(node.item, event))
            case s.AllOf() | s.AnyOf():
                return type(node)(tuple(self._node(item, event) for item in node.items))
        return node

    def _operand(self, node: s.Count | s.Attribute | s.Value) -> s.Count | s.Attribute | s.Value:
        if isinstance(node, s.Attribute):
            self._check_attribute(node)
        elif isinstance(node, s.Count) and node.what == "binding":
            if node.binding not in COUNTABLE:
                self._check_binding(node.binding, node.at)
        elif isinstance(node, s.Count) and node.reference:
            return replace(node, reference=self._reference(node.reference))
        return node

    def _values(self, node: s.Values) -> s.Node:
        chosen = self.lists.get(node.name)
        if chosen is None:
            self._error("LS203", node.at, f"there is no list '{node.name}'", did_you_mean(node.name, self.lists))
            return node
        if chosen.events:
            self._error("LS214", node.at, f"'{node.name}' is a list of events, not of values")
        return s.Values(chosen.values, node.name, node.at)
