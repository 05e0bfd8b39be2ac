"""Finds levels that no line has: a rule that asks for ``level == "ERROR"`` where levels are letters."""

from collections.abc import Iterator

from logsleuth.language import syntax as s
from logsleuth.language.messages import WARNING, Message
from logsleuth.language.walk import conditions, walk

_LEVELS = "DIWEF"
"""Debug, info, warning, error, fatal."""
_OTHER_NAMES = {"T": "D", "N": "I", "C": "F"}
"""Trace, notice and critical are told as one of these."""


def check_levels(rule: s.Rule) -> Iterator[Message]:
    """A warning for each text that a rule compares with a level and that is none."""
    for condition in conditions(rule):
        for node in walk(condition):
            if isinstance(node, s.Operation) and _is_level(node.left):
                yield from (_message(text, at) for text, at in _asked(node) if text not in tuple(_LEVELS))


def _is_level(node: s.Node) -> bool:
    match node:
        case s.Field(name="level") | s.Attribute(field="level") | s.EventField(field="level"):
            return True
    return False


def _asked(node: s.Operation) -> Iterator[tuple[str, s.Place]]:
    if node.operator in ("==", "!=") and isinstance(node.right, s.Value) and isinstance(node.right.value, str):
        yield node.right.value, node.right.at
    elif isinstance(node.right, s.Values):
        yield from ((item, node.right.at) for item in node.right.items if isinstance(item, str))


def _message(text: str, at: s.Place) -> Message:
    letter = text[:1].upper()
    letter = _OTHER_NAMES.get(letter, letter)
    remedy = f'Write "{letter}".' if letter in tuple(_LEVELS) else "Write the letter that the level begins with."
    said = f'no line has the level "{text}": a level is one letter, of {", ".join(_LEVELS)}'
    return Message("LS238", at, said, remedy, WARNING)
