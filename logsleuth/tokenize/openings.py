"""How messages open that report an exception.

``RuntimeError: ``, ``  what():  ``, ``terminate called ...``, and the JSON of torchrun's error files, whose innermost
``message`` is the exception as Python prints it.
"""

import re
from typing import NamedTuple

from logsleuth.model.origin import Group
from logsleuth.tokenize.groups import row_at

_NAME = rb"((?:[A-Za-z_]\w{0,100}+\.){0,12}+[A-Za-z_]\w{0,100}+(?:\([\w.]{1,100}\))?)(?:(: )|:?[ \t\r]*+$)"
_OPENING = re.compile(
    rb"[ \t]*+(?:" + _NAME + rb"|(what\(\): {1,2}|\{\"message\": \{\"message\": \")"
    rb"|terminate called (?:after throwing an instance of '([^']{1,300})'|without |recursively))"
)
_INNER = re.compile(_NAME)

_ENDINGS = (b"Error", b"Exception", b"Warning", b"Interrupt", b"ExceptionGroup")
_DOTTED_ENDINGS = (*_ENDINGS, b"Exit", b"Fault", b"Timeout", b"Empty", b"Full")
_WHOLE = frozenset(
    [b"SystemExit", b"GeneratorExit", b"StopIteration", b"StopAsyncIteration", b"ConnectTimeout", b"ReadTimeout"]
)
_CLASS = re.compile(rb"[A-Z]\w*[a-z]\w*")
_MODULE = re.compile(rb"[a-z_]\w*")


class Opening(NamedTuple):
    body: int
    """Where the message begins behind what it opens with."""
    exception: bytes | None
    group: Group | None


def opening_at(line: bytes, start: int) -> Opening | None:
    """What the message that starts here opens with; None where it opens with nothing of the kind."""
    match = _OPENING.match(line, start)
    if not match:
        return None
    name, is_followed, what, thrown = match.groups()
    if name is not None:
        return _named(line, match.end(), name, is_followed is not None)
    if what is None:
        return Opening(len(line), thrown, None)
    group, body = row_at(line, match.end())
    inner = _INNER.match(line, body)
    opening = _named(line, inner.end(), inner[1], inner[2] is not None) if inner else None
    return opening._replace(group=opening.group or group) if opening else Opening(body, None, group)


def _named(line: bytes, end: int, name: bytes, is_followed: bool) -> Opening | None:
    if not _is_exception(name, is_followed):
        return None
    if not is_followed:
        return Opening(len(line), name, None)
    group, body = row_at(line, end)
    return Opening(body, name, group)


def _is_exception(name: bytes, is_followed: bool) -> bool:
    """Whether a name is that of an exception class, and not that of a metric or a setting.

    A name without dots must end as exceptions do. A dotted one may be any class in a module where a message follows.
    """
    *modules, last = name.partition(b"(")[0].split(b".")
    if not modules:
        is_named_so = last.endswith(_ENDINGS) and (last[:1].isupper() or last.startswith(b"nccl"))
        return (is_named_so or last in _WHOLE or last.startswith(b"OutOf")) and (is_followed or last not in _ENDINGS)
    if not all(_MODULE.fullmatch(module) for module in modules):
        return False
    return last.endswith(_DOTTED_ENDINGS) or (is_followed and _CLASS.fullmatch(last) is not None)
