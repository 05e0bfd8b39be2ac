"""How does a run go on, printed step by printed step: what it learns, how long it takes, what it holds?"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.simulation.training.run import Run


class Point(NamedTuple):
    """A step as one rank prints it."""

    place: int
    """Its number among the printed ones."""
    rank: int
    step: int
    epoch: float
    at: float
    """Seconds since the start, when the step ends."""
    loss: float
    grad_norm: float
    learning_rate: float
    loss_scale: float
    skipped: int
    """Steps left out for an overflow since the last printed one."""
    step_seconds: float
    data_seconds: float
    batch: int
    samples: int
    """That the run has seen in all."""
    length: int
    """Of the sequences of this batch, in tokens."""
    allocated: float
    reserved: float
    peak: float
    """Most that was allocated so far. Bytes, like the two before."""
    host_used: float
    """Bytes of the host's memory."""


@dataclass(slots=True)
class Course:
    """Columns of equal length; ``own`` holds what differs between ranks, by column and rank."""

    run: Run
    steps: list[int]
    loss: list[float]
    grad_norm: list[float]
    learning_rate: list[float]
    loss_scale: list[float]
    skipped: list[int]
    step_seconds: list[float]
    data_seconds: list[float]
    batch: list[int]
    length: list[int]
    allocated: list[float]
    reserved: list[float]
    host_used: list[float]
    utilization: list[float]
    """Percent, of the GPUs while the step lasts."""
    evaluations: set[int] = field(default_factory=set)
    """After which points the model is evaluated."""
    checkpoints: set[int] = field(default_factory=set)
    pauses: dict[int, float] = field(default_factory=dict)
    """Seconds that pass after a point before the next step begins."""
    restarts: set[int] = field(default_factory=set)
    """Points that are the first after a restart: their steps continue from the last checkpoint."""
    overflows: dict[int, list[tuple[float, float]]] = field(default_factory=dict)
    """Before which points a loss scale was given up: the one tried and the next."""
    own: dict[str, dict[int, list[float]]] = field(default_factory=dict)
    stops_at: int | None = None
    """No further point is printed although the job lives on."""
    last_words: tuple[str, ...] = ()
    """What the process writes when it gives up; empty: it does not."""
    at: list[float] = field(default_factory=list)
    samples: list[int] = field(default_factory=list)

    def time_passes(self, began: float) -> None:
        """Works out when each point ends and what was seen by then, from how long everything takes."""
        now, self.at = began, []
        seen, step, self.samples = self.run.first * self.run.batch, self.run.first, []
        for index, seconds in enumerate(self.step_seconds):
            now += seconds * self.run.interval
            self.at.append(now)
            # After a restart steps are counted from the last checkpoint, and so are samples.
            seen += (self.steps[index] - step) * self.batch[index]
            step = self.steps[index]
            self.samples.append(seen)
            now += self.pauses.get(index, 0.0)

    def point(self, index: int, rank: int) -> Point:
        return Point(
            index,
            rank,
            self.steps[index],
            self.steps[index] / self.run.epoch_steps,
            self.at[index],
            self._of("loss", index, rank),
            self._of("grad_norm", index, rank),
            self.learning_rate[index],
            self.loss_scale[index],
            self.skipped[index],
            self._of("step_seconds", index, rank),
            self._of("data_seconds", index, rank),
            self.batch[index],
            self.samples[index],
            int(self._of("length", index, rank)),
            self._of("allocated", index, rank),
            self._of("reserved", index, rank),
            self._of("peak", index, rank),
            self._of("host_used", index, rank),
        )

    def edit(self, column: str, change: Callable[[int, float], float], only: int | None = None) -> None:
        """Changes a column by index and value: the job's and all ranks' own, or that of one rank alone."""
        base: list[float] = getattr(self, column)
        ranks = self.own.setdefault(column, {})
        if only is not None:
            ranks[only] = [change(index, value) for index, value in enumerate(ranks.get(only, base))]
            return
        for rank, values in ranks.items():
            ranks[rank] = [change(index, value) for index, value in enumerate(values)]
        base[:] = [change(index, value) for index, value in enumerate(base)]

    def _of(self, column: str, index: int, rank: int) -> float:
        ranks = self.own.get(column, {})
        if rank in ranks:
            return ranks[rank][index]
        if column == "peak":
            self.own.setdefault("peak", {})[rank] = self._peaks(rank)
            return self.own["peak"][rank][index]
        value: float = getattr(self, column)[index]
        return value

    def _peaks(self, rank: int) -> list[float]:
        """A little more is held within a step than at its end; a restart begins anew."""
        most, peaks = 0.0, []
        for index in range(len(self.steps)):
            held = self._of("allocated", index, rank) * 1.18
            most = held if index in self.restarts else max(most, held)
            peaks.append(min(most, self.run.capacity * 0.97))
        return peaks
