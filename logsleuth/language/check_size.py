"""Is a declaration of a size that can be checked and judged at once? Asked of its parse tree, before it is built."""

import re
from collections.abc import Callable, Iterator

from lark import Token, Tree

from logsleuth.language import limits
from logsleuth.language.messages import Message
from logsleuth.language.syntax import Place

_DIGITS = re.compile(r"\d+")
_LENGTHS = {
    "NAME": ("name", limits.NAME_LENGTH),
    "DOTTED": ("name", limits.NAME_LENGTH),
    "CAUSE": ("cause", limits.NAME_LENGTH),
    "HOST": ("host name", limits.NAME_LENGTH),
    "REGEX": ("regular expression", limits.REGEX_LENGTH),
    "STRING": ("text", limits.TEXT_LENGTH),
    "LONG": ("text", limits.TEXT_LENGTH),
}
_LOGS = ("log", "sample")
"""Clauses whose text is a log."""
_TEXTS = ("short", "long")
"""What only says how a text is quoted."""
_LISTS = ("list_of", "value_list")


def check_size(tree: Tree[Token], place: Callable[[Token], Place]) -> Message | None:
    """The first thing of a declaration that is larger or deeper than it may be; ``place`` finds it in its file."""
    for level, parent, item in _walked(tree):
        found = _long_token(item, parent, place) if isinstance(item, Token) else _large_tree(item, level, place)
        if found:
            return found
    return None


def _walked(tree: Tree[Token]) -> Iterator[tuple[int, Tree[Token], Tree[Token] | Token]]:
    """Each part with its depth and the clause that it stands in, in the order of the text; without recursion, for depth
    is the question."""
    todo: list[tuple[int, Tree[Token], Tree[Token] | Token]] = [(0, tree, tree)]
    while todo:
        level, parent, item = todo.pop()
        yield level, parent, item
        if isinstance(item, Tree):
            clause = parent if item.data in _TEXTS else item
            todo += [(level + 1, clause, child) for child in reversed(item.children) if child is not None]


def _long_token(token: Token, parent: Tree[Token], place: Callable[[Token], Place]) -> Message | None:
    if token.type == "NUMBER":
        digits = sum(character.isdigit() for character in token)
        if digits > limits.NUMBER_DIGITS:
            return Message(
                "LS105", place(token), f"this number has {digits:,} digits, more than {limits.NUMBER_DIGITS}"
            )
        return None
    what, most = _LENGTHS.get(token.type, ("", len(token)))
    if token.type in ("STRING", "LONG") and parent.data in _LOGS:
        what, most = "log", limits.LOG_LENGTH
    if len(token) <= most:
        return None
    remedy = "Keep long logs in files and name them with `logs`." if what == "log" else "Write it in fewer words."
    return Message("LS106", place(token), f"this {what} has {len(token):,} characters, more than {most:,}", remedy)


def _large_tree(tree: Tree[Token], level: int, place: Callable[[Token], Place]) -> Message | None:
    if level > limits.DEEPEST:
        text = f"this stands more than {limits.DEEPEST} levels deep in its declaration"
        return Message(
            "LS104", place(_first_token(tree)), text, "Write a list instead of many terms, or several conditions."
        )
    most = limits.MOST_ITEMS if tree.data in _LISTS else limits.MOST_PARTS
    if len(tree.children) > most:
        token = _first_token(tree)
        text = f"this has {len(tree.children):,} parts, more than {most:,}"
        return Message("LS106", place(token), text, "Divide it into several.")
    if tree.data == "block" and isinstance(lines := tree.children[0], Token) and _whole(lines) > limits.BLOCK_LINES:
        text = f"a block of {lines} lines, more than {limits.BLOCK_LINES:,}"
        return Message("LS106", place(lines), text, "Lines of a block stand close together.")
    return None


def _whole(number: str) -> int:
    """What stands before the point or the unit of a number."""
    digits = _DIGITS.match(number)
    # Python refuses to read thousands of digits; the first of them are too many already.
    return int(digits[0][:20]) if digits else 0


def _first_token(tree: Tree[Token]) -> Token:
    """Where it stands, which its own tokens tell, or those below it."""
    for _, _, item in _walked(tree):
        if isinstance(item, Token):
            return item
    return Token("", "", line=tree.meta.line, column=tree.meta.column)
