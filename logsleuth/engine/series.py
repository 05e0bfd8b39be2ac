"""Numbers by step, folded into a bounded number of buckets that can be merged in any order.

A bucket holds the values of ``stride`` steps. The stride is the smallest power of two with which the steps that were
seen fill no more than 2,048 buckets, so it depends on which they were, not on the order in which they came.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from logsleuth.engine.bucket import Bucket, place_of, size_of
from logsleuth.engine.column import QUOTED, Column, Places, one_nan
from logsleuth.model.origin import Tag
from logsleuth.model.series import Point

BUCKETS = 2048


class SeriesKey(NamedTuple):
    series: str
    event: str
    """The event that feeds it: its ``about`` says whom it concerns."""
    source: int
    tag: Tag
    about: tuple[object, ...]
    """The values of the fields that the event's ``about`` names."""
    segment: int
    by_step: bool
    """False where lines tell no step, so that the number of the line among its writer's counts instead."""


@dataclass(slots=True)
class Series:
    """The values of one series under one key."""

    stride: int = 1
    filled: dict[int, Bucket] = field(default_factory=dict)
    """Buckets by step // stride."""
    quotes: dict[Point, str] = field(default_factory=dict)
    """The lines of a few values: the first and last, the greatest and smallest, and the first that is no number."""
    _is_chosen: bool = field(default=False, init=False, repr=False, compare=False)
    """Whether it is known that the quotes are no more than those."""

    def add(self, point: Point, text: str) -> None:
        """Takes one value and its line."""
        point = point._replace(value=one_nan(point.value))
        self._put(point.step // self.stride, Bucket.of(point))
        self.quotes[point] = text
        self._is_chosen = False
        if len(self.quotes) > 8 * QUOTED:
            self._choose()
        self._coarsen()

    def add_all(self, steps: Sequence[int], values: Sequence[float], places: Places) -> None:
        """Takes many values, with the same outcome as one by one; lines of one step stand in their order."""
        column = Column(steps, values, places)
        self._make_room(column.steps)
        filled = column.filled(self.stride)
        self._put_all(dict(zip(filled.places, filled.buckets, strict=True)))
        self.quotes.update(column.quotes(filled))
        self._choose()

    def merge(self, other: "Series") -> None:
        """Takes over the values of another; what comes out does not depend on the order of merges."""
        while self.stride < other.stride:
            self._double()
        factor = self.stride // other.stride
        if factor == 1:
            self._put_all(other.filled)
        else:
            for place, bucket in other.filled.items():
                self._put(place // factor, bucket)
        self._is_chosen = other._is_chosen and not self.quotes
        self.quotes = {**self.quotes, **other.quotes}
        self._coarsen()
        self.trimmed()

    def renumbered(self, number: int) -> "Series":
        """The same of a source with this number; as all of it stands in one source, what was chosen stays chosen."""
        filled = {place: bucket.renumbered(number) for place, bucket in self.filled.items()}
        return Series(self.stride, filled, {point.of(number): text for point, text in self.quotes.items()})

    def trimmed(self) -> "Series":
        """The series with no more lines kept than its values are worth."""
        if not self._is_chosen:
            self._choose()
        return self

    def _choose(self) -> None:
        self.quotes = _worth_quoting(self.quotes)
        self._is_chosen = True

    @property
    def buckets(self) -> list[Bucket]:
        """In the order of steps."""
        return [self.filled[place] for place in sorted(self.filled)]

    @property
    def anywhere(self) -> Point:
        """One of its values, which tells no time."""
        return next(iter(self.filled.values())).at._replace(told=None)

    def text(self, point: Point) -> str:
        """The line of a value; empty where it was not kept."""
        return self.quotes.get(point, "")

    def _put(self, place: int, bucket: Bucket) -> None:
        known = self.filled.get(place)
        if known is None:
            self.filled[place] = bucket
        else:
            self.filled[place] = known.merged(bucket)

    def _put_all(self, buckets: Mapping[int, Bucket]) -> None:
        if self.filled.keys().isdisjoint(buckets):
            self.filled.update(buckets)
        else:
            for place, bucket in buckets.items():
                self._put(place, bucket)

    def _make_room(self, steps: Sequence[int]) -> None:
        """Doubles the stride until these steps, which ascend, find room."""
        if len(steps) + len(self.filled) <= BUCKETS:
            return
        new = {step // self.stride for step in steps}
        while len(new | self.filled.keys()) > BUCKETS:
            self._double()
            new = {place // 2 for place in new}

    def _coarsen(self) -> None:
        while len(self.filled) > BUCKETS:
            self._double()

    def _double(self) -> None:
        finer, self.filled = self.filled, {}
        self.stride *= 2
        for place, bucket in finer.items():
            self._put(place // 2, bucket)


def _worth_quoting(quotes: dict[Point, str]) -> dict[Point, str]:
    """Those that are among the first, the last, the greatest or the smallest of all: a choice that any order of
    choosing leads to."""
    if len(quotes) <= 2 * QUOTED and all(math.isfinite(point.value) for point in quotes):
        return {point: quotes[point] for point in sorted(quotes, key=place_of)}
    finite = sorted((p for p in quotes if math.isfinite(p.value)), key=size_of)
    odd = sorted((p for p in quotes if not math.isfinite(p.value)), key=place_of)
    chosen = {*finite[:QUOTED], *finite[-QUOTED:], *odd[:1]}
    if finite:
        chosen |= {min(finite, key=place_of), max(finite, key=place_of)}
    return {point: quotes[point] for point in sorted(chosen, key=place_of)}


def merged_series(parts: Iterable[Series]) -> Series:
    """One series of all parts, which stay as they are."""
    whole = Series()
    for part in parts:
        whole.merge(part)
    return whole
