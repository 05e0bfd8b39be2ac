"""What functions of a series look at: one sample for each bucket, of the last steps or seconds."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from logsleuth.engine.series_in_order import Sample
from logsleuth.engine.series_of_members import SeriesView


class Argument(NamedTuple):
    """An argument of a call in a rule."""

    value: float
    unit: str = ""
    """``steps``, ``seconds``, ``percent`` (as it stands: 5 for 5%) or nothing."""


_PAUSE = 16
"""Idle samples in a row that may be a pause; more are the time between two runs."""


def samples_of(x: SeriesView, over: Argument | None) -> list[Sample] | None:
    """The samples of the last steps or seconds, or all; None where no clock tells the seconds."""
    latest = x.latest
    if over is None or latest is None:
        return x.samples()
    if over.unit == "seconds":
        return _of_last_seconds(x, x.samples(), over.value)
    return x.samples(above=latest.at - over.value)


def busy_of(samples: list[Sample] | None, busy: Argument | None) -> list[Sample] | None:
    """The samples from the first to the last that reach ``busy`` percent of the greatest, but for long stretches of
    which none does: the time before the work began, between two runs, and after it had ended. None where all are
    zero."""
    if samples is None or busy is None:
        return samples
    least = max((sample.value for sample in samples), default=0.0) * busy.value / 100
    places = [place for place, sample in enumerate(samples) if sample.value >= least > 0]
    kept: list[Sample] = []
    for place, before in zip(places, [-1, *places], strict=False):
        is_pause = before >= 0 and place - before <= _PAUSE
        kept += samples[before + 1 if is_pause else place : place + 1]
    return kept or None


def _of_last_seconds(x: SeriesView, samples: list[Sample], seconds: float) -> list[Sample] | None:
    moments = [x.seconds(sample.bucket.at.stamp) for sample in samples]
    if moments[-1] is None:
        return None
    start = moments[-1] - seconds
    return [s for s, moment in zip(samples, moments, strict=True) if moment is not None and moment >= start]


def groups_of(samples: Sequence[Sample], number: int) -> list[tuple[float, float]]:
    """(step, value) of at most so many parts of equal size, in their order, each by its medians."""
    number = min(number, len(samples))
    borders = [len(samples) * n // number for n in range(number + 1)]
    parts = [samples[start:end] for start, end in pairwise(borders)]
    return [(median(s.at for s in part), median(s.value for s in part)) for part in parts]
