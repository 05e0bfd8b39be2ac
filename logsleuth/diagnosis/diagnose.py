"""From cases to the verdicts of one job."""

from collections.abc import Sequence
from typing import NamedTuple

from logsleuth.diagnosis.echoes import Explanation
from logsleuth.diagnosis.finding import Finding, gather, over_attempts
from logsleuth.diagnosis.ranking import order_of, ranked
from logsleuth.engine.case import Case
from logsleuth.engine.conditions import Evaluator
from logsleuth.engine.roster import Roster
from logsleuth.language.syntax import Clause
from logsleuth.model.analysis import CONFIDENCE_ORDER, SEVERITY_ORDER, Severity


class Diagnosis(NamedTuple):
    """What is told of the cases of a job, and what is not."""

    told: list[Finding]
    """In their order."""
    findings: list[Finding]
    """All: those that are not told say by which other they are."""
    explanation: Explanation


def diagnose(cases: Sequence[Case], evaluator: Evaluator, roster: Roster) -> Diagnosis:
    """What to tell, in order: roots, then what is left open, then what is only worth knowing; symptoms are told within
    roots that explain them.

    Where no root is left, the best of the symptoms is told in its place, by its own cause.
    """
    explanation = Explanation(cases, evaluator, roster.attempts)
    findings = gather(explanation)
    firm = [finding for finding in findings if not finding.is_open]
    roots = _without_shared([finding for finding in firm if finding.role == "root"])
    symptoms = [finding for finding in firm if finding.role == "symptom"]
    _assign(roots, symptoms)
    if not any(root.severity.fails for root in roots):
        roots += _promoted(roots, symptoms)
    roots = over_attempts(roots)
    _cap_recovered(roots, firm, roster)
    questions = _unanswered([finding for finding in findings if finding.is_open], roots)
    notes = [root for root in roots if root.severity is Severity.INFO]
    told = [*ranked([root for root in roots if root not in notes]), *ranked(questions), *ranked(notes)]
    return Diagnosis(told, findings, explanation)


def _unanswered(questions: list[Finding], roots: list[Finding]) -> list[Finding]:
    """What is open of occurrences that no root speaks of: the others have their answer."""
    told = {id(s): root for root in reversed(roots) if root.severity.fails for s in (*root.deciding, *root.echoes)}
    left = [question for question in questions if any(id(sighting) not in told for sighting in question.deciding)]
    for question in questions:
        if question not in left:
            question.told_by = told[id(question.deciding[0])]
    return left


def _assign(roots: list[Finding], symptoms: list[Finding]) -> None:
    """Gives each root the symptoms that it explains, and their severity where it is the higher."""
    for root in roots:
        explained = {id(sighting) for sighting in root.echoes}
        for symptom in symptoms:
            if any(id(sighting) in explained for sighting in symptom.deciding):
                root.symptoms.append(symptom)
                symptom.told_by = symptom.told_by or root
                root.severity = max(root.severity, symptom.severity, key=lambda level: SEVERITY_ORDER[level])


def _promoted(roots: list[Finding], symptoms: list[Finding]) -> list[Finding]:
    """The best symptom where no root tells of a failure, with the other symptoms as what it stands for."""
    told = {id(symptom) for root in roots for symptom in root.symptoms}
    left = [s for s in symptoms if id(s) not in told and s.severity.fails]
    if not left:
        return []
    # A symptom that no other symptom explains says more than its own echoes.
    explained = {id(sighting) for symptom in left for sighting in symptom.echoes}
    bare = [s for s in left if not all(id(sighting) in explained for sighting in s.deciding)]
    best = ranked(_without_shared(bare or left))[0]
    best.role = "root"
    for symptom in left:
        if symptom is not best:
            symptom.told_by = best
    best.alternatives += [s.rule.cause for s in left if s is not best and s.rule.cause not in best.alternatives]
    return [best]


def _without_shared(roots: list[Finding]) -> list[Finding]:
    """Of roots that rest on the same occurrences the one that says most: a failure before a warning before a note, then
    by conditions, then by confidence."""
    kept: list[Finding] = []
    for root in sorted(roots, key=_specificity):
        own = {id(sighting) for sighting in root.deciding}
        better = next((k for k in kept if k.attempt == root.attempt and own & {id(s) for s in k.deciding}), None)
        if better is None:
            kept.append(root)
            continue
        root.told_by = better
        if root.severity is Severity.INFO:
            continue  # What is only worth knowing is no other explanation.
        if root.rule.cause != better.rule.cause and root.rule.cause not in better.alternatives:
            better.alternatives.append(root.rule.cause)
    return kept


def _specificity(finding: Finding) -> tuple[object, ...]:
    rule = finding.rule
    # What a site adds makes a rule hold more seldom, but says no more of the case.
    conditions = sum(isinstance(c, Clause) for c in rule.when) + len(rule.needs) + len(rule.unless) - rule.added
    certainty = -CONFIDENCE_ORDER[finding.confidence]
    return (order_of(finding.severity), -conditions, certainty, -len(finding.deciding), rule.name)


def _cap_recovered(roots: list[Finding], firm: list[Finding], roster: Roster) -> None:
    """A failure of an attempt after which the job went on without one is a warning."""
    last = roster.last_attempt
    failed = max((f.attempt for f in firm if f.severity.fails), default=-1)
    if failed < last:
        for root in roots:
            if root.severity.fails:
                root.severity, root.is_capped = Severity.WARNING, True
