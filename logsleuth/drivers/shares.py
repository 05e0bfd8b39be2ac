"""Which logs does a worker of a cluster read at a time?

So many that asking costs nothing beside reading, and so few that all workers have something to do until the end, and
that little is read again where one dies.
"""

from collections.abc import Iterable
from pathlib import Path

from logsleuth.drivers.errand import Share
from logsleuth.ingest.elsewhere import FileOpener
from logsleuth.ingest.parts import PartOpener
from logsleuth.model.origin import Source

MOST_BYTES = 256 << 20
_LEAST_BYTES = 1 << 20
MOST_LOGS = 64
_EACH = 4
"""Shares for each worker, where there is enough to read."""
_UNPACKED = 8
"""Times the size of a packed file."""
_UNKNOWN = 4 << 20
"""Bytes of a log whose size nobody told."""


def shares(sources: Iterable[tuple[int, Source]], workers: int) -> list[Share]:
    """The sources in shares for so many workers, those with most to read first."""
    sized = [(size_of(source), number, source) for number, source in sources]
    most = sum(size for size, _, _ in sized) // (_EACH * max(workers, 1))
    most = min(max(most, _LEAST_BYTES), MOST_BYTES)
    made: list[tuple[int, list[tuple[int, Source]]]] = []
    held, share = 0, list[tuple[int, Source]]()
    for size, number, source in sized:
        if share and (held + size > most or len(share) == MOST_LOGS):
            made.append((held, share))
            held, share = 0, []
        held += size
        share.append((number, source))
    if share:
        made.append((held, share))
    return [share for _, share in sorted(made, key=lambda one: -one[0])]


def size_of(source: Source) -> int:
    """Bytes to read of a source of ``elsewhere``, as far as its files tell without being read."""
    return sum(_size(file) for file in source.files)


def _size(file: Source) -> int:
    match file.opener:
        case PartOpener() as part:
            return sum(end - start for start, end in part.ranges)
        case FileOpener() as whole:
            try:
                size = Path(whole.path).stat().st_size
            except OSError:
                return _UNKNOWN
            return size if file.format == "text" else size * _UNPACKED
    return _UNKNOWN
