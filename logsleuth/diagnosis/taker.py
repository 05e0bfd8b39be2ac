"""Which verdict explains now what another one told before it was gone?"""

from collections.abc import Sequence

from logsleuth.diagnosis.marks import Marks, content, marks_of, overlap, shared_places
from logsleuth.model.analysis import Analysis, Verdict


def taker(
    marks: Marks, cause: str, analysis: Analysis, standing: Sequence[Verdict], came: Sequence[Verdict] = ()
) -> Verdict | None:
    """Of the verdicts that stand now, the one that tells of what had these marks and this cause; None: it is gone.

    That is the one of which the diagnosis says so; else the one that rests on most of its lines, or on some of them and
    has its cause among the alternatives; else, of those that came since it was gone (``came``), one that blames whom it
    blamed: a traceback without an end becomes the exception that it was, a hang the timeout of all others.

    A verdict on another job never does, unless that job is gone: jobs are told apart only as logs are read.
    """
    if any(job.id == marks.job for job in analysis.jobs):
        standing = [verdict for verdict in standing if verdict.job == marks.job]
    by_id = {verdict.id: verdict for verdict in standing}
    ranks = set(marks.culprits.ranks)
    known = [one for one in analysis.absorbed if one.rule == marks.rule and one.by in by_id]
    if known:
        whose = {one.by: content(marks_of(by_id[one.by])) for one in known}
        best = min(known, key=lambda one: (one.attempt != marks.attempt, -len(ranks & set(one.ranks)), whose[one.by]))
        return by_id[best.by]
    resting = [(marks_of(verdict), verdict) for verdict in standing if _rests_on(marks, cause, verdict)]
    if resting:
        return min(resting, key=lambda item: (-shared_places(marks, item[0]), content(item[0])))[1]
    blaming = [(overlap(marks.culprits, one.culprits), marks_of(one), one) for one in came if one in standing]
    alike = [item for item in blaming if item[0]]
    return min(alike, key=lambda item: (-item[0], item[1].rule, content(item[1])))[2] if alike else None


def _rests_on(marks: Marks, cause: str, verdict: Verdict) -> bool:
    theirs = marks_of(verdict)
    shared = shared_places(marks, theirs)
    return shared > 0 and (cause in verdict.alternatives or 2 * shared >= min(len(marks.places), len(theirs.places)))
