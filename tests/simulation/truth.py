"""What do the logs that were written prove, and what may fairly be said of them?

The judgement is that of a careful reader: he sees the facts of the lines that are there, knows whose they are only where
a label, a file or the text says so, and names nobody whom the logs do not convict.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tests.simulation.faults import Fault
from tests.simulation.job import Job
from tests.simulation.losses import Kept
from tests.simulation.written import Fact

_TROUBLE = (
    "timeout", "told", "exception", "exit", "failed", "oom-kill", "desync", "barrier", "stuck", "fingerprint", "lost"
)  # fmt: skip


class Truth(NamedTuple):
    kind: str
    causes: tuple[str, ...]
    """Fair answers; empty: no verdict of error or fatal is due."""
    culprit_ranks: tuple[int, ...]
    culprit_hosts: tuple[str, ...]
    """Hosts of the culprits; for a lost node or one that cannot be reached what may be named."""
    determined: bool
    """The logs prove who it was. Otherwise nobody may be named but the true culprits."""
    why: str
    shows: bool
    """The logs that are left show that anything is wrong at all."""


class Seen(NamedTuple):
    """What a reader finds."""

    facts: tuple[tuple[Fact, bool], ...]
    """With whether he can tell whose it is."""
    ranks: frozenset[int]
    """Ranks of which he has lines that he knows to be theirs."""
    whole: frozenset[int]
    """Ranks of whose lines no end is missing."""
    is_size_known: bool

    def of(self, *kinds: str) -> Iterator[tuple[Fact, bool]]:
        return (pair for pair in self.facts if pair[0].kind in kinds)

    def known(self, *kinds: str) -> list[Fact]:
        return [fact for fact, is_known in self.of(*kinds) if is_known]

    def has_nameless(self, *kinds: str) -> bool:
        return any(not is_known for _, is_known in self.of(*kinds))


def seen(kept: Kept) -> Seen:
    facts, ranks, cut = [], set(), set()
    for path, pieces in kept.files.items():
        for piece in pieces:
            if piece.rank >= 0 and path in kept.cut:
                cut.add(piece.rank)
            if piece.is_attributed or any(fact.names_rank for fact in piece.facts):
                ranks.add(piece.rank)
            facts += [(fact, piece.is_attributed or fact.names_rank) for fact in piece.facts]
    ranks.discard(-1)
    is_size_known = any(fact.kind == "size" for fact, _ in facts)
    return Seen(tuple(facts), frozenset(ranks), frozenset(ranks - cut), is_size_known)


def tell(job: Job, fault: Fault, kept: Kept) -> Truth:
    """The truth about a job, as far as what was written goes."""
    found, guilty = seen(kept), fault.guilty
    causes, determined, why = fault.causes, False, "nobody is guilty"
    if guilty:
        determined, why = _convicts(fault, job, found, guilty)
    if fault.proof == "exceptions":
        guilty = tuple(sorted({fact.rank for fact in found.known("exception")}))
        determined = bool(guilty) and not found.has_nameless("exception")
        guilty = guilty if determined else fault.guilty
    if fault.proof == "silence":
        guilty = tuple(job.ranks_of(job.host_of(guilty[0])))
    if not determined or (fault.kind == "host-oom" and not list(found.of("oom-kill"))):
        causes = tuple(dict.fromkeys(fault.causes + fault.also))
    if fault.kind in ("healthy", "recovered"):
        causes = ()
    hosts = tuple(dict.fromkeys([*(job.host_of(rank).name for rank in guilty), *fault.guilty_hosts]))
    return Truth(fault.kind, causes, guilty, hosts, determined, why, any(found.of(*_TROUBLE)))


def _convicts(fault: Fault, job: Job, found: Seen, guilty: tuple[int, ...]) -> tuple[bool, str]:
    rank = guilty[0]
    match fault.proof:
        case "exception":
            return any(fact.rank == rank for fact in found.known("exception")), "its traceback, known to be its"
        case "exit":
            codes = {fact.code for fact in found.known("exit", "failed") if fact.rank == rank}
            return bool(codes & {-9, -11}), "a launcher saw its end"
        case "barrier":
            return any(fact.ranks == guilty for fact, _ in found.of("barrier")), "rank 0 names it"
        case "desync" if any(fact.ranks == guilty for fact, _ in found.of("desync")):
            return True, "a report names it"
        case "stuck":
            return any(fact.rank == rank for fact in found.known("stuck")), "its monitor speaks"
        case "fingerprints":
            others = {fact.rank for fact in found.known("fingerprint")} - {rank}
            return len(others) >= 2, "two others agree with each other and not with it"
        case "mismatch":
            return _differs(job, found, rank), "its timeout shows another call than those of the majority"
        case "absence" | "desync":
            return _stayed_away(job, found, rank)
        case "left":
            return _is_odd_one(job, found, rank, "timeout", "lost"), "all others wait for it or lost it"
    return False, "it cannot be proved"


def _differs(job: Job, found: Seen, rank: int) -> bool:
    calls = {fact.rank: (fact.op, fact.numel) for fact in found.known("timeout")}
    others = [call for other, call in calls.items() if other != rank]
    return rank in calls and len(set(others)) == 1 and len(others) > job.size / 2 and calls[rank] != others[0]


def _stayed_away(job: Job, found: Seen, rank: int) -> tuple[bool, str]:
    """A straggler: the only one that is behind in its group, or the only one that does not wait."""
    if _is_odd_one(job, found, rank, "timeout"):
        return True, "all others wait, and it does not"
    for group in job.groups:
        if rank in group.members and _is_behind(found, rank, group.guid, group.members):
            return True, "its counter is behind all others of the group"
    return False, "who waits for whom cannot be told"


def _is_behind(found: Seen, rank: int, guid: str, members: tuple[int, ...]) -> bool:
    stands = {fact.rank: fact.enqueued for fact in found.known("counters", "told") if fact.guid == guid}
    waited = {fact.seq for fact in found.known("timeout") if fact.guid == guid}
    if set(stands) != set(members) or len(waited) != 1:
        return False
    (seq,) = waited
    return {member for member in members if stands[member] < seq} == {rank}


def _is_odd_one(job: Job, found: Seen, rank: int, *kinds: str) -> bool:
    waiting = {fact.rank for fact in found.known(*kinds)}
    if found.has_nameless(*kinds) or waiting != set(range(job.size)) - {rank}:
        return False
    return rank in found.whole or (rank not in found.ranks and found.is_size_known)
