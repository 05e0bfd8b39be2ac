"""By what is a verdict known again in the next judgement, while ever more logs are read?

A job's name, its attempts, the culprits and the lines that are cited may all be others then. What stays is the rule,
and mostly a line.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from logsleuth.model.analysis import Culprits, Verdict


class Marks(NamedTuple):
    """By what a verdict is known again."""

    rule: str
    job: str
    attempt: int
    culprits: Culprits
    places: tuple[str, ...]
    """Digests of source and offset of each line that it cites."""
    lines: tuple[str, ...]
    """Digests of offset and text: those stay where a log was renamed."""


def marks_of(verdict: Verdict) -> Marks:
    """The marks of a verdict."""
    return Marks(
        verdict.rule,
        verdict.job,
        verdict.attempt,
        verdict.culprits,
        tuple(sorted({_digest(line.source, line.offset) for line in verdict.evidence})),
        tuple(sorted({_digest(line.text, line.offset) for line in verdict.evidence})),
    )


def paired(before: Sequence[Marks], now: Sequence[Marks], *, by_rule_alone: bool = True) -> dict[int, int]:
    """Which of those that were before (by their places in the list) are which of now.

    The best pairs come first: those that share a cited line, then a line of a log that was renamed, then culprits and
    attempt. With ``by_rule_alone`` the only two that are left of a rule are one.
    """
    found = [
        ((*likeness, content(old), content(new)), first, second)
        for first, old in enumerate(before)
        for second, new in enumerate(now)
        if (likeness := _likeness(old, new)) is not None
    ]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, first, second in sorted(found):
        if first not in pairs and second not in taken:
            pairs[first] = second
            taken.add(second)
    if by_rule_alone:
        pairs |= _only_ones(before, now, pairs, taken)
    return pairs


def shared_places(one: Marks, other: Marks) -> int:
    """How many lines both cite."""
    return len(set(one.places) & set(other.places))


def overlap(one: Culprits, other: Culprits) -> int:
    """How many of those whom one blames the other blames too."""
    for mine, theirs in ((one.ranks, other.ranks), (one.local_ranks, other.local_ranks)):
        if mine and theirs:
            return len(set(mine) & set(theirs))
    return len(set(one.hosts) & set(other.hosts))


def content(marks: Marks) -> tuple[object, ...]:
    """What decides between those that are equally alike, lest the order in which they are given does."""
    who = marks.culprits
    return marks.job, marks.attempt, who.ranks, who.local_ranks, who.hosts, marks.places, marks.lines


def _likeness(old: Marks, new: Marks) -> tuple[int, ...] | None:
    """How much two are alike, the less the more; None where nothing but the rule, or not even that, is shared."""
    if old.rule != new.rule:
        return None
    blamed = overlap(old.culprits, new.culprits) + (not old.culprits and not new.culprits)
    places, lines = shared_places(old, new), len(set(old.lines) & set(new.lines))
    kind = 0 if places else 1 if lines else 2 if blamed and old.attempt == new.attempt else None
    if kind is None:
        return None
    return (kind, -bool(blamed), -max(places, lines), -blamed, old.attempt != new.attempt, old.job != new.job)


def _only_ones(before: Sequence[Marks], now: Sequence[Marks], pairs: dict[int, int], taken: set[int]) -> dict[int, int]:
    left: dict[str, list[int]] = {}
    for place, one in enumerate(before):
        if place not in pairs:
            left.setdefault(one.rule, []).append(place)
    new: dict[str, list[int]] = {}
    for place, one in enumerate(now):
        if place not in taken:
            new.setdefault(one.rule, []).append(place)
    return {left[rule][0]: new[rule][0] for rule in left if len(left[rule]) == len(new.get(rule, ())) == 1}


def _digest(text: str, offset: int) -> str:
    return blake2b(f"{offset}\0{text}".encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
