"""Makes of the rules what a site has made of them: adjusts some, takes others out.

Nothing depends on the order of files: two adjustments that set the same thing of one rule contradict each other, and
are told.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from logsleuth.language import syntax as s
from logsleuth.language.check_cause import unknown_cause
from logsleuth.language.check_condition import Names
from logsleuth.language.check_rule import RuleChecker
from logsleuth.language.constants import kind
from logsleuth.language.messages import Message, did_you_mean
from logsleuth.model.analysis import CONFIDENCE_ORDER, Confidence, Severity

_TEXTS = ("remedy", "next")


class Tuned(NamedTuple):
    rules: dict[str, s.Rule]
    """All that are left, resolved."""
    disabled: dict[str, s.Place]
    errors: list[Message]


def tune(
    written: Mapping[str, s.Rule],
    resolved: Mapping[str, s.Rule],
    adjustments: Sequence[s.Adjustment],
    disablings: Sequence[s.Disabling],
    names: Names,
) -> Tuned:
    """The resolved rules after all adjustments.

    ``written`` are the rules as they were parsed; one that has errors of its own is not among ``resolved``, and what is
    adjusted in it is not checked.
    """
    said: list[s.Adjustment | s.Disabling] = [*adjustments, *disablings]
    errors = [_unknown(item, written) for item in said if item.rule not in written]
    errors += _contradictions(adjustments, disablings)
    rules = dict(resolved)
    for name in dict.fromkeys(item.rule for item in adjustments if item.rule in resolved):
        own = sorted((item for item in adjustments if item.rule == name), key=_place)
        rules[name], found = _adjusted(written[name], own, names)
        errors += found
    disabled = {item.rule: item.at for item in sorted(disablings, key=_place) if item.rule in written}
    return Tuned({name: rule for name, rule in rules.items() if name not in disabled}, disabled, errors)


def _place(item: s.Adjustment | s.Disabling | s.Setting) -> tuple[str, int, int]:
    return item.at.file, item.at.line, item.at.column


def _unknown(item: s.Adjustment | s.Disabling, rules: Iterable[str]) -> Message:
    remedy = did_you_mean(item.rule, rules) or "`logsleuth rules list` prints all rules."
    return Message("LS217", item.at, f"there is no rule '{item.rule}'", remedy)


def _contradictions(adjustments: Iterable[s.Adjustment], disablings: Iterable[s.Disabling]) -> list[Message]:
    """What is said twice of one rule, at the second of its places."""
    said: dict[tuple[str, str], list[s.Place]] = {}
    for item in sorted(adjustments, key=_place):
        for setting in sorted(item.settings, key=_place):
            said.setdefault((item.rule, f"{setting.named} of '{item.rule}' is set"), []).append(setting.at)
    out = {item.rule: item.at for item in sorted(disablings, key=_place)}
    for other in sorted(disablings, key=_place):
        said.setdefault((other.rule, f"'{other.rule}' is disabled"), []).append(other.at)
    found = [
        Message("LS218", at, f"{what} already, at {_told(places[0])}", "Keep one of the two.")
        for (_, what), places in said.items()
        for at in places[1:]
    ]
    for item in adjustments:
        if at := out.get(item.rule):
            text = f"'{item.rule}' is disabled, at {_told(at)}, so there is nothing to adjust"
            found.append(Message("LS218", item.at, text, "Keep one of the two."))
    return found


def _told(at: s.Place) -> str:
    return f"{at.file}:{at.line}"


def _adjusted(rule: s.Rule, adjustments: Sequence[s.Adjustment], names: Names) -> tuple[s.Rule, list[Message]]:
    """The rule with all that is set and added, resolved."""
    errors: list[Message] = []
    written = rule
    for setting in (setting for item in adjustments for setting in item.settings):
        found = _check(written, setting, names)
        errors += found
        if not found:
            rule = _with(rule, setting)
    needs = tuple(clause for item in adjustments for clause in item.needs)
    unless = tuple(clause for item in adjustments for clause in item.unless)
    rule = replace(
        rule,
        needs=(*rule.needs, *needs),
        unless=(*rule.unless, *unless),
        adjusted=tuple(item.at for item in adjustments),
        added=len(needs) + len(unless),
    )
    resolved, found = RuleChecker(rule, names).run()
    return resolved, [*errors, *found]


def _with(rule: s.Rule, setting: s.Setting) -> s.Rule:
    """The rule with what is set; the setting has been checked."""
    word = str(setting.value.value)
    match setting.clause:
        case "let":
            new = s.Let(setting.let, setting.value, "", setting.at)
            return replace(rule, when=tuple(new if _is_let(item, setting.let) else item for item in rule.when))
        case "severity":
            return replace(rule, severity=word)
        case "cause":
            return replace(rule, cause=word)
        case "confidence":
            levels = rule.confidence or (s.Level(_best(rule), None),)
            return replace(rule, confidence=tuple(replace(x, confidence=_lower(x.confidence, word)) for x in levels))
        case "remedy":
            return replace(rule, remedy=word)
        case _:
            return replace(rule, next=word)


def _is_let(item: s.Clause | s.Let, name: str) -> bool:
    return isinstance(item, s.Let) and item.name == name


# Confidence


def _lower(confidence: str, most: str) -> str:
    return min(confidence, most, key=lambda word: CONFIDENCE_ORDER[Confidence(word)])


def _best(rule: s.Rule) -> str:
    """The highest confidence that the rule may give."""
    told = [Confidence(level.confidence) for level in rule.confidence]
    return max(told, key=CONFIDENCE_ORDER.__getitem__, default=Confidence.LIKELY).value


# Checks


def _check(rule: s.Rule, setting: s.Setting, names: Names) -> list[Message]:
    """What is wrong with what is set, in a rule that has no errors of its own."""
    if setting.clause == "let":
        return _check_let(rule, setting)
    if setting.clause in _TEXTS:
        # Holes of a text without a place of its own are blamed on the place of the rule.
        _, errors = RuleChecker(replace(_with(rule, setting), at=setting.at, places=()), names).run()
        return errors
    word = str(setting.value.value)
    if setting.clause == "cause":
        return [] if word in names.causes else [unknown_cause(word, setting.at, names.causes)]
    vocabulary = [level.value for level in (Severity if setting.clause == "severity" else Confidence)]
    if word not in vocabulary:
        remedy = did_you_mean(word, vocabulary) or f"Known are {', '.join(vocabulary)}."
        return [Message("LS208", setting.at, f"'{word}' after '{setting.clause}'", remedy)]
    if setting.clause == "confidence" and _lower(word, _best(rule)) != word:
        text = f"'{rule.name}' is {_best(rule)} at best, and what is adjusted does not make it {word}"
        return [Message("LS221", setting.at, text, f"Leave it, or write one below {_best(rule)}.")]
    return []


def _check_let(rule: s.Rule, setting: s.Setting) -> list[Message]:
    lets = {item.name: item.value for item in rule.when if isinstance(item, s.Let)}
    constants = {name: value for name, value in lets.items() if isinstance(value, s.Value)}
    old = constants.get(setting.let)
    if old is None:
        what = "is worked out, so it cannot be set" if setting.let in lets else "is not there"
        known = f"It has {', '.join(constants)}." if constants else "It has none that can be set."
        remedy = " ".join(filter(None, (did_you_mean(setting.let, constants), known)))
        return [Message("LS219", setting.at, f"the let '{setting.let}' of '{rule.name}' {what}", remedy)]
    if kind(old) != kind(setting.value):
        text = f"'{setting.let}' of '{rule.name}' is {kind(old)}, not {kind(setting.value)}"
        return [Message("LS220", setting.at, text, f"It is set at {_told(rule.at)}.")]
    return []
