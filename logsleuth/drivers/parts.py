"""Which of the sources that were read count, and to which job do they belong?"""

from typing import NamedTuple

from logsleuth.drivers.reading import Reading
from logsleuth.engine.copies import without_copies
from logsleuth.engine.jobs import Part, divided
from logsleuth.model.analysis import Problem


class Parts(NamedTuple):
    """What was read, by jobs."""

    jobs: list[Part]
    """The newest first."""
    copies: dict[int, int]
    """Sources that do not count: each and the one that it repeats."""


def parts_of(reading: Reading) -> Parts:
    """Divides what was read; that a source repeats another is told in its inputs."""
    sources = [log.path for log in reading.logs]
    whole = without_copies(reading.state, reading.labels, sources)
    for copy, original in whole.copies.items():
        for item in reading.inputs[copy]:
            item.problems.append(Problem(f"It repeats {sources[original]}, so it was counted once."))
    return Parts(divided(whole.state, whole.labels, sources), whole.copies)
