"""A finding as a verdict that a person can read."""

import math
from collections import defaultdict
from collections.abc import Sequence

from logsleuth.diagnosis.finding import Finding
from logsleuth.diagnosis.wording import Wording
from logsleuth.engine.citation import Citation
from logsleuth.engine.clock import Clock
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.subject import MemberKind
from logsleuth.model.analysis import Culprits, Echo, Evidence, Since, Verdict
from logsleuth.model.origin import Log

MOST_EVIDENCE = 12
"""Lines that a verdict cites; what decides stands in the first few, and all are counted."""

_UNKNOWN = "contradicts others by an unknown difference"
_HOURS = "says no zone and shows another time than those that do: what came first cannot be told across them"


class Storyteller:
    """Writes verdicts for one job."""

    def __init__(self, roster: Roster, logs: Sequence[Log], job: str) -> None:
        self._roster, self._job = roster, job
        self._citation = Citation(roster, logs)
        self._sources = [log.path for log in logs]

    def tell(self, finding: Finding, number: int) -> Verdict:
        """The verdict of a finding; ``number`` is its place in the ranking, from 1."""
        rule = finding.rule
        wording = Wording(finding.bindings, finding.lets, finding.culprits, self._roster, self._sources)
        return Verdict(
            id=f"v{number}",
            job=self._job,
            attempt=finding.attempt,
            rule=rule.name,
            cause=rule.cause,
            title=rule.doc.strip().rstrip("."),
            severity=finding.severity,
            role=finding.role,
            status="open" if finding.is_open else "firm",
            confidence=finding.confidence,
            since=self._since(finding),
            culprits=Culprits(finding.ranks, finding.local_ranks, finding.hosts),
            summary=wording.sentence(rule.verdict),
            chain=tuple(wording.sentence(step) for step in rule.chain),
            evidence=self._evidence(finding),
            occurrences=len(finding.deciding),
            explains=_echoes(finding.echoes),
            alternatives=tuple(finding.alternatives),
            remedies=wording.steps(rule.remedy),
            next_steps=wording.steps(rule.next),
            see=rule.see,
            unknowns=(*finding.doubts, *self._doubted_clocks(finding)),
            reasoning=finding.reasons,
            adjusted=bool(rule.adjusted),
        )

    def _since(self, finding: Finding) -> Since:
        """It began with the first of what decided it: after the earliest bound, at the latest at the first stamp."""
        earliest_told = min(finding.deciding, key=lambda sighting: sighting.began.low)
        first, last = earliest_told.began, min((s.began for s in finding.deciding), key=lambda moment: moment.high)
        low, high = first.low, last.high
        # As the clock of the line shows it: a reader looks for stamps as they stand in the log.
        written = first._replace(high=high, high_clock=last.high_clock).as_written
        earliest, latest = (self._roster.calendar.text(seconds) for seconds in written)
        if earliest is None and latest is None:
            where = "in these logs" if self._roster.span is None else "beside the lines that decide it"
            return Since(None, None, f"no clock {where}; only the order of lines")
        if low == high:
            counted = ", less its own count" if earliest_told.event.began != "said" else ""
            return Since(earliest, latest, f"stamp of the line{counted}")
        if any(sighting.event.began == "after life" for sighting in finding.deciding):
            return Since(earliest, latest, "between the last sign of life and the report of the end")
        return Since(
            earliest, latest, "stamps around the line" if math.isfinite(high) else "last stamp before the line"
        )

    def _doubted_clocks(self, finding: Finding) -> list[str]:
        """What is to be said where the finding rests on several clocks of which one cannot be right, or explains what
        another one dates that may be hours off."""
        clocks = _clocks(finding.deciding)
        told = clocks | _clocks(finding.echoes)
        doubted = {clock for clock in told if clock.is_of_another_zone} if len(told) > 1 else set()
        if len(clocks) > 1:
            doubted |= {clock for clock in clocks if clock.is_doubted}
        named = sorted({(self._named(clock), clock.is_of_another_zone) for clock in doubted})
        return [f"the clock of {name} {_HOURS if of_zone else _UNKNOWN}" for name, of_zone in named]

    def _named(self, clock: Clock) -> str:
        reading = self._roster.axis.known[clock.number]
        return self._sources[reading.source] if reading.source is not None else reading.host

    def _evidence(self, finding: Finding) -> tuple[Evidence, ...]:
        """The decisive lines: one occurrence of every member and event, the culprits' first, then the others."""
        seen: set[object] = set()
        first: list[Sighting] = []
        rest: list[Sighting] = []
        for sighting in (*finding.support, *finding.deciding):
            key = (sighting.event.name, sighting.subject.members)
            (rest if key in seen else first).append(sighting)
            seen.add(key)
        culprits = set(finding.culprits)
        hosts = {member.key[0] for member in culprits if member.kind is MemberKind.HOST}
        first.sort(key=lambda s: culprits.isdisjoint(s.subject.members) and hosts.isdisjoint(s.subject.hosts))
        cited: dict[tuple[str, int], Evidence] = {}
        for sighting in [*first, *rest]:
            for evidence in self._citation.lines(sighting):
                if len(cited) < MOST_EVIDENCE:
                    cited.setdefault((evidence.source, evidence.offset), evidence)
        return tuple(cited.values())


def silent_ranks(roster: Roster) -> tuple[int, ...]:
    """Ranks that the job has and of which no line is known to be theirs; empty where the logs name no rank at all."""
    if not roster.seen_ranks:
        return ()
    seen = set(roster.seen_ranks)
    return tuple(rank for rank in range(min(roster.size, 1_000_000)) if rank not in seen)


def _clocks(sightings: Sequence[Sighting]) -> set[Clock]:
    return {s.began.high_clock for s in sightings if math.isfinite(s.began.high)}


def _echoes(sightings: list[Sighting]) -> tuple[Echo, ...]:
    groups: dict[str, list[Sighting]] = defaultdict(list)
    for sighting in sightings:
        groups[sighting.event.name].append(sighting)
    return tuple(
        Echo(
            name,
            group[0].event.doc.strip().rstrip("."),
            len(group),
            tuple(sorted({m.rank for s in group for m in s.subject.members if m.rank is not None})),
        )
        for name, group in sorted(groups.items())
    )
