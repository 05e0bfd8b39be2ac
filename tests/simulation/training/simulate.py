"""What does a seed stand for? Draws a run, its trouble and the framework that writes it down, and tells the truth."""

import math
import random
from pathlib import Path
from typing import NamedTuple

from tests.simulation.training import burdens, differences, learning, monitors, near_misses, noise, not_finite
from tests.simulation.training.course import Course
from tests.simulation.training.faults import Fault, Healthy, Scene
from tests.simulation.training.frameworks.choice import FRAMEWORKS, able
from tests.simulation.training.frameworks.framework import Framework
from tests.simulation.training.healthy import draw_course, draw_habits, spread_over_ranks
from tests.simulation.training.layouts import Said, draw_layout, laid_out
from tests.simulation.training.run import draw_run
from tests.simulation.training.truth import Truth

MOST_LINES = 20_000
_KINDS: tuple[type[Fault], ...] = (
    not_finite.NanLater,
    near_misses.ScaleSearch,
    burdens.MemoryGrows,
    near_misses.MemorySettles,
    not_finite.Explosion,
    learning.SpikeRecovers,
    burdens.SlowData,
    near_misses.EpochsBegin,
    learning.NoGradient,
    near_misses.NormNotComputed,
    burdens.Hang,
    near_misses.IdleAfterwards,
    differences.NormsDiffer,
    near_misses.LocalLosses,
    learning.Diverging,
    near_misses.Resumed,
    burdens.Slowdown,
    near_misses.BatchStages,
    not_finite.NanAtOnce,
    near_misses.MemoryCurriculum,
    learning.RateZero,
    near_misses.CountedPauses,
    burdens.HostMemoryGrows,
    near_misses.HostCacheFills,
    burdens.IdleGpus,
    near_misses.MemorySawtooth,
    not_finite.ScaleCollapse,
    near_misses.LossOfZero,
    differences.OddBatches,
    burdens.SlowRank,
    differences.LossesDiffer,
    differences.LongBatches,
    learning.Flat,
    near_misses.Overflows,
    burdens.DataDriesUp,
    not_finite.NanOnce,
)
_ALL: tuple[type[Fault], ...] = (Healthy, *_KINDS)
KINDS: dict[str, type[Fault]] = {fault.kind: fault for fault in _ALL}


class Simulated(NamedTuple):
    """A run whose logs lie there, and the truth about it."""

    seed: int
    paths: tuple[Path, ...]
    truth: Truth
    framework: str
    description: str
    """For people."""


def kind_of(seed: int) -> str:
    """Every other seed is healthy, the rest take turns."""
    return _KINDS[seed // 2 % len(_KINDS)].kind if seed % 2 else Healthy.kind


def simulate(
    seed: int, folder: Path, kind: str | None = None, framework: str | None = None, most_lines: int = MOST_LINES
) -> Simulated:
    """Writes the logs of a seed under a folder; equal arguments write equal bytes.

    Raises ``ValueError`` where the framework cannot show trouble of that kind."""
    chance = random.Random(seed)
    fault = KINDS[kind or kind_of(seed)]()
    chosen = _framework(seed, fault, framework, chance)
    run = draw_run(chance, fault.bounds(chosen, most_lines))
    if fault.precision:
        run = run._replace(precision=fault.precision)
    ends = fault.ends if fault.ends is not None else chance.random() < 0.5
    if ends:
        run = run._replace(total=run.first + run.points * run.interval)
    trainer = chosen(run, fault.needs | fault.stages, chance)
    speakers = trainer.speakers()
    if len(speakers) * run.points * chosen.lines > most_lines and not fault.needs & {"ranks", "rank_seconds"}:
        speakers = speakers[:1]
    course = draw_course(chance, run, fault.habits(draw_habits(chance, run, trainer.stages)))
    if len(speakers) > 1:
        spread_over_ranks(course, speakers, chance, reduces=trainer.reduces)
    culprits = fault.strike(Scene(course, trainer, speakers, chance))
    truth = fault.truth(culprits)
    # Whoever starts a run lets it run for longer than it takes to start.
    course.time_passes(min(chance.uniform(20, 120), 0.05 * sum(course.step_seconds) * run.interval))
    said = _said(course, trainer, speakers, chance, ends=ends)
    layout = draw_layout(chance, run, speakers, needs_ranks=bool(culprits))
    files = laid_out(layout, run, speakers, said)
    watches = fault.monitors if fault.monitors is not None else chance.random() < 0.2
    if watches:
        until = course.at[-1] + (chance.uniform(600, 4000) if fault.kind == "idle-afterwards" else 0.0)
        if course.stops_at is not None:
            until = course.at[course.stops_at - 1] + course.pauses[course.stops_at - 1]
        files["gpu_monitor.csv"] = monitors.monitored(course, chance.choice(monitors.STYLES), until, chance)
    paths = _write(folder, files)
    described = f"seed {seed}: {fault.kind} in {chosen.name}, {run.task}, {run.points} points of {run.interval} steps from {run.first}, {run.size} ranks, {len(speakers)} print, layout {layout}{', monitored' if watches else ''}; culprits {list(culprits)}"
    return Simulated(seed, paths, truth, chosen.name, described)


def _framework(seed: int, fault: Fault, name: str | None, chance: random.Random) -> type[Framework]:
    found = [
        framework
        for framework in able(fault.needs, fault.tasks)
        if fault.stages <= framework.stages and (not fault.frameworks or framework.name in fault.frameworks)
    ]
    if name is not None:
        if FRAMEWORKS[name] not in found:
            raise ValueError(f"{name} does not show {fault.kind}")
        return FRAMEWORKS[name]
    # Healthy seeds take turns, so that a hundred of them show each framework several times.
    return found[seed // 2 % len(found)] if fault.kind == Healthy.kind else chance.choice(found)


def _said(
    course: Course, trainer: Framework, speakers: tuple[int, ...], chance: random.Random, *, ends: bool
) -> list[Said]:
    """Everything that is written, in the order of time."""
    run, found = course.run, list[Said]()
    shows_nccl, talks = chance.random() < 0.2, chance.choice((0.0, 0.0, 0.002))
    stop = len(course.steps) if course.stops_at is None else course.stops_at

    def begin(at: float) -> None:
        for rank in range(run.size):
            found.extend(Said(at, rank, text) for text in noise.at_start(run, at, rank, chance, shows_nccl=shows_nccl))
        for rank in speakers:
            found.extend(Said(at + 2, rank, text) for text in trainer.start(rank))

    begin(0.0)
    for index in range(stop):
        if index in course.restarts:
            begin(course.at[index] - course.step_seconds[index] * run.interval - 20)
        if chance.random() < talks:
            rank, at = chance.choice(speakers), course.at[index]
            found.append(Said(at, rank, noise.later(run, at, rank, chance)))
        for rank in speakers:
            found.extend(_of_point(course, trainer, index, rank, is_first=rank == speakers[0]))
    last = course.point(stop - 1, speakers[0])
    if course.last_words:
        found.extend(Said(last.at, speakers[0], text) for text in course.last_words)
    elif ends and not course.restarts:
        for rank in speakers:
            found.extend(Said(last.at + 5, rank, text) for text in trainer.end(course.point(stop - 1, rank)))
    return sorted(found, key=lambda one: one.at)


def _of_point(course: Course, trainer: Framework, index: int, rank: int, *, is_first: bool) -> list[Said]:
    point = course.point(index, rank)
    found = []
    if is_first:
        for tried, then in course.overflows.get(index, ()):
            text = trainer.overflow(point, tried, then)
            if text is not None:
                found.append(Said(point.at, rank, text))
    found.append(Said(point.at, rank, trainer.step(point)))
    if is_first and index in course.evaluations and math.isfinite(point.loss):
        found += [Said(point.at + 0.001, rank, text) for text in trainer.evaluation(point)]
    if is_first and index in course.checkpoints:
        found += [Said(point.at + 0.002, rank, text) for text in trainer.checkpoint(point)]
    return found


def _write(folder: Path, files: dict[str, str]) -> tuple[Path, ...]:
    paths = []
    for name in sorted(files):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[name].encode())
        paths.append(path)
    return tuple(paths)
