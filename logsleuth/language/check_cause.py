"""Checks the causes that sites add to the vocabulary."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from logsleuth.language import syntax as s
from logsleuth.language.messages import WARNING, Message, did_you_mean
from logsleuth.model.cause import CAUSES, Kind


class Causes(NamedTuple):
    """What a rule may give as its cause."""

    kinds: Mapping[str, str]
    """Every cause with its kind: the vocabulary, and what sites add."""
    own: dict[str, s.OwnCause]


def unused_causes(own: Mapping[str, s.OwnCause], rules: Iterable[s.Rule]) -> list[Message]:
    """Causes of one's own that no rule gives."""
    given = {cause for rule in rules for cause in (rule.cause, *rule.alternatives)}
    remedy = "Give it in a rule, with `cause` or `alternatives`, or leave it out."
    return [
        Message("LS229", cause.at, f"no rule gives the cause '{cause.name}'", remedy, level=WARNING)
        for cause in own.values()
        if cause.name not in given
    ]


def own_causes(declarations: Iterable[s.Declaration], errors: list[Message]) -> Causes:
    """All causes; what is wrong with those that are declared is added to the errors."""
    own: dict[str, s.OwnCause] = {}
    kinds: dict[str, str] = dict(CAUSES)
    vocabulary = [kind.value for kind in Kind]
    for cause in (item for item in declarations if isinstance(item, s.OwnCause)):
        if cause.kind not in vocabulary:
            remedy = did_you_mean(cause.kind, vocabulary) or f"Known are {', '.join(vocabulary)}."
            errors.append(Message("LS208", cause.at, f"'{cause.kind}' is no kind of causes", remedy))
        if not cause.doc.strip():
            text = f"'{cause.name}' does not say what it means"
            errors.append(Message("LS209", cause.at, text, "Write a sentence behind its kind."))
        if cause.name in kinds:
            first = own.get(cause.name)
            where = (
                f"is declared already, at {first.at.file}:{first.at.line}" if first else "is of the vocabulary already"
            )
            remedy = "Choose another name, or give the one that is there."
            errors.append(Message("LS205", cause.at, f"the cause '{cause.name}' {where}", remedy))
            continue
        own[cause.name] = cause
        kinds[cause.name] = cause.kind if cause.kind in vocabulary else Kind.NONE.value
    return Causes(kinds, own)


def unknown_cause(name: str, at: s.Place, causes: Mapping[str, str]) -> Message:
    """That nothing is called so."""
    own = f'docs/causes.md lists the vocabulary; one of your own is declared with `cause {name} of KIND "..."`.'
    return Message("LS207", at, f"there is no cause '{name}'", did_you_mean(name, causes) or own)
