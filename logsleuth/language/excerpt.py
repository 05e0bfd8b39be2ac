"""How a line of a rule file looks with a caret under the place that a message is about."""

import unicodedata

from logsleuth.language.syntax import Place

WIDEST = 110
"""Columns of a quoted line; a longer one is cut around its caret."""
_BEFORE = 60
"""Columns that are kept in front of the caret of a cut line."""
_CUT = "..."


def excerpt(text: str, place: Place) -> list[str]:
    """The line of ``text`` at ``place``, and a line with carets under it; nothing where there is no such line."""
    lines = text.split("\n")
    if not 1 <= place.line <= len(lines) or not lines[place.line - 1].strip():
        return []
    line = lines[place.line - 1].rstrip("\r")
    first = place.column - 1
    end = max(first + 1, min(first + place.width, len(line)))
    start, stop = _window(line, first)
    front = _CUT if start else ""
    shown = front + harmless(line[start:stop]) + (_CUT if stop < len(line) else "")
    indent = len(front) + _columns(line[start:first]) + max(0, first - len(line))
    carets = "^" * max(1, _columns(line[first : min(end, stop)]))
    number = str(place.line)
    return [f"  {number} | {shown.rstrip()}", f"  {' ' * len(number)} | {' ' * indent}{carets}"]


def inside(place: Place, text: str, offset: int, width: int) -> Place:
    """The place of a part of a text that stands at ``place``."""
    lines, last = text.count("\n", 0, offset), text.rfind("\n", 0, offset)
    column = place.column + offset if lines == 0 else offset - last
    return Place(place.file, place.line + lines, column, width)


def harmless(text: str) -> str:
    """Text of a rule file that cannot harm a terminal: tabs are blanks, what cannot be seen is spelled out."""
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable() or character == "\n":
        return character
    return " " if character == "\t" else character.encode("unicode_escape").decode("ascii")


def _window(line: str, first: int) -> tuple[int, int]:
    """Which part of a line to show so that the character at ``first`` is in it. Of a long line only that part is looked
    at: there can be as many messages as it has characters."""
    if _reach(line, range(len(line)), WIDEST) == len(line):
        return 0, len(line)
    start = min(first, len(line))
    start -= _reach(line, range(start - 1, -1, -1), _BEFORE)
    return start, start + _reach(line, range(start, len(line)), WIDEST - len(_CUT) * 2)


def _reach(line: str, places: range, room: int) -> int:
    """How many characters, at these places of a line, fit into so many columns."""
    for count, place in enumerate(places):
        room -= _columns(line[place])
        if room < 0:
            return count
    return len(places)


def _columns(text: str) -> int:
    """How many columns of a terminal the text takes as it is shown."""
    return sum(map(_width, harmless(text)))


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
