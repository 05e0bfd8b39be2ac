"""Follows a live job: reads while it writes, judges now and then, tells what has changed, until somebody says stop."""

import asyncio
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from logsleuth.diagnosis.ledger import Ledger
from logsleuth.diagnosis.stopping import reaches
from logsleuth.drivers.apart import Apart, ApartError
from logsleuth.drivers.following import Following, Judged
from logsleuth.drivers.keeping import Keeper
from logsleuth.model.analysis import Severity
from logsleuth.model.change import Change, Standing
from logsleuth.model.listener import Listener
from logsleuth.model.snapshot import Snapshot

LEAST, MOST = 0.5, 60.0
"""Seconds between the end of a judgement and the start of the next, at least and at most."""
SHARE, URGENT_SHARE = 3.0, 0.5
"""So many times as long as a judgement took, nobody judges again: while there is only progress judging takes no more
than a quarter of a core, and when something happens it follows at once."""
LONGER = 0.15
"""By so much of its length a silence has grown before it is judged anew, at least."""
IDLE, AT_FIRST = 0.002, 4.0
"""What judging a silence may take while it lasts: so much of its length, and so many seconds at first."""
BETWEEN_LOOKS = 0.1
"""Seconds between two looks at what grew, at least: a job writes many lines a second."""
AT_ONCE = 0.2
"""Seconds of reading without a look at anything else."""
LAST = 5.0
"""Seconds for which it is read on what is there, when somebody says stop."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Live:
    """One job, or several, that are followed."""

    def __init__(
        self, following: Following, ledger: Ledger, exit_on: Severity | None = None, keeper: Keeper | None = None
    ) -> None:
        """It ends when a verdict stands that was told and is as bad as ``exit_on``; ``keeper`` keeps what was told."""
        self._following, self._ledger, self._exit_on, self._keeper = following, ledger, exit_on, keeper
        self._listeners: list[Listener] = []
        self._stopped = asyncio.Event()
        self._woken = asyncio.Event()
        self._apart: Apart[Judged] | None = None
        self._began = self._ended = self._looked = 0.0
        """Of ``time.monotonic``: the start and the end of the last judgement, the last look."""
        self._grew = time.monotonic()
        """When something came last."""
        self._took: float | None = None
        self._behind_since: float | None = None
        self._is_stale = True
        """Whether something was read since the last judgement began."""
        self._again: float | None = None
        """When time alone may change what was judged, of ``time.monotonic``."""
        self._idle = 0.0
        """Seconds that judging took since something came last."""
        self._failures = 0

    def tell(self, listener: Listener) -> None:
        """From now on it is told what happens; listeners are told in their order."""
        self._listeners.append(listener)

    def trouble(self, text: str) -> None:
        """Something is wrong with the following itself."""
        for listener in self._listeners:
            listener.trouble(text)

    @property
    def standing(self) -> tuple[Standing, ...]:
        """The verdicts that were told and still hold."""
        return self._ledger.told

    def lag(self) -> float:
        """Seconds for which something has been there that was not read."""
        return 0.0 if self._behind_since is None else time.monotonic() - self._behind_since

    def judging(self) -> float | None:
        """Seconds that the last judgement took."""
        return self._took

    def stop(self) -> None:
        """Ends the following with a last judgement; may be called at any time."""
        self._stopped.set()
        self._woken.set()

    def heed_signals(self) -> None:
        """From now on the first Ctrl-C or SIGTERM ends it with a last judgement, even before it runs; once it has run,
        they do what they always do."""
        for number in _SIGNALS:
            signal.signal(number, lambda *_: self.stop())

    async def run(self) -> Snapshot:
        """Follows until ``stop``, a signal, a verdict that is waited for, or until nothing more can come; gives the
        last judgement."""
        ticking = asyncio.ensure_future(self._tick())
        try:
            with self._heeding_signals():
                while not (self._stopped.is_set() or self._following.is_over):
                    self._look()
                    self._judge_if_due()
                    await self._rest()
        finally:
            ticking.cancel()
            self._abandon()
        return self._conclude()

    # Reading

    def _look(self) -> None:
        self._woken.clear()
        self._looked = time.monotonic()
        if self._following.look():
            self._following.read(self._looked + AT_ONCE)
            self._is_stale, self._grew, self._idle = True, self._looked, 0.0
        if not self._following.is_behind:
            self._behind_since = None
        elif self._behind_since is None:
            self._behind_since = self._looked

    async def _rest(self) -> None:
        """Waits for whatever comes first: news, the next look, the next judgement, its end."""
        now = time.monotonic()
        if self._following.is_behind:
            await asyncio.sleep(0)
            return
        soonest = self._looked + BETWEEN_LOOKS
        await self._until(soonest, self._stopped)
        due = [self._looked + self._following.watching.next_look()]
        if self._apart is None and (judgement := self._due()) is not None:
            due.append(judgement)
        with self._watching():
            await self._until(max(min(due), now), self._woken)

    async def _until(self, moment: float, event: asyncio.Event) -> None:
        seconds = moment - time.monotonic()
        if seconds > 0 and not event.is_set():
            waiting = asyncio.ensure_future(event.wait())
            await asyncio.wait([waiting], timeout=seconds)
            waiting.cancel()

    @contextmanager
    def _watching(self) -> Iterator[None]:
        """Wakes up when something grew; only while nothing else is to be done, for it would wake up all the time."""
        wake, loop = self._following.watching.wake, asyncio.get_running_loop()
        if wake is None:
            yield
            return
        loop.add_reader(wake, self._woken.set)
        try:
            yield
        finally:
            loop.remove_reader(wake)

    # Judging

    def _due(self) -> float | None:
        """When to judge next, of ``time.monotonic``; None where nothing can have changed."""
        moments = [moment for moment in (self._again, self._settles()) if moment is not None]
        if self._is_stale:
            moments.append(0.0)
        return max(min(moments), self._allowed) if moments else None

    @property
    def _allowed(self) -> float:
        """Before this moment nobody judges again."""
        if self._failures:
            return self._ended + min(LEAST * 4.0**self._failures, MOST)
        share = URGENT_SHARE if self._following.is_urgent else SHARE
        return self._ended + min(max(share * (self._took or 0.0), LEAST), MOST)

    def _settles(self) -> float | None:
        at = self._ledger.settles_at
        return None if at is None else time.monotonic() + at - time.time()

    def _judge_if_due(self) -> None:
        due = self._due()
        if self._apart is not None or due is None or time.monotonic() < due or not self._following.can_be_judged:
            return
        self._began, self._is_stale, self._again = time.monotonic(), False, None
        self._following.is_urgent = False
        try:
            self._apart = Apart(partial(self._following.judge, time.time()))
        except OSError as error:
            self._failed(f"no process could be started: {error.strerror}")
            return
        self._following.judging()
        asyncio.get_running_loop().add_reader(self._apart.descriptor, self._receive)

    def _receive(self) -> None:
        assert self._apart
        if not self._apart.receive():
            return
        apart, self._apart = self._apart, None
        asyncio.get_running_loop().remove_reader(apart.descriptor)
        self._woken.set()
        try:
            judged = apart.result()
        except ApartError as error:
            self._failed(str(error))
            return
        self._failures = 0
        self._following.remember(judged)
        snapshot = judged.snapshot
        self._ended = time.monotonic()
        self._took = self._ended - self._began
        self._idle += self._took
        if snapshot.look_again is not None:
            longer = self._began + max(snapshot.look_again, LONGER * (self._began - self._grew))
            self._again = max(longer, self._grew + (self._idle - AT_FIRST) / IDLE)
        self._tell(snapshot)

    def _failed(self, why: str) -> None:
        """A judgement came to nothing: the next one is tried later and later."""
        self._failures += 1
        self._ended = time.monotonic()
        self._is_stale = True
        self.trouble(f"What was read could not be judged, and will be again: {why}.")

    def _tell(self, snapshot: Snapshot) -> None:
        changes = self._updated(snapshot)
        for listener in self._listeners:
            listener.heard(snapshot, changes)
        self._keep(bool(changes))
        if self._exit_on is not None and reaches((one.verdict for one in self.standing), self._exit_on):
            self.stop()

    def _updated(self, snapshot: Snapshot, *, is_final: bool = False) -> list[Change]:
        if self._keeper is not None:
            self._ledger.cannot_read(self._keeper.unread(self._following.watching.tails))
        return self._ledger.update(snapshot.analysis, snapshot.at, is_final=is_final)

    def _keep(self, is_told: bool) -> None:
        """Writes down what was told, at once, and how far was read, now and then."""
        if self._keeper is None:
            return
        if (self._keeper.collect() or is_told or self._keeper.is_due) and (
            trouble := self._keeper.save(self._ledger, self._following.watching.tails)
        ):
            self.trouble(trouble)

    def _abandon(self) -> None:
        if self._apart is not None:
            asyncio.get_running_loop().remove_reader(self._apart.descriptor)
            self._apart.abandon()
            self._apart = None

    def _conclude(self) -> Snapshot:
        """The last judgement, on all that is there."""
        until = time.monotonic() + LAST
        while self._following.look(is_last=True) and time.monotonic() < until:
            self._following.read(until)
        snapshot = self._following.conclude(None if self._following.is_over else time.time(), is_last=True)
        changes = self._updated(snapshot, is_final=True)
        for listener in self._listeners:
            listener.ended(snapshot, changes)
        self._keep(is_told=True)
        return snapshot

    # What else goes on

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(1)
            for listener in self._listeners:
                listener.tick(time.time())
            if self._listeners and all(listener.is_gone for listener in self._listeners):
                self.stop()

    async def close(self, patience: float) -> None:
        """Lets listeners deliver what is left, within so many seconds, and lets go of all files."""
        await asyncio.gather(*(listener.close(patience) for listener in self._listeners))
        self._following.close()
        if self._keeper is not None:
            self._keeper.close()

    @contextmanager
    def _heeding_signals(self) -> Iterator[None]:
        """Stops at the first Ctrl-C and SIGTERM; a second one does what it always does."""
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self.stop)
        try:
            yield
        finally:
            for number in _SIGNALS:
                loop.remove_signal_handler(number)
