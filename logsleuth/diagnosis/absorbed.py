"""Which findings are told within a verdict instead of as verdicts of their own?"""

from collections.abc import Iterator, Sequence

from logsleuth.diagnosis.diagnose import Diagnosis
from logsleuth.model.analysis import Absorbed, Verdict


def absorbed(diagnosis: Diagnosis, verdicts: Sequence[Verdict]) -> Iterator[Absorbed]:
    """Of each finding that is not told, by which verdict it is; ``verdicts`` are those of what is told, in its order.

    Rules that only ever name an effect are silent as soon as something is told that is none, whether it explains
    them or not: then the answer tells of them.
    """
    told = {id(finding): verdict.id for finding, verdict in zip(diagnosis.told, verdicts, strict=True)}
    answer = next((one.id for one in verdicts if one.status == "firm" and one.severity.fails), None)
    for finding in diagnosis.findings:
        by = finding
        while by.told_by is not None:
            by = by.told_by
        number = told.get(id(by), answer if by.role == "symptom" and not by.is_open else None)
        if number is not None and id(finding) not in told:
            yield Absorbed(finding.rule.name, finding.attempt, finding.ranks, number)
