"""Which torch wrote the logs, and what that decides about their wording."""

import random
from typing import NamedTuple


class Era(NamedTuple):
    name: str
    header: str
    """Of C++ lines: ``bare`` (no time, no rank), ``rank`` (``[rank3]:`` before it), ``stamped`` (rank and time)."""
    agent: str
    """Of the agent's lines: ``basic``, ``bracketed`` (time and logger), ``thread`` and ``pid`` (glog's look)."""
    tag: str
    """How the watchdog names a process group: ``""``, ``PG``, ``PG (desc)``, ``PG ID``."""
    has_numel: bool
    """Sizes are element counts; shapes before."""
    counters: str
    """Of enqueued and completed work: ``""``, ``at`` (Timeout at NCCL work), ``exception`` (both lines), ``status``."""
    signals: str
    """Wording of the dump signal through the store: ``""``, ``global`` (2.4), ``observed``."""
    traceback_has_rank: bool
    lists_victims: bool
    """The table of failures also lists those that the agent ended."""
    poll: float
    """Seconds between two looks of the agent at its workers."""
    out_of_memory: str
    """Class of a CUDA out-of-memory error."""
    nccl: str
    line: int
    """Of ProcessGroupNCCL.cpp, where the watchdog reports a timeout."""


_OLD, _NEW = "torch.cuda.OutOfMemoryError", "torch.OutOfMemoryError"

ERAS = (
    Era("1.13", "bare", "basic", "", False, "", "", False, False, 5.0, _OLD, "2.14.3", 828),
    Era("2.1", "bare", "bracketed", "", True, "", "", False, False, 5.0, _OLD, "2.18.1", 475),
    Era("2.2", "rank", "bracketed", "", True, "", "", False, False, 5.0, _OLD, "2.19.3", 523),
    Era("2.3", "rank", "thread", "PG", True, "at", "", False, False, 0.1, _OLD, "2.20.5", 563),
    Era("2.4", "stamped", "thread", "PG (desc)", True, "exception", "global", True, False, 0.1, _OLD, "2.20.5", 607),
    Era("2.5", "stamped", "pid", "PG ID", True, "exception", "observed", True, False, 0.1, _NEW, "2.21.5", 616),
    Era("2.6", "stamped", "pid", "PG ID", True, "status", "observed", True, False, 0.1, _NEW, "2.21.5", 629),
    Era("2.7", "stamped", "pid", "PG ID", True, "status", "observed", True, False, 0.1, _NEW, "2.26.2", 632),
    Era("2.9", "stamped", "pid", "PG ID", True, "status", "observed", True, True, 0.1, _NEW, "2.27.5", 688),
)


def draw_era(chance: random.Random) -> Era:
    """Newer ones more often."""
    return chance.choices(ERAS, (2, 2, 2, 2, 3, 3, 4, 4, 4))[0]
