"""Whom an occurrence concerns."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from logsleuth.model.origin import PathLabel

MOST_RANKS = 20_000
"""Ranks that are listed one by one; a job that claims more is garbage."""
_MOST_LOCAL_RANKS = 1024
"""Local ranks of a host; a number above it is garbage."""


class MemberKind(StrEnum):
    RANK = "rank"
    LOCAL_RANK = "local rank"
    PROCESS = "process"
    HOST = "host"
    GPU = "gpu"


class Member(NamedTuple):
    """One member of a job, named as well as the logs allow."""

    kind: MemberKind
    key: tuple[object, ...]
    """(rank,), (host or None, local rank), (source, host or None, pid or None), (host,), or (host or None, GPU by its
    number or name or None for those of a host that are not told apart, source where no host is known)."""

    @property
    def is_process(self) -> bool:
        """Whether it is a rank or a process that may be one, and no device or host."""
        return self.kind not in (MemberKind.HOST, MemberKind.GPU)

    @property
    def rank(self) -> int | None:
        return self.key[0] if self.kind is MemberKind.RANK and isinstance(self.key[0], int) else None

    @property
    def local_rank(self) -> int | None:
        return self.key[1] if self.kind is MemberKind.LOCAL_RANK and isinstance(self.key[1], int) else None


class GroupKey(NamedTuple):
    """Names a process group of torch or a communicator of NCCL within one attempt."""

    kind: str
    """``pg`` or ``comm``."""
    name: str
    """A group's GUID (``0`` is the default group), a communicator's id, or ``?`` where no line tells it."""


@dataclass(frozen=True, slots=True)
class Group:
    """A process group or communicator with its members."""

    key: GroupKey
    members: tuple[Member, ...]
    """Those that are known, in order; those of a group whose ranks are evenly spaced are known without a log."""
    size: int
    size_is_stated: bool
    inferred: frozenset[Member] = frozenset()
    """Members that follow from the spacing of the others."""


class Subject(NamedTuple):
    """The members that an occurrence concerns (several for an event about many ranks), and what is known of them."""

    members: tuple[Member, ...]
    """Empty for an event that concerns the job as a whole."""
    host: str | None
    pid: int | None

    @property
    def hosts(self) -> tuple[str, ...]:
        """The host that it comes from, else those that it concerns as a whole."""
        if self.host is not None:
            return (self.host,)
        return tuple(str(member.key[0]) for member in self.members if member.kind is MemberKind.HOST)


JOB = Subject((), None, None)


def same(left: Member, right: Member) -> bool | None:
    """Whether two members are one; None where the logs do not tell."""
    if left == right:
        return True
    if left.kind is right.kind and left.kind in (MemberKind.RANK, MemberKind.HOST):
        return False
    if left.kind is MemberKind.GPU and right.kind is MemberKind.GPU:
        # Logs of unknown hosts may be of one host; in one log, or on one host, another number is another GPU.
        are_apart = left.key[1] != right.key[1] or None not in (left.key[0], right.key[0])
        return False if are_apart else None
    if left.kind is MemberKind.LOCAL_RANK and right.kind is MemberKind.LOCAL_RANK:
        if left.key[1] != right.key[1] and (left.key[0] == right.key[0] or None in (left.key[0], right.key[0])):
            return False
        return None if None in (left.key[0], right.key[0]) else False
    return None


def local_ranks_between(members: Iterable[Member]) -> Iterator[Member]:
    """Local ranks of a host below the highest that was seen."""
    highest: dict[object, int] = {}
    for member in members:
        if member.local_rank is not None:
            highest[member.key[0]] = max(highest.get(member.key[0], 0), member.local_rank)
    for host, most in highest.items():
        yield from (Member(MemberKind.LOCAL_RANK, (host, local)) for local in range(min(most, _MOST_LOCAL_RANKS)))


def covered(
    of_source: Iterable[tuple[int, Subject]], labels: Mapping[int, PathLabel], ranks: Iterable[int]
) -> Iterator[Member]:
    """Ranks of which more is there than the stdout that torchrun keeps apart from a stderr."""
    streams: dict[Member, set[str | None]] = defaultdict(set)
    for source, writer in of_source:
        for member in writer.members:
            streams[member].add(labels[source].stream if source in labels else None)
    are_apart = any(label.stream == "stderr" for label in labels.values())
    for rank in ranks:
        member = Member(MemberKind.RANK, (rank,))
        if not are_apart or streams.get(member) != {"stdout"}:
            yield member


def better(left: Subject, right: Subject) -> Subject:
    """What two copies of one occurrence tell together of whom it concerns."""
    kinds = [MemberKind.RANK, MemberKind.LOCAL_RANK, MemberKind.GPU, MemberKind.PROCESS, MemberKind.HOST]
    order = [min((kinds.index(m.kind) for m in s.members), default=len(kinds)) for s in (left, right)]
    members = right.members if order[1] < order[0] else left.members
    return Subject(members, left.host or right.host, left.pid if left.pid is not None else right.pid)


def place_of_gpu(member: Member) -> tuple[str, int, str, int]:
    """The order of GPUs: by host, then by number."""
    host, number, source = member.key
    return (
        str(host or ""),
        number if isinstance(number, int) else -1,
        str(number),
        source if isinstance(source, int) else -1,
    )
