"""Where a line comes from: its source, and what its framing told about its writer."""

from array import array
from bisect import bisect_right
from collections.abc import Callable
from contextlib import AbstractContextManager
from operator import attrgetter, itemgetter
from typing import NamedTuple, Protocol


class ByteStream(Protocol):
    """What is read of an open source: ``io.BytesIO`` and ``io.BufferedReader`` are such streams."""

    def read1(self, size: int, /) -> bytes:
        """Up to ``size`` bytes, as few as there are without waiting for more; none only at the end."""


class Opener(Protocol):
    """Opens the bytes of a source as they are stored, where its path alone does not: a member of an archive, a part of
    a file, a remote file, a pipe that was begun."""

    @property
    def turn(self) -> tuple[int, ...]:
        """Sources that have turns are cheap to open in the order of these only; empty where any order is as good."""

    @property
    def once(self) -> bool:
        """Whether it can be opened only once."""

    def __call__(self) -> AbstractContextManager[ByteStream]:
        """For a ``with`` statement; raises OSError where it cannot be opened, and so does the stream."""


class Source(NamedTuple):
    """One log as it was given or found."""

    path: str
    """As it was given or found beneath a folder; cited by every piece of evidence. ``-`` is standard input,
    ``ARCHIVE!PATH`` a member of an archive."""
    format: str = "text"
    """``text``, how it is packed (``gzip``, ``zstd``, ``bzip2``, ``xz``), or ``recorder`` (a dump of torch's flight
    recorder)."""
    pieces: tuple["Source", ...] = ()
    """The files that hold it, in the order in which they were written; empty where it is one file, the path. Else the
    path is what the log would be called as a whole."""
    made: bytes = b""
    """The lines that were made of what it holds, where it holds none itself."""
    layout: str | None = None
    """How records lie in its text (a name of ``logsleuth.layouts``), where the user says it; None: its text decides."""
    label: "PathLabel | None" = None
    """What is known of its writer beforehand; None: its path is asked."""
    opener: Opener | None = None
    """None: the path opens it."""

    @property
    def files(self) -> tuple["Source", ...]:
        """The files to read."""
        return self.pieces or (self,)


class Turned(NamedTuple):
    """Where records stand that were read in another order than they stand in."""

    starts: "array[int]"
    """Offsets in the order of reading from which on ..."""
    shifts: "array[int]"
    """... so many bytes were added."""

    def place(self, offset: int) -> int:
        """Where that stands which was read at an offset."""
        at = bisect_right(self.starts, offset) - 1
        return offset - self.shifts[at] if at >= 0 else offset


class Piece(NamedTuple):
    """A file that was read as a part of a log."""

    path: str
    offset: int
    """Bytes of the log in front of it."""
    lines: int
    """Lines of the log in front of it."""
    turned: Turned | None = None
    """Where its lines were not read in their order."""
    skipped: Callable[[], int] | None = None
    """Counts its lines in front of those that were read, where it was not read from its start: that takes a while, so
    only who cites one asks. Their bytes are taken off ``offset``."""
    counted_from: tuple[tuple[int, int], ...] = ()
    """Offsets from which on its lines were counted anew, and how many lines stand in front of each; none where they
    were counted from the first on."""


class Log(NamedTuple):
    """A log that was read, and the files that it was read from."""

    path: str
    pieces: tuple[Piece, ...]
    """In their order; at least one."""

    def place(self, line: int, offset: int) -> tuple[str, int, int]:
        """Path, line and offset, in the file that holds it, of a line of the log."""
        piece = self.pieces[max(bisect_right(self.pieces, offset, key=attrgetter("offset")) - 1, 0)]
        place = offset if piece.turned is None else piece.turned.place(offset)
        skipped = piece.skipped() if piece.skipped else 0
        if piece.counted_from:
            skipped += piece.counted_from[bisect_right(piece.counted_from, offset, key=itemgetter(0)) - 1][1]
        return piece.path, line - piece.lines + skipped, place - piece.offset


NOWHERE = -2_208_988_800.0
"""1900-01-01, in seconds: the day of clocks that tell none."""
BOOT = -5_364_662_400.0
"""1800-01-01, in seconds: where the time of kernels begins that count from when their host was started."""


class Stamp(NamedTuple):
    """A time read from a line.

    ``seconds`` counts from 1970-01-01 as if the stamp were UTC; a stamp without a year is placed in 2000 (a leap year,
    so that 29 February exists) and says so. A clock without a day is placed on the day ``NOWHERE``, a time since its
    host was started behind ``BOOT``: both lie before 1970, where no log was written.
    """

    seconds: float
    has_year: bool
    has_zone: bool


class Tag(NamedTuple):
    """The raw label of a line: what its framing says about the process that wrote it.

    Every field is None where the line does not tell it. Lines of one source with equal tags have one writer.
    """

    rank: int | None = None
    """Global rank (``[rank3]:``, ``rank=3`` in an OLMo or Ray header)."""
    local_rank: int | None = None
    """Local rank on an unnamed host (``[default3]:``)."""
    task: int | None = None
    """Task number of a launcher (``srun -l``, ``mpirun --tag-output``): a rank where there is one task per rank."""
    host: str | None = None
    pid: int | None = None

    @property
    def is_bare(self) -> bool:
        """True for a line that names no writer."""
        return self == BARE


BARE = Tag()


class PathLabel(NamedTuple):
    """What the path of a source tells about its writer; every part may be missing."""

    tag: Tag = Tag()
    """``host`` may be a Kubernetes pod, whose name is its host name; ``task`` is the number in ``worker-3.log``."""
    attempt: int | None = None
    """The number in torchrun's ``attempt_1``."""
    run: str | None = None
    """torchrun's folder for one run of one agent, ``<rendezvous id>_<8 characters>``: no two agents share one."""
    stream: str | None = None
    """``stdout`` or ``stderr``, where torchrun keeps the two apart."""


class Group(NamedTuple):
    """The process group that a c10d line speaks of."""

    number: str | None
    """Per-process running number (``PG ID 2``, or the only number of torch 2.2-2.4)."""
    guid: str | None
    """Unique name, equal on all ranks of the group (torch >= 2.5)."""
    description: str | None
    rank: int | None
    """Rank *inside the group*; global only in the default group."""


class Frame(NamedTuple):
    """A line with its framing peeled off. Offsets count bytes from the start of the line."""

    start: int
    """Where the message starts, after prefixes, time stamps, headers and tags."""
    body: int
    """Where the message starts when an exception's class name (``RuntimeError: ``), a C++ ``what():  `` or a
    ``terminate called ...`` opening is peeled too; equal to ``start`` where there is none."""
    tag: Tag
    stamp: Stamp | None
    level: str | None
    """One of D I W E F, where a header told it."""
    group: Group | None
    exception: str | None
    """The class name that was peeled between ``start`` and ``body``, as it stands in the log."""
