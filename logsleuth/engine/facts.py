"""What lines say about who is who: ranks, local ranks, process ids, hosts, and the size of the job.

A fact that two lines tell differently is no fact: the answer is then unknown.
"""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any

from logsleuth.engine.tasks import Tasks
from logsleuth.language.syntax import Event
from logsleuth.model.event import FieldValue, Occurrence
from logsleuth.model.host_list import expanded
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import PathLabel, Tag

Keys = dict[str, FieldValue]

ANYWHERE = "anywhere"
"""Stands for all hosts and sources: a process id that means one rank wherever it is told."""

_ADDRESS = re.compile(r"[\d.]+|[\da-fA-F]*:[\da-fA-F:.]*")
_AGENT_STATES = frozenset(("ranks", "local_world_size"))
_LARGEST = 10_000_000
"""Ranks; a world size above it is garbage."""


class Relation:
    """A relation that should be a function: one value, or none where values contradict each other."""

    def __init__(self) -> None:
        self._values: dict[Hashable, set[Hashable]] = defaultdict(set)

    def add(self, key: Hashable, value: Hashable) -> None:
        self._values[key].add(value)

    def items(self) -> Iterable[tuple[Any, set[Hashable]]]:
        """Every key with all that was told of it."""
        return self._values.items()

    def get(self, key: Hashable) -> Hashable | None:
        values = self._values.get(key, ())
        return next(iter(values)) if len(values) == 1 else None

    def known(self) -> dict[Hashable, Hashable]:
        """All keys that have one value, with it."""
        return {key: next(iter(values)) for key, values in self._values.items() if len(values) == 1}


class Facts:
    """Collects facts. Where lines come from is learnt before what they join, so their order changes nothing."""

    def __init__(self, labels: dict[int, PathLabel], lives: dict[int, SourceLife]) -> None:
        self.lives = lives
        self.labels = {
            source: _of_one(_with_short_host(label), lives[source] if source in lives else SourceLife())
            for source, label in _without_local(labels).items()
        }
        self.rank_of_process = Relation()
        """(host, source or ANYWHERE; pid) -> rank"""
        self.local_of_process = Relation()
        self.host_of_process = Relation()
        """pid -> host, of processes whose rank or local rank is told."""
        self.hosts_of_processes: set[Hashable] = set()
        self.rank_of_local = Relation()
        """(host, source or torchrun's run; local rank) -> rank"""
        self.of_writer = {"rank": Relation(), "local_rank": Relation(), "pid": Relation()}
        """What lines state of their own writer, by key: (source, tag) -> value"""
        self.host_of_rank = Relation()
        self.host_of_source = Relation()
        self.host_of_address = Relation()
        self.pairs: set[tuple[int, int]] = set()
        """(local rank, rank) wherever a line or a folder tells both."""
        self.shared: set[int] = set()
        """Sources in which a launcher speaks."""
        self.agents: set[int] = set()
        """Sources in which a launcher of several local ranks speaks."""
        self.crowds: set[int] = set()
        """Sources in which a launcher tells that it has started several: the log of a node, whatever it is called."""
        self.tasks = Tasks()
        """What launchers and labels of lines tell of tasks..."""
        self.file_tasks = Tasks()
        """... and what names of files do, whose numbers may count anything."""
        self._learnt: set[tuple[int, Tag]] = set()
        """Writers whose labels were taken in."""
        self.hosts: set[str] = set()
        self.world_sizes: set[int] = set()
        self.local_world_sizes: set[int] = set()
        for source, label in self.labels.items():
            if label.tag.host:
                self._learn_host(source, label.tag.host)
                if label.tag.rank is not None:
                    self.host_of_rank.add(label.tag.rank, label.tag.host)

    def learn(self, told: Sequence[tuple[Event, Occurrence]]) -> None:
        """Takes in what the labels of lines and occurrences tell; called once, with all of them."""
        for event, occurrence in told:
            for key, field in event.states:
                if key == "host" and (host := _told_host(occurrence.fields.get(str(field)))):
                    self._learn_host(occurrence.source, host)
        for source, life in self.lives.items():
            for tag in life.lives:
                self._learn_tag(source, tag)
        for event, occurrence in told:
            self._learn(event, occurrence)

    def _learn_host(self, source: int, host: str) -> None:
        self.host_of_source.add(source, host)
        self.hosts.add(host)

    def _learn(self, event: Event, occurrence: Occurrence) -> None:
        source = occurrence.source
        self._learn_tag(source, occurrence.tag)
        keys = about(event, occurrence)
        if isinstance(tasks := keys.get("tasks"), tuple):
            host = keys.get("host")
            self.tasks.tell(tasks, expanded(host) if isinstance(host, str) else ())
        elif len(keys) > 1:
            self._link(source, keys)
        if event.witness == "launcher":
            self.shared.add(source)
            if "local_rank" in keys or any(key in _AGENT_STATES for key, _ in event.states):
                self.agents.add(source)
            if keys.get("local_rank", 0) != 0:
                self.crowds.add(source)
        if not event.states:
            return
        states = {key: occurrence.fields.get(value) if isinstance(value, str) else value for key, value in event.states}
        self._learn_size(source, states)
        if event.witness == "launcher" and (isinstance(ranks := states.get("ranks"), tuple) and len(ranks) > 1):
            self.crowds.add(source)
        self._learn_writer(occurrence, states)

    def _learn_tag(self, source: int, tag: Tag) -> None:
        if (source, tag) in self._learnt:
            return
        self._learnt.add((source, tag))
        if host := _told_host(tag.host):
            self.hosts.add(host)
        label = self.labels[source].tag if source in self.labels else Tag()
        rank = tag.rank if tag.rank is not None else label.rank
        if tag.task is not None:
            self.tasks.label(tag.task, rank)
        elif label.task is not None:
            self.file_tasks.label(label.task, rank)
        if tag.rank is None:
            return
        # A folder of torchrun holds the lines of one process: its local rank and the rank in its lines are one.
        keys: Keys = {} if label.local_rank is None else {"local_rank": label.local_rank}
        self._link(source, {**keys, **known(tag)})

    def _learn_size(self, source: int, states: dict[str, FieldValue | None]) -> None:
        for key, found in (("world_size", self.world_sizes), ("local_world_size", self.local_world_sizes)):
            size = states.get(key)
            if isinstance(size, int) and 0 < size <= _LARGEST:
                found.add(size)
        ranks = states.get("ranks")
        if isinstance(ranks, tuple):
            for local, rank in enumerate(ranks):
                self.rank_of_local.add((source, local), rank)

    def _learn_writer(self, occurrence: Occurrence, states: dict[str, FieldValue | None]) -> None:
        told: Keys = {
            key: value for key in ("rank", "local_rank", "host", "pid") if (value := states.get(key)) is not None
        }
        for key, relation in self.of_writer.items():
            if isinstance(number := told.get(key), int):
                relation.add((occurrence.source, occurrence.tag), number)
        address = states.get("address")
        host = occurrence.tag.host or self.host_of_source.get(occurrence.source)
        if isinstance(address, str) and isinstance(host, str):
            self.host_of_address.add(bare_address(address), short_host(host))
        if told:
            self._link(occurrence.source, {**known(occurrence.tag), **told})

    def _link(self, source: int, keys: Keys) -> None:
        """Several keys of one process: each leads to the others."""
        rank, local, pid = keys.get("rank"), keys.get("local_rank"), keys.get("pid")
        host = keys.get("host") or self.host_of_source.get(source)
        if isinstance(host, str):
            self.hosts.add(host)
        if pid is not None:
            if host and (rank is not None or local is not None):
                self.host_of_process.add(pid, host)
                self.hosts_of_processes.add(host)
            for place in (host, ANYWHERE, source):
                if rank is not None:
                    self.rank_of_process.add((place, pid), rank)
                if local is not None:
                    self.local_of_process.add((place, pid), local)
        if isinstance(local, int) and isinstance(rank, int):
            self.pairs.add((local, rank))
            for place in self.places(source, host):
                self.rank_of_local.add((place, local), rank)
        if rank is not None and host:
            self.host_of_rank.add(rank, host)

    def named(self, source: int) -> Tag:
        """What names tell of the writer of a source, without the number of one process where several write in it."""
        if source not in self.labels:
            return Tag()
        tag = self.labels[source].tag
        return Tag(host=tag.host) if source in self.crowds else tag

    def rank_beside(self, place: Hashable, local: Hashable) -> int | None:
        """The rank of a local rank by those of others in the same place: an agent's ranks follow each other, so that
        each is as far from its local rank. None where the others do not agree, or there is none."""
        bases = self._bases.get(place, ())
        return next(iter(bases)) + local if len(bases) == 1 and isinstance(local, int) else None

    @cached_property
    def _bases(self) -> dict[Hashable, set[int]]:
        """By how much ranks and local ranks differ, place by place."""
        bases: dict[Hashable, set[int]] = defaultdict(set)
        for (place, local), ranks in self.rank_of_local.items():
            if isinstance(local, int):
                bases[place] |= {rank - local for rank in ranks if isinstance(rank, int)}
        return bases

    def places(self, source: int, host: Hashable | None) -> list[Hashable]:
        """Where a local rank means one process: in its source, its run of torchrun, on its host."""
        run = self.labels[source].run if source in self.labels else None
        return [source, *([("run", run)] if run else []), *([host] if host else [])]


def about(event: Event, occurrence: Occurrence) -> Keys:
    """Whom the event says that it concerns."""
    keys = {key: occurrence.fields[field] for key, field in event.about if field in occurrence.fields}
    if "host" in keys and isinstance(keys["host"], str):
        host = _told_host(keys.pop("host"))
        return {**keys, "host": host} if host else keys
    return keys


def known(tag: Tag) -> Keys:
    """What a tag tells, by key."""
    keys: Keys = {}
    host = _told_host(tag.host)
    for key, value in (("rank", tag.rank), ("local_rank", tag.local_rank), ("host", host), ("pid", tag.pid)):
        if value is not None:
            keys[key] = value
    return keys


def bare_address(address: str) -> str:
    """An address without its port, which may be written ``10.0.0.7<41234>``, ``10.0.0.7:29500`` or ``[::1]:29500``."""
    bare = address.partition("<")[0].strip("[]")
    host, colon, port = bare.rpartition(":")
    return host.strip("[]") if colon and port.isdigit() and (host.endswith("]") or ":" not in host) else bare


def short_host(host: str) -> str:
    """A host by its first label, as NCCL prints it; an address stays whole."""
    return host if _ADDRESS.fullmatch(host) else host.partition(".")[0]


def _told_host(host: object) -> str | None:
    """The host that a name tells. Every host is ``localhost`` to itself, so that name tells none."""
    short = short_host(host) if isinstance(host, str) else None
    return short if short != "localhost" else None


def _with_short_host(label: PathLabel) -> PathLabel:
    host = label.tag.host
    return label._replace(tag=label.tag._replace(host=short_host(host))) if host else label


def _of_one(label: PathLabel, life: SourceLife) -> PathLabel:
    """The label without what lines belie: ranks of several, or another, in a log that is called by one. A file for each
    node is often named by the node's place, which people call its rank."""
    tag = label.tag
    ranks = {seen.rank for seen in life.lives if seen.rank is not None}
    locals_ = {seen.local_rank for seen in life.lives if seen.local_rank is not None}
    if len(ranks) > 1 or len(locals_) > 1:
        return label._replace(tag=Tag(host=tag.host))
    if tag.rank is not None and ranks and ranks != {tag.rank}:
        return label._replace(tag=tag._replace(rank=None))
    return label


def _without_local(labels: dict[int, PathLabel]) -> dict[int, PathLabel]:
    """Labels whose ranks are global: where files of several hosts carry one rank, file names count local ranks."""
    hosts: dict[int, set[str | None]] = defaultdict(set)
    for label in labels.values():
        if label.tag.rank is not None:
            hosts[label.tag.rank].add(label.tag.host)
    if all(len(names) == 1 for names in hosts.values()):
        return labels
    return {
        source: label._replace(tag=label.tag._replace(rank=None, local_rank=label.tag.rank))
        if label.tag.rank is not None
        else label
        for source, label in labels.items()
    }
