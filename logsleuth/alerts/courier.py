"""How do alerts leave one after the other, without anybody waiting for it?"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from logsleuth.alerts.alert import Alert, Document, alert_of, is_worth_telling
from logsleuth.alerts.outbox import MOST, Outbox
from logsleuth.model.change import Change
from logsleuth.model.listener import Listener
from logsleuth.model.snapshot import Snapshot

Tell = Callable[[str], None]
"""Takes a sentence that the user should read."""

PATIENCE = 10.0
"""Seconds in which what is left at the end is delivered."""
GRACE = 5.0
"""Seconds in which what is under way has to come to its end once patience is over."""


class Tally(NamedTuple):
    """What became of the alerts of one way."""

    delivered: int
    failed: int
    dropped: int
    """Too many waited."""
    waiting: int
    """Including the one that is on its way."""


class Courier(Listener):
    """Carries alerts one at a time in their order; a listener of judgements.

    ``deliver`` takes one alert out and says whether it arrived; it tells troubles itself, does not raise, and ends
    what it began when it is cancelled. ``way`` names it in sentences (``--webhook``).
    """

    def __init__(
        self,
        way: str,
        deliver: Callable[[Alert], Awaitable[bool]],
        document: Document,
        tell: Tell,
        most: int = MOST,
    ) -> None:
        self._way = way
        self._deliver = deliver
        self._document = document
        self._tell = tell
        self._outbox = Outbox(most)
        self._task: asyncio.Task[None] | None = None
        self._on_its_way = 0
        self._delivered = self._failed = self._dropped = 0

    @property
    def tally(self) -> Tally:
        return Tally(self._delivered, self._failed, self._dropped, len(self._outbox) + self._on_its_way)

    def heard(self, snapshot: Snapshot, changes: Sequence[Change]) -> None:
        """Takes in the changes that are worth telling; to be called where an asyncio loop runs."""
        for change in changes:
            if is_worth_telling(change):
                self._take_in(alert_of(change, snapshot, self._document))
        if len(self._outbox) and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._carry())

    async def close(self, patience: float = PATIENCE) -> None:
        """Delivers what is left within so many seconds, and tells how much did not get out."""
        if self._task is not None:
            _, late = await asyncio.wait({self._task}, timeout=patience)
            if late:
                self._task.cancel()
                await asyncio.wait(late, timeout=GRACE)
        left = self.tally.waiting
        lost = [
            f"{count} {word}"
            for count, word in ((left, "not delivered in time"), (self._failed, "failed"), (self._dropped, "dropped"))
            if count
        ]
        if lost:
            self._tell(f"{self._way}: of {sum(self.tally)} changes {', '.join(lost)}")

    def _take_in(self, alert: Alert) -> None:
        if self._outbox.put(alert) is None:
            return
        self._dropped += 1
        if self._dropped == 1:
            self._tell(
                f"{self._way}: {len(self._outbox)} changes wait to be told; "
                "from now on the oldest are dropped, revisions first"
            )

    async def _carry(self) -> None:
        while len(self._outbox):
            self._on_its_way = 1
            arrived = await self._deliver(self._outbox.take())
            self._on_its_way = 0
            self._delivered += arrived
            self._failed += not arrived
