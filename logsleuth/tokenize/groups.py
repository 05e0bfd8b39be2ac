"""Tags of c10d inside a message: ``[c10d] ``, ``[Rank 6] ``, ``[PG ID 2 PG GUID 3(mesh_tp) Rank 3] ``.

The rank in them counts inside the process group (``[rank97]:[E...] [Rank 6] Watchdog caught ...`` is rank 97), so it
names the writer only where a line begins with it that c10d cannot have written.
"""

import re
from functools import lru_cache

from logsleuth.model.origin import Group
from logsleuth.tokenize.peeled import Peeled, layer, number, text

ROW = rb"(?:\[[RPc][^\]\[]{0,200}+\] ){0,4}+"
"""What looks like a row of tags, for use inside the patterns of headers; ``read_row`` tells how much of it is."""

_TAG = re.compile(
    rb"\[(?:(?P<c10d>c10d)(?: - \w{1,10})?"
    rb"|Rank (?P<bare>\d{1,9})"
    rb"|PG ID (?P<id>\d{1,9}) PG GUID (?P<guid>[^\s()\[\]]{1,100})(?: ?\((?P<named>[^()\[\]]{0,100})\))?"
    rb" Rank (?P<of_id>\d{1,9})"
    rb"|PG GUID (?P<only>[^\s()\[\]]{1,100})(?: ?\((?P<only_named>[^()\[\]]{0,100})\))?(?: Rank (?P<of_only>\d{1,9}))?"
    rb"|PG (?P<number>\d{1,9})(?: \((?P<described>[^()\[\]]{0,100})\))? Rank (?P<of_number>\d{1,9})"
    rb")\] "
)
_row_at = re.compile(ROW).match
_PRINTED = re.compile(rb"\[Rank \d{1,9}\] ")
_c10d = re.compile(
    rb".{0,200}?\b(?:(?:[Ww]atchdog|[Cc]ollectives?|NCCL|nccl|ProcessGroup\w*|[Pp]rocess groups?|[Ww]ork|WorkNCCL"
    rb"|[Cc]ommunicators?|[Tt]imeout|[Tt]imed out|[Tt]erminat\w+|[Ss]tore|TCPStore|[Hh]eartbeat|[Ff]uture|[Ff]light"
    rb"|Exception|PG)\b)",
    re.DOTALL,
).match
"""Words of which every message of c10d behind ``[Rank 3] `` has one near its start, where its header was lost."""


@lru_cache(maxsize=4096)
def read_row(row: bytes) -> tuple[Group | None, int]:
    """Reads a row of tags; gives what they say of the group, and how many bytes of the row are tags indeed."""
    group: Group | None = None
    end = 0
    while match := _TAG.match(row, end):
        # A doubled tag says the same twice, and the ``[Rank 3]`` behind a fuller tag says less.
        if match["c10d"] is None and (match["bare"] is None or group is None):
            group = _group(match)
        end = match.end()
    return group, end


def row_at(line: bytes, start: int) -> tuple[Group | None, int]:
    """Reads the tags at a place of a line; gives the group and where the text behind them begins."""
    match = _row_at(line, start)
    group, length = read_row(match[0]) if match and match[0] else (None, 0)
    return group, start + length


def _group(match: re.Match[bytes]) -> Group:
    number_text, guid = match["id"] or match["number"], match["guid"] or match["only"]
    description = match["named"] or match["only_named"] or match["described"]
    rank = match["bare"] or match["of_id"] or match["of_only"] or match["of_number"]
    return Group(text(number_text), text(guid), text(description), number(rank))


def _take_row(peeled: Peeled, match: re.Match[bytes]) -> int:
    group, length = read_row(match[0])
    end = match.start() + length
    if group is not None and _PRINTED.fullmatch(match.string, match.start(), end) and not _c10d(match.string, end):
        # What a program prints itself, as Megatron does: ``[Rank 3] (after 100 iterations) memory (MB)``. That is a
        # global rank, and no group.
        peeled.rank, group = group.rank, None
    peeled.group = group or peeled.group
    peeled.is_inside = True
    return end if length else 0


LAYERS = (layer(ROW, _take_row, in_bracket=b"RPc"),)
