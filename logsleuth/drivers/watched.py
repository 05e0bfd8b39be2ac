"""What is followed: the logs that paths lead to, with what is known of them beforehand."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

from logsleuth.drivers.hints import NO_HINTS, Hints, found
from logsleuth.model.origin import Stamp
from logsleuth.tailing.generation import Generation
from logsleuth.tailing.since import START, Since
from logsleuth.tailing.tail import Pause
from logsleuth.tailing.watching import Watching
from logsleuth.tokenize.framing import frame

_HALF_A_YEAR = 183 * 86_400.0


def watches(
    paths: Sequence[str],
    hints: Hints = NO_HINTS,
    since: Since = START,
    resume: Mapping[str, Sequence[Generation]] | None = None,
) -> Callable[[Pause], Watching]:
    """Makes what tells which logs there are beneath the paths and which of them grew.

    ``resume`` are the files that were read before, by the path of their log.
    """
    discover = partial(found, hints=hints)
    return lambda pause: Watching(paths, discover, pause, since, stamp_of=_written_at, resume=resume)


def _written_at(line: bytes) -> float | None:
    """When a line was written, in seconds since 1970: by its stamp, which is in local time where it tells no zone, and
    in the year around now where it tells none."""
    stamp = frame(line, 0).stamp
    if stamp is None or stamp.seconds < 0:
        return None
    return _placed(stamp, datetime.now().astimezone())


def _placed(stamp: Stamp, now: datetime) -> float:
    seconds = stamp.seconds
    if not stamp.has_zone:
        seconds -= now.utcoffset().total_seconds() if (now.utcoffset()) else 0.0
    if not stamp.has_year:
        told = datetime.fromtimestamp(stamp.seconds, tz=now.tzinfo)
        years = [told.replace(year=now.year + step) for step in (-1, 0, 1)]
        seconds += (
            min((year.timestamp() for year in years), key=lambda at: abs(at - now.timestamp())) - told.timestamp()
        )
    return seconds
