"""Takes the numbers of one source into series, as far as rules read them."""

from collections import Counter
from typing import NamedTuple, Protocol

from logsleuth.engine.plan import Plan
from logsleuth.engine.series import Series, SeriesKey
from logsleuth.language import syntax as s
from logsleuth.language.program import series_name
from logsleuth.model.origin import Tag
from logsleuth.model.series import Point

_LARGEST = 2**63


class Numbers(Protocol):
    """A find, as far as its numbers go."""

    @property
    def event(self) -> s.Event: ...
    @property
    def tag(self) -> Tag: ...
    @property
    def segment(self) -> int: ...
    def values(self, names: tuple[str, ...]) -> tuple[object, ...]: ...
    def point(self, step: int, value: float) -> Point: ...
    def text(self) -> str: ...


class _Feed(NamedTuple):
    """What one event gives to series."""

    about: tuple[str, ...]
    series: tuple[tuple[str, str, str], ...]
    """(series, field, the field that counts steps or nothing)"""


class SeriesFolder:
    """The series of one source while it is read."""

    def __init__(self, source: int, plan: Plan) -> None:
        self._source = source
        self.events: dict[str, _Feed] = {}
        """The events that feed series that are read."""
        for event in plan.events:
            named = ((series_name(event, clause), clause.field, clause.step) for clause in event.series)
            if series := tuple(item for item in named if item[0] in plan.series):
                self.events[event.name] = _Feed(tuple(field for _, field in event.about), series)
        self._filling: dict[SeriesKey, Series] = {}
        self._counts: Counter[tuple[str, Tag]] = Counter()

    def add(self, find: Numbers, number: int | None) -> None:
        """Takes the numbers of a find; ``number`` tells its place among the lines of its writer, where that was
        counted while reading."""
        name, tag = find.event.name, find.tag
        feed = self.events[name]
        if number is None:
            number = self._counts[name, tag]
            self._counts[name, tag] += 1
        about = find.values(feed.about)
        steps: dict[str, int | None] = {"": None}
        for series, field, counted in feed.series:
            (value,) = find.values((field,))
            if not isinstance(value, int | float):
                continue
            if counted not in steps:
                steps[counted] = _step(*find.values((counted,)))
            at = steps[counted]
            key = SeriesKey(series, name, self._source, tag, about, find.segment, at is not None)
            filling = self._filling.get(key)
            if filling is None:
                filling = self._filling[key] = Series()
            filling.add(find.point(number if at is None else at, float(value)), find.text())

    def state(self) -> dict[SeriesKey, Series]:
        """The series of the source, which has ended."""
        return {key: series.trimmed() for key, series in self._filling.items()}


def _step(value: object) -> int | None:
    """A step as a whole number: ``20``, or ``5.000`` as some bars print it."""
    return int(value) if isinstance(value, int | float) and abs(value) < _LARGEST else None
