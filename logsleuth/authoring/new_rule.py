"""Begins a new rule from a line of a log: a file whose sample and tests pass."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from logsleuth.authoring.format_rules import format_text
from logsleuth.authoring.index import Index
from logsleuth.authoring.line_template import LONGEST_SAMPLE, LineTemplate, clean, template_of
from logsleuth.authoring.scaffold import Draft
from logsleuth.ingest.chunks import CHUNK_SIZE, LINE_LIMIT, cut
from logsleuth.language.library import compile_texts
from logsleuth.language.literals import SHORTEST
from logsleuth.language.messages import RulesError
from logsleuth.language.program import Program
from logsleuth.language.syntax import Event
from logsleuth.layouts.registry import laid_out
from logsleuth.model.label import CLOSES, OPENS
from logsleuth.testing.runner import run_test
from logsleuth.testing.samples import check_samples, read_sample
from logsleuth.tokenize.dictionary import Vocabulary

EXAMPLE = "[rank5]: loader: bucket 'tokens-v3' has not answered for 95s"
"""A line to begin with where none is given."""
_OWN = "rules new"
"""What the file is called while it is tried out."""
_MOST_RIVALS = 3
_HARMLESS = "all is well"


class NewRule(NamedTuple):
    text: str
    """Of the rule file."""
    notes: tuple[str, ...]
    """What the author should know besides."""


def new_rule(name: str, cause: str, lines: str, texts: Mapping[str, str], program: Program) -> NewRule:
    """A rule file for the first of some lines of a log that is not empty; an example where there is none.

    ``texts`` are the rule files beside which it has to work, ``program`` what they compile to; they do not declare the
    name yet.
    """
    line, notes = _first(lines)
    if line and (made := _made(name, cause, line, texts, program, notes)):
        return made
    if lines.strip():
        notes = (*notes, "No template can be made of this line, so an example line stands in its place.")
    made = _made(name, cause, EXAMPLE, texts, program, notes)
    assert made, "the example line is read beside any rules"
    return made


def _made(
    name: str, cause: str, line: str, texts: Mapping[str, str], program: Program, notes: tuple[str, ...]
) -> NewRule | None:
    """A file whose sample and tests pass; None where nothing can be made of the line."""
    for draft in _drafts(name, cause, line, program, notes):
        if settled := _settled(draft, texts, program):
            return NewRule(format_text(_OWN, settled.text()).text, settled.notes)
    return None


def _first(lines: str) -> tuple[str, tuple[str, ...]]:
    """The line to read, as it can stand in a rule file, and what was done to it."""
    rows = [row for row in re.split(r"[\r\n]+", lines) if clean(row).strip()]
    if not rows:
        return "", ()
    notes = []
    if len(rows) > 1:
        notes.append(f"Made from the first of {len(rows)} lines; `block` makes one event of several.")
    said = _said(rows[0])
    if said != rows[0]:
        notes.append("The line is a record; made from what it says, which is what rules read of such logs.")
    line = clean(said)
    if len(said) > LONGEST_SAMPLE:
        notes.append(f"The line is long: {LONGEST_SAMPLE} characters of it are kept.")
    return line, tuple(notes)


def _said(line: str) -> str:
    """What a record of a collector or a logger says; the line itself where it is none."""
    chunks = laid_out(cut([line.encode("utf-8", "replace")], CHUNK_SIZE, LINE_LIMIT), None)[1]
    text = b"".join(chunk.data for chunk in chunks).partition(b"\n")[0]
    return text.rpartition(CLOSES)[2].decode("utf-8", "replace") if text.startswith(OPENS) else line


def _drafts(name: str, cause: str, line: str, program: Program, notes: tuple[str, ...]) -> Iterator[Draft]:
    """Rule files for a line, the one that says most first."""
    template = template_of(line)
    rest = _torn(line, template)
    draft = Draft(name, cause, line, template, False, True, rest, "", notes)
    vocabulary = Vocabulary(program.events.values(), program.events.values())
    shipped = _readers(line, program, vocabulary)
    for event in shipped:
        note = (
            f"The event {event} reads this line already (see `logsleuth rules show {event}`): the rule is built on it."
        )
        said = *notes, note, *_unread(program.events[event], line, template, vocabulary)
        on_event = draft._replace(shipped_event=event, template=template._replace(about=()), notes=said)
        yield on_event
        if rivals := _deciding_on(event, program):
            yield on_event._replace(rivals=rivals)
    if shipped:
        taken = (
            f"This event takes the line away from {', '.join(shipped)} and the rules that read it: adjust one of those"
        )
        draft = draft._replace(notes=(*notes, f"{taken} instead, if it tells the trouble well."))
    whole = template_of(line, whole=True)
    for chosen in (template, whole, template.bare(), whole.bare(), whole.longest_text()):
        if any(isinstance(piece, str) and len(piece.strip()) >= SHORTEST for piece in chosen.pieces):
            for floats in (False, True):
                yield draft._replace(template=chosen, floats=floats)


def _unread(event: Event, line: str, template: LineTemplate, vocabulary: Vocabulary) -> Iterator[str]:
    """A note where an event that feeds series leaves numbers of the line unread."""
    told = [o for o in (find.occurrence() for find in read_sample(line, vocabulary)) if o.event == event.name]
    values = {value for o in told for value in o.fields.values() if isinstance(value, int | float)}
    numbers = [hole.name for hole in template.holes if hole.type not in ("word", "text") and hole.value not in values]
    if event.series and numbers:
        yield (
            f"It does not read {', '.join(numbers)}. For that write an event of your own with the whole line and a"
            " `series`, see docs/language.md, More numbers of a line."
        )


def _torn(line: str, template: LineTemplate) -> str:
    """The line, torn off in the middle of the longest text that the template asks for."""
    longest = template.longest_text().pieces[0]
    text = longest if isinstance(longest, str) else ""
    return line[: line.rfind(text) + len(text) // 2].rstrip()


def _readers(line: str, program: Program, vocabulary: Vocabulary) -> list[str]:
    """The events that read the line, but for those that give way to any finer one."""
    names = sorted({find.event.name for find in read_sample(line, vocabulary)})
    return [name for name in names if not program.events[name].fallback]


def _deciding_on(event: str, program: Program) -> tuple[str, ...]:
    """Some rules that decide on an event."""
    return tuple(Index(program).deciding_on(event)[:_MOST_RIVALS])


def _settled(draft: Draft, texts: Mapping[str, str], program: Program) -> Draft | None:
    """The draft with the tests that pass beside the other rules; None where it has errors, or none do."""
    try:
        # Alone first, which takes next to no time, and shows most of what can be wrong.
        own = program.causes.get(draft.cause)
        causes = {"causes": f'cause {own.name} of {own.kind} "A cause of the site."'} if own else {}
        if not draft.shipped_event and _passing(draft, compile_texts({**causes, _OWN: draft.text()})) is None:
            return None
        return _passing(draft, compile_texts({**texts, _OWN: draft.text()}))
    except RulesError:
        return None


def _passing(draft: Draft, program: Program) -> Draft | None:
    """The draft with less asked for in its tests where that is what passes; None where even that does not."""
    if any(result.failure for result in check_samples(program, draft.event) if result.at.file == _OWN):
        return None
    found, near = (test for test in program.tests if test.at.file == _OWN)
    if run_test(found, program).failure:
        anybody = tuple(replace(item, culprits="", members=()) for item in found.expectations)
        if run_test(replace(found, expectations=anybody), program).failure:
            return None
        draft = draft._replace(names_culprit=False)
    if run_test(near, program).failure:
        if run_test(replace(near, logs=(replace(near.logs[0], text=_HARMLESS),)), program).failure:
            return None
        draft = draft._replace(near_miss=_HARMLESS)
    return draft
