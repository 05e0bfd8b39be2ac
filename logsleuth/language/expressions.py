"""Builds the parts that all declarations share: places, texts, numbers, expressions."""

import re
from dataclasses import replace
from typing import Any

from lark import Token, Transformer, v_args
from lark.tree import Meta

from logsleuth.language import syntax as s
from logsleuth.language.check_regex import check_pattern, fault_of
from logsleuth.language.excerpt import inside
from logsleuth.language.messages import Message
from logsleuth.model.units import BYTES, SECONDS


class ClauseError(Exception):
    """A declaration that parses but cannot be built: a clause given twice, an escape that is none."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.text)
        self.message = message


_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_NUMBER = re.compile(r"([\d.]+(?:[eE][-+]?\d+)?)[ \t]?(\D*)")


class Text:
    """A text with its place."""

    __slots__ = ("at", "text")

    def __init__(self, text: str, at: s.Place) -> None:
        self.text, self.at = text, at


def number(token: Token) -> s.Value:
    """A number in base units: bytes, seconds, or a percentage as it stands."""
    match = _NUMBER.fullmatch(str(token))
    assert match  # the grammar's NUMBER
    digits, unit = match.groups()
    plain: float = float(digits) if re.search(r"[.eE]", digits) else int(digits)
    if unit in BYTES:
        return s.Value(plain * BYTES[unit], "bytes")
    if unit in SECONDS:
        return s.Value(plain * SECONDS[unit], "seconds")
    return s.Value(plain, "percent" if unit == "%" else "")


def _of_two(operator: str) -> Any:
    """The method that builds an operation of two sides."""

    @v_args(meta=True)
    def build(self: "ExpressionBuilder", meta: Meta, items: list[Any]) -> s.Operation:
        return s.Operation(operator, items[0], items[1], self.span(meta))

    return build


class ExpressionBuilder(Transformer[Token, Any]):
    """Places, texts, numbers and expressions: what all declarations share."""

    def __init__(self, file: str, line: int, column: int) -> None:
        super().__init__()
        self._file, self._line, self._column = file, line, column
        # A clause that is read by itself may stand in front of line 1.
        self._start = s.Place(file, max(line, 1), column)

    def place(self, token: Token) -> s.Place:
        line, column = token.line or 1, token.column or 1
        width = len(str(token).split("\n", 1)[0])
        return s.Place(self._file, self._line + line - 1, column + (self._column - 1 if line == 1 else 0), width)

    def span(self, meta: Meta) -> s.Place:
        """The place of all that a rule of the grammar has taken; a caret is drawn to the end of its first line."""
        column = meta.column + (self._column - 1 if meta.line == 1 else 0)
        return s.Place(self._file, self._line + meta.line - 1, column, max(meta.end_pos - meta.start_pos, 1))

    def short(self, items: list[Token]) -> "Text":
        return Text(self.unescape(items[0], items[0][1:-1]), self.place(items[0]))

    def long(self, items: list[Token]) -> "Text":
        return Text(self.unescape(items[0], items[0][3:-3]), self.place(items[0]))

    def unescape(self, token: Token, text: str) -> str:
        def replace(match: re.Match[str]) -> str:
            if match[1] not in _ESCAPES:
                remedy = 'Only \\n, \\t, \\" and \\\\ are escapes; write \\\\ for a backslash.'
                place = inside(self.place(token), str(token), str(token).index(text) + match.start(), 2)
                raise ClauseError(Message("LS212", place, f"'{match[0]}' is no escape", remedy))
            return _ESCAPES[match[1]]

        return _ESCAPE.sub(replace, text)

    def number(self, items: list[Token | None]) -> s.Value:
        token, *steps = items
        assert token is not None
        value = number(token)
        if steps and steps[0] is not None:
            if value.unit:
                remedy = "Write a time, or a plain number of steps: 20 steps."
                raise ClauseError(Message("LS206", self.place(token), f"'{token}' is no number of steps", remedy))
            return s.Value(value.value, "steps", self.place(token))
        return replace(value, at=self.place(token))

    def negative(self, items: list[Token]) -> s.Value:
        value = number(items[0])
        at = self.place(items[0])
        return s.Value(-value.value, value.unit, at) if isinstance(value.value, int | float) else value

    def string(self, items: list["Text"]) -> s.Value:
        return s.Value(items[0].text, at=items[0].at)

    @v_args(meta=True)
    def true(self, meta: Meta, _: list[Token]) -> s.Value:
        return s.Value(True, at=self.span(meta))

    @v_args(meta=True)
    def false(self, meta: Meta, _: list[Token]) -> s.Value:
        return s.Value(False, at=self.span(meta))

    @v_args(meta=True)
    def value_list(self, meta: Meta, items: list[s.Value | None]) -> s.Values:
        return s.Values(tuple(v.value for v in items if v is not None), "", self.span(meta))

    def list_name(self, items: list[Token]) -> s.Values:
        return s.Values((), str(items[0]), self.place(items[0]))

    def field(self, items: list[Token]) -> s.Field:
        return s.Field(str(items[0]), self.place(items[0]))

    def mention(self, items: list[Any]) -> s.Mention:
        return s.Mention(str(items[0]), items[1], self.place(items[0]))

    def option(self, items: list[Any]) -> tuple[str, s.Node]:
        return str(items[0]), items[1]

    def call(self, items: list[Any]) -> s.Call:
        name, *given = items
        arguments = tuple(item for item in given if item is not None and not isinstance(item, tuple))
        options = tuple(item for item in given if isinstance(item, tuple))
        return s.Call(str(name), arguments, options, self.place(name))

    @v_args(meta=True)
    def share_of(self, meta: Meta, items: list[Any]) -> s.Operation:
        return s.Operation("of", replace(number(items[0]), at=self.place(items[0])), items[1], self.span(meta))

    def any_of(self, items: list[Any]) -> s.AnyOf:
        return s.AnyOf(tuple(items))

    def all_of(self, items: list[Any]) -> s.AllOf:
        return s.AllOf(tuple(items))

    def negated(self, items: list[Any]) -> s.Not:
        return s.Not(items[0])

    @v_args(meta=True)
    def compare(self, meta: Meta, items: list[Any]) -> s.Operation:
        left, comparator, right, within = items
        if within is None:
            return s.Operation(str(comparator), left, right, self.span(meta))
        if not isinstance(left, s.Call) or left.function != "count" or left.options:
            remedy = "Write count(EVENT) >= 3 within 10m."
            raise ClauseError(Message("LS214", self.place(comparator), "only a count is bounded by 'within'", remedy))
        bounded = s.Call("count", left.arguments, (("within", within),), left.at)
        return s.Operation(str(comparator), bounded, right, self.span(meta))

    @v_args(meta=True)
    def matches(self, meta: Meta, items: list[Any]) -> s.Operation:
        pattern = str(items[1])[1:-1]
        if fault := fault_of(pattern, is_of_lines=False):
            place = inside(self.place(items[1]), str(items[1]), 1 + fault.position, 1)
            raise ClauseError(Message("LS211", place, f"this does not compile: {fault.text}"))
        if dear := check_pattern(pattern, self.place(items[1])):
            raise ClauseError(dear[0])
        return s.Operation("matches", items[0], s.Value(pattern, at=self.place(items[1])), self.span(meta))

    @v_args(meta=True)
    def is_known(self, meta: Meta, items: list[Any]) -> s.Operation:
        return s.Operation("is known", items[0], None, self.span(meta))

    # Operations of two sides

    in_list = _of_two("in")
    not_in_list = _of_two("not in")
    contains = _of_two("contains")
    starts_with = _of_two("starts with")
    add = _of_two("+")
    subtract = _of_two("-")
    multiply = _of_two("*")
    divide = _of_two("/")
