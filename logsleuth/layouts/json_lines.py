"""Records of which each is a JSON object on a line of its own: loggers, agents that collect, ``journalctl -o json``."""

from collections.abc import Iterable, Iterator, Sequence

from logsleuth.ingest.chunks import Chunk
from logsleuth.layouts.layout import HEAD, lines_in
from logsleuth.layouts.order import in_order
from logsleuth.layouts.record import record_in
from logsleuth.layouts.rows import PlainRow, Row

_SHARE = 0.5
"""Of the lines at the head of a source that are records, where it is one of records."""
_ASKED = 100


def recognises(head: bytes) -> bool:
    """Whether at least half of the lines are records, the first line among them or one that begins as objects do."""
    lines = [line for line in whole_lines(head) if line.strip()][:_ASKED]
    begun = [line for line in lines if line.lstrip()[:1] == b"{"]
    if not lines or len(begun) < _SHARE * len(lines):
        return False
    return sum(record_in(line) is not None for line in begun) >= _SHARE * len(lines)


def whole_lines(head: bytes) -> list[bytes]:
    """The lines of a head without the one that it may end in."""
    lines = head.splitlines()
    return lines[:-1] if len(head) >= HEAD and len(lines) > 1 else lines


def rows_of(text: bytes, offset: int, number: int) -> Sequence[Row]:
    """The lines of a record on a line; the line itself where it is none."""
    if text[:1] == b"{" and (record := record_in(text, offset, number)):
        return record.rows()
    return [PlainRow(text, offset, number)]


def unfolded(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    return in_order(
        [row for line in lines_in(chunk) for row in rows_of(line.text, line.offset, line.number)] for chunk in chunks
    )
