"""The header of NCCL's lines, in all its versions.

``<host>:<pid>:<tid> [<cudaDev>] NCCL INFO `` (without ``NCCL`` before 2.3); WARN and TRACE have a location before
``NCCL``, which a plugin may fill with a whole C++ signature; CALL has no device. From 2.26 on a time stamp may come
first, of any shape that the user chose. People who show a log cut, mask or mark up its header: of such a rest only the
level is believed.
"""

import re

from logsleuth.model.origin import Group
from logsleuth.tokenize.peeled import DIGITS, LETTERS, Layer, Peeled, layer, text
from logsleuth.tokenize.stamps import find

HEADER = (
    rb"([A-Za-z\d][\w.-]{0,253}+):(\d{1,10}+):\d{1,10}+ "
    rb"(?:\[-?\d{1,5}\] (?:(?:NCCL )?(INFO|WARN|TRACE|ABORT)"
    rb"|(?:(?!:\d{1,10}:\d{1,10} \[)[^\n]){1,400}?:\d{1,6}(?: \([^()\n]{1,200}\))? (?:NCCL )?(WARN|TRACE|ABORT))"
    rb"|NCCL (CALL))(?: |$)"
)
"""Groups: host, pid, and the level in one of three."""

_LEVELS = {b"INFO": "I", b"WARN": "W", b"TRACE": "D", b"CALL": "D", b"ABORT": "F"}
_search = re.compile(rb"(?<![\w.-])" + HEADER).search
_TELLTALE = (b" NCCL INFO", b" NCCL WARN", b" NCCL TRAC", b" NCCL CALL")
_PLACE_IN_COMMUNICATOR = re.compile(rb"\[Rank (\d{1,7})\] (?=nccl)")
_CHOSEN_STAMP = re.compile(
    rb"(?:[\d:.,/_ +()\[\]<>{}|-]|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}+"
    rb"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}+|[AP]M|UTC|GMT|[TZ]){0,64}+"
)
_CLOCK = re.compile(rb"\d\d:\d\d|\d{9}")
_rest_of_header = re.compile(
    rb"(?:> )?(?:(?!\[)[^\s:]{0,253}+(?:(?::[\dXx*]{1,10}+){1,2} | (?=\[-?\d{1,5}\] )))?(?:\[-?\d{1,5}\] )?"
    rb"(?:\S{1,200}?:\d{1,6}(?:\]\(\S{0,200}\))?(?: \([^()\n]{1,200}\))? )?NCCL (?P<level>INFO|WARN) "
).match


def stamped_header(peeled: Peeled, line: bytes, at: int, limit: int) -> int:
    """Peels a header behind a time stamp of the user's own shape; gives where it ends, or 0 where none stands here."""
    telltale = line.find(b" NCCL ", at, limit)
    if telltale < 0 or line[telltale : telltale + 10] not in _TELLTALE:
        return 0
    match = _search(line, at, limit)
    if not match:
        return 0
    before = line[at : match.start()]
    if not _CHOSEN_STAMP.fullmatch(before) or not _CLOCK.search(before):
        return 0
    peeled.see_stamp(find(before))
    return _take_header(peeled, match)


def torn_header(peeled: Peeled, line: bytes, at: int, limit: int) -> int:
    """Peels what was left of a header by whoever showed the log; gives where it ends, or 0 where none stands here."""
    match = _rest_of_header(line, at, limit)
    if not match or match.start("level") == at + len(b"NCCL "):
        return 0
    peeled.level = _LEVELS[match["level"]]
    peeled.is_inside = peeled.is_closed = True
    return match.end()


def _take_header(peeled: Peeled, match: re.Match[bytes]) -> int:
    host, pid, plain, located, call = match.groups()
    peeled.host, peeled.pid, peeled.level = text(host), int(pid), _LEVELS[plain or located or call]
    peeled.is_inside = peeled.is_closed = True
    if place := _PLACE_IN_COMMUNICATOR.match(match.string, match.end()):
        # From 2.29 on, in front of ``ncclCommInitRank comm ...``: the rank inside the communicator.
        peeled.group = Group(None, None, None, int(place[1]))
        return place.end()
    return match.end()


LAYERS: tuple[Layer, ...] = (layer(HEADER, _take_header, first=LETTERS + DIGITS),)
