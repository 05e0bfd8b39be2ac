"""Whom occurrences concern, and who writes which lines: answers from the facts that the logs hold."""

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property

from logsleuth.engine.facts import ANYWHERE, Facts, Keys, about, bare_address, known, short_host
from logsleuth.engine.subject import JOB, Member, MemberKind, Subject
from logsleuth.engine.tasks import Tasks
from logsleuth.language.syntax import Event
from logsleuth.model.event import Occurrence
from logsleuth.model.host_list import expanded
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import PathLabel, Tag


class Identity:
    """Resolves identities, from all that the names of sources, the labels of lines and occurrences tell."""

    def __init__(
        self, labels: dict[int, PathLabel], lives: dict[int, SourceLife], told: Sequence[tuple[Event, Occurrence]]
    ) -> None:
        self._facts = Facts(labels, lives)
        self._facts.learn(told)
        self._only_ranks: dict[int, int | None] = {}
        self._writers: dict[tuple[int, Tag], Subject] = {}

    @property
    def hosts(self) -> set[str]:
        """All hosts that are named."""
        return self._facts.hosts

    @property
    def world_sizes(self) -> set[int]:
        """All sizes of the job that lines state."""
        return self._facts.world_sizes

    def host_of(self, member: Member) -> str | None:
        """The host of a member, where lines tell it."""
        if member.kind is MemberKind.RANK:
            host = self._facts.host_of_rank.get(member.rank)
        else:
            host = member.key[1 if member.kind is MemberKind.PROCESS else 0]
        return host if isinstance(host, str) else None

    def host_at(self, address: str) -> str:
        """The host that has an address, with or without a port; the address itself where none is known."""
        bare = bare_address(address)
        host = self._facts.host_of_address.get(bare)
        return host if isinstance(host, str) else short_host(bare)

    def subject(self, event: Event, occurrence: Occurrence) -> Subject:
        """Whom the occurrence concerns."""
        if event.about_job:
            return JOB
        keys = about(event, occurrence)
        if not keys and not event_is_of_gpu(event):
            writer = self.writer(occurrence.source, occurrence.tag)
            return _of_host(writer.host) if event.witness == "scheduler" and event.about else writer
        if isinstance(ranks := keys.get("ranks"), tuple):
            return Subject(tuple(Member(MemberKind.RANK, (rank,)) for rank in ranks), None, None)
        if event_is_of_gpu(event):
            return self._gpu(keys, self.writer(occurrence.source, occurrence.tag), occurrence.source)
        host = keys.get("host")
        named = host if isinstance(host, str) else None
        if isinstance(tasks := keys.get("tasks"), tuple) and self._named_tasks_are_ranks:
            ranks_of_tasks = tuple(Member(MemberKind.RANK, (task,)) for task in tasks)
            return Subject(ranks_of_tasks, _only_host(named), None)
        if "tasks" in keys or (keys.keys() == {"host"} and named):
            return _of_host(named)
        # A line that knows a process by its pid or its local rank comes from the same host; a rank may be anywhere.
        subject = self._resolve(occurrence.source, keys, is_here="pid" in keys or "local_rank" in keys)
        if event.witness == "process" and subject.members[0].kind is MemberKind.PROCESS:
            # A process that names itself by its pid; its label may tell more.
            writer = self.writer(occurrence.source, occurrence.tag)
            if writer.members[0].kind is not MemberKind.PROCESS:
                return writer._replace(host=writer.host or subject.host, pid=subject.pid)
        return subject

    def named(self, source: int) -> Tag:
        """What names of files and folders tell of the writer of a source, as far as lines agree."""
        return self._facts.named(source)

    def writer(self, source: int, tag: Tag) -> Subject:
        """Who writes lines with this tag in this source."""
        known = self._writers.get((source, tag))
        if known is None:
            known = self._writers[source, tag] = self._writer(source, tag)
        return known

    def _writer(self, source: int, tag: Tag) -> Subject:
        facts = self._facts
        stated = {
            key: number for key, of in facts.of_writer.items() if isinstance(number := of.get((source, tag)), int)
        }
        rank = tag.rank if tag.rank is not None else stated.get("rank")
        if rank is None and tag.task is not None and self._tasks_are_ranks(source):
            rank = tag.task
        named = facts.named(source)
        if rank is None and named.rank is None and named.task is not None and self._files_are_of_ranks:
            rank = named.task
        keys: Keys = {**known(named), **stated, **known(tag)}
        if isinstance(rank, int):
            keys["rank"] = rank
        elif tag.is_bare and "rank" not in keys and (only := self._only_rank(source)) is not None:
            keys["rank"] = only
        return self._resolve(source, keys, is_here=True)

    def _gpu(self, keys: Keys, writer: Subject, source: int) -> Subject:
        """A GPU of the host that the line names, else of its writer's."""
        host = keys.get("host") or writer.host
        member = Member(MemberKind.GPU, (host, keys.get("gpu"), None if host else source))
        return Subject((member,), host if isinstance(host, str) else None, None)

    def _only_rank(self, source: int) -> int | None:
        """The rank whose own log this is: no other writer is seen in it, and no launcher speaks in it."""
        if source not in self._only_ranks:
            tags = set(self._facts.lives[source].lives) if source in self._facts.lives else set()
            ranks = {tag.rank for tag in tags if tag.rank is not None}
            strangers = any(tag.rank is None and not tag.is_bare for tag in tags)
            is_own = len(ranks) == 1 and not strangers and source not in self._facts.shared
            self._only_ranks[source] = next(iter(ranks)) if is_own else None
        return self._only_ranks[source]

    def _tasks_are_ranks(self, source: int) -> bool:
        """Whether a launcher's task numbers are ranks: not where each task is a launcher of several ranks."""
        pairs = {(tag.task, tag.rank) for tag in self._facts.lives[source].lives if tag.task is not None}
        told = [(task, rank) for task, rank in pairs if rank is not None]
        return all(task == rank for task, rank in told) and (bool(told) or source not in self._facts.agents)

    def _resolve(self, source: int, keys: Keys, is_here: bool) -> Subject:
        facts = self._facts
        host = keys.get("host") or (facts.host_of_source.get(source) if is_here else None)
        pid = keys.get("pid")
        local: Hashable | None = keys.get("local_rank")
        rank: Hashable | None = keys.get("rank")
        places = self._places_of_process(source, host, pid)
        if rank is None and pid is not None:
            rank = _first(facts.rank_of_process.get((place, pid)) for place in places)
            if local is None:
                local = _first(facts.local_of_process.get((place, pid)) for place in places)
        if rank is None and local is not None:
            told = (facts.rank_of_local.get((place, local)) for place in facts.places(source, host))
            beside = (facts.rank_beside(place, local) for place in facts.places(source, host))
            rank = _first((*told, *beside, local if self._is_flat else None))
        known_pid = pid if isinstance(pid, int) else None
        named = host if isinstance(host, str) else None
        if isinstance(rank, int):
            its_host = named or facts.host_of_rank.get(rank)
            return Subject(
                (Member(MemberKind.RANK, (rank,)),), its_host if isinstance(its_host, str) else None, known_pid
            )
        if local is not None:
            return Subject((Member(MemberKind.LOCAL_RANK, (named, local)),), named, known_pid)
        return Subject((Member(MemberKind.PROCESS, (source, named, known_pid)),), named, known_pid)

    def _places_of_process(self, source: int, host: Hashable | None, pid: Hashable | None) -> list[Hashable]:
        """Where a process id may be looked up. One that is another host's is not that of this host, unless this host
        goes by a name that no process of the job does: the node of a pod."""
        facts = self._facts
        if not host:
            return [source, ANYWHERE]
        other = facts.host_of_process.get(pid)
        is_elsewhere = other is not None and other != host and host in facts.hosts_of_processes
        return [host, source] if is_elsewhere else [host, source, ANYWHERE]

    @cached_property
    def _named_tasks_are_ranks(self) -> bool:
        """Whether the tasks that a launcher speaks of are ranks."""
        return self._are_ranks(self._facts.tasks)

    @cached_property
    def _files_are_of_ranks(self) -> bool:
        """Whether the numbers in the names of files are ranks."""
        tasks = self._facts.file_tasks
        return self._are_ranks(tasks) and tasks.name_ranks(self._facts.world_sizes)

    def _are_ranks(self, tasks: Tasks) -> bool:
        """Never where agents of several ranks speak."""
        facts = self._facts
        if facts.agents:
            return False
        hosts = {rank: host for rank, host in facts.host_of_rank.known().items() if isinstance(rank, int)}
        return tasks.are_ranks(facts.world_sizes, {rank: str(host) for rank, host in hosts.items()})

    @cached_property
    def _is_flat(self) -> bool:
        """Whether the job is known to have one host, where local and global ranks are the same."""
        facts = self._facts
        if len(facts.hosts) > 1 or any(local != rank for local, rank in facts.pairs):
            return False
        sizes_agree = bool(facts.world_sizes) and facts.world_sizes == facts.local_world_sizes
        return sizes_agree or len(facts.pairs) > 1


def _of_host(host: str | None) -> Subject:
    """Hosts as a whole: which of their processes is not told. Without a name it may be any."""
    hosts = expanded(host) if host else ()
    return Subject(tuple(Member(MemberKind.HOST, (name,)) for name in hosts), _only_host(host), None) if hosts else JOB


def _only_host(host: str | None) -> str | None:
    """The host that a text names; None where it names several."""
    return host if host is None or len(expanded(host)) == 1 else None


def event_is_of_gpu(event: Event) -> bool:
    """Whether the event is about a GPU, whatever process uses it."""
    return any(key == "gpu" for key, _ in event.about)


def _first(values: Iterable[Hashable | None]) -> Hashable | None:
    return next((value for value in values if value is not None), None)
