"""What a wording means as a regular expression: templates are translated to one."""

import re
from typing import NamedTuple

from logsleuth.language.syntax import Wording
from logsleuth.language.template import Hole, Part, Skip, parse_template


class HolePattern(NamedTuple):
    pattern: str
    """What matches where text follows in the template: as little as that text allows."""
    last: str
    """What matches at the end of a template: as much as there is."""


def _both(pattern: str) -> HolePattern:
    return HolePattern(pattern, pattern)


_DIGITS = r"[-+]?\d+(?:\.\d+)?"
_EXPONENT = r"(?:[eE][-+]?\d+)?"
_FLOAT = rf"""['"]?[-+]?(?:\d[\d,]*(?:\.\d*)?{_EXPONENT}|\.\d+{_EXPONENT}|[nN][aA][nN]|[iI]nf(?:inity)?)['"]?"""
_DURATION = r"\d[\d.:]*(?: ?(?:[num]?s|secs?|seconds|min|minutes|[mhd]|hours|days)(?![A-Za-z]))?"

HOLES: dict[str, HolePattern] = {
    "int": _both(r"[-+]?\d+"),
    "float": _both(_FLOAT),
    "word": HolePattern(r"\S+?", r"\S+"),
    "text": HolePattern(r".+?", r".+"),
    "bytes": _both(r"[\d.]+ ?(?:bytes?|[KMGT]i?B)(?![A-Za-z])"),
    "duration": _both(_DURATION),
    "count": _both(r"\d[\d,]*(?:\.\d+)?(?:[KMBGT](?![A-Za-z]))?"),
    "ms": _both(rf"{_DIGITS}(?:[KM](?![A-Za-z]))?"),
    "s": _both(_DIGITS),
    "mib": _both(_DIGITS),
    "gib": _both(_DIGITS),
    "percent": _both(_DIGITS + " ?%?"),
    "address": _both(r"(?:\[[\w:.%]+\]|[^\s,;:()<>\[\]]+)(?::\d+|<\d+>)?"),
    "hex": _both(r"(?:0[xX])?[0-9A-Fa-f]+"),
    "ranks": _both(r"[\[{(]?[ \t]*\d+(?:[ \t]*[-,][ \t]*\d+)*[ \t]*[\]})]?"),
    "moment": _both(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d"),
    "exception": _both(r"[A-Za-z_][\w.]*"),
}
"""What the holes of each type match: every one of ``logsleuth.language.template.TYPES``."""

_INDENT, _WHOLE_INDENT = r"[ \t]*", r"[ \t]*+"
"""What stands before a wording. All of it is passed over, but for wordings that begin with blanks themselves."""
_BLANKS = re.compile(r"([ \t]{2,})")
_WORD = re.compile(r"\w+")


def regex_of(wording: Wording) -> str:
    """The regular expression that is matched at the start of a message."""
    if wording.is_regex:
        from logsleuth.language.regex_tree import insists_on_blank, tree_of

        # A wording is matched behind a line's framing, where Python's ^ never holds.
        text = wording.text.removeprefix("^")
        return rf"{_INDENT if insists_on_blank(tree_of(text.encode())) else _WHOLE_INDENT}(?:{text})"
    return (_INDENT if wording.text[:1] in (" ", "\t") else _WHOLE_INDENT) + parts_source(parse_template(wording.text))


def also_regex_of(wording: Wording) -> str:
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
    """The parts one behind another. From one run of any characters to the next the first place that fits is kept: where
    what follows is not found behind it, it is not found behind a later one either, and nobody has to look."""
    out: list[str] = []
    runs = [place for place, part in enumerate(parts) if _is_run(part)]
    for place, part in enumerate(parts):
        if place in runs[1:]:
            out.append(")")
        if place in runs[:-1]:
            out.append("(?>")
        out.append(_word_part(parts, place) if _is_settled(parts, place) else _part(part, place == len(parts) - 1))
        if place and _is_settled(parts, place - 1):
            out.append(")")
    return "".join(out)


def _is_run(part: Part) -> bool:
    return (isinstance(part, Skip) and part.any_run) or (isinstance(part, Hole) and part.type == "text")


def _is_word(part: Part) -> bool:
    return isinstance(part, Hole) and part.type == "word"


def _is_settled(parts: tuple[Part, ...], place: int) -> bool:
    """Whether the first end of a word is as good as any: behind it stands text, and then what may begin anywhere."""
    if not _is_word(parts[place]) or place + 2 >= len(parts) or not isinstance(parts[place + 1], str):
        return False
    return _is_run(parts[place + 2]) or _is_word(parts[place + 2])


def _word_part(parts: tuple[Part, ...], place: int) -> str:
    return "(?>" + _part(parts[place], False)


def _part(part: Part, is_last: bool) -> str:
    if isinstance(part, str):
        return "".join(_escape(piece) for piece in _BLANKS.split(part))
    if isinstance(part, Skip):
        return ("" if is_last else ".*?") if part.any_run else r"\S+"
    hole = HOLES[part.type]
    return f"(?P<{part.name}>{hole.last if is_last else hole.pattern})"


def _escape(piece: str) -> str:
    return r"[ \t]+" if _BLANKS.fullmatch(piece) else re.escape(piece)
