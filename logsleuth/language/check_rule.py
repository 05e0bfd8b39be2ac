"""Checks one rule against the events and lists that there are, and puts its lists in place."""

import re
from collections.abc import Iterable
from dataclasses import replace

from logsleuth.language import syntax as s
from logsleuth.language.check_cause import unknown_cause
from logsleuth.language.check_condition import ConditionChecker, Names
from logsleuth.language.check_given import span
from logsleuth.language.check_types import check_types
from logsleuth.language.messages import Message, did_you_mean
from logsleuth.language.text_holes import HOLE_CONTENT, TEXT_HOLE
from logsleuth.model.analysis import Confidence, Severity

SCOPES = ("attempt", "pg", "comm", "rank", "host")
ROLES = ("root", "symptom")
_MOST_LETS = 100
COUNTABLE = ("ranks", "hosts", "gpus")


class RuleChecker:
    """Checks one rule."""

    def __init__(self, rule: s.Rule, names: Names) -> None:
        self.rule, self.names = rule, names
        self.conditions = ConditionChecker(rule.name, names)

    def run(self) -> tuple[s.Rule, list[Message]]:
        """The rule with its names resolved, and everything that is wrong with it."""
        rule, conditions = self.rule, self.conditions
        self._check_words()
        # Conditions first: those that hold bind the names that the other clauses use.
        if sum(isinstance(item, s.Let) for item in rule.when) > _MOST_LETS:
            self._error(
                "LS104", rule.at, f"'{rule.name}' has more than {_MOST_LETS} lets", "Cut it into several rules."
            )
            return rule, conditions.errors
        when = tuple(conditions.clause(item) for item in rule.when)
        needs = tuple(self._clause(item) for item in rule.needs)
        bound = dict(conditions.bindings)
        unless = tuple(self._clause(item) for item in rule.unless)
        levels = tuple(
            replace(level, condition=conditions.node(level.condition) if level.condition else None)
            for level in rule.confidence
        )
        conditions.bindings = bound
        self._check_culprit()
        explains = tuple(self._explains(item) for item in rule.explains)
        self._check_text(rule.verdict, rule.place("verdict"))
        for number, text in enumerate(rule.chain):
            self._check_text(text, rule.place("chain", number))
        self._check_text(rule.remedy, rule.place("remedy"))
        self._check_text(rule.next, rule.place("next"))
        kind = self.names.causes.get(rule.cause, "")
        said = replace(rule, when=when, needs=needs, unless=unless, confidence=levels, explains=explains)
        resolved = replace(said, kind=kind)
        # Kinds are asked for only where every name stands for something.
        if not conditions.errors:
            conditions.errors += check_types(resolved, self.names.fields, self.names.series)
        return resolved, conditions.errors

    def _clause(self, clause: s.Clause) -> s.Clause:
        checked = self.conditions.clause(clause)
        assert isinstance(checked, s.Clause)
        return checked

    def _error(self, code: str, at: s.Place, text: str, remedy: str = "") -> None:
        self.conditions.error(code, at, text, remedy)

    def _check_words(self) -> None:
        rule = self.rule
        conditions = [item for item in rule.when if isinstance(item, s.Clause)]
        said = {"severity": rule.severity, "cause": rule.cause, "when": conditions, "verdict": rule.verdict}
        for clause, value in said.items():
            if not value:
                self._error(
                    "LS209", rule.at, f"'{rule.name}' has no {clause}", f"Add a line that starts with {clause}."
                )
        if rule.severity:
            self._check_word("severity", rule.place("severity"), rule.severity, [level.value for level in Severity])
        self._check_word("role", rule.place("role"), rule.role, ROLES)
        self._check_word("for each", rule.place("scope"), rule.scope, SCOPES)
        for number, level in enumerate(rule.confidence):
            at = rule.place("confidence", number)
            self._check_word("confidence", at, level.confidence, [level.value for level in Confidence])
        causes = [(rule.cause, rule.place("cause"))]
        causes += [(cause, rule.place("alternatives", number)) for number, cause in enumerate(rule.alternatives)]
        for cause, at in causes:
            if cause and cause not in self.names.causes:
                self.conditions.errors.append(unknown_cause(cause, at, self.names.causes))

    def _check_word(self, clause: str, at: s.Place, word: str, known: Iterable[str]) -> None:
        if word not in known:
            remedy = did_you_mean(word, known) or f"Known are {', '.join(known)}."
            self._error("LS208", at, f"'{word}' after '{clause}'", remedy)

    def _check_culprit(self) -> None:
        culprit = self.rule.culprit
        if culprit and culprit.name != self.rule.scope:
            self.conditions.check_name(culprit.name, culprit.at)

    def _check_text(self, text: str, whole: s.Place) -> None:
        for hole in TEXT_HOLE.finditer(text):
            if hole[1] is None:
                continue
            at = _place_in(whole, text, hole)
            match = HOLE_CONTENT.fullmatch(hole[1])
            if not match:
                self._error("LS212", at, f"'{hole[0]}' is no hole of a text", "Write {{ for a brace itself.")
            elif match[4]:
                self._check_counted(match[4], at)
            elif match[2]:
                self.conditions.check_attribute(s.Attribute(match[1], match[2], at))
            elif match[1] != self.rule.scope:
                self.conditions.check_name(match[1], at)

    def _check_counted(self, name: str, at: s.Place) -> None:
        if name not in COUNTABLE:
            self.conditions.check_name(name, at)

    def _explains(self, clause: s.Explains) -> s.Explains:
        references = [self.conditions.reference(reference) for reference in clause.references]
        for name, at in clause.lists:
            chosen = self.names.lists.get(name)
            if chosen is None:
                remedy = did_you_mean(name, self.names.lists)
                self._error("LS203", at, f"there is no list '{name}'", remedy)
            elif chosen.values:
                self._error("LS214", at, f"'{name}' is a list of values, not of events")
            else:
                references += [s.Reference(event, None, place) for event, place in chosen.events]
        if clause.within is not None:
            span(clause.within, {}, self.conditions.errors, may_be_steps=False)
        return replace(clause, references=tuple(references), lists=())


def _place_in(whole: s.Place, text: str, hole: re.Match[str]) -> s.Place:
    """The place of a hole: exact in a text in single quotes without escapes, else that of the text."""
    if whole.width != len(text) + 2:
        return whole
    return s.Place(whole.file, whole.line, whole.column + 1 + hole.start(), hole.end() - hole.start())
