"""A training job that is watched while it runs: what each rank writes, and when, drawn from a seed."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

START = datetime(2025, 3, 4, 3, 0, 0, tzinfo=UTC).timestamp()
BUFFER = 8192
_MOST_LINES = 4_000
_LONGEST_WARM_UP = 600.0
"""Seconds that a first step takes more than others, at most: to compile, to fill caches, to find algorithms."""


class Write(NamedTuple):
    """Bytes that become visible together."""

    moment: float
    rank: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Manner:
    """How a job goes and what it writes."""

    ranks: int
    iteration: float
    """Seconds."""
    jitter: float
    """Of the logarithm of the time of an iteration, from step to step and from rank to rank."""
    steps: int
    total: int
    """What its lines say; 0: nothing."""
    teller: str
    """``all`` ranks print, or ``first`` only."""
    every: int
    """Steps from one line to the next."""
    prints_before: bool
    """Whether a rank prints before the collective of the step (when its own work is done) or behind it."""
    is_stamped: bool
    is_buffered: bool
    evaluates_every: int
    evaluation: float
    evaluation_is_announced: bool
    saves_every: int
    save: float
    save_is_announced: bool
    first_saves_alone: bool
    warm_up: float
    """How many times as long as others the first step takes."""
    restarts_at: int
    """0: never."""
    says_its_end: bool
    hiccups: float
    """In so many steps, as a share, the loader of some rank has a bad moment, of up to 8 s or an iteration and a half."""


@dataclass(slots=True)
class Stall:
    """A rank that goes on no more, in a step; the others block in its collective."""

    rank: int
    step: int
    where: str
    """``data`` and ``stopped``: before it has its work done; ``kernel``: once it has said so."""
    moment: float = 0.0


class Telling(StrEnum):
    """What the logs of a job with a stall tell of who stalled."""

    EVERY_STEP = "every rank tells of every step before its collective"
    SOME_STEPS = "every rank tells of every so many steps before their collective, and of this one"
    NOBODY = "nothing tells the rank: one rank writes, or all behind the collective, or it stalled behind its line"
    BUFFERED = "lines are kept back in a buffer"


@dataclass(slots=True)
class Job:
    manner: Manner
    stall: Stall | None
    writes: list[Write] = field(default_factory=list)
    """In the order in which they become visible."""
    pauses: list[tuple[float, float]] = field(default_factory=list)
    """Of a stretch in which a rank was silent for longer than usual: how long, and the moment right before its end."""
    lags: list[tuple[float, float]] = field(default_factory=list)
    """Of a rank that told of a step long after its peers: how long, and the moment right before it did."""
    over: float = 0.0

    @property
    def telling(self) -> Telling:
        """What a line of a step that its peers have written and the rank has not tells, and whether there is one."""
        stall, manner = self.stall, self.manner
        if manner.is_buffered:
            return Telling.BUFFERED
        if stall is None or manner.teller == "first" or not manner.prints_before or stall.where == "kernel":
            return Telling.NOBODY
        if stall.step % manner.every:
            return Telling.NOBODY
        return Telling.EVERY_STEP if manner.every == 1 else Telling.SOME_STEPS

    @property
    def can_be_named(self) -> bool:
        """Whether the logs tell who stalled."""
        return self.telling in (Telling.EVERY_STEP, Telling.SOME_STEPS)

    @property
    def due(self) -> float:
        """When the line that does not come was due, as the peers wrote theirs: that of the median of them; of a job that
        does not tell who stalled the moment of the stall."""
        assert self.stall
        if not self.can_be_named:
            return self.stall.moment
        told = sorted(write.moment for write in self.writes if write.moment > self.stall.moment)
        return told[(len(told) - 1) // 2] if told else self.stall.moment

    @property
    def line_beat(self) -> float:
        """Seconds from one line of a rank to its next."""
        return self.manner.iteration * self.manner.every

    @property
    def description(self) -> str:
        return f"{self.manner} {self.stall}"


def draw(seed: int, has_stall: bool) -> Job:
    """The job of a seed: healthy, with all pauses that a healthy one makes, or with a rank that stalls."""
    rng = random.Random(f"{seed} {has_stall}")
    ranks = rng.choice((2, 3, 4, 8, 8, 16, 32, 64))
    iteration = round(0.3 * 200 ** rng.random(), 2)
    is_told = has_stall and seed % 2 == 0  # Half of the stalls are such that logs tell of them.
    every = 1 if is_told else rng.choice((1, 1, 1, 5, 10))
    steps = min(
        rng.randint(60, rng.choice((240, 900))) * (1 if every == 1 else 3), max(120, _MOST_LINES * every // ranks)
    )
    style = rng.random()
    at = rng.randint(steps // 3, steps - 1)
    if rng.random() < 0.7:
        at = max(at // every, 1) * every
    # A pause lasts as many iterations as what it computes has batches, or as long as a file system takes.
    job = Job(
        Manner(
            ranks,
            iteration,
            rng.choice((0.02, 0.05, 0.1, 0.2)),
            steps,
            0 if style < 0.25 else steps + (rng.randint(100, 10_000) if has_stall else 0),
            rng.choice(("all", "all", "all", "first")),
            every,
            rng.random() < 0.6,
            rng.random() < 0.7,
            rng.random() < 0.25,
            rng.choice((0, 20, 50, 100)),
            min(iteration * rng.uniform(2, 40), rng.uniform(60, 280)),
            rng.random() < 0.5,
            rng.choice((0, 0, 25, 50, 100)),
            rng.uniform(1, 200),
            rng.random() < 0.6,
            rng.random() < 0.5,
            rng.choice((1.5, 5.0, 30.0)),
            rng.choice((0, 0, 0, steps // 2)),
            rng.random() < 0.6,
            rng.choice((0.0, 0.003, 0.03)),
        ),
        Stall(rng.randrange(ranks), at, rng.choice(("data", "stopped", "data", "kernel"))) if has_stall else None,
    )
    if job.stall and is_told:
        job.manner = replace(job.manner, teller="all", prints_before=True, is_buffered=False)
        job.stall.where = "data"
    _run(job, rng)
    return job


def steady(seed: int) -> Job:
    """A quick job of four ranks of which none ever has a bad moment but those of Python, until one stops late."""
    rng = random.Random(seed)
    job = draw(0, has_stall=True)
    manner = replace(
        job.manner, ranks=4, iteration=0.5, jitter=0.05, steps=500, evaluates_every=0, saves_every=0, restarts_at=0
    )
    steady = Job(replace(manner, hiccups=0.0, warm_up=5.0), Stall(1 + seed % 3, 400, "data"))
    _run(steady, rng)
    return steady


def _run(job: Job, rng: random.Random) -> None:
    manner = job.manner
    lines: list[tuple[float, int, str]] = []
    last = [START] * manner.ranks
    begun = START + rng.uniform(5, 60)
    step, again = 0, False
    while step < manner.steps:
        step += 1
        work = [_work(job, step, again, rng) for rank in range(manner.ranks)]
        alone = _save(job, step, begun, lines)
        work[0] += alone
        stall = job.stall if job.stall and job.stall.step == step else None
        if stall:
            stall.moment = begun + (work[stall.rank] if stall.where == "kernel" else 0.3 * work[stall.rank])
        met = begun + max(work) + 0.05 * manner.iteration
        late = max(work) - sorted(work)[len(work) // 2 - (len(work) % 2 == 0)]
        if step % manner.every == 0 and manner.prints_before and late > max(0.5 * manner.iteration, 1.0):
            job.lags.append((late, begun + max(work) - 0.001))
        for rank in range(manner.ranks):
            told = begun + work[rank] if manner.prints_before else met + rng.uniform(0, 0.02) * manner.iteration
            if stall and (not manner.prints_before or (rank == stall.rank and stall.where != "kernel")):
                continue
            if step % manner.every == 0 and (manner.teller == "all" or rank == 0):
                lines.append((told, rank, _progress(manner, step, told, rng)))
                if told - last[rank] > 1.5 * job.line_beat:
                    job.pauses.append((told - last[rank], told - 0.001))
                last[rank] = told
        if stall:
            job.over = stall.moment
            break
        begun = _between(job, step, met, lines)
        if manner.restarts_at and step == manner.restarts_at and not again:
            begun += rng.uniform(30, 120)
            step, again = max(step - 20, 0), True
    if not job.stall:
        job.over = begun
        if manner.says_its_end or not manner.total:
            lines.append((begun + 0.1, 0, "[after training is done] datetime: 2025-03-04 03:12:55"))
    job.writes = sorted(_visible(lines, manner.is_buffered, job.stall is None, job.over))


def _work(job: Job, step: int, again: bool, rng: random.Random) -> float:
    """Seconds until a rank comes to the collective of a step."""
    manner = job.manner
    work = manner.iteration * 0.9 * rng.lognormvariate(0, manner.jitter)
    if rng.random() < manner.hiccups / manner.ranks:
        work += rng.uniform(0.5, max(1.5 * manner.iteration, 8.0))
    if rng.random() < 0.02 / manner.ranks:  # it collects garbage
        work += rng.uniform(0.1, 1.5)
    begins = step == 1 or (again and step == max(manner.restarts_at - 20, 0) + 1)
    if begins:
        work = min(work * manner.warm_up * rng.uniform(0.9, 1.3), work + _LONGEST_WARM_UP)
    return work * (1.5 if step in (2, 3) else 1.0)


def _save(job: Job, step: int, begun: float, lines: list[tuple[float, int, str]]) -> float:
    """Seconds for which rank 0 alone writes a checkpoint in the step, before it works."""
    manner = job.manner
    if not manner.saves_every or (step - 1) % manner.saves_every or step == 1 or not manner.first_saves_alone:
        return 0.0
    if manner.save_is_announced:
        lines.append(
            (begun, 0, f"saving checkpoint at iteration {step - 1:7d} to /data/run1/ckpt in torch_dist format")
        )
    return manner.save


def _between(job: Job, step: int, met: float, lines: list[tuple[float, int, str]]) -> float:
    """When the next step begins: behind an evaluation and a checkpoint of all ranks, where there are any."""
    manner = job.manner
    if manner.evaluates_every and step % manner.evaluates_every == 0:
        if manner.evaluation_is_announced:
            lines.append((met + 0.02, 0, "***** Running Evaluation *****"))
        met += manner.evaluation
    if manner.saves_every and step % manner.saves_every == 0 and not manner.first_saves_alone:
        if manner.save_is_announced:
            lines.append(
                (met + 0.02, 0, f"saving checkpoint at iteration {step:7d} to /data/run1/ckpt in torch_dist format")
            )
        met += manner.save
    return met


def _progress(manner: Manner, step: int, moment: float, rng: random.Random) -> str:
    stamp = datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M:%S")
    loss = 2.0 + rng.uniform(0, 0.01)
    if not manner.total:
        text = f"step: {step:4d}  loss: {loss:8.5f}  memory: 40.11GiB(50.70%)  tps: 5,811"
        return f"[titan] {stamp},{int(moment % 1 * 1000):03d} - root - INFO - {text}" if manner.is_stamped else text
    text = (
        f"iteration {step:8d}/{manner.total:8d} | consumed samples: {step * 512:12d} | "
        f"learning rate: 1.200000E-05 | global batch size:   512 | lm loss: {loss:.6E} | loss scale: 1.0 | "
    )
    return f"[{stamp}] {text}" if manner.is_stamped else f" {text}"


def _visible(lines: list[tuple[float, int, str]], is_buffered: bool, ends: bool, over: float) -> Iterator[Write]:
    held: dict[int, bytes] = {}
    for moment, rank, text in sorted(lines):
        data = held.get(rank, b"") + text.encode() + b"\n"
        if not is_buffered:
            yield Write(moment, rank, data)
            continue
        while len(data) >= BUFFER:
            yield Write(moment, rank, data[:BUFFER])
            data = data[BUFFER:]
        held[rank] = data
    if ends:
        yield from (Write(over + 0.2, rank, data) for rank, data in held.items() if data)
