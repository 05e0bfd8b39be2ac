"""Cases that are told together: the same rule, whose culprits nothing else explains."""

from dataclasses import dataclass, field, replace

from logsleuth.diagnosis.echoes import Explained, Explanation
from logsleuth.engine.case import Bindings, Case, Told
from logsleuth.engine.judge import told_of
from logsleuth.engine.roster import Sighting
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.language.syntax import Rule
from logsleuth.model.analysis import CONFIDENCE_ORDER, Confidence, Reason, Severity

_OF_HOSTS = (MemberKind.HOST, MemberKind.LOCAL_RANK, MemberKind.GPU)
"""Members that are named with their host."""


@dataclass(slots=True, eq=False)
class Finding:
    """What becomes one verdict."""

    rule: Rule
    attempt: int
    severity: Severity
    confidence: Confidence
    is_open: bool
    role: str
    culprits: list[Member]
    culprits_are_hosts: bool
    bindings: Bindings
    deciding: list[Sighting]
    echoes: list[Sighting] = field(default_factory=list)
    symptoms: list["Finding"] = field(default_factory=list)
    alternatives: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    lets: dict[str, Told] = field(default_factory=dict)
    support: list[Sighting] = field(default_factory=list)
    """Occurrences that are cited beside those that decide."""
    reasons: tuple[Reason, ...] = ()
    cases: tuple[Case, ...] = ()
    told_by: "Finding | None" = None
    """The finding that tells of it, where it is not told itself."""
    is_capped: bool = False
    """Whether it would be graver, had the job not gone on after it."""

    @property
    def members(self) -> set[Member]:
        return {member for sighting in self.deciding for member in sighting.subject.members}

    @property
    def ranks(self) -> tuple[int, ...]:
        """The culprits' global ranks, ascending."""
        return tuple(sorted({member.rank for member in self.culprits if member.rank is not None}))

    @property
    def local_ranks(self) -> tuple[int, ...]:
        return tuple(sorted({m.local_rank for m in self.culprits if m.local_rank is not None}))

    @property
    def hosts(self) -> tuple[str, ...]:
        """Hosts that are culprits themselves, and those of the culprits' ranks."""
        named = {str(m.key[0]) for m in self.culprits if m.kind in _OF_HOSTS and m.key[0]}
        if not self.culprits_are_hosts:
            chosen = set(self.culprits)
            told = (*self.deciding, *self.support)
            named |= {s.subject.host for s in told if s.subject.host and chosen & set(s.subject.members)}
        return tuple(sorted(named))


def gather(explanation: Explanation) -> list[Finding]:
    """One finding for all cases of one rule in one attempt that share their fate (root, symptom or open)."""
    groups: dict[tuple[str, int, bool, bool], list[Explained]] = {}
    for node in explanation.nodes:
        key = (node.case.rule.name, node.case.attempt, node.is_symptom, node.case.is_open)
        groups.setdefault(key, []).append(node)
    return [_finding(group, explanation) for group in groups.values()]


def _finding(group: list[Explained], explanation: Explanation) -> Finding:
    cases = [node.case for node in group]
    first = cases[0]
    deciding = {id(s): s for case in cases for s in case.deciding}
    echoes = [s for s in explanation.echoes(cases) if id(s) not in deciding]
    return Finding(
        rule=first.rule,
        attempt=first.attempt,
        severity=Severity(first.rule.severity),
        confidence=min((case.confidence for case in cases), key=lambda level: CONFIDENCE_ORDER[level]),
        is_open=first.is_open,
        role="symptom" if group[0].is_symptom or first.rule.role == "symptom" else "root",
        culprits=[case.culprit for case in cases if case.culprit is not None],
        culprits_are_hosts=first.culprit_is_host,
        bindings=_merged_bindings(cases),
        deciding=sorted(deciding.values(), key=_place),
        echoes=sorted(echoes, key=_place),
        alternatives=list(first.rule.alternatives),
        doubts=list(dict.fromkeys(doubt for case in cases for doubt in case.doubts)),
        lets=told_of(cases),
        support=sorted(
            {id(s): s for case in cases for s in case.support if id(s) not in deciding}.values(), key=_place
        ),
        reasons=first.reasons,
        cases=tuple(cases),
    )


def _place(sighting: Sighting) -> tuple[int, int]:
    return sighting.occurrence.source, sighting.occurrence.offset


def _merged_bindings(cases: list[Case]) -> Bindings:
    merged: dict[str, dict[int, Sighting]] = {}
    for case in cases:
        for name, sightings in case.bindings.items():
            merged.setdefault(name, {}).update((id(sighting), sighting) for sighting in sightings)
    return {name: list(sightings.values()) for name, sightings in merged.items()}


def over_attempts(findings: list[Finding]) -> list[Finding]:
    """Roots of the same rule and culprits in several attempts become one, told in the last of them.

    Of other culprits it is another failure: a sentence about both would say of each what holds for the other.
    """
    out: dict[tuple[str, frozenset[Member]], Finding] = {}
    for finding in sorted(findings, key=lambda f: -f.attempt):
        key = (finding.rule.name, frozenset(finding.culprits))
        latest = out.get(key)
        if latest is None:
            out[key] = finding
            continue
        seen = {id(s) for s in latest.deciding}
        finding.told_by = latest
        out[key] = latest.told_by = replace(
            latest,
            deciding=sorted([*latest.deciding, *(s for s in finding.deciding if id(s) not in seen)], key=_place),
            echoes=[*latest.echoes, *finding.echoes],
            cases=(*latest.cases, *finding.cases),
            bindings={
                name: [*latest.bindings.get(name, []), *finding.bindings.get(name, [])]
                for name in {**latest.bindings, **finding.bindings}
            },
        )
    return list(out.values())
