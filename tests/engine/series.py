"""Series made up for tests."""

from collections.abc import Iterable

from logsleuth.engine.series import Series
from logsleuth.engine.series_of_members import SeriesView
from logsleuth.model.origin import Stamp
from logsleuth.model.series import Point


def point(step: int, value: float, seconds: float | None = None) -> Point:
    """A value whose line stands where its step says."""
    stamp = None if seconds is None else Stamp(seconds, True, True)
    return Point(step, value, 0, 100 * step, step + 1, stamp)


def series(points: Iterable[Point]) -> Series:
    """The points, folded one after the other."""
    folded = Series()
    for each in points:
        folded.add(each, f"line {each.line}")
    return folded.trimmed()


def view(values: Iterable[float], every: int = 1, seconds: float | None = None, by_step: bool = True) -> SeriesView:
    """Values at every so many steps, so many seconds apart."""
    made = [point(every * n, v, None if seconds is None else seconds * n) for n, v in enumerate(values)]
    return SeriesView(series(made), by_step, lambda stamp: stamp.seconds if stamp else None)
