"""How every node stands to every question: from what was read of it, and from the verdicts on that."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from logsleuth.ingest.discover import natural_key
from logsleuth.model.analysis import Input, Verdict
from logsleuth.model.origin import Source
from logsleuth.model.preflight import Asked, Node, Standing, Told
from logsleuth.probes import output
from logsleuth.probes.kinds import Command, Files, Probe, Question
from logsleuth.probes.kinds import Saved as OnlySaved
from logsleuth.probes.output import Header
from logsleuth.probes.table import PROBES, QUESTIONS

UNNAMED = "(unnamed node)"

Cell = tuple[str, str]
"""A node and a question."""


class Given(NamedTuple):
    """An output that is there to be judged."""

    source: Source
    probe: Probe
    host: str | None
    header: Header | None
    exit: str | None
    """See ``Told.exit``."""
    words: str
    """Its first line, for whoever asks why a tool failed."""
    questions: tuple[str, ...]
    """What it answers, as far as its start tells."""

    @property
    def node(self) -> str:
        return self.host or UNNAMED


def nodes(given: Sequence[Given], inputs: Sequence[Input], verdicts: Sequence[Verdict]) -> Iterator[Node]:
    """The nodes in natural order; ``inputs`` are those of the outputs, in their order."""
    against = _against(given, verdicts)
    read: dict[Cell, list[tuple[Given, Input]]] = {}
    for one, input_ in zip(given, inputs, strict=True):
        for asked in one.questions:
            read.setdefault((one.node, asked), []).append((one, input_))
    questions = [question for question in QUESTIONS if _is_asked(question, given)]
    for host in sorted({one.node for one in given}, key=natural_key):
        yield Node(
            host,
            tuple(
                _asked(question, read.get((host, question.name), []), against.get((host, question.name), []))
                for question in questions
            ),
        )


def _is_asked(question: Question, given: Sequence[Given]) -> bool:
    """A question that only a test under load answers is none where nobody has made one."""
    if any(question.name in one.questions for one in given):
        return True
    return any(probe.question == question.name and not isinstance(probe.asks, OnlySaved) for probe in PROBES)


def _against(given: Sequence[Given], verdicts: Sequence[Verdict]) -> dict[Cell, list[str]]:
    """The verdicts that speak against a node in a question: those that cite an output of it, unless they blame others.

    Of a verdict that blames more nodes than it has lines to cite, the others stand as the cited ones do.
    """
    by_source = {one.source.path: one for one in given}
    found: dict[Cell, list[str]] = {}
    for verdict in verdicts:
        if verdict.status != "firm" or verdict.is_note:
            continue
        cited = {
            (one.node, one.probe.question_of(line.text))
            for line in verdict.evidence
            if (one := by_source.get(line.source))
        }
        blamed = set(verdict.culprits.hosts) or {host for host, _ in cited}
        cells = {(host, question) for host, question in cited if host in blamed}
        uncited = blamed - {host for host, _ in cells}
        cells |= {(host, question) for host in uncited for _, question in cited}
        for cell in cells:
            found.setdefault(cell, []).append(verdict.id)
    return found


def _asked(question: Question, read: Sequence[tuple[Given, Input]], verdicts: Sequence[str]) -> Asked:
    told = [_told(one, input_) for one, input_ in read]
    told += [_untold(probe) for probe in _missing(question, read)]
    order = {probe.name: place for place, probe in enumerate(PROBES)}
    told.sort(key=lambda one: (order[one.probe], natural_key(one.source or "")))
    if verdicts:
        standing, why = Standing.NOT_FINE, ""
    elif _is_answered(told):
        standing, why = Standing.FINE, ""
    else:
        standing, why = Standing.UNSEEN, "; ".join(_reasons(told))
    return Asked(question.name, question.title, standing, why, tuple(verdicts), tuple(told))


def _is_answered(told: Sequence[Told]) -> bool:
    """Whether what is fine is worth something: an output that may be silent answers nothing beside one that was read
    and that no rule speaks of."""
    fine = [one for one in told if one.standing is Standing.FINE]
    if any(one.events for one in fine):
        return True
    return bool(fine) and all(one in fine or one.is_missing for one in told)


def _reasons(told: Sequence[Told]) -> list[str]:
    """Why none of the tools answers: what failed, and what is merely not there only where nothing failed."""
    if all(one.source is None for one in told):
        return [f"no output that tells it is there ({', '.join(one.probe for one in told)})"]
    failed = [one for one in told if one.why and not one.is_missing]
    return list(dict.fromkeys(one.why for one in failed or told))


def _missing(question: Question, read: Sequence[tuple[Given, Input]]) -> list[Probe]:
    """The probes of a question of which no output is there: told where there is none at all."""
    if read:
        return []
    return [probe for probe in PROBES if probe.question == question.name]


def _untold(probe: Probe) -> Told:
    why = f"no output of {probe.name} is there"
    return Told(probe.name, None, None, None, None, Standing.UNSEEN, why, 0, 0)


def _told(one: Given, input_: Input) -> Told:
    why = _why_not(one, input_)
    return Told(
        one.probe.name,
        one.source.path,
        one.exit,
        one.header.at if one.header else None,
        one.header.command if one.header else None,
        Standing.UNSEEN if why else Standing.FINE,
        why,
        input_.lines,
        input_.events,
    )


def _why_not(one: Given, input_: Input) -> str:
    """Why an output answers nothing; empty where it does."""
    name, words = one.probe.name, f": {one.words}" if one.words else ""
    for problem in input_.problems:
        if problem.fatal:
            return f"{one.source.path}: {problem.text}"
    match one.exit:
        case output.ABSENT:
            return _absent(one.probe)
        case output.REFUSED:
            return f"{name} was refused{words}"
        case output.TIMED_OUT:
            return f"{name} did not end in time"
        case output.ENDLESS:
            return f"{name} did not stop printing"
        case None | "0":
            pass
        case status:
            return f"{name} ended with status {status}{words}"
    if one.probe.may_be_silent or input_.events:
        return ""
    if input_.lines <= (1 if one.header else 0):
        return f"{name} printed nothing"
    return f"no line of {name} is of a kind that the rules know"


def _absent(probe: Probe) -> str:
    if isinstance(probe.asks, Command | Files):
        return probe.asks.absent
    return f"{probe.name} cannot be found out here"
