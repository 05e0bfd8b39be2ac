"""Checks syntax trees and makes a program of them, or says everything that is wrong at once."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from logsleuth.language import syntax as s
from logsleuth.language.adjust import tune
from logsleuth.language.broken import Broken, follows
from logsleuth.language.check_cause import own_causes, unknown_cause
from logsleuth.language.check_condition import NO_EVENT, ConditionChecker
from logsleuth.language.check_condition import Names as ConditionNames
from logsleuth.language.check_define import Definitions
from logsleuth.language.check_event import check_event
from logsleuth.language.check_rule import RuleChecker
from logsleuth.language.expand import Expander, blamed
from logsleuth.language.messages import Message, did_you_mean
from logsleuth.language.program import Program, fields_of, series_name, series_of
from logsleuth.language.template import NUMERIC


class Checked(NamedTuple):
    program: Program
    errors: list[Message]


def check(
    declarations: Iterable[s.Declaration], broken: Sequence[Broken] = (), proved: Collection[str] = ()
) -> Checked:
    """A program of the declarations.

    Declarations with errors are left out of the program, so that one bad rule does not hide what is wrong with others.
    Of those that are ``broken`` is told what does not follow from that. Patterns in the files ``proved`` are not asked
    whether a line can make them take for ever.
    """
    names = _Names()
    errors: list[Message] = []
    declared = [*declarations, *(item.declaration for item in broken)]
    partial = {item.declaration.at for item in broken}
    more = [d for d in declared if isinstance(d, s.MoreWordings)]
    kept = [d for d in declared if not isinstance(d, s.MoreWordings) and names.declare(d, errors)]
    events = {event.name: event for event in kept if isinstance(event, s.Event)}
    errors += [_unknown_event(d.name, d.at, events) for d in more if d.name not in events]
    events |= _with_more(events, more)
    errors += [message for event in events.values() for message in check_event(event, proved)]
    # Fields are asked for only now: an event whose templates are malformed has none that could be trusted.
    malformed = {m.place for m in errors if m.code in ("LS211", "LS212", "LS206")}
    fields = {
        name: None if event.at in partial else _fields(event, malformed, proved) for name, event in events.items()
    }
    known_series = series_of({n: e for n, e in events.items() if fields[n] is not None})
    causes = own_causes(kept, errors)
    names_of = ConditionNames(fields, names.lists, known_series, tuple(sorted(names.definitions)), causes.kinds)
    definitions = Definitions(names.definitions.values(), names_of)
    definitions.check()
    expander = Expander(definitions)
    for event in [e for e in events.values() if e.group_from]:
        events[event.name], found = _check_group_from(expander.group_from(event), names_of)
        errors += found
    written = {d.name: expander.rule(d) for d in kept if isinstance(d, s.Rule)}
    resolved: dict[str, s.Rule] = {}
    for rule in written.values():
        checked, found = RuleChecker(rule, names_of).run()
        errors += found
        if not found and rule.at not in partial:
            resolved[rule.name] = checked
    adjustments = [expander.adjustment(d, written) for d in kept if isinstance(d, s.Adjustment)]
    tuned = tune(written, resolved, adjustments, [d for d in kept if isinstance(d, s.Disabling)], names_of)
    errors += tuned.errors
    errors += _check_series(events, {**events, **written}, {n: f for n, f in fields.items() if f is not None})
    for chosen in names.lists.values():
        errors += [_unknown_event(name, at, events) for name, at in chosen.events if name not in events]
    tests = tuple(d for d in kept if isinstance(d, s.Test))
    for test in tests:
        errors += _check_test(test, written, causes.kinds)
    errors = blamed([*errors, *definitions.errors, *expander.errors], {**definitions.notes, **expander.notes})
    told = [message for message in errors if not follows(message, broken)]
    return Checked(Program(events, tuned.rules, names.lists, tests, tuned.disabled, causes.own), told)


def _fields(event: s.Event, malformed: set[s.Place], proved: Collection[str]) -> dict[str, str] | None:
    """The event's fields; None where they cannot be known."""
    return None if malformed and check_event(event, proved) else fields_of(event)


def _with_more(events: dict[str, s.Event], more: list[s.MoreWordings]) -> dict[str, s.Event]:
    """The events whose wordings stand in several places, with all of them."""
    whole: dict[str, s.Event] = {}
    for part in more:
        event = whole.get(part.name) or events.get(part.name)
        if event is not None:
            wordings, samples = (*event.wordings, *part.wordings), (*event.samples, *part.samples)
            whole[part.name] = replace(event, wordings=wordings, samples=samples)
    return whole


class _Names:
    """What is declared: events and rules share one namespace; lists and definitions have their own."""

    def __init__(self) -> None:
        self.places: dict[str, s.Place] = {}
        self.lists: dict[str, s.ListOf] = {}
        self.definitions: dict[str, s.Definition] = {}

    def declare(self, declaration: s.Declaration, errors: list[Message]) -> bool:
        """Whether it is the only one of its name; of what refers to others by name there may be several."""
        if isinstance(declaration, s.Test | s.Adjustment | s.Disabling | s.MoreWordings | s.Use | s.OwnCause):
            return True
        earlier = self._earlier(declaration)
        if earlier:
            text = f"'{declaration.name}' is declared already, at {earlier.file}:{earlier.line}"
            errors.append(Message("LS205", declaration.at, text, "Choose another name, or remove one of the two."))
            return False
        if isinstance(declaration, s.ListOf):
            self.lists[declaration.name] = declaration
        elif isinstance(declaration, s.Definition):
            self.definitions[declaration.name] = declaration
        else:
            self.places[declaration.name] = declaration.at
        return True

    def _earlier(self, declaration: s.Event | s.Rule | s.ListOf | s.Definition) -> s.Place | None:
        if isinstance(declaration, s.ListOf | s.Definition):
            first = (self.lists if isinstance(declaration, s.ListOf) else self.definitions).get(declaration.name)
            return first.at if first else None
        return self.places.get(declaration.name)


def _check_group_from(event: s.Event, names: ConditionNames) -> tuple[s.Event, list[Message]]:
    """The event with the condition of its ``pg from`` resolved, and what is wrong with it."""
    assert event.group_from
    other, condition = event.group_from
    conditions = ConditionChecker(event.name, names)
    conditions.reference(s.Reference(other, None, event.at))
    return replace(event, group_from=(other, conditions.node(condition, event.name))), conditions.errors


def _unknown_event(name: str, at: s.Place, events: Iterable[str]) -> Message:
    return Message("LS201", at, f"there is no event '{name}'", did_you_mean(name, events) or NO_EVENT)


def _check_series(
    events: dict[str, s.Event], named: dict[str, s.Event | s.Rule], fields: dict[str, dict[str, str]]
) -> list[Message]:
    """A series has one unit, whatever events feed it, and a name of its own."""
    errors, units = [], dict[str, str]()
    for event in (event for event in events.values() if event.name in fields):
        for clause in event.series:
            name, unit = series_name(event, clause), NUMERIC.get(fields[event.name].get(clause.field, ""))
            if unit is None:
                continue  # told already: the field is unknown, or no number
            if name in named:
                at, kind = named[name].at, "event" if isinstance(named[name], s.Event) else "rule"
                text = f"the series would be '{name}', as the {kind} at {at.file}:{at.line} is called already"
                errors.append(Message("LS205", clause.at, text, f"Give the {kind} or the field another name."))
            elif units.setdefault(name, unit) != unit:
                text = f"'{name}' is in {units[name] or 'plain numbers'} elsewhere, here in {unit or 'plain numbers'}"
                errors.append(Message("LS206", clause.at, text, "Give the field a type of the same unit."))
    return errors


def _check_test(test: s.Test, rules: dict[str, s.Rule], causes: Mapping[str, str]) -> list[Message]:
    errors = [_outside(log.path, test.at) for log in test.logs if is_outside(log.path)]
    for expected in test.expectations:
        if expected.kind in ("rule", "no rule", "open rule") and expected.name not in rules:
            text = f"there is no rule '{expected.name}'"
            remedy = did_you_mean(expected.name, rules) or "`logsleuth rules list` prints all rules."
            errors.append(Message("LS208", expected.at, text, remedy))
        if expected.kind == "cause" and expected.name not in causes:
            errors.append(unknown_cause(expected.name, expected.at, causes))
    if not test.logs or not test.expectations:
        missing, remedy = ("expectation", "Add expect RULE.") if test.logs else ("log", 'Add log rank 0 """...""".')
        errors.append(Message("LS209", test.at, f"this test has no {missing}", remedy))
    return errors


def is_outside(path: str) -> bool:
    """Whether a path that a test names leads out of the folder that it is looked for in."""
    return path.startswith(("/", "\\", "~")) or ":" in path or "\0" in path or ".." in re.split(r"[/\\]", path)


def _outside(path: str, at: s.Place) -> Message:
    text = f"'{path}' leads out of the folder of the rules; a test reads no other files"
    return Message("LS251", at, text, "Put the logs beside the rule file, and name them from there.")


def without_tests(program: Program) -> Program:
    """The program without what only tests and documentation read: smaller to keep, faster to load."""
    events = {name: replace(event, samples=(), places=()) for name, event in program.events.items()}
    return replace(program, events=events, tests=())
