"""What does a run without trouble look like as a whole?"""

import random
from typing import NamedTuple

from tests.simulation.training import curves, resources
from tests.simulation.training.course import Course
from tests.simulation.training.run import Run


class Habits(NamedTuple):
    """What a run does beside its steps."""

    ramps: bool
    """The batch grows in stages."""
    curriculum: bool
    """Sequences grow in stages."""
    is_ragged: bool
    """Every batch has a length of its own."""
    evaluates: bool
    saves: bool
    resumes: bool
    """The run is restarted once and continues from its last checkpoint, in the same log."""


def draw_habits(chance: random.Random, run: Run, stages: frozenset[str]) -> Habits:
    """``stages``: what a reader can see to grow, see ``Framework.stages``."""
    is_text = run.task in ("pretrain", "finetune", "memorize", "reinforce", "prefer")
    begins = run.task == "pretrain" and run.first == 0
    return Habits(
        ramps=begins and "batch" in stages and chance.random() < 0.15,
        curriculum=begins and "length" in stages and chance.random() < 0.15,
        is_ragged=is_text and run.task != "pretrain" and chance.random() < 0.5,
        evaluates=chance.random() < 0.5,
        saves=chance.random() < 0.6,
        resumes=run.points > 40 and chance.random() < 0.12,
    )


def draw_course(chance: random.Random, run: Run, habits: Habits) -> Course:
    steps = [run.first + (index + 1) * run.interval for index in range(run.points)]
    every = max(4, run.points // chance.choice((2, 4, 9)))
    evaluations = set(range(every - 1, run.points, every)) if habits.evaluates else set[int]()
    checkpoints = set(range(every - 1, run.points, every)) if habits.saves or habits.resumes else set[int]()
    restarts = set[int]()
    if habits.resumes:
        restarts = {_go_back(steps, min(run.points - 2, every + chance.randrange(2, every)), every)}
    held = resources.stages(run, chance, ramps=habits.ramps, curriculum=habits.curriculum, is_ragged=habits.is_ragged)
    times = resources.times(run, held, chance, is_ragged=habits.is_ragged)
    memory = resources.memory(run, held, chance)
    scaling = curves.scaling(run, chance)
    between = every * run.interval * run.seconds
    pauses = {index: between * chance.uniform(0.02, 0.15) for index in evaluations}
    for index in checkpoints:
        pauses[index] = pauses.get(index, 0.0) + min(between * 0.05, chance.uniform(2, 90))
    for index in restarts:
        pauses[index - 1] = chance.uniform(300, 9000)
    return Course(
        run=run,
        steps=steps,
        loss=curves.losses(run, steps, chance),
        grad_norm=curves.grad_norms(run, steps, chance),
        learning_rate=curves.learning_rates(run, steps, chance),
        loss_scale=scaling.scales,
        skipped=scaling.skipped,
        step_seconds=times.steps,
        data_seconds=times.data,
        batch=held.batch,
        length=held.length,
        allocated=memory.allocated,
        reserved=memory.reserved,
        host_used=memory.host_used,
        utilization=resources.utilization(run, chance),
        evaluations=evaluations,
        checkpoints=checkpoints,
        pauses=pauses,
        restarts=restarts,
        overflows=scaling.overflows,
    )


def _go_back(steps: list[int], index: int, every: int) -> int:
    """From a point on steps continue from the last checkpoint, which was after every so many points."""
    lost = steps[index - 1] - steps[index // every * every - 1]
    steps[index:] = [step - lost for step in steps[index:]]
    return index


def spread_over_ranks(course: Course, ranks: tuple[int, ...], chance: random.Random, *, reduces: bool) -> None:
    """What is a rank's own: its memory, its wait for data, and, where losses are not averaged, its loss."""
    run = course.run
    spread = chance.uniform(0.03, 0.15)
    for rank in ranks:
        offset = 1 + chance.uniform(-0.02, 0.02)
        for column in ("allocated", "reserved"):
            values = [value * offset for value in getattr(course, column)]
            course.own.setdefault(column, {})[rank] = values
        waits = [value * chance.uniform(0.7, 1.3) for value in course.data_seconds]
        course.own.setdefault("data_seconds", {})[rank] = waits
        jittered = [value * chance.gauss(1, 0.002) for value in course.step_seconds]
        course.own.setdefault("step_seconds", {})[rank] = jittered
        if not reduces:
            level = spread if run.task != "reinforce" else 1.0
            course.own.setdefault("loss", {})[rank] = [value * (1 + chance.gauss(0, level)) for value in course.loss]
