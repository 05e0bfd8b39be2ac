"""How is a live job doing: how far is it, how fast does it go, and how is each of its members?

What is told is what the logs and the clock show at the moment of a judgement. Whether a job hangs, and who is to blame,
is for rules to say; ``silent`` is said here where it is plain: a member that told steps has told none for far longer
than it ever took, while others went on.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from logsleuth.drivers.advance import STEP, Advance, Pace
from logsleuth.drivers.batch import Judgement
from logsleuth.drivers.reading import Reading
from logsleuth.drivers.signs import Ages, signs_of_life
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.language.syntax import Event
from logsleuth.model import vitals as v
from logsleuth.model.analysis import Severity, Verdict
from logsleuth.model.present import Present
from logsleuth.model.vitals import JobVitals, RankVitals, Vitals

TIMES, TIMES_LONGEST = 10, 3
"""Silence is longer than so many times what lies between two lines of progress as a rule, and at most..."""
LEAST, LEAST_OF_JOB = 60.0, 300.0
"""... and than so many seconds, of a member and of a job: checkpoints and evaluations take their time."""
_ENDED_BY_AGENT = ("agent.closing", "agent.forced_kill")
_WITNESSES = ("launcher", "scheduler")
"""Who sees the end of a process from outside: what the process itself says of its end it may outlive."""


def vitals_of(reading: Reading, judgements: Sequence[Judgement], present: Present | None) -> Vitals:
    """How the jobs of a judgement are doing; without a present by the stamps of their logs alone."""
    inputs = list(chain(*reading.inputs))
    return Vitals(
        tuple(_job(judgement, present) for judgement in judgements),
        len(reading.inputs),
        sum(one.bytes for one in inputs),
        sum(one.lines for one in inputs),
        sum(one.events for one in inputs),
    )


class _Look(NamedTuple):
    """What is looked at of one job."""

    roster: Roster
    attempt: int
    seen_ranks: frozenset[int]
    verdicts: list[Verdict]
    """Firm ones on this attempt."""
    advance: Advance
    ages: Ages
    signs: dict[Member, float]
    """Seconds since the last sign of life of each member."""


def _job(judgement: Judgement, present: Present | None) -> JobVitals:
    roster, attempt = judgement.roster, judgement.roster.last_attempt
    widest = _widest(judgement)
    steps = _kept(widest, STEP, roster, attempt)
    ages = Ages(roster, judgement.part, present)
    verdicts = [one for one in judgement.verdicts if one.status == "firm" and one.attempt == attempt]
    advance = Advance(roster, attempt, steps)
    signs = signs_of_life(roster, judgement.part, ages)
    look = _Look(roster, attempt, frozenset(roster.seen_ranks), verdicts, advance, ages, signs)
    ends = [s for event in sorted(widest) for s in _kept(widest, event, roster, attempt) if _is_end(s.event)]
    leader = advance.leader
    pace = advance.pace(leader, ages) if leader is not None else Pace(None, None, None)
    told = (mark.age(ages) for mark in advance.last.values())
    since_step = min((age for age in told if age is not None), default=None)
    is_over = _is_over(ends, look, since_step)
    memory = advance.memory()
    losses = tuple(advance.losses())
    seconds = advance.step_seconds(leader) if leader is not None else None
    return JobVitals(
        judgement.part.id,
        attempt,
        _state_of_job(look, is_over, since_step, pace),
        judgement.job.span.started,
        advance.last[leader].step if leader is not None else None,
        max((mark.total for mark in advance.last.values() if mark.total is not None), default=None),
        since_step,
        pace.speed if pace.speed is not None or seconds is None else 1 / seconds,
        losses[-1] if losses else None,
        losses,
        memory[0] if memory else None,
        memory[1] if memory else "",
        tuple(_members(look, ends, is_over)),
        tuple(sorted({host for one in _roots(verdicts, fails=True) for host in _whole_hosts(one)})),
    )


def _widest(judgement: Judgement) -> dict[str, int]:
    """Of every event that was seen the filter under which most is kept."""
    counts: Counter[tuple[str, int]] = Counter()
    for key, kept in judgement.part.state.kept.items():
        counts[key.event, key.use] += kept.count
    return {event: use for (event, use), _ in sorted(counts.items(), key=lambda item: (item[1], -item[0][1]))}


def _kept(widest: dict[str, int], event: str, roster: Roster, attempt: int) -> list[Sighting]:
    return roster.sightings(event, widest[event], attempt) if event in widest else []


def _is_end(event: Event) -> bool:
    return event.ends_run or event.name in _ENDED_BY_AGENT


def _is_over(ends: Iterable[Sighting], look: _Look, since_step: float | None) -> bool:
    """Whether somebody says that the job has ended, and no step was told after that."""
    steps: dict[int, int] = {}
    for mark in look.advance.last.values():
        steps[mark.line.source] = max(mark.line.offset, steps.get(mark.line.source, 0))
    for sighting in ends:
        o = sighting.occurrence
        if not sighting.event.about_job:
            continue
        age = look.ages.of(o, o.tag)
        goes_on = steps.get(o.source, -1) > o.offset
        if age is not None and since_step is not None and o.source not in steps:
            goes_on = since_step < age - 1
        if not goes_on:
            return True
    return False


def _state_of_job(look: _Look, is_over: bool, since_step: float | None, pace: Pace) -> str:
    if is_over:
        return v.ENDED
    if any(one.severity.fails for one in look.verdicts):
        return v.FAILING
    if since_step is not None and _is_long(since_step, pace, LEAST_OF_JOB):
        return v.SILENT
    return v.TRAINING if look.advance.has_begun else v.STARTING


def _is_long(silence: float, pace: Pace, least: float) -> bool:
    """Whether a silence is much longer than a pace allows; unknown paces allow any."""
    if pace.gap is None or pace.longest is None:
        return False
    return silence > max(least, TIMES * pace.gap, TIMES_LONGEST * pace.longest)


# Members


def _members(look: _Look, ends: Sequence[Sighting], is_over: bool) -> Iterator[RankVitals]:
    blamed = _named(_roots(look.verdicts, fails=True))
    warned = _named(_roots(look.verdicts, fails=False))
    ended = set(_ended(ends))
    first = max((mark.step for mark in look.advance.last.values()), default=0)
    for member in look.roster.everyone(look.attempt):
        host = look.roster.host_of(member)
        key = member.rank if member.rank is not None else (host, member.local_rank)
        mark = look.advance.last.get(member)
        if key in blamed:
            state = v.BLAMED
        elif not is_over and member not in ended and _is_silent(member, first, look):
            state = v.SILENT
        elif member in ended:
            state = v.ENDED
        elif mark is None and _is_unseen(member, look):
            state = v.UNSEEN
        elif is_over:
            state = v.ENDED
        else:
            state = v.WARNED if key in warned else v.RUNNING
        quiet = look.signs.get(member)
        if quiet is None and mark is not None:
            quiet = mark.age(look.ages)
        step = mark.step if mark else None
        yield RankVitals(_name(member), member.rank, host, state, step, None if quiet is None else round(quiet, 1))


def _is_unseen(member: Member, look: _Look) -> bool:
    if member.rank is not None:
        return member.rank not in look.seen_ranks
    return not look.roster.left_log(member)


def _is_silent(member: Member, first: int, look: _Look) -> bool:
    """Whether others told further steps, and this one has told none for much longer than it ever took."""
    mark = look.advance.last.get(member)
    if mark is None or mark.step >= first:
        return False
    silence = mark.age(look.ages)
    return silence is not None and silence > LEAST and _is_long(silence, look.advance.pace(member, look.ages), LEAST)


def _ended(ends: Iterable[Sighting]) -> Iterator[Member]:
    """Members whose end was seen from outside."""
    for sighting in ends:
        if sighting.event.witness in _WITNESSES:
            yield from (member for member in sighting.subject.members if member.is_process)


def _roots(verdicts: Iterable[Verdict], fails: bool) -> Iterator[Verdict]:
    """Those that say who is to blame: a symptom says on whom it was seen."""
    for one in verdicts:
        if one.role == "root" and (one.severity.fails if fails else one.severity is Severity.WARNING):
            yield one


def _named(verdicts: Iterable[Verdict]) -> set[int | tuple[str | None, int | None]]:
    """The ranks, and local ranks with their host, that verdicts name."""
    named: set[int | tuple[str | None, int | None]] = set()
    for one in verdicts:
        who = one.culprits
        named.update(who.ranks)
        # Of several local ranks on several hosts nobody tells which is where.
        if len(who.hosts) < 2:
            named.update((next(iter(who.hosts), None), local) for local in who.local_ranks)
    return named


def _whole_hosts(verdict: Verdict) -> tuple[str, ...]:
    who = verdict.culprits
    return who.hosts if not who.ranks and not who.local_ranks else ()


def _name(member: Member) -> str:
    match member.kind, member.key:
        case MemberKind.RANK, (rank, *_):
            return f"rank {rank}"
        case MemberKind.LOCAL_RANK, (_, local, *_):
            return f"local rank {local}"
        case MemberKind.PROCESS, (_, _, int(pid)):
            return f"process {pid}"
    return "a process"
