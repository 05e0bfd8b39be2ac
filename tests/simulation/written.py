"""What is a line before it lies in a file, and which fact does it tell?"""

from typing import NamedTuple


class Fact(NamedTuple):
    """What a reader can learn from a line. Only what the line says, never what the simulation knows."""

    kind: str
    """``timeout``, ``counters``, ``told``, ``exception``, ``exit``, ``ended`` (by an agent's signal), ``oom-kill``,
    ``desync``, ``barrier``, ``stuck``, ``fingerprint``, ``lost`` (a peer or the store), ``size``, ``step``, ``init``."""
    rank: int = -1
    """Whom it is about."""
    guid: str = ""
    seq: int = -1
    enqueued: int = -2
    op: str = ""
    numel: int = -1
    code: int = 0
    ranks: tuple[int, ...] = ()
    names_rank: bool = False
    """The text itself tells the global rank, whatever file it stands in."""


class Line(NamedTuple):
    """Text that one writer writes at once; may be several lines."""

    at: float
    """Seconds since the start of the job, by a true clock."""
    order: int
    writer: str
    """``rank``, ``agent``, ``kernel`` or ``srun``."""
    where: int
    """The rank, or the host's index."""
    attempt: int
    is_error: bool
    """Standard error; standard output otherwise."""
    text: str
    facts: tuple[Fact, ...] = ()
