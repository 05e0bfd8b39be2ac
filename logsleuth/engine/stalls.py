"""When will time alone, without a new line, let a judgement come out differently?"""

from collections.abc import Sequence

from logsleuth.engine.roster import Roster
from logsleuth.model.present import Present

_LEAST = 0.5
"""Seconds."""
_STEP = 0.1
"""What is judged after a silence may change when it has lasted by so much longer: rules compare with multiples of what
was usual, and to be late by a tenth is soon enough. Judgements of one silence become rarer and rarer."""
_LONGEST = 86_400.0
"""Seconds of silence behind which no rule waits for anything any more."""


def look_again(rosters: Sequence[Roster], present: Present) -> float | None:
    """Seconds from the present after which the job should be judged again though nothing has come; None for never."""
    grown = [last for arrivals in present.arrivals.values() if (last := arrivals.last) is not None]
    if not rosters or not grown:
        return None
    silence = max(present.now - max(grown), 0.0)
    return None if silence > _LONGEST else max(_LEAST, _STEP * silence)
