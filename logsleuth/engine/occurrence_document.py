"""Occurrences as a document, each once, however many keys of a state keep it."""

from collections.abc import Sequence

from logsleuth.engine.documented import (
    DocumentError,
    Json,
    Known,
    Mentioned,
    chosen,
    items,
    optional,
    text,
    value,
    value_document,
    whole,
)
from logsleuth.model.event import FieldValue, Occurrence


class WrittenOccurrences:
    """The occurrences of a document, while it is written."""

    def __init__(self, mentioned: Mentioned) -> None:
        self._mentioned = mentioned
        self._numbers: dict[tuple[str, int, int, int], list[int]] = {}
        """By event and place: occurrences cannot be hashed."""
        self._held: list[Occurrence] = []

    def number(self, occurrence: Occurrence) -> int:
        """Its number, from 0 on."""
        place = occurrence.event, occurrence.source, occurrence.offset, occurrence.end_offset
        known = self._numbers.setdefault(place, [])
        for at in known:
            if self._held[at] == occurrence:
                return at
        known.append(len(self._held))
        self._held.append(occurrence)
        return known[-1]

    def document(self) -> list[Json]:
        return [self._row(occurrence) for occurrence in self._held]

    def _row(self, o: Occurrence) -> list[Json]:
        mentioned = self._mentioned
        texts = mentioned.texts
        return [
            texts.number(o.event),
            o.source,
            o.offset,
            o.line,
            o.end_offset - o.offset,
            mentioned.tags.number(o.tag),
            mentioned.stamp(o.stamp),
            mentioned.stamp(o.after),
            o.segment,
            o.level,
            o.exception,
            None if o.group is None else mentioned.groups.number(o.group),
            [texts.number(name) for name in o.fields],
            [value_document(of_field) for of_field in o.fields.values()],
            mentioned.evidence.number(o.text),
            [[line, offset - o.offset, mentioned.evidence.number(told)] for line, offset, told in o.told],
            o.message,
        ]


def occurrences(document: Sequence[object], known: Known) -> list[Occurrence]:
    """All occurrences of a document, by their numbers."""
    return [_occurrence(row, known) for row in document]


def _occurrence(document: object, known: Known) -> Occurrence:
    (
        event,
        source,
        offset,
        line,
        length,
        tag,
        stamp,
        after,
        segment,
        level,
        exception,
        group,
        names,
        values,
        evidence,
        told,
        message,
    ) = items(document, 17)
    return Occurrence(
        event=chosen(known.texts, event),
        source=whole(source),
        offset=whole(offset),
        line=whole(line),
        end_offset=whole(offset) + whole(length),
        tag=chosen(known.tags, tag),
        stamp=chosen(known.stamps, stamp),
        after=chosen(known.stamps, after),
        segment=whole(segment),
        level=optional(text, level),
        exception=optional(text, exception),
        group=None if group is None else chosen(known.groups, group),
        fields=_fields(items(names), items(values), known),
        text=chosen(known.evidence, evidence),
        told=tuple(_told(item, whole(offset), known) for item in items(told)),
        message=whole(message),
    )


def _fields(names: Sequence[object], values: Sequence[object], known: Known) -> dict[str, FieldValue]:
    fields: dict[str, FieldValue] = {}
    if len(names) != len(values):
        raise DocumentError
    for name, told in zip(names, values, strict=True):
        of_field = value(told)
        if of_field is None:
            raise DocumentError
        fields[chosen(known.texts, name)] = of_field
    return fields


def _told(document: object, start: int, known: Known) -> tuple[int, int, str]:
    line, behind, evidence = items(document, 3)
    return whole(line), start + whole(behind), chosen(known.evidence, evidence)
