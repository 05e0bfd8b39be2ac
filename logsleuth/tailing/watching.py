"""Which logs are followed, which of them grew, and which came?"""

import heapq
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from logsleuth.model.analysis import Problem
from logsleuth.model.origin import Source
from logsleuth.tailing.around import Around
from logsleuth.tailing.beginning import beginning
from logsleuth.tailing.descriptors import Descriptors
from logsleuth.tailing.file_tail import FileTail
from logsleuth.tailing.folders import Folders, parted
from logsleuth.tailing.generation import Generation
from logsleuth.tailing.joining import Joining
from logsleuth.tailing.mounts import Mounts
from logsleuth.tailing.notices import News, Notices
from logsleuth.tailing.pace import SOONEST, interval
from logsleuth.tailing.pipe_tail import PipeTail, is_pipe
from logsleuth.tailing.seeking import Seeker, is_url
from logsleuth.tailing.since import START, Since, StampOf
from logsleuth.tailing.still import Discover, Still
from logsleuth.tailing.tail import Pause, Tail


class Look(NamedTuple):
    """What is new since the last look."""

    news: list[Tail]
    """Logs of which more can be read."""
    joined: list[Tail]
    """Logs that were not followed before; at the first look, all. They are begun whether they have news or not."""
    left: list[Tail]
    """Those that turned out to be no logs when their first bytes came; nothing was read of them."""
    still_changed: bool
    """Whether ``Watching.still`` is another."""


class Watching:
    """Everything that the arguments lead to, as it is now."""

    def __init__(
        self,
        paths: Sequence[str],
        discover: Discover,
        pause: Pause,
        since: Since = START,
        clock: Callable[[], float] = time.time,
        *,
        stamp_of: StampOf | None = None,
        resume: Mapping[str, Sequence[Generation]] | None = None,
        is_notified: bool = True,
        mounts: Mounts | None = None,
        descriptors: int | None = None,
        leave_out: Collection[str] = (),
    ) -> None:
        """``discover`` gives the sources that paths lead to, pieces of one log joined.

        ``stamp_of`` reads when a line was written, for ``since``; ``resume`` are the files that were read before, by
        the path of their log (``generations`` of its tail). Without ``is_notified`` everything is looked at now and
        then; ``mounts`` and ``descriptors`` (how many files may be open) are found out where they are not given. What
        lies in the folders ``leave_out`` is not followed.
        """
        self._clock, self._discover = clock, discover
        self._since, self._stamp_of, self._resume = since, stamp_of, dict(resume or {})
        self._folders = Folders()
        self._around = Around(pause, clock, self._folders, Descriptors(descriptors), {})
        self._notices = Notices(mounts, is_notified)
        self._pipes = sorted({path for path in paths if path == "-" or is_pipe(path)})
        self._paths = sorted(set(paths) - set(self._pipes))
        self._seeker = Seeker(self._paths, self._folders, leave_out)
        self._finds_itself = bool(leave_out)
        """Whether logs in folders are found by looking for new ones from the start: there something is left out."""
        self._still = Still(discover)
        self._joining = Joining(self._around, self._seeker, self._still)
        self.tails: list[Tail] = []
        self.notes: tuple[str, ...] = ()
        self._found: list[tuple[str, Problem]] = []
        self._open_pipes: dict[PipeTail, int] = {}
        """Pipes that wake us, and their descriptors."""
        self._dormant: dict[FileTail, None] = {}
        """Logs in which nothing is as young as was asked for; they join when they grow."""
        self._by_path: dict[str, FileTail] = {}
        self._queue: list[tuple[float, int, Tail]] = []
        self._queued: dict[Tail, float] = {}
        self._known = 0
        self._is_begun = False
        self._changed = self._folders_due = clock()
        self._are_told = False

    @property
    def still(self) -> list[Source]:
        """What cannot grow, or not be followed."""
        return self._still.sources

    @property
    def problems(self) -> list[tuple[str, Problem]]:
        """What could not be read, was left out or is waited for: the path and why; see also those of tails."""
        waiting = [(path, Problem("Nothing is there yet; it is waited for.", True)) for path in self._seeker.missing]
        told = [*self._found, *self._joining.problems, *self._still.problems, *waiting]
        return list(dict.fromkeys(told))

    @property
    def wake(self) -> int | None:
        """Readable when there is something to look at; None where nothing tells, so that only time does."""
        return self._notices.wake

    @property
    def all_ended(self) -> bool:
        """Whether nothing can come any more: all that is followed are pipes, and these have ended."""
        return self._is_begun and all(map(is_url, self._paths)) and all(tail.is_finished for tail in self.tails)

    def next_look(self) -> float:
        """Seconds after which to look even if nothing wakes us."""
        soonest = min(self._queue[0][0] if self._queue else float("inf"), self._folders_due)
        return max(soonest - self._clock(), 0.0) if self._is_begun else 0.0

    def look(self, is_last: bool = False) -> Look:
        """Looks at what was told of and at what is due; at the last look, at everything. Raises nothing."""
        now = self._clock()
        for pipe in [pipe for pipe in self._open_pipes if pipe.is_finished]:
            self._notices.drop_pipe(self._open_pipes.pop(pipe))
        news = self._notices.news()
        joined: list[Tail] = []
        still_changed = not self._is_begun
        if not self._is_begun:
            joined += self._begin(now)
        looked = self._due(news, now, is_last)
        for tail in looked:
            tail.look(now)
        if is_last or news.is_all or news.folders or now >= self._folders_due:
            came, changed = self._look_at_folders(news, now, is_last)
            joined += came
            still_changed |= changed
            looked = [*looked, *(tail for tail in self._joining.looked if tail not in looked)]
        left = self._joining.left([tail for tail in looked if isinstance(tail, FileTail)])
        joined += self._awake()
        for tail in (*looked, *joined):
            self._enqueue(tail)
        for tail in left:
            self._forget(tail)
            self._folders_due = now + SOONEST
        gone = set[Tail](left)
        joined = [tail for tail in joined if tail not in gone]
        self.tails = [*(tail for tail in self.tails if tail not in gone), *joined]
        ready = dict.fromkeys(tail for tail in (*looked, *joined) if tail.has_news and tail not in self._dormant)
        return Look([tail for tail in ready if tail not in gone], joined, [*left], still_changed)

    def close(self) -> None:
        """Lets go of all files."""
        for tail in (*self.tails, *self._dormant):
            tail.close()
        self._notices.close()

    def _begin(self, now: float) -> list[Tail]:
        """What is there at the start."""
        self._is_begun = True
        self._seeker.walk()
        there = [path for path in self._paths if path not in self._seeker.missing]
        found = self._discover([path for path in there if path in self._seeker.files] if self._finds_itself else there)
        self.notes = tuple(found.notes)
        # Of a folder or pattern without a log this is no failure here: logs may come.
        waiting = {path for path in there if path not in self._seeker.files and not is_url(path)}
        self._found = [
            (path, problem)
            for path, problem in found.problems
            if not (problem.fatal and path in waiting and problem.text.startswith("Nothing "))
        ]
        followed = [source for source in found.sources if _can_grow(source)]
        self._still.begin([source for source in found.sources if not _can_grow(source)])
        tails: list[Tail] = [PipeTail(Source(path), self._around.pause, self._clock) for path in self._pipes]
        for tail in tails:
            if isinstance(tail, PipeTail) and tail.descriptor is not None:
                self._notices.add_pipe(tail.descriptor)
                self._open_pipes[tail] = tail.descriptor
        tails += self._follow(followed, self._since)
        self._folders_due = now
        return tails

    def _follow(self, sources: Sequence[Source], since: Since) -> list[Tail]:
        """Begins to follow logs; those in which nothing is young enough are kept for later."""
        tails: list[Tail] = []
        for source in sources:
            begun = beginning(source, self._around, since, self._stamp_of, self._resume.get(source.path, ()))
            tail = FileTail(source, self._around, begun)
            self._by_path[tail.path] = tail
            tail.is_told = self._watch(tail)
            self._joining.follow(tail)
            self._enqueue(tail)
            if begun.is_old:
                self._dormant[tail] = None
            else:
                tails.append(tail)
        return tails

    def _watch(self, tail: FileTail) -> bool:
        folders = [parted(tail.path)[0]]
        if (last := tail.lineage.last) and last.target is not None:
            self._by_path[last.target] = tail
            folders.append(parted(last.target)[0])
        return self._watch_all(folders)

    def _watch_all(self, folders: Sequence[str]) -> bool:
        """Whether notification tells of each of them; of the others it is to tell in any case."""
        told = [self._notices.watch(folder) for folder in folders]
        return all(told)

    def _due(self, news: News, now: float, is_last: bool) -> list[Tail]:
        """Logs to look at, in the order in which they were found."""
        if is_last or news.is_all:
            return [*self.tails, *self._dormant]
        due: dict[Tail, None] = {self._by_path[path]: None for path in sorted(news.names & self._by_path.keys())}
        while self._queue and self._queue[0][0] <= now:
            _, _, tail = heapq.heappop(self._queue)
            del self._queued[tail]
            if tail.due <= now:
                due[tail] = None
            else:
                self._enqueue(tail)
        return list(due)

    def _enqueue(self, tail: Tail) -> None:
        """Notes when it is to be looked at next; a note that is there already may be too early, never too late."""
        if isinstance(tail, PipeTail) and tail.is_finished:
            return
        if self._queued.get(tail, float("inf")) > tail.due:
            if tail in self._queued:
                self._queue = [entry for entry in self._queue if entry[2] is not tail]
                heapq.heapify(self._queue)
            self._known += 1
            self._queued[tail] = tail.due
            heapq.heappush(self._queue, (tail.due, self._known, tail))

    def _look_at_folders(self, news: News, now: float, is_last: bool) -> tuple[list[Tail], bool]:
        """Finds what came into folders, and what there became complete."""
        is_everywhere = is_last or news.is_all or now >= self._folders_due
        looked = list(self._seeker.folders) if is_everywhere else sorted(news.folders)
        changed = self._seeker.changed(looked)
        if changed or not self._joining.is_begun or self._seeker.has_appeared():
            self._changed = now
            self._walk()
            self._joining.settle(changed)
        found = self._joining.came(now, is_last)
        joined: list[Tail] = []
        if found:
            joined = self._follow([source for source in self._discover(found).sources if _can_grow(source)], START)
        still_changed = self._still.look(is_last)
        is_told = self._are_told and not self._seeker.missing
        is_unsettled = self._still.is_unsettled or self._joining.is_unsettled
        self._folders_due = now + (SOONEST if is_unsettled else interval(now - self._changed, is_told))
        if self._notices.note and self._notices.note not in self.notes:
            self.notes = (*self.notes, self._notices.note)
        return joined, still_changed

    def _walk(self) -> None:
        """Goes through all folders, and again where something came before they were watched."""
        changed = True
        while changed:
            self._seeker.walk()
            new = [folder for folder in self._seeker.folders if not self._notices.is_watched(folder)]
            self._are_told = self._watch_all([*self._seeker.folders])
            changed = bool(self._seeker.changed(folder for folder in new if self._notices.is_watched(folder)))

    def _awake(self) -> list[Tail]:
        """Logs that were old, and have grown."""
        awake = [tail for tail in self._dormant if tail.lineage.has_grown]
        for tail in awake:
            del self._dormant[tail]
        return [*awake]

    def _forget(self, tail: FileTail) -> None:
        self._by_path = {path: other for path, other in self._by_path.items() if other is not tail}
        self._queue = [entry for entry in self._queue if entry[2] is not tail]
        heapq.heapify(self._queue)
        self._queued.pop(tail, None)
        tail.close()


def _can_grow(source: Source) -> bool:
    """Whether it can be followed: plain text in a file."""
    last = source.files[-1]
    return last.format == "text" and last.opener is None and not last.made and not is_url(source.path)
