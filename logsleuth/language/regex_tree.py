"""Regular expressions as trees, with the place of every part: what the parser of Python keeps to itself.

Characters are bytes, as in lines of a log. A pattern that Python refuses is none of our business: it is asked first.
"""

import re
from typing import NamedTuple

BYTE = 256
EVERY = (1 << BYTE) - 1
_NO_FEED = EVERY & ~(1 << 10)


class Chars(NamedTuple):
    """One character out of a set; bit ``n`` of ``mask`` stands for byte ``n``."""

    mask: int
    start: int
    end: int


class Sequence(NamedTuple):
    items: tuple["Tree", ...]


class Either(NamedTuple):
    items: tuple["Tree", ...]


class Repeat(NamedTuple):
    item: "Tree"
    least: int
    most: int | None
    is_lazy: bool
    start: int
    end: int


class Group(NamedTuple):
    """A group that later parts may refer to."""

    item: "Tree"
    number: int


class Atomic(NamedTuple):
    """What gives nothing back: ``(?>...)``, and a repetition with ``+`` behind it."""

    item: "Tree"


class Look(NamedTuple):
    item: "Tree"
    is_ahead: bool
    is_negative: bool


class Edge(NamedTuple):
    """A place in a line: ``^``, ``$``, ``A``, ``Z``, ``b``, ``B``; with the flag for every line ``m^`` and ``m$``."""

    kind: str


class Again(NamedTuple):
    """The text of a group once more."""

    number: int


Tree = Chars | Sequence | Either | Repeat | Group | Atomic | Look | Edge | Again

_REPEAT = re.compile(rb"(?:([*+?])|\{(\d*)(,?)(\d*)\})([?+]?)")
_OPENING = re.compile(
    rb"\(\?(?:(?P<flags>[aiLmsux]*)(?:-(?P<less>[imsx]+))?(?P<end>[:)])|P<(?P<name>\w+)>|P=(?P<again>\w+)\)"
    rb"|(?P<look><?[=!])|(?P<atomic>>)|(?P<comment>#)|\((?P<condition>\w+)\))"
)
_ESCAPE = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|(0[0-7]{0,2}|[0-3][0-7]{2})|([1-9]\d?)|(.))", re.DOTALL)
_CONTROL = {b"a": 7, b"b": 8, b"f": 12, b"n": 10, b"r": 13, b"t": 9, b"v": 11}


def mask_of(chars: bytes) -> int:
    """The set of these characters."""
    mask = 0
    for char in chars:
        mask |= 1 << char
    return mask


_DIGITS = mask_of(b"0123456789")
_WORD = mask_of(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_BLANK = mask_of(b" \t\n\r\f\v")
_CLASSES = {
    b"d": _DIGITS, b"D": EVERY & ~_DIGITS, b"w": _WORD, b"W": EVERY & ~_WORD, b"s": _BLANK, b"S": EVERY & ~_BLANK,
}  # fmt: skip
WORD = _WORD


def tree_of(pattern: bytes) -> Tree:
    """The tree of a pattern that Python compiles."""
    return _Parser(pattern).whole()


class _Parser:
    def __init__(self, text: bytes) -> None:
        self._text, self._at = text, 0
        self._flags: frozenset[str] = frozenset()
        self._groups = 0
        self._names: dict[bytes, int] = {}

    def whole(self) -> Tree:
        """All of the pattern."""
        return self._either()

    def _either(self) -> Tree:
        items = [self._sequence()]
        while self._text[self._at : self._at + 1] == b"|":
            self._at += 1
            items.append(self._sequence())
        return items[0] if len(items) == 1 else Either(tuple(items))

    def _sequence(self) -> Tree:
        items: list[Tree] = []
        while self._at < len(self._text) and self._text[self._at : self._at + 1] not in (b"|", b")"):
            start = self._at
            if "x" in self._flags and self._skipped():
                continue
            item = self._item()
            if item is not None:
                items.append(self._repeated(item, start))
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def _skipped(self) -> bool:
        """Passes over a blank or a comment of a verbose pattern."""
        char = self._text[self._at : self._at + 1]
        if char == b"#":
            feed = self._text.find(b"\n", self._at)
            self._at = len(self._text) if feed < 0 else feed + 1
        elif char.isspace():
            self._at += 1
        else:
            return False
        return True

    def _repeated(self, item: Tree, start: int) -> Tree:
        while "x" in self._flags and self._at < len(self._text) and self._skipped():
            pass
        found = _REPEAT.match(self._text, self._at)
        if found is None or (found[1] is None and not (found[2] or found[4])):
            return item
        self._at = found.end()
        if found[1]:
            least, most = {b"*": (0, None), b"+": (1, None), b"?": (0, 1)}[found[1]]
        else:
            least = int(found[2] or 0)
            most = (int(found[4]) if found[4] else None) if found[3] else least
        repeat = Repeat(item, least, most, found[5] == b"?", start, self._at)
        return Atomic(repeat) if found[5] == b"+" else repeat

    def _item(self) -> Tree | None:
        start, char = self._at, self._text[self._at]
        self._at += 1
        match chr(char):
            case "(":
                self._at = start
                return self._group()
            case "[":
                return Chars(self._class(), start, self._at)
            case "\\":
                return self._escape(start)
            case ".":
                return Chars(EVERY if "s" in self._flags else _NO_FEED, start, self._at)
            case "^" | "$" as edge:
                return Edge(f"m{edge}" if "m" in self._flags else edge)
        return Chars(self._folded(1 << char), start, self._at)

    def _escape(self, start: int) -> Tree:
        found = _ESCAPE.match(self._text, start)
        assert found  # Python compiled it
        self._at = found.end()
        if found[3] is not None:
            return Again(int(found[3]))
        if found[4] in (b"A", b"Z", b"b", b"B"):
            return Edge(found[4].decode())
        return Chars(self._folded(_escaped(found)), start, self._at)

    def _class(self) -> int:
        """The set that a class stands for; its opening bracket is read."""
        is_negative = self._text[self._at : self._at + 1] == b"^"
        self._at += is_negative
        mask, first = 0, True
        while first or self._text[self._at : self._at + 1] != b"]":
            first = False
            low = self._member()
            if self._text[self._at : self._at + 1] == b"-" and self._text[self._at + 1 : self._at + 2] != b"]":
                self._at += 1
                high = self._member()
                low = sum(1 << n for n in range(low.bit_length() - 1, high.bit_length()))
            mask |= low
        self._at += 1
        mask = self._folded(mask)
        return EVERY & ~mask if is_negative else mask

    def _member(self) -> int:
        if self._text[self._at : self._at + 1] != b"\\":
            self._at += 1
            return 1 << self._text[self._at - 1]
        found = _ESCAPE.match(self._text, self._at)
        assert found  # Python compiled it
        self._at = found.end()
        return _escaped(found)

    def _folded(self, mask: int) -> int:
        """The set, with both cases of its letters where case counts for nothing."""
        if "i" not in self._flags:
            return mask
        for upper in range(65, 91):
            if mask >> upper & 1 or mask >> (upper + 32) & 1:
                mask |= 1 << upper | 1 << (upper + 32)
        return mask

    def _group(self) -> Tree | None:
        found = _OPENING.match(self._text, self._at)
        if found is None:
            self._at += 1
            return self._numbered()
        self._at = found.end()
        if found["comment"]:
            self._at = self._text.index(b")", self._at) + 1
            return None
        if found["again"]:
            return Again(self._names[found["again"]])
        if found["name"]:
            self._names[found["name"]] = self._groups + 1
            return self._numbered()
        if found["look"]:
            look = found["look"]
            return Look(self._closed(), not look.startswith(b"<"), look.endswith(b"!"))
        if found["atomic"]:
            return Atomic(self._closed())
        if found["condition"]:
            # Whichever branch is taken: both are looked at.
            inner = self._closed()
            return inner if isinstance(inner, Either) else Either((inner, Sequence(())))
        return self._flagged(found)

    def _flagged(self, found: re.Match[bytes]) -> Tree | None:
        before = self._flags
        self._flags = (before | set((found["flags"] or b"").decode())) - set((found["less"] or b"").decode())
        if found["end"] == b")":
            return None
        inner = self._closed()
        self._flags = before
        return inner

    def _numbered(self) -> Tree:
        self._groups += 1
        number = self._groups
        return Group(self._closed(), number)

    def _closed(self) -> Tree:
        inner = self._either()
        self._at += 1
        return inner


def _escaped(found: re.Match[bytes]) -> int:
    """The set that an escape stands for."""
    hexadecimal, octal, decimal, letter = found.groups()
    if hexadecimal:
        return 1 << int(hexadecimal, 16)
    if octal or decimal:
        return 1 << (int(octal or decimal, 8) & 255)
    if letter in _CLASSES:
        return _CLASSES[letter]
    return 1 << _CONTROL.get(letter, letter[0])


_WIDE = 128
"""Characters of a set that stands for nearly anything, and so insists on none."""


def insists_on_blank(tree: Tree) -> bool:
    """Whether a match may have to begin with a blank, or asks what stands before it."""
    return _blank_first(tree)[0]


def _blank_first(tree: Tree) -> tuple[bool, bool]:
    """Whether the tree may insist on a blank at its start, and whether it may take up nothing."""
    match tree:
        case Chars(mask):
            return bool(mask & _BLANK) and mask.bit_count() < _WIDE, False
        case Sequence(items):
            for item in items:
                blank, is_empty = _blank_first(item)
                if blank or not is_empty:
                    return blank, False
            return False, True
        case Either(items):
            found = [_blank_first(item) for item in items]
            return any(blank for blank, _ in found), any(is_empty for _, is_empty in found)
        case Repeat(item, least):
            blank, is_empty = _blank_first(item)
            return blank, is_empty or least == 0
        case Group(item) | Atomic(item):
            return _blank_first(item)
        case Look(item, is_ahead):
            return not is_ahead, True
        case Edge(kind):
            return kind in ("^", "m^", "A", "B"), True
    return True, True
