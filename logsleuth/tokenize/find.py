"""What the reader found: an event on its lines, with fields that are typed only when somebody asks."""

import re
import zlib
from typing import NamedTuple, Protocol

from logsleuth.language.syntax import Count, Event
from logsleuth.model.event import FieldValue, Occurrence
from logsleuth.model.origin import Stamp, Tag
from logsleuth.model.series import Point
from logsleuth.tokenize.view import Line


class Fields(Protocol):
    """What knows the fields of a match: the pattern of a wording, or of the rows of a table."""

    @property
    def types(self) -> dict[str, str]:
        """The fields with their types."""

    def fields(self, match: re.Match[bytes]) -> dict[str, FieldValue]:
        """The typed fields of a match."""

    def value(self, match: re.Match[bytes], name: str) -> FieldValue | None:
        """The typed value of one field."""


Match = tuple[Fields, re.Match[bytes]]


class Find(NamedTuple):
    """One event of one source. Most finds are only counted, so nothing here is decoded yet."""

    event: Event
    source: int
    first: Line
    last: Line
    """Equal to ``first`` for a single line."""
    matches: tuple[Match, ...]
    """The wordings that matched, in the order of lines; the first to give a field decides it."""
    told: tuple[Line, ...]
    """Lines of a block behind the first that carry fields."""
    after: Stamp | None
    segment: int

    @property
    def tag(self) -> Tag:
        """The label of the writer."""
        return self.first.frame.tag

    @property
    def place(self) -> tuple[int, int]:
        """Finds of one source are ordered by this."""
        return self.first.offset, self.last.offset

    def fields(self) -> dict[str, FieldValue]:
        """The typed fields."""
        fields: dict[str, FieldValue] = {}
        for pattern, match in self.matches:
            for name, value in pattern.fields(match).items():
                fields.setdefault(name, value)
        for count in self.event.counts:
            if count.field not in fields and (number := self._counted(count)) is not None:
                fields[count.field] = number
        return fields

    def values(self, names: tuple[str, ...]) -> tuple[FieldValue | None, ...]:
        """The typed values of these fields; None for a field that it does not have."""
        return tuple(self._value(name) for name in names)

    def _value(self, name: str) -> FieldValue | None:
        for pattern, match in self.matches:
            if name in pattern.types and (value := pattern.value(match, name)) is not None:
                return value
        for count in self.event.counts:
            if count.field == name and (number := self._counted(count)) is not None:
                return number
        return None

    def _counted(self, count: Count) -> float | None:
        return count.number(*map(self._value, count.parts))

    def own(self, name: str) -> str | None:
        """What its lines say, whatever it is about: ``level``, ``exception`` or ``text``."""
        first, last = self.first, self.last
        if name == "level":
            return first.frame.level
        return first.evidence() if name == "text" else last.frame.exception or first.frame.exception

    def occurrence(self) -> Occurrence:
        """The find as the record that is kept and judged."""
        first, last = self.first, self.last
        return Occurrence(
            event=self.event.name,
            source=self.source,
            offset=first.offset,
            line=first.number,
            end_offset=last.offset,
            tag=first.frame.tag,
            stamp=first.frame.stamp,
            after=self.after,
            segment=self.segment,
            level=first.frame.level,
            exception=self.own("exception"),
            group=first.frame.group,
            fields=self.fields(),
            text=first.evidence(),
            told=tuple((line.number, line.offset, line.evidence()) for line in self.told),
            message=_checksum(first, *self.told),
        )

    def point(self, step: int, value: float) -> Point:
        """One of its numbers, and where it stands."""
        first = self.first
        return Point(step, value, self.source, first.offset, first.number, first.frame.stamp)

    def text(self) -> str:
        """Its first line as evidence."""
        return self.first.evidence()


def _checksum(*lines: Line) -> int:
    """Of the messages of these lines, without their framing and without blanks at their ends."""
    return zlib.crc32(b"\n".join(line.text[line.frame.start :].strip() for line in lines))
