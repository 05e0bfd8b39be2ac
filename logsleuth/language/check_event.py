"""Checks one event declaration."""

import re
from collections.abc import Collection, Iterable

from logsleuth.language import syntax as s
from logsleuth.language.check_fields import check_gives
from logsleuth.language.check_table import check_table, known_types, template_error
from logsleuth.language.event_nodes import WITNESSES
from logsleuth.language.excerpt import inside
from logsleuth.language.literals import SHORTEST, literals_of
from logsleuth.language.messages import Message, did_you_mean
from logsleuth.language.program import fields_of, wordings_of
from logsleuth.language.template import DURATIONS, NUMERIC, TYPES, TemplateError, parse_template

ABOUT_KEYS = ("rank", "ranks", "local_rank", "pid", "host", "tasks", "gpu")
STATE_KEYS = ("rank", "local_rank", "host", "pid", "world_size", "local_world_size", "ranks", "attempt", "address")


def check_event(event: s.Event, proved: Collection[str] = ()) -> list[Message]:
    """Everything that is wrong with the event by itself. Of wordings in the files ``proved`` it is known that no line
    makes them take for ever; they are not asked."""
    errors = [message for wording in wordings_of(event) for message in _check_wording(wording, proved)]
    if not event.wordings and not event.blocks and not event.tables:
        text = f"'{event.name}' has neither line nor regex nor block nor table"
        errors.append(Message("LS209", event.at, text, 'Add line "..." with the text by which it is known.'))
    for wording in event.wordings:
        errors += _check_literal(wording, errors)
    for block in event.blocks:
        errors += _check_block(block, errors)
    for table in event.tables:
        errors += check_table(event, table)
    if event.witness not in WITNESSES:
        errors.append(_bad_word(event.place_of("witness"), "witness", event.witness, WITNESSES))
    if event.about and event.about_job:
        text = "an event is about somebody or about the job, not both"
        errors.append(Message("LS214", event.place_of("about"), text, "Keep one of the two."))
    return errors if errors else _check_names(event)


def _check_wording(wording: s.Wording, proved: Collection[str]) -> list[Message]:
    from logsleuth.language.check_regex import check_wording  # An analysis asks this module for words only.

    parts = [(wording, False), *((part, True) for part in wording.also)]
    if wording.at.file in proved:
        return [message for part, _ in parts for message in _check_part(part)]
    return [message for part, is_also in parts for message in _check_part(part) or check_wording(part, is_also)]


def _check_part(wording: s.Wording) -> list[Message]:
    if not wording.is_regex:
        try:
            parse_template(wording.text)
        except TemplateError as error:
            return [template_error(error, _inside(wording, error))]
        if "\n" in wording.text:
            return [Message("LS212", wording.at, "a template is about one line", "Write a block for several lines.")]
        return []
    from logsleuth.language.check_regex import fault_of

    if fault := fault_of(wording.text, is_of_lines=True):
        at = inside(wording.at, f"`{wording.text}`", 1 + fault.position, 1)
        return [Message("LS211", at, f"this does not compile: {fault.text}", "The syntax is that of Python's re.")]
    groups = re.compile(wording.text.encode()).groupindex
    errors = []
    for name, kind in wording.types:
        if name not in groups:
            text = f"the regular expression has no group '{name}'"
            errors.append(Message("LS202", wording.at, text, did_you_mean(name, groups)))
        if kind not in TYPES:
            errors.append(Message("LS206", wording.at, f"unknown type '{kind}'", known_types(kind)))
    return errors


def _inside(wording: s.Wording, error: TemplateError) -> s.Place:
    """The place of the fault: exact for a text in single quotes without escapes, else that of the text."""
    at = wording.at
    if at.width == len(wording.text) + 2:
        return s.Place(at.file, at.line, at.column + 1 + error.offset, error.width)
    return at


def _check_literal(wording: s.Wording, earlier: list[Message]) -> list[Message]:
    if any(message.place.line == wording.at.line for message in earlier) or literals_of(wording):
        return []
    text = f"this pattern has no literal of {SHORTEST} characters or more, so every line would have to be looked at"
    return [Message("LS210", wording.at, text, "Write out more of the text that never changes.")]


def _check_block(block: s.Block, earlier: list[Message]) -> list[Message]:
    first = block.items[0] if block.items else None
    if first is None or first.wording is None or first.optional:
        text = "a block starts with a line or regex that must match"
        return [Message("LS214", block.at, text, 'Begin it with line "...".')]
    return _check_literal(first.wording, earlier)


def _check_names(event: s.Event) -> list[Message]:
    errors, fields = [], fields_of(event)
    for key, field in event.about:
        errors += _check_key(event, "about", key, ABOUT_KEYS) + _check_field(event, field, fields, "about")
    for key, value in event.states:
        errors += _check_key(event, "states", key, STATE_KEYS)
        errors += _check_field(event, value, fields, "states") if isinstance(value, str) else []
    for _, field in event.belongs:
        errors += _check_field(event, field, fields, "belongs")
    if event.began not in ("said", "after life"):
        errors += _check_field(event, event.began, fields, "began")
        if fields.get(event.began, "ms") not in DURATIONS:
            text = f"'{event.began}' is no duration (duration, ms or s)"
            errors.append(Message("LS206", event.place_of("began"), text, f"Give it a type: {{{event.began}:s}}."))
    for clause in event.series:
        errors += _check_series(event, clause, fields)
    for count in event.counts:
        errors += _check_numbers(event, (count.field, count.inner, count.size, count.outer), fields, count.at)
    errors += _check_numbers(event, event.confirmed or (), fields, event.place_of("confirmed"))
    for sample in event.samples:
        for name, _ in sample.gives:
            if name not in fields and name not in ("rank", "host", "local_rank", "pid", "level", "exception"):
                errors.append(_unknown_field(sample.at, name, event.name, fields))
    return errors or list(check_gives(event))


def _check_numbers(event: s.Event, names: Iterable[str], fields: dict[str, str], at: s.Place) -> list[Message]:
    errors = []
    for field in names:
        if field not in fields:
            errors.append(_unknown_field(at, field, event.name, fields))
        elif fields[field] not in ("int", "float"):
            errors.append(Message("LS206", at, f"'{field}' is no plain number (int or float)"))
    return errors


def _check_series(event: s.Event, clause: s.SeriesOf, fields: dict[str, str]) -> list[Message]:
    errors = []
    for field in filter(None, (clause.field, clause.step)):
        if field not in fields:
            errors.append(_unknown_field(clause.at, field, event.name, fields))
        elif fields[field] not in NUMERIC:
            errors.append(Message("LS206", clause.at, f"'{field}' is no number ({', '.join(NUMERIC)})"))
    return errors


def _check_key(event: s.Event, clause: str, key: str, known: tuple[str, ...]) -> list[Message]:
    return [] if key in known else [_bad_word(event.place_of(f"{clause} {key}", clause), clause, key, known)]


def _check_field(event: s.Event, field: str, fields: dict[str, str], clause: str) -> list[Message]:
    at = event.place_of(f"{clause} {field}", clause)
    return [] if field in fields else [_unknown_field(at, field, event.name, fields)]


def _unknown_field(at: s.Place, field: str, event: str, fields: dict[str, str]) -> Message:
    known = f"It has {', '.join(sorted(fields))}." if fields else "It has none of its own."
    return Message("LS202", at, f"'{event}' has no field '{field}'", did_you_mean(field, fields) or known)


def _bad_word(at: s.Place, clause: str, word: str, known: tuple[str, ...]) -> Message:
    text = f"'{word}' after '{clause}'"
    return Message("LS208", at, text, did_you_mean(word, known) or f"Known are {', '.join(known)}.")
