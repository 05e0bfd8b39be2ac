"""Verdicts on nodes that have nothing to do with each other yet: all together, and each by itself."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from logsleuth.diagnosis.story import MOST_EVIDENCE
from logsleuth.drivers.batch import Judgement
from logsleuth.engine.copies import Whole
from logsleuth.engine.jobs import ONLY, Part
from logsleuth.ingest.discover import natural_key
from logsleuth.model.analysis import Culprits, Job, Verdict


class Found(NamedTuple):
    verdicts: tuple[Verdict, ...]
    job: Job
    """What the outputs would tell if they were logs of one job."""
    given_up: list[str]
    """What of the rules was too much work to judge."""


def by_node(judge: Callable[[Part], Judgement], whole: Whole) -> Found:
    """What rules say of all nodes together, which is where they can be compared, and then what they say of each alone.

    In a job one failure brings about others, so that an effect is not told where a cause is. Before a job nodes share
    nothing: the lost GPU of one is not why another does not reach its driver.
    """
    together = judge(Part(ONLY, whole.state, whole.labels))
    given_up = list(together.given_up)
    further: list[Verdict] = []
    hosts = {label.tag.host for label in whole.labels.values() if label.tag.host}
    if len(hosts) > 1:
        for host in sorted(hosts, key=natural_key):
            own = {source: label for source, label in whole.labels.items() if label.tag.host == host}
            alone = judge(Part(ONLY, whole.state.of(own), own))
            given_up += alone.given_up
            further += [one for one in alone.verdicts if _counts(one) and not _is_told(one, host, together.verdicts)]
    verdicts = [*together.verdicts, *_alike_as_one(further)]
    numbered = tuple(replace(verdict, id=f"v{number}") for number, verdict in enumerate(verdicts, 1))
    return Found(numbered, together.job, list(dict.fromkeys(given_up)))


def _counts(verdict: Verdict) -> bool:
    return verdict.status == "firm" and not verdict.is_note


def _is_told(verdict: Verdict, host: str, told: Iterable[Verdict]) -> bool:
    """Whether the same is said of the node already."""
    return any(
        one.rule == verdict.rule
        and _counts(one)
        and (host in one.culprits.hosts or any(line.host == host for line in one.evidence))
        for one in told
    )


def _alike_as_one(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Verdicts that say the same of several nodes, told once."""
    alike: dict[tuple[str, str, str], list[Verdict]] = {}
    for verdict in verdicts:
        alike.setdefault((verdict.rule, verdict.summary, verdict.severity), []).append(verdict)
    return [
        replace(
            group[0],
            culprits=Culprits(hosts=tuple(dict.fromkeys(chain(*(one.culprits.hosts for one in group)))))
            if len(group) > 1
            else group[0].culprits,
            evidence=tuple(chain(*(one.evidence for one in group)))[:MOST_EVIDENCE],
            occurrences=sum(one.occurrences for one in group),
        )
        for group in alike.values()
    ]
