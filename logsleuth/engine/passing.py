"""How much time has gone by behind what was written last, where somebody follows the logs while they are written."""

from logsleuth.model.present import Present

NEVER = 120.0
"""Seconds for which what follows a line may still come, where a rule asks whether it *never* did. A traceback is
written within a moment; a communicator of thousands of ranks may take a minute or two to set up."""


def passed(present: Present | None, source: int, offset: int | None = None) -> float:
    """Seconds from the moment at which a line came, or at which its source grew last, to the present.

    Nothing for logs that are read after the fact, and for sources that cannot grow any more.
    """
    arrivals = present.arrivals.get(source) if present else None
    if present is None or arrivals is None:
        return 0.0
    came = arrivals.at(offset) if offset is not None else None
    came = arrivals.last if came is None else came
    return max(present.now - came, 0.0) if came is not None else 0.0


def may_still_come(present: Present | None, source: int, offset: int) -> bool:
    """Whether what never came behind a line may come in a moment: the end of a log that is followed is no end."""
    if present is None or present.is_last or source not in present.arrivals:
        return False
    return passed(present, source, offset) < NEVER
