"""Which lines of a chunk hold hits, and of which literals?"""

from collections.abc import Iterator, Sequence


def hit_lines(data: bytes, hits: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """The logical lines that hold hits, in order, each once, as ``(start, end, literals)``.

    A logical line ends at ``\\n``, at ``\\r\\n`` or at a lone ``\\r``, with which a progress bar returns to its start;
    ``end`` leaves that out. ``literals`` names each literal of the line once, in the order of their first hits.

    ``hits`` are those of a scanner (``Hit``) whose literals hold no line end, in its order. The work is linear in the
    data, and nothing is looked at but the lines that hold hits and what lies right before them.
    """
    place = 0
    for start, end in lines_at(data, [stop for stop, _ in hits]):
        literals: tuple[int, ...] = ()
        while place < len(hits) and hits[place][0] <= end:
            literal = hits[place][1]
            if literal not in literals:
                literals += (literal,)
            place += 1
        yield start, end, literals


def lines_at(data: bytes, stops: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The logical lines in which hits end, as ``hit_lines`` gives them, without what was hit."""
    find, rfind = data.find, data.rfind
    has_returns = b"\r" in data if stops else False
    # Where the current physical line ends, and the current logical line inside it.
    row_end = end = -1
    for stop in stops:
        if stop <= end:
            continue
        if stop > row_end:
            start = rfind(b"\n", row_end + 1, stop) + 1 or row_end + 1
            row_end = find(b"\n", stop)
            if row_end < 0:
                row_end = len(data)
        else:
            start = end + 1
        end = row_end
        if has_returns:
            start = rfind(b"\r", start, stop) + 1 or start
            end = find(b"\r", stop, row_end)
            if end < 0:
                end = row_end
        yield start, end
