"""Checks that no line can make a pattern take for ever."""

import re
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from logsleuth.language import syntax as s
from logsleuth.language.backtracking import Attack, Backtracking, backtracking
from logsleuth.language.messages import Message
from logsleuth.language.wording_regex import also_regex_of, regex_of

_OFTEN = 30
_REMEDY = (
    "Let the repetition keep what it has taken (an atomic group (?>...), or ++ and *+ for + and *), say which "
    'characters it takes ([^"]* instead of .*), or write a template.'
)
_REMEDY_OF_TEMPLATES = (
    "Write more of the text between the holes, or a regex whose repetitions keep what they have taken."
)


class Fault(NamedTuple):
    """Why Python does not compile a pattern."""

    text: str
    position: int
    """Where in the pattern, in characters."""


def fault_of(pattern: str, is_of_lines: bool) -> Fault | None:
    """What is wrong with a pattern, None where it compiles; ``is_of_lines`` for one that is matched against lines,
    which are bytes: what does not compile as a pattern of bytes (``\\u00e9``) never matches one."""
    try:
        re.compile(pattern.encode() if is_of_lines else pattern)
    except re.error as error:
        return Fault(error.msg, error.pos or 0)
    except RecursionError:
        return Fault("it is nested too deeply", 0)
    except OverflowError as error:
        return Fault(str(error), 0)
    return None


def check_wording(wording: s.Wording, is_also: bool) -> list[Message]:
    """What is dear about a wording that compiles; ``is_also`` where it is searched for anywhere in a message."""
    attack = _backtracking(wording, is_also).attack
    if attack is None:
        return []
    if not wording.is_regex:
        return [Message("LS250", wording.at, _told(attack), _REMEDY_OF_TEMPLATES)]
    before = regex_of(wording).encode().index(wording.text.encode()) if not is_also else 0
    return [_message(wording.text, wording.at, attack, before)]


def check_pattern(pattern: str, at: s.Place) -> list[Message]:
    """What is dear about the pattern of ``matches``, which stands in back-quotes at ``at``. Conditions are not watched
    as wordings are, so that it has to be proved harmless."""
    found = backtracking(pattern.encode(), is_searched=True)
    if found.attack:
        return [_message(pattern, at, found.attack, 0)]
    text = "it cannot be shown that no text makes this take for ever"
    return [] if found.is_harmless else [Message("LS250", at, text, _REMEDY)]


def guarded(event: s.Event, proved: Collection[str]) -> s.Event:
    """The event; wordings of which it is not proved that they are harmless are marked, so that they are watched. Those
    in the files ``proved`` are not asked."""
    wordings = tuple(_guarded(wording, False, proved) for wording in event.wordings)
    blocks = tuple(
        replace(block, items=tuple(_guarded_item(item, proved) for item in block.items)) for block in event.blocks
    )
    return replace(event, wordings=wordings, blocks=blocks)


def _guarded_item(item: s.BlockItem, proved: Collection[str]) -> s.BlockItem:
    return item if item.wording is None else replace(item, wording=_guarded(item.wording, False, proved))


def _guarded(wording: s.Wording, is_also: bool, proved: Collection[str]) -> s.Wording:
    if wording.at.file in proved:
        return wording
    also = tuple(_guarded(other, True, proved) for other in wording.also)
    return replace(wording, also=also, is_guarded=not _backtracking(wording, is_also).is_harmless)


def _backtracking(wording: s.Wording, is_also: bool) -> Backtracking:
    return backtracking((also_regex_of if is_also else regex_of)(wording).encode(), is_searched=is_also)


def _message(pattern: str, at: s.Place, attack: Attack, before: int) -> Message:
    """``before`` are the bytes that stand in front of the pattern where it was looked at."""
    start, end = (
        len(pattern.encode()[: max(n - before, 0)].decode(errors="ignore")) for n in (attack.start, attack.end)
    )
    is_inside = before <= attack.start < attack.end and end <= len(pattern)
    place = s.Place(at.file, at.line, at.column + 1 + start, max(end - start, 1)) if is_inside else at
    return Message("LS250", place, _told(attack), _REMEDY)


def _told(attack: Attack) -> str:
    line = " + ".join(part for text, pump in attack.parts for part in _shown(text, pump))
    line += f" + {_quoted(attack.tail)}" if attack.tail else ""
    if attack.is_exponential:
        pump = _quoted(attack.parts[-1][1])
        return f"a line can make this take for ever: on {line} every further {pump} multiplies the work"
    return (
        f"a line can make this take for hours: on lines like {line} the work grows with the third power of their length"
    )


def _shown(text: bytes, pump: bytes) -> list[str]:
    again = f"{_quoted(pump)} * {_OFTEN}"
    return [again] if text in (b"", pump) else [_quoted(text), again]


def _quoted(text: bytes) -> str:
    return repr(text.decode("utf-8", "backslashreplace"))
