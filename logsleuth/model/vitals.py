"""How a live job is doing, for whoever watches it."""

from typing import NamedTuple


class RankVitals(NamedTuple):
    """One member of a job."""

    name: str
    """``rank 3``, or whatever it is known as where no rank is."""
    rank: int | None
    host: str | None
    state: str
    """``running``, ``silent`` (longer than its own rhythm allows), ``blamed`` (a firm verdict's culprit), ``ended`` or
    ``unseen`` (no line of it)."""
    step: int | None
    quiet: float | None
    """Seconds since its last sign of life; None where no clock tells."""


class JobVitals(NamedTuple):
    job: str
    attempt: int
    state: str
    """``starting``, ``training``, ``silent``, ``failing``, ``ended``."""
    step: int | None
    total: int | None
    speed: float | None
    """Steps a second, of late."""
    loss: float | None
    memory: float | None
    """Bytes of the member that uses most."""
    ranks: tuple[RankVitals, ...]


class Vitals(NamedTuple):
    jobs: tuple[JobVitals, ...] = ()
    sources: int = 0
    bytes: int = 0
    lines: int = 0
    events: int = 0
    """Occurrences of events that rules speak of."""
