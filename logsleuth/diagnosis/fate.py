"""What became of cases: told, explained away, told with others, left open, and by what."""

from collections.abc import Mapping, Sequence

from logsleuth.diagnosis.diagnose import Diagnosis
from logsleuth.diagnosis.finding import Finding
from logsleuth.diagnosis.ranking import why_before
from logsleuth.engine.case import Case
from logsleuth.engine.citation import Citation
from logsleuth.engine.reasons import members_in_words
from logsleuth.model.analysis import Evidence, Severity
from logsleuth.model.trace import Fate

_MOST_LINES = 2
"""Lines of another finding that are cited."""


class Fates:
    """Tells what a diagnosis made of cases. ``verdicts`` are the ids of what it tells, in its order."""

    def __init__(self, diagnosis: Diagnosis, verdicts: Sequence[str], citation: Citation) -> None:
        self._diagnosis, self._citation = diagnosis, citation
        self._ids: Mapping[int, str] = {id(f): number for f, number in zip(diagnosis.told, verdicts, strict=True)}
        self._finding = {id(case): finding for finding in diagnosis.findings for case in finding.cases}

    def of(self, cases: Sequence[Case]) -> tuple[Fate, ...]:
        """One fate for all cases that share it."""
        groups: dict[int, list[Case]] = {}
        for case in cases:
            groups.setdefault(id(self._finding[id(case)]), []).append(case)
        return tuple(self._fate(self._finding[id(group[0])], group) for group in groups.values())

    def _fate(self, finding: Finding, cases: list[Case]) -> Fate:
        culprits = dict.fromkeys(case.culprit for case in cases if case.culprit is not None)
        who = members_in_words(tuple(culprits)) if culprits else ""
        by = finding
        while by.told_by is not None:
            by = by.told_by
        number = self._ids.get(id(by), "")
        if by is not finding and by.rule.name == finding.rule.name and by.role == finding.role:
            return Fate("merged", who, f"it is told together with attempt {by.attempt}", by.rule.name, number)
        if finding.is_open:
            return self._open(finding, by, who, number)
        if finding.role == "symptom":
            return self._effect(finding, by, cases, who, number)
        if by is not finding:
            words = f"it rests on lines that {by.rule.name} rests on too, and that says more of them"
            return Fate("merged", who, words, by.rule.name, number, self._lines(by))
        return Fate("root", who, self._rank(finding), "", number)

    def _open(self, finding: Finding, by: Finding, who: str, number: str) -> Fate:
        if by is finding:
            return Fate("open", who, "it is told as a question", "", number)
        words = f"it is open, and not told, for {by.rule.name} tells of the same lines"
        return Fate("open", who, words, by.rule.name, number, self._lines(by))

    def _effect(self, finding: Finding, by: Finding, cases: list[Case], who: str, number: str) -> Fate:
        causes = [cause for case in cases for cause in self._diagnosis.explanation.explainers(case)]
        if causes and all(self._is_echo(case) for case in cases):
            names = list(dict.fromkeys(case.rule.name for case in causes))
            whose = members_in_words([case.culprit for case in causes if case.culprit is not None][:1])
            words = f"{' and '.join(names[:2])} explains it" + (f" ({whose})" if whose != "nobody" else "")
            first = causes[0]
            lines = tuple(self._citation.line(x) for x in first.deciding[:_MOST_LINES])
            return Fate("echo", who, words, first.rule.name, number, lines)
        if by is not finding:
            words = f"it only ever names an effect; it is told within {by.rule.name}"
            return Fate("symptom", who, words, by.rule.name, number, self._lines(by))
        words = "it only ever names an effect, and something that is no effect is told instead"
        return Fate("symptom", who, words, "", number)

    def _is_echo(self, case: Case) -> bool:
        return any(node.case is case and node.is_symptom for node in self._diagnosis.explanation.nodes)

    def _rank(self, finding: Finding) -> str:
        """Its place among what is told, and what lowered it."""
        first = self._diagnosis.told[0]
        if first is finding:
            words = ["it is the answer" if finding.severity is not Severity.INFO else "it is worth knowing"]
        else:
            words = [f"it is told after {first.rule.name}: {why_before(first, finding)}"]
        if finding.rule.role == "symptom":
            words.append("it only names an effect, but no cause of it is in these logs")
        if finding.is_capped:
            words.append("only a warning, for the job went on without such a failure after it")
        if finding.doubts:
            words.append(f"no more than {finding.confidence.value}, for {'; '.join(finding.doubts)}")
        return "; ".join(words)

    def _lines(self, finding: Finding) -> tuple[Evidence, ...]:
        return tuple(self._citation.line(x) for x in finding.deciding[:_MOST_LINES])
