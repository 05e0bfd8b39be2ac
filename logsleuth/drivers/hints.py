"""What a caller knows of logs that they do not tell themselves, and what there is to read then."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from logsleuth.drivers.pieces import joined
from logsleuth.ingest.rank_from import asked
from logsleuth.layouts.said import Said, unheard, with_layouts
from logsleuth.model.analysis import Problem
from logsleuth.model.origin import Source
from logsleuth.recorder.discovery import discovered


class Hints(NamedTuple):
    """What is said of the logs beside where they are."""

    rank_from: re.Pattern[str] | None = None
    """Searched in the path of each log for its writer; groups as in ``logsleuth.ingest.rank_from``."""
    source_format: tuple[Said, ...] = ()
    """How records lie in logs whose text does not tell; see ``logsleuth.layouts.said``."""


NO_HINTS = Hints()


class Found(NamedTuple):
    """What there is to read."""

    sources: list[Source]
    """In natural order, the pieces of each log as one."""
    problems: list[tuple[str, Problem]]
    """What could not be read, or was left out: the path and why."""
    notes: tuple[str, ...]
    """What is to be said of the hints."""


def found(paths: Sequence[str], hints: Hints = NO_HINTS) -> Found:
    """What the paths lead to, with what the hints say of it. Raises nothing for what it finds or fails to find."""
    there = discovered(paths)
    named, notes = asked(with_layouts(there.sources, hints.source_format), hints.rank_from)
    return Found(joined(named), there.problems, (*notes, *unheard(there.sources, hints.source_format)))
