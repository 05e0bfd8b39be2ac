"""Wordings as compiled patterns over bytes."""

import re
from functools import cached_property
from typing import NamedTuple

from logsleuth.language.literals import plain_length
from logsleuth.language.program import own_types_of, types_of
from logsleuth.language.syntax import Wording
from logsleuth.language.template import Hole, Part, Skip, parse_template
from logsleuth.model.event import FieldValue
from logsleuth.tokenize.types import FIELD_TYPES
from logsleuth.tokenize.view import Line

LONGEST_LINE = 16_384
"""How many bytes of a line a pattern looks at. What decides stands at the start; a bound keeps hostile lines cheap."""

_BLANKS = re.compile(r"([ \t]{2,})")
_WORD = re.compile(r"\w+")


class FieldPlace(NamedTuple):
    """Where in a line a field stands, and of what type it is there."""

    type: str
    start: int
    end: int


class LinePattern:
    """A wording, ready to be matched against the message of a line.

    Compiled when first needed: of a large library a log touches only a few.
    """

    def __init__(self, wording: Wording) -> None:
        self.wording = wording

    @cached_property
    def source(self) -> str:
        """The regular expression, which is matched at the start of a message."""
        text = self.wording.text
        return rf"[ \t]*(?:{text})" if self.wording.is_regex else _template(text)

    @cached_property
    def types(self) -> dict[str, str]:
        """The fields that the wording gives, with their types."""
        return types_of(self.wording)

    @cached_property
    def _compiled(self) -> re.Pattern[bytes]:
        return re.compile(self.source.encode())

    @cached_property
    def _own_types(self) -> dict[str, str]:
        return own_types_of(self.wording)

    @cached_property
    def _also(self) -> dict[str, list[tuple[re.Pattern[bytes], str]]]:
        """For each field that a line may tell besides, what to search for and the field's type there."""
        searched: dict[str, list[tuple[re.Pattern[bytes], str]]] = {}
        for also in self.wording.also:
            pattern = re.compile(_also_source(also).encode())
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
        found = self._compiled.match(line.text, start, start + LONGEST_LINE)
        if found is None and body != start:
            found = self._compiled.match(line.text, body, body + LONGEST_LINE)
        return found

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
        place = self.place(match, name)
        if place is None:
            return None
        return FIELD_TYPES[place.type].value(match.string[place.start : place.end].decode("utf-8", "replace"))

    def place(self, match: re.Match[bytes], name: str) -> FieldPlace | None:
        """Where a field stands; None where the line does not tell it."""
        if name in self._own_types and match.start(name) >= 0:
            return FieldPlace(self._own_types[name], *match.span(name))
        for pattern, kind in self._also.get(name, ()):
            found = pattern.search(match.string, match.pos, match.pos + LONGEST_LINE)
            if found and found.start(name) >= 0:
                return FieldPlace(kind, *found.span(name))
        return None


def _template(text: str) -> str:
    return r"[ \t]*" + parts_source(parse_template(text))


def _also_source(wording: Wording) -> str:
    """The regular expression that is searched for in a message. Text that begins with a word begins one in the line:
    ``loss: `` is not found in ``nll_loss: `` or ``loss/train/loss: ``."""
    if wording.is_regex:
        return wording.text
    parts = parse_template(wording.text)
    word = _WORD.match(wording.text)
    if word is None or not isinstance(first := parts[0], str):
        return parts_source(parts)
    # The look-behind stands behind the word, so that the word can be searched for as bytes.
    return rf"{word[0]}(?<![\w/.-]{word[0]}){parts_source((first[word.end() :], *parts[1:]))}"


def parts_source(parts: tuple[Part, ...]) -> str:
    """The regular expression of the parts of a template; of the last of them as the last of a line."""
    out = []
    for place, part in enumerate(parts):
        last = place == len(parts) - 1
        if isinstance(part, str):
            out.append("".join(_escape(piece) for piece in _BLANKS.split(part)))
        elif isinstance(part, Skip):
            out.append(("" if last else ".*?") if part.any_run else r"\S+")
        elif isinstance(part, Hole):
            kind = FIELD_TYPES[part.type]
            out.append(f"(?P<{part.name}>{kind.last if last else kind.pattern})")
    return "".join(out)


def _escape(piece: str) -> str:
    return r"[ \t]+" if _BLANKS.fullmatch(piece) else re.escape(piece)
