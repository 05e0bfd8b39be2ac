"""Who wrote nothing for how long: the gaps of a job, of its ranks and of its sources, on the common axis of all clocks.

A gap is a stretch in which no line that tells a time is known to be somebody's. One that all share is the job's; one
that comes again and again is a rhythm (a checkpoint every hour) and is not told.
"""

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from logsleuth.engine.roster import Roster
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.model.inventory import Gap
from logsleuth.model.origin import BARE, Stamp
from logsleuth.tokenize.pulse import Pulse
from logsleuth.tokenize.voice import SHORTEST, Voice

MOST_GAPS = 10
"""Of a job that are told."""
MOST_OF_SOURCE = 5
_RHYTHM, _OFTEN = 4.0, 4
"""A gap that is no longer than so many times the median of its writer's gaps is a rhythm, if there are more than so
many."""
_SHARED = 0.9
"""Share of a gap that lies in one of the whole job, so that it is no news of a rank."""
_CLOSE = 0.05
"""Share of their length by which gaps of several ranks may differ, to be told as one."""


class _Silence(NamedTuple):
    start: float
    end: float
    is_last: bool
    """Whether it lasts to the end of the job's logs."""

    @property
    def seconds(self) -> float:
        return self.end - self.start


class Silences(NamedTuple):
    gaps: tuple[Gap, ...]
    """The longest first."""
    more: int
    """How many there are besides."""


_Spoken = list[tuple[float, float]]
"""Stretches in which somebody wrote again and again."""


def silences(roster: Roster, pulses: Mapping[int, Pulse], sources: Iterable[int]) -> Silences:
    """The gaps of a job, whose sources these are."""
    of_member: dict[Member, _Spoken] = defaultdict(list)
    of_job: _Spoken = []
    followed: set[Member] = set()
    """Members of which not only some lines are known to be theirs."""
    shortest, all_placed = SHORTEST, True
    for source in sorted(sources):
        for voice in pulses[source].voices:
            spoken = _spoken(roster, source, voice)
            all_placed = all_placed and bool(spoken)
            of_job += spoken
            shortest = max(shortest, voice.shortest)
            for member in roster.identity.writer(source, voice.tag or BARE).members:
                if member.kind in (MemberKind.RANK, MemberKind.LOCAL_RANK):
                    of_member[member] += spoken
                    followed |= {member} if voice.tells_all else set()
    if not of_job:
        return Silences((), 0)
    end = max(last for _, last in of_job)
    whole = _between(of_job, end, shortest)
    own = {
        member: [gap for gap in _between(spoken, end, shortest) if not _lies_in(gap, whole)]
        for member, spoken in of_member.items()
        if member in followed
    }
    # Where it is not known when somebody spoke, it is not known that nobody did.
    told = [_gap(roster, silence, []) for silence in _unusual(whole) if all_placed]
    told += [_gap(roster, silence, members) for silence, members in _together(own)]
    told.sort(key=lambda gap: (-gap.seconds, gap.after, gap.ranks, gap.local_ranks, gap.hosts))
    return Silences(tuple(told[:MOST_GAPS]), max(len(told) - MOST_GAPS, 0))


def gaps_of_source(roster: Roster, pulse: Pulse) -> tuple[Gap, ...]:
    """The longest gaps between the lines of a source, as its own stamps tell them."""
    whole = next((voice for voice in pulse.voices if voice.tag is None), None)
    if whole is None:
        return ()
    found = []
    for stretch in whole.stretches:
        after, before = (roster.calendar.text(roster.calendar.seconds(s)) for s in (stretch.after, stretch.before))
        if after is not None and before is not None:
            lines = stretch.lines if pulse.is_numbered else None
            found.append((-stretch.seconds, stretch.lines, Gap(round(stretch.seconds, 3), after, before, lines=lines)))
    return tuple(gap for _, _, gap in sorted(found)[:MOST_OF_SOURCE])


def _spoken(roster: Roster, source: int, voice: Voice) -> _Spoken:
    """The stretches of a voice; those that end before they begin, as where clocks were set back, are points."""
    edges = [voice.first, *(s for stretch in voice.stretches for s in (stretch.after, stretch.before)), voice.last]
    seconds = [_seconds(roster, source, voice, stamp) for stamp in edges]
    starts, ends = seconds[::2], seconds[1::2]
    return [
        (min(start, end), max(start, end))
        for start, end in zip(starts, ends, strict=True)
        if start is not None and end is not None
    ]


def _seconds(roster: Roster, source: int, voice: Voice, stamp: Stamp) -> float | None:
    instant = roster.axis.instant(source, voice.tag or BARE, stamp)
    return instant.seconds if instant else None


def _between(spoken: _Spoken, end: float, shortest: float) -> list[_Silence]:
    """Where none of the stretches lies, from the first of them to the end of the job."""
    found: list[_Silence] = []
    until = min((start for start, _ in spoken), default=end)
    for start, last in [*sorted(spoken), (end, end)]:
        if start - until > shortest:
            found.append(_Silence(until, start, False))
        until = max(until, last)
    if found and found[-1].end == end and all(last < end for _, last in spoken):
        found[-1] = found[-1]._replace(is_last=True)
    return found


def _lies_in(gap: _Silence, others: Iterable[_Silence]) -> bool:
    return any(min(gap.end, o.end) - max(gap.start, o.start) > _SHARED * gap.seconds for o in others)


def _unusual(found: list[_Silence]) -> list[_Silence]:
    """Those that are no rhythm."""
    inner = [silence.seconds for silence in found if not silence.is_last]
    if len(inner) <= _OFTEN:
        return found
    usual = _RHYTHM * statistics.median(inner)
    return [silence for silence in found if silence.is_last or silence.seconds > usual]


def _together(own: Mapping[Member, list[_Silence]]) -> list[tuple[_Silence, list[Member]]]:
    """The gaps that several members have at nearly the same time as one."""
    rows = sorted(
        ((silence, member) for member, found in own.items() for silence in _unusual(found)),
        key=lambda row: (row[0], _place(row[1])),
    )
    out: list[tuple[_Silence, list[Member]]] = []
    for silence, member in rows:
        for known, members in reversed(out[-64:]):
            slack = _CLOSE * known.seconds
            is_same = abs(known.start - silence.start) <= slack and abs(known.end - silence.end) <= slack
            if is_same and known.is_last == silence.is_last and member not in members:
                members.append(member)
                break
        else:
            out.append((silence, [member]))
    return out


def _place(member: Member) -> tuple[str, int, str]:
    rank = member.rank if member.rank is not None else member.local_rank
    return member.kind, rank if rank is not None else -1, str(member.key[0])


def _gap(roster: Roster, silence: _Silence, members: list[Member]) -> Gap:
    after = roster.calendar.text(silence.start)
    return Gap(
        round(silence.seconds, 3),
        after or "",
        None if silence.is_last else roster.calendar.text(silence.end),
        tuple(sorted(member.rank for member in members if member.rank is not None)),
        tuple(sorted({member.local_rank for member in members if member.local_rank is not None})),
        tuple(sorted({str(m.key[0]) for m in members if m.local_rank is not None and m.key[0]})),
    )
