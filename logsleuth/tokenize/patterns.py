"""Wordings as compiled patterns over bytes."""

import re
from collections.abc import Callable
from functools import cached_property
from typing import ClassVar, NamedTuple

from logsleuth.language.fixed_text import plain_length
from logsleuth.language.program import own_types_of, types_of
from logsleuth.language.syntax import Wording
from logsleuth.language.wording_regex import also_regex_of, regex_of
from logsleuth.model.event import FieldValue
from logsleuth.tokenize.patience import LONG, Patience, Watched
from logsleuth.tokenize.quotation import floats
from logsleuth.tokenize.types import FIELD_TYPES
from logsleuth.tokenize.view import Line

LONGEST_LINE = 16_384
"""How many bytes of a line a pattern looks at. What decides stands at the start; a bound keeps hostile lines cheap."""


class FieldPlace(NamedTuple):
    """Where in a line a field stands, and of what type it is there."""

    type: str
    start: int
    end: int


class LinePattern:
    """A wording, ready to be matched against the message of a line.

    Compiled when first needed: of a large library a log touches only a few.
    """

    any_given_up: ClassVar[bool] = False
    """Whether some wording was given up: of no log it is, but for hostile ones, and then nobody has to look for it."""

    def __init__(self, wording: Wording) -> None:
        self.wording = wording
        self.patience = Patience()
        self.given_up: Line | None = None
        """The line that took so long that the wording is matched no more."""
        self._is_guarded = wording.is_guarded

    @cached_property
    def floats(self) -> bool:
        """Whether what the wording says may stand anywhere in a message, and so in a quotation too."""
        return floats(self.wording)

    @cached_property
    def source(self) -> str:
        """The regular expression, which is matched at the start of a message."""
        return regex_of(self.wording)

    @cached_property
    def types(self) -> dict[str, str]:
        """The fields that the wording gives, with their types."""
        return types_of(self.wording)

    @cached_property
    def _watched(self) -> Watched:
        return Watched(self.source, self.wording.is_guarded)

    @cached_property
    def _quick(self) -> re.Pattern[bytes]:
        return self._watched.quick

    @cached_property
    def _own_types(self) -> dict[str, str]:
        return own_types_of(self.wording)

    @cached_property
    def _also(self) -> dict[str, list[tuple[Watched, str]]]:
        """For each field that a line may tell besides, what to search for and the field's type there."""
        searched: dict[str, list[tuple[Watched, str]]] = {}
        for also in self.wording.also:
            pattern = Watched(also_regex_of(also), also.is_guarded)
            for name, kind in own_types_of(also).items():
                searched.setdefault(name, []).append((pattern, kind))
        return searched

    @cached_property
    def weight(self) -> int:
        """How much plain text the wording fixes: of several that match a line, the heaviest is the most specific."""
        return plain_length(self.wording)

    def match_framed(self, line: Line) -> re.Match[bytes] | None:
        """Matches the message of a line, or what stands behind the exception's class name that opens it."""
        start, body = line.frame.start, line.frame.body
        if self._is_guarded or len(line.text) > LONG:
            return self._match_watched(line)
        found = self._quick.match(line.text, start, start + LONGEST_LINE)
        if found is None and body != start:
            found = self._quick.match(line.text, body, body + LONGEST_LINE)
        return found

    def _match_watched(self, line: Line) -> re.Match[bytes] | None:
        """The same, not for longer than the wording has patience."""
        start, body = line.frame.start, line.frame.body
        found = self.patience.match(self._watched, line.text, start, start + LONGEST_LINE)
        if found is None and body != start:
            found = self.patience.match(self._watched, line.text, body, body + LONGEST_LINE)
        if self.given_up is None and self.patience.is_at_end:
            self.given_up = line
            LinePattern.any_given_up = True
        return found

    @cached_property
    def _values(self) -> dict[str, Callable[[str], FieldValue | None]]:
        """What makes a value of the text of a field that the wording itself gives."""
        return {name: FIELD_TYPES[kind].value for name, kind in self._own_types.items()}

    def fields(self, match: re.Match[bytes]) -> dict[str, FieldValue]:
        """The typed fields of a match; a field whose text has no value of its type is left out."""
        fields: dict[str, FieldValue] = {}
        for name in self.types:
            value = self.value(match, name)
            if value is not None:
                fields[name] = value
        return fields

    def value(self, match: re.Match[bytes], name: str) -> FieldValue | None:
        """The typed value of one field."""
        typed = self._values.get(name)
        if typed is not None and (text := match[name]) is not None:
            return typed(text.decode("utf-8", "replace"))
        beside = self._beside(match, name)
        if beside is None:
            return None
        found, kind = beside
        return FIELD_TYPES[kind].value(found[name].decode("utf-8", "replace"))

    def _beside(self, match: re.Match[bytes], name: str) -> tuple[re.Match[bytes], str] | None:
        """Where the line tells a field besides what the wording says, and the field's type there."""
        for pattern, kind in self._also.get(name, ()):
            found = self._searched(pattern, match)
            if found and found.start(name) >= 0:
                return found, kind
        return None

    def _searched(self, pattern: Watched, match: re.Match[bytes]) -> re.Match[bytes] | None:
        text, start = match.string, match.pos
        if pattern.is_guarded or len(text) > LONG:
            return self.patience.match(pattern, text, start, start + LONGEST_LINE, is_searched=True)
        return pattern.quick.search(text, start, start + LONGEST_LINE)

    def place(self, match: re.Match[bytes], name: str) -> FieldPlace | None:
        """Where a field stands; None where the line does not tell it."""
        if name in self._own_types and match.start(name) >= 0:
            return FieldPlace(self._own_types[name], *match.span(name))
        beside = self._beside(match, name)
        if beside is None:
            return None
        found, kind = beside
        return FieldPlace(kind, *found.span(name))
