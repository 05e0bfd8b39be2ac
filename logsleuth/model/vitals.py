"""How a live job is doing, for whoever watches it."""

from typing import NamedTuple

RUNNING, SILENT, WARNED, BLAMED, ENDED, UNSEEN = "running", "silent", "warned", "blamed", "ended", "unseen"
"""States of a member: see ``RankVitals.state``."""
STARTING, TRAINING, FAILING = "starting", "training", "failing"
"""States of a job, beside ``SILENT`` and ``ENDED``: see ``JobVitals.state``."""


class RankVitals(NamedTuple):
    """One member of a job."""

    name: str
    """``rank 3``, or whatever it is known as where no rank is."""
    rank: int | None
    host: str | None
    state: str
    """The first of these that is so: ``blamed`` (culprit of a firm verdict that fails the run), ``silent`` (others went
    on and it did not, for much longer than its own rhythm allows), ``ended`` (who started it saw its end), ``unseen``
    (the job has it, and no line of it is known), ``ended`` (with the job), ``warned`` (culprit of a firm warning),
    ``running``."""
    step: int | None
    """The last that it told itself; None where it tells none."""
    quiet: float | None
    """Seconds since its last sign of life; None where no clock tells."""


class JobVitals(NamedTuple):
    job: str
    attempt: int
    """Counted from 0."""
    state: str
    """The first of these that is so: ``ended`` (somebody said so, and no step came after that), ``failing`` (a firm
    verdict says that this attempt fails), ``silent`` (no step for much longer than it ever took, and for minutes),
    ``training`` (a step was told), ``starting``."""
    started: str | None
    """The first time that its logs tell (see ``Evidence.time``)."""
    step: int | None
    """The furthest that any member told."""
    total: int | None
    """The last step that is to come, where lines tell it."""
    since_step: float | None
    """Seconds since the last step was told; None where no clock tells, or no step was."""
    speed: float | None
    """Steps a second, of late: pauses between them count. None where no clock tells."""
    loss: float | None
    """The latest of the member that is furthest; no finite number where it printed none."""
    losses: tuple[float, ...]
    """The ones before it and itself, in their order: one for each of the last stretches of steps."""
    memory: float | None
    """Bytes of the member (or GPU) that uses most."""
    memory_is: str
    """What ``memory`` counts: ``allocated``, ``reserved``, ``peak`` or ``in use``; empty without one."""
    ranks: tuple[RankVitals, ...]
    """All that the job is known to have, in their order."""
    blamed_hosts: tuple[str, ...] = ()
    """Hosts that a firm verdict blames as a whole."""


class Vitals(NamedTuple):
    jobs: tuple[JobVitals, ...] = ()
    """The newest first."""
    sources: int = 0
    bytes: int = 0
    lines: int = 0
    events: int = 0
    """Occurrences of events that rules speak of."""
