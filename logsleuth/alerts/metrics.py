"""What do we count while a job is followed, and how does a page of it leave us (``--metrics``, ``--metrics-file``)?"""

import contextlib
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from logsleuth import __version__
from logsleuth.alerts.courier import Courier, Tell
from logsleuth.alerts.exposition import exposition
from logsleuth.alerts.figures import Figures, families
from logsleuth.model.analysis import Verdict
from logsleuth.model.change import Change, ChangeKind
from logsleuth.model.listener import Listener
from logsleuth.model.snapshot import Snapshot

GONE = (ChangeKind.WITHDRAWN, ChangeKind.TAKEN_OVER)


class Metrics(Listener):
    """A listener that knows the numbers of the last judgement, and of all changes so far.

    ``standing`` are the verdicts that were told before a resume; ``lag`` and ``judging`` measure what no snapshot
    holds (seconds, see ``Figures``); ``alerts`` are the couriers by their way.
    """

    def __init__(
        self,
        *,
        standing: Mapping[str, Verdict] | None = None,
        lag: Callable[[], float | None] | None = None,
        judging: Callable[[], float | None] | None = None,
        alerts: Mapping[str, Courier] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._standing = dict(standing or {})
        self._lag = lag
        self._judging = judging
        self._alerts = dict(alerts or {})
        self._started = clock()
        self._snapshot: Snapshot | None = None
        self._judgements = self._troubles = 0
        self._changes: Counter[ChangeKind] = Counter()

    def heard(self, snapshot: Snapshot, changes: Sequence[Change]) -> None:
        self._snapshot = snapshot
        self._judgements += 1
        for change in changes:
            self._changes[change.kind] += 1
            if change.kind in GONE:
                self._standing.pop(change.key, None)
            else:
                self._standing[change.key] = change.verdict

    def trouble(self, text: str) -> None:  # noqa: ARG002 - a listener's.
        self._troubles += 1

    def page(self) -> bytes:
        """The numbers as they are now, in Prometheus' text format."""
        figures = Figures(
            version=__version__,
            started=self._started,
            snapshot=self._snapshot,
            judgements=self._judgements,
            standing=self._standing,
            changes=self._changes,
            troubles=self._troubles,
            lag=self._lag() if self._lag else None,
            judging=self._judging() if self._judging else None,
            alerts={way: courier.tally for way, courier in self._alerts.items()},
        )
        return exposition(families(figures))


class MetricsFile(Listener):
    """A listener that writes the page into a file after every judgement, for node_exporter's textfile collector.

    The file is replaced whole, never seen half written. It stays when we end, since the last numbers would hardly ever
    be collected otherwise. It has to come behind the ``Metrics`` in the order of listeners.
    """

    def __init__(self, path: Path, metrics: Metrics, tell: Tell) -> None:
        self._path = path
        self._metrics = metrics
        self._tell = tell
        self._told: set[str] = set()

    def heard(self, snapshot: Snapshot, changes: Sequence[Change]) -> None:  # noqa: ARG002 - a listener's.
        try:
            replace(self._path, self._metrics.page())
        except OSError as error:
            why = error.strerror or str(error)
            if why not in self._told:
                self._told.add(why)
                self._tell(f"--metrics-file: {self._path} could not be written: {why}. It is tried again")


def replace(path: Path, text: bytes) -> None:
    """Puts the text in place of the file in one step; readable by everybody, as a file that was written plainly is."""
    # The collector reads whatever ends in .prom.
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
