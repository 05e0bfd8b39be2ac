"""What was found in logs before any rule is asked: what ``inspect`` tells and ``logsleuth.inspect`` returns."""

from dataclasses import dataclass

from logsleuth.model.analysis import Job, Problem, Span


@dataclass(frozen=True, slots=True)
class Writers:
    """Whose lines a source holds, as far as its name, its lines and other logs tell; all empty where nothing does."""

    ranks: tuple[int, ...] = ()
    local_ranks: tuple[int, ...] = ()
    """Of those whose global rank is not known."""
    hosts: tuple[str, ...] = ()
    tasks: tuple[int, ...] = ()
    """Numbers that a launcher gave and that are not known to be ranks."""
    processes: tuple[int, ...] = ()
    """Process ids that lines tell."""

    def __bool__(self) -> bool:
        return bool(self.ranks or self.local_ranks or self.hosts or self.tasks or self.processes)


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch in which somebody wrote no line that tells a time."""

    seconds: float
    after: str
    """Time of the last line before it (see ``Evidence.time``)."""
    before: str | None
    """Time of the first line after it; None where it lasts to the end of the job's logs."""
    ranks: tuple[int, ...] = ()
    """Whose; these and the following are empty where it is the whole job's, or a source's."""
    local_ranks: tuple[int, ...] = ()
    hosts: tuple[str, ...] = ()
    """Of the local ranks."""
    lines: tuple[int, int] | None = None
    """Of a source's: the numbers of both lines in it, where its records are lines. What stands between them tells no
    time."""


@dataclass(frozen=True, slots=True)
class FoundSource:
    """One log: a file, or the pieces of one."""

    source: str
    pieces: tuple[str, ...]
    """The files that hold it; empty where it is one file."""
    format: str
    layout: str
    """How records lie in its text; ``lines`` where they are lines."""
    encoding: str
    """``ascii``, ``utf-8``, ``utf-8 with errors``, ``utf-16-le``, ``utf-16-be``; empty for nothing."""
    bytes: int
    lines: int
    events: int
    """Lines that the rules know."""
    framing: tuple[str, ...]
    """What stands around the messages, in words (``srun --label``)."""
    writers: Writers
    attempts: tuple[int, ...]
    """Attempts of the job of which it tells something, from 0; empty where nothing in it could be placed."""
    span: Span
    has_year: bool | None
    """Whether its stamps tell the year; None where there are none."""
    has_zone: bool | None
    jobs: tuple[str, ...]
    copy_of: str | None
    """The source that it repeats as a whole; it is then not counted."""
    gaps: tuple[Gap, ...]
    """The longest first."""
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """Lines that stand in two sources and are counted once."""

    source: str
    other: str
    lines: int
    """How many of the lines that the rules know and that are kept."""


@dataclass(frozen=True, slots=True)
class FoundJob:
    job: Job
    gaps: tuple[Gap, ...]
    """Of the whole job, of ranks and of local ranks; the longest first."""
    more_gaps: int
    """How many shorter ones are not in ``gaps``."""
    repeats: tuple[Repeat, ...]


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that was named or found, and that is no source."""

    path: str
    problem: Problem


@dataclass(frozen=True, slots=True)
class Remark:
    """What something that was found, or was not, means for an answer."""

    text: str
    sources: tuple[str, ...] = ()
    """The sources that it is about; empty where it is about all of them."""


@dataclass(frozen=True, slots=True)
class Inventory:
    jobs: tuple[FoundJob, ...]
    """The newest first."""
    sources: tuple[FoundSource, ...]
    unread: tuple[Unread, ...]
    remarks: tuple[Remark, ...]
    shortest_gap: float
    """Seconds; gaps that are shorter were not looked for."""
    notes: tuple[str, ...] = ()

    @property
    def was_anything_read(self) -> bool:
        """False where no source could be read: then there is nothing to tell."""
        return any(not any(problem.fatal for problem in source.problems) for source in self.sources)
