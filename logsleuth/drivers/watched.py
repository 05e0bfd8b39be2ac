"""What is followed: the logs that paths lead to, with what is known of them beforehand."""

import time
from collections.abc import Callable, Sequence
from functools import partial

from logsleuth.drivers.hints import NO_HINTS, Hints, found
from logsleuth.tailing.since import START, Since
from logsleuth.tailing.tail import Pause
from logsleuth.tailing.watching import Watching
from logsleuth.tokenize.framing import frame

_YEAR = 366 * 86_400.0


def watches(paths: Sequence[str], hints: Hints = NO_HINTS, since: Since = START) -> Callable[[Pause], Watching]:
    """Makes what tells which logs there are beneath the paths and which of them grew."""
    return lambda pause: Watching(paths, partial(found, hints=hints), pause, since)
