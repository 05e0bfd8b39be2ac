"""Who is who: joins what lines say about ranks, local ranks, process ids and hosts.

A fact that two lines tell differently is no fact: the answer is then unknown.
"""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable
from functools import cached_property

from logsleuth.engine.subject import JOB, Member, MemberKind, Subject
from logsleuth.language.syntax import Event
from logsleuth.model.event import FieldValue, Occurrence
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import PathLabel, Tag

Keys = dict[str, FieldValue]

_ADDRESS = re.compile(r"[\d.]+|[\da-fA-F]*:[\da-fA-F:.]*")

_AGENT_STATES = frozenset(("ranks", "local_world_size"))

_ANYWHERE = "anywhere"
"""Stands for all hosts and sources: a process id that means one rank wherever it is told."""


class _Relation:
    """A relation that should be a function: one value, or none where values contradict each other."""

    def __init__(self) -> None:
        self._values: dict[Hashable, set[Hashable]] = defaultdict(set)

    def add(self, key: Hashable, value: Hashable) -> None:
        self._values[key].add(value)

    def get(self, key: Hashable) -> Hashable | None:
        values = self._values.get(key, ())
        return next(iter(values)) if len(values) == 1 else None

    def values(self, key: Hashable) -> set[Hashable]:
        return self._values.get(key, set())


class Identity:
    """Resolves whom occurrences concern. Facts are taken in first (``learn``), questions are asked afterwards."""

    def __init__(self, labels: dict[int, PathLabel], lives: dict[int, SourceLife]) -> None:
        self._lives = lives
        self._rank_of_process = _Relation()
        self._local_of_process = _Relation()
        self._rank_of_local = _Relation()
        self._rank_of_writer = _Relation()
        self._host_of_rank = _Relation()
        self._host_of_source = _Relation()
        self._pairs: set[tuple[int, int]] = set()
        self._shared: set[int] = set()
        """Sources in which a launcher speaks."""
        self._agents: set[int] = set()
        """Sources in which a launcher of several local ranks speaks."""
        self._only_ranks: dict[int, int | None] = {}
        self.hosts: set[str] = set()
        self.world_sizes: set[int] = set()
        self.local_world_sizes: set[int] = set()
        self._labels = {source: _short_host(label.tag) for source, label in _without_local(labels).items()}
        for source, tag in self._labels.items():
            if tag.host:
                self._host_of_source.add(source, tag.host)
                self.hosts.add(tag.host)
        for source, life in lives.items():
            for tag in life.lives:
                self._learn_tag(source, tag)

    # Facts

    def _learn_tag(self, source: int, tag: Tag) -> None:
        if tag.host:
            self.hosts.add(short_host(tag.host))
        if tag.rank is not None:
            self._link(source, {"rank": tag.rank, **_known(tag)})

    def learn(self, event: Event, occurrence: Occurrence) -> None:
        """Takes in what an occurrence tells about identities and the size of the job."""
        self._learn_tag(occurrence.source, occurrence.tag)
        keys = _about(event, occurrence)
        if len(keys) > 1:
            self._link(occurrence.source, keys)
        if event.witness == "launcher":
            self._shared.add(occurrence.source)
            if "local_rank" in keys or any(key in _AGENT_STATES for key, _ in event.states):
                self._agents.add(occurrence.source)
        states = {key: occurrence.fields.get(value) if isinstance(value, str) else value for key, value in event.states}
        for key, found in (("world_size", self.world_sizes), ("local_world_size", self.local_world_sizes)):
            size = states.pop(key, None)
            if isinstance(size, int) and 0 < size <= 10_000_000:
                found.add(size)
        ranks = states.pop("ranks", None)
        if isinstance(ranks, tuple):
            for local, rank in enumerate(ranks):
                self._rank_of_local.add((occurrence.source, local), rank)
        self._learn_writer(occurrence, {key: value for key, value in states.items() if value is not None})

    def _learn_writer(self, occurrence: Occurrence, states: Keys) -> None:
        rank = states.get("rank")
        if isinstance(rank, int):
            self._rank_of_writer.add((occurrence.source, occurrence.tag), rank)
            self._link(occurrence.source, {**_known(occurrence.tag), **states})
        if isinstance(host := states.get("host"), str):
            self._host_of_source.add(occurrence.source, short_host(host))
            self.hosts.add(short_host(host))

    def _link(self, source: int, keys: Keys) -> None:
        """Several keys of one process: each leads to the others."""
        rank, local, pid = keys.get("rank"), keys.get("local_rank"), keys.get("pid")
        host = keys.get("host") or self._host_of_source.get(source)
        if isinstance(host, str):
            self.hosts.add(host)
        if pid is not None:
            for place in (host, _ANYWHERE, source):
                if rank is not None:
                    self._rank_of_process.add((place, pid), rank)
                if local is not None:
                    self._local_of_process.add((place, pid), local)
        if isinstance(local, int) and isinstance(rank, int):
            self._pairs.add((local, rank))
            self._rank_of_local.add((source, local), rank)
            if host:
                self._rank_of_local.add((host, local), rank)
        if rank is not None and host:
            self._host_of_rank.add(rank, host)

    # Questions

    def subject(self, event: Event, occurrence: Occurrence) -> Subject:
        """Whom the occurrence concerns."""
        if event.about_job:
            return JOB
        keys = _about(event, occurrence)
        if not keys:
            return self.writer(occurrence.source, occurrence.tag)
        if isinstance(ranks := keys.get("ranks"), tuple):
            return Subject(tuple(Member(MemberKind.RANK, (rank,)) for rank in ranks), None, None)
        if keys.keys() == {"host"} and isinstance(host := keys["host"], str):
            return Subject((Member(MemberKind.HOST, (host,)),), host, None)
        subject = self._resolve(occurrence.source, keys)
        if event.witness == "process" and subject.members[0].kind is MemberKind.PROCESS:
            # A process that names itself by its pid; its label may tell more.
            writer = self.writer(occurrence.source, occurrence.tag)
            if writer.members[0].kind is not MemberKind.PROCESS:
                return writer._replace(host=writer.host or subject.host, pid=subject.pid)
        return subject

    def writer(self, source: int, tag: Tag) -> Subject:
        """Who writes lines with this tag in this source."""
        rank = tag.rank if tag.rank is not None else self._rank_of_writer.get((source, tag))
        if rank is None and tag.task is not None and self._tasks_are_ranks(source):
            rank = tag.task
        keys: Keys = {**_known(self._labels[source]), **_known(tag)}
        if isinstance(rank, int):
            keys["rank"] = rank
        elif tag.is_bare and "rank" not in keys and (only := self._only_rank(source)) is not None:
            keys["rank"] = only
        return self._resolve(source, keys)

    def _only_rank(self, source: int) -> int | None:
        """The rank whose own log this is: no other writer is seen in it, and no launcher speaks in it."""
        if source not in self._only_ranks:
            self._only_ranks[source] = self._find_only_rank(source)
        return self._only_ranks[source]

    def _find_only_rank(self, source: int) -> int | None:
        tags = set(self._lives[source].lives) if source in self._lives else set()
        ranks = {tag.rank for tag in tags if tag.rank is not None}
        strangers = any(tag.rank is None and not tag.is_bare for tag in tags)
        if len(ranks) != 1 or strangers or source in self._shared:
            return None
        return next(iter(ranks))

    def _tasks_are_ranks(self, source: int) -> bool:
        """Whether a launcher's task numbers are ranks: not where each task is a launcher of several ranks."""
        pairs = {(tag.task, tag.rank) for tag in self._lives[source].lives if tag.task is not None}
        told = [(task, rank) for task, rank in pairs if rank is not None]
        return all(task == rank for task, rank in told) and (bool(told) or source not in self._agents)

    def _resolve(self, source: int, keys: Keys) -> Subject:
        host = keys.get("host") or self._host_of_source.get(source)
        pid = keys.get("pid")
        local: Hashable | None = keys.get("local_rank")
        rank: Hashable | None = keys.get("rank")
        places = (host, source, _ANYWHERE) if host else (source, _ANYWHERE)
        if rank is None and pid is not None:
            rank = _first(self._rank_of_process.get((place, pid)) for place in places)
            if local is None:
                local = _first(self._local_of_process.get((place, pid)) for place in places)
        if rank is None and local is not None:
            rank = self._rank_of_local_rank(source, host, local)
        known_pid = pid if isinstance(pid, int) else None
        if isinstance(rank, int):
            named = host if isinstance(host, str) else self._host_of_rank.get(rank)
            return Subject((Member(MemberKind.RANK, (rank,)),), named if isinstance(named, str) else None, known_pid)
        named = host if isinstance(host, str) else None
        if local is not None:
            return Subject((Member(MemberKind.LOCAL_RANK, (named, local)),), named, known_pid)
        return Subject((Member(MemberKind.PROCESS, (source, named, known_pid)),), named, known_pid)

    def _rank_of_local_rank(self, source: int, host: Hashable | None, local: Hashable) -> Hashable | None:
        for place in (source, host):
            if (rank := self._rank_of_local.get((place, local))) is not None:
                return rank
        return local if self._is_flat else None

    @cached_property
    def _is_flat(self) -> bool:
        """Whether the job is known to have one host, where local and global ranks are the same."""
        if len(self.hosts) > 1 or any(local != rank for local, rank in self._pairs):
            return False
        sizes_agree = bool(self.world_sizes) and self.world_sizes == self.local_world_sizes
        return sizes_agree or len(self._pairs) > 1

    def host_of_rank(self, rank: int) -> str | None:
        """The host on which a rank ran, where the logs tell one."""
        host = self._host_of_rank.get(rank)
        return host if isinstance(host, str) else None


def short_host(host: str) -> str:
    """A host by its first label, as NCCL prints it; an address stays whole."""
    return host if _ADDRESS.fullmatch(host) else host.partition(".")[0]


def _short_host(tag: Tag) -> Tag:
    return tag._replace(host=short_host(tag.host)) if tag.host else tag


def _without_local(labels: dict[int, PathLabel]) -> dict[int, PathLabel]:
    """Labels whose ranks are global: where files of several hosts carry one rank, file names count local ranks."""
    hosts: dict[int, set[str | None]] = defaultdict(set)
    for label in labels.values():
        if label.tag.rank is not None:
            hosts[label.tag.rank].add(label.tag.host)
    if all(len(names) == 1 for names in hosts.values()):
        return labels
    return {
        source: label if label.tag.rank is None else label._replace(tag=_as_local(label.tag))
        for source, label in labels.items()
    }


def _as_local(tag: Tag) -> Tag:
    return tag._replace(rank=None, local_rank=tag.rank)


def _known(tag: Tag) -> Keys:
    keys: Keys = {}
    host = short_host(tag.host) if tag.host else None
    for key, value in (("rank", tag.rank), ("local_rank", tag.local_rank), ("host", host), ("pid", tag.pid)):
        if value is not None:
            keys[key] = value
    return keys


def _about(event: Event, occurrence: Occurrence) -> Keys:
    keys = {key: occurrence.fields[field] for key, field in event.about if field in occurrence.fields}
    if isinstance(host := keys.get("host"), str):
        keys["host"] = short_host(host)
    return keys


def _first(values: Iterable[Hashable | None]) -> Hashable | None:
    return next((value for value in values if value is not None), None)
