"""What is left of declarations with syntax errors, and what the checker says of them only because of these errors."""

from collections.abc import Iterable
from typing import NamedTuple

from logsleuth.language.messages import Message
from logsleuth.language.syntax import Declaration, Event, MoreWordings, Rule

_SURE = frozenset(("LS201", "LS203", "LS205", "LS206", "LS207", "LS208", "LS210", "LS211", "LS212", "LS213", "LS215"))
"""What stays wrong whatever else a declaration says."""
_SURE_OF_RULES = _SURE | {"LS202", "LS216"}
"""The fields that a rule speaks of are those of other declarations."""


class Broken(NamedTuple):
    """A declaration with errors: what is left of it, and the lines that it takes up."""

    declaration: Declaration
    first: int
    last: int


def follows(message: Message, broken: Iterable[Broken]) -> bool:
    """Whether it may only be said because a declaration could not be read as a whole."""
    for item in broken:
        declaration, place = item.declaration, message.place
        if place.file == declaration.at.file and item.first <= place.line <= item.last:
            return message.code not in (_SURE_OF_RULES if isinstance(declaration, Rule) else _SURE)
        if isinstance(declaration, Event | MoreWordings) and f"'{declaration.name}'" in message.text:
            return message.code == "LS202"
    return False
