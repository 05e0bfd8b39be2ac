"""What is followed: the logs that paths lead to, with what is known of them beforehand."""

import os
import stat
from calendar import isleap
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

from logsleuth.drivers.hints import NO_HINTS, Found, Hints, found
from logsleuth.model.origin import Stamp
from logsleuth.tailing.generation import Generation
from logsleuth.tailing.since import START, Since
from logsleuth.tailing.tail import Pause
from logsleuth.tailing.watching import Watching
from logsleuth.tokenize.framing import frame


def watches(
    paths: Sequence[str],
    hints: Hints = NO_HINTS,
    since: Since = START,
    resume: Mapping[str, Sequence[Generation]] | None = None,
    leave_out: Collection[str] = (),
) -> Callable[[Pause], Watching]:
    """Makes what tells which logs there are beneath the paths and which of them grew.

    ``resume`` are the files that were read before, by the path of their log; what lies in the folders ``leave_out`` is
    not followed.
    """
    discover = partial(_others, hints=hints)
    return lambda pause: Watching(
        paths, discover, pause, since, stamp_of=_written_at, resume=resume, leave_out=leave_out
    )


def _others(paths: Sequence[str], hints: Hints) -> Found:
    """What the paths lead to, but for what we write ourselves (``> logs/verdicts.txt``): it quotes logs."""
    there = found(paths, hints)
    ours = {identity for descriptor in (1, 2) if (identity := _identity(descriptor)) is not None}
    others = [source for source in there.sources if not any(_identity(file.path) in ours for file in source.files)]
    return there._replace(sources=others)


def _identity(file: int | str) -> tuple[int, int] | None:
    """Device and inode of a file; None of anything else."""
    try:
        status = os.stat(file)  # noqa: PTH116 - of descriptors too.
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _written_at(line: bytes) -> float | None:
    """When a line was written, in seconds since 1970: by its stamp, which is in local time where it tells no zone, and
    in the year around now where it tells none."""
    stamp = frame(line, 0).stamp
    if stamp is None or stamp.seconds < 0:
        return None
    return _placed(stamp, datetime.now(UTC))


def _placed(stamp: Stamp, now: datetime) -> float:
    told = datetime.fromtimestamp(stamp.seconds, UTC)
    if stamp.has_year:
        return _in_zone(told, stamp)
    # 29 February is of the last leap year.
    years = [now.year - 1, now.year, now.year + 1]
    days = [told.replace(year=year) for year in years if (told.month, told.day) != (2, 29) or isleap(year)]
    moments = [_in_zone(day, stamp) for day in days or [told]]
    return min(moments, key=lambda moment: abs(moment - now.timestamp()))


def _in_zone(told: datetime, stamp: Stamp) -> float:
    """A clock's time, which was read as UTC."""
    return told.timestamp() if stamp.has_zone else told.replace(tzinfo=None).timestamp()
