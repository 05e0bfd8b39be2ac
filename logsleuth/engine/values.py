"""The values of the fields of occurrences and bindings, those of their identity included."""

import math
from collections.abc import Sequence

from logsleuth.engine.aggregates import ANY_ORDER, reduced
from logsleuth.engine.roster import Sighting
from logsleuth.engine.scope import Bindings


def sighting_values(sighting: Sighting, name: str) -> tuple[object, ...]:
    """The values of a field of an occurrence: several where it concerns several members, none where it is unknown."""
    if name in sighting.fields:
        return (sighting.fields[name],)
    if name == "rank":
        return tuple(member.rank for member in sighting.subject.members if member.rank is not None)
    if name == "local_rank":
        return tuple(member.local_rank for member in sighting.subject.members if member.local_rank is not None)
    told = {
        "host": sighting.subject.host,
        "pid": sighting.subject.pid,
        "time": sighting.began.high if math.isfinite(sighting.began.high) else None,
        "began": sighting.began.high if math.isfinite(sighting.began.high) else None,
        "attempt": sighting.attempt,
        "source": sighting.occurrence.source,
        "text": sighting.occurrence.text,
        "level": sighting.occurrence.level,
        "exception": sighting.occurrence.exception,
    }
    value = told.get(name)
    return () if value is None else (value,)


def binding_values(known: Bindings, binding: str, name: str) -> tuple[object, ...]:
    """The distinct values of a field over the occurrences of a binding, in their order."""
    values = (value for sighting in known.get(binding, ()) for value in sighting_values(sighting, name))
    return tuple(dict.fromkeys(values))


def reduced_binding(name: str, found: Sequence[Sighting], field: str) -> object | None:
    """What the values of a field over the occurrences of a binding come to, as they came in time."""
    if name in ANY_ORDER:
        # When they came is dear to know. Of zeros with and without a sign, which are equal, the first counts.
        result = reduced(name, [value for sighting in found for value in sighting_values(sighting, field)])
        if result:
            return result
    in_time = sorted(found, key=time_of)
    return reduced(name, [value for sighting in in_time for value in sighting_values(sighting, field)])


def time_of(sighting: Sighting) -> tuple[float, float, int, int]:
    """The order in which occurrences seem to have come."""
    return sighting.began.high, sighting.began.low, sighting.occurrence.source, sighting.occurrence.offset
