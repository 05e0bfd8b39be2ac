"""Order, bounds and the end of what waits to be told."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from logsleuth.alerts.alert import Alert, alert_of
from logsleuth.alerts.courier import Courier, Tally
from logsleuth.alerts.outbox import Outbox
from logsleuth.model.analysis import Severity
from logsleuth.model.change import ChangeKind
from tests.alerts.changes import change, changes, document, snapshot, until, verdict


def _alert(number: int, kind: ChangeKind) -> Alert:
    return alert_of(change(number, kind), snapshot(), document)


@given(st.lists(st.sampled_from(ChangeKind), max_size=30), st.integers(1, 8))
def test_what_is_dropped_is_the_oldest_revision_or_the_oldest(kinds: list[ChangeKind], most: int) -> None:
    outbox = Outbox(most)
    expected: list[tuple[int, ChangeKind]] = []
    for number, kind in enumerate(kinds):
        expected.append((number, kind))
        gone = outbox.put(_alert(number, kind))
        if len(expected) <= most:
            assert gone is None
            continue
        out = next((one for one in expected if one[1] is ChangeKind.REVISED), expected[0])
        expected.remove(out)
        assert gone is not None
        assert gone.number == out[0]
    assert len(outbox) == len(expected)
    assert [outbox.take().number for _ in range(len(outbox))] == [number for number, _ in expected]


class _Gate:
    """Takes alerts when it is let; ``fail`` are the numbers that do not arrive."""

    def __init__(self, *fail: int) -> None:
        self.open = asyncio.Event()
        self.taken: list[int] = []
        self.cancelled = False
        self._fail = fail

    async def __call__(self, alert: Alert) -> bool:
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        self.taken.append(alert.number)
        return alert.number not in self._fail


def test_alerts_leave_in_order_and_hearing_does_not_wait() -> None:
    async def run() -> None:
        told: list[str] = []
        gate = _Gate(2)
        courier = Courier("--way", gate, document, told.append)
        courier.heard(snapshot(), changes(2))
        courier.heard(snapshot(), [change(3, of=verdict(Severity.INFO))])
        await asyncio.sleep(0)
        courier.ended(snapshot(), [change(4)])
        assert gate.taken == []
        assert courier.tally == Tally(0, 0, 0, 3)
        gate.open.set()
        await courier.close(30)
        assert gate.taken == [1, 2, 4]
        assert courier.tally == Tally(2, 1, 0, 0)
        assert told == ["--way: of 3 changes 1 failed"]

    asyncio.run(run())


def test_a_courier_goes_on_after_a_rest() -> None:
    async def run() -> None:
        gate = _Gate()
        gate.open.set()
        courier = Courier("--way", gate, document, print)
        for number in (1, 2):
            courier.heard(snapshot(), [change(number)])
            await until(lambda: len(gate.taken) == courier.tally.delivered == number)  # noqa: B023 - it waits here.
        await courier.close(30)

    asyncio.run(run())


def test_too_many_are_told_of_once_and_counted() -> None:
    async def run() -> None:
        told: list[str] = []
        gate = _Gate()
        courier = Courier("--way", gate, document, told.append, most=2)
        courier.heard(snapshot(), changes(5, ChangeKind.REVISED))
        assert told == ["--way: 2 changes wait to be told; from now on the oldest are dropped, revisions first"]
        gate.open.set()
        await courier.close(30)
        assert gate.taken == [4, 5]
        assert told[1:] == ["--way: of 5 changes 3 dropped"]

    asyncio.run(run())


def test_what_does_not_get_out_in_time_is_counted() -> None:
    async def run() -> None:
        told: list[str] = []
        gate = _Gate()
        courier = Courier("--way", gate, document, told.append)
        courier.heard(snapshot(), changes(3))
        await courier.close(0.01)
        assert gate.cancelled
        assert told == ["--way: of 3 changes 3 not delivered in time"]

    asyncio.run(run())


def test_nothing_to_tell_is_told_by_nobody() -> None:
    async def run() -> None:
        told: list[str] = []
        courier = Courier("--way", _Gate(), document, told.append)
        courier.heard(snapshot(), [])
        courier.trouble("a source is gone")
        await courier.close(0)
        assert told == []

    asyncio.run(run())
