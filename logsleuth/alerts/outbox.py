"""Which alerts wait to be told, and which gives way when too many do?"""

from collections import deque

from logsleuth.alerts.alert import Alert
from logsleuth.model.change import ChangeKind

MOST = 256
"""Alerts that wait at once."""


class Outbox:
    """Alerts in the order in which they came, up to a bound."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._waiting: deque[Alert] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, alert: Alert) -> Alert | None:
        """Takes the alert in; gives the one that had to go for it: the oldest revision, or the oldest of all."""
        self._waiting.append(alert)
        if len(self._waiting) <= self._most:
            return None
        revisions = (place for place, one in enumerate(self._waiting) if one.kind is ChangeKind.REVISED)
        place = next(revisions, 0)
        gone = self._waiting[place]
        del self._waiting[place]
        return gone

    def take(self) -> Alert:
        """The oldest; IndexError where none waits."""
        return self._waiting.popleft()
