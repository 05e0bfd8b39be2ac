"""Synthetic corpora: the logs of 64 ranks, made of the shipped library's own samples and of believable noise.

Run from a checkout: ``python -m benchmarks.corpus FOLDER`` writes all of them beneath a folder.
"""

import argparse
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.identity import RANKS, Writer, told_by
from benchmarks.job import Step, ends_badly, ends_well, noise, progress, saves, starts
from benchmarks.stamped import Stamped
from logsleuth.engine.plan import plan
from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from logsleuth.language.program import Program
from logsleuth.language.syntax import Event

FAILURES = 12
"""Events of which a job that fails writes lines, beside its progress."""
SHARES = {"A": 0.01, "B": 0.3, "C": 1.0}
"""Of the lines that are from samples, by the name of the corpus."""
_EACH_STEP = 8
"""Lines of a rank between two of a believable job's progress."""
_EACH_CHECKPOINT = 200
"""Steps."""
_STEP = 0.5
"""Seconds of a step."""
_PAUSE = 0.025
"""Seconds between two lines of other corpora, on the average."""


class Told(NamedTuple):
    """What a rank writes at once."""

    text: str
    is_wanted: bool
    """Whether it is from a sample, or like one."""


class Corpus(NamedTuple):
    folder: Path
    bytes: int
    lines: int
    wanted: int
    """Lines that are from samples, or like them."""


Teller = Callable[[Writer, random.Random, int], Iterator[Told]]
"""What a rank writes, until it is so many bytes."""


@cache
def shipped_program() -> Program:
    """The shipped rules with their samples."""
    return compile_texts(read_rules([shipped_rules()]))


def wanted_events() -> tuple[Event, ...]:
    """The events of the shipped library that an analysis looks for."""
    return tuple(plan(shipped_program()).events)


def usable_samples(events: Iterable[Event]) -> list[str]:
    """The samples of events, without those that begin an attempt: a job restarts at times, not every hundred lines."""
    return [sample.text.strip("\n") for event in events if not event.marks_attempt for sample in event.samples]


def samples_of_a_job(events: Iterable[Event], seed: int = 7) -> list[str]:
    """Samples of a dozen failures: a job does not fail on every rank in every way that the library knows."""
    usable = [event for event in events if not event.marks_attempt and not event.frequent and event.samples]
    return usable_samples(random.Random(seed).sample(usable, min(FAILURES, len(usable))))


def write_even(folder: Path, size: int, share: float, samples: Sequence[str]) -> Corpus:
    """Logs of together ``size`` bytes; ``share`` of their lines are those of samples, all alike."""
    return _write(folder, size, partial(_mixed, share, samples, 0.0))


def write_job(folder: Path, size: int, share: float, samples: Sequence[str]) -> Corpus:
    """As ``write_even``, but nine of ten texts that are not noise are the progress of one framework."""
    return _write(folder, size, partial(_mixed, share, samples, 0.9))


def write_healthy(folder: Path, size: int) -> Corpus:
    """Logs of a job that starts, trains, saves checkpoints and comes to its end."""
    return _write(folder, size, partial(_trains, ends_well))


def write_failing(folder: Path, size: int) -> Corpus:
    """The same until a rank runs out of memory; ten minutes later the others' watchdogs give up."""
    return _write(folder, size, partial(_trains, ends_badly))


def write_all(folder: Path, size: int) -> dict[str, Corpus]:
    """All corpora by their names: ``job-A`` to ``even-C``, ``healthy`` and ``failing``, each in a folder of its own."""
    events = wanted_events()
    failures, everything = samples_of_a_job(events), usable_samples(events)
    written = {}
    for name, share in SHARES.items():
        written[f"job-{name}"] = write_job(folder / f"job-{name}", size, share, failures)
        written[f"even-{name}"] = write_even(folder / f"even-{name}", size, share, everything)
    written["healthy"] = write_healthy(folder / "healthy", size)
    written["failing"] = write_failing(folder / "failing", size)
    return written


def _write(folder: Path, size: int, tells: Teller, seed: int = 7) -> Corpus:
    """Writes ``rank_0.log`` to ``rank_63.log``; equal arguments give equal bytes.

    A file has one identity, and its time stamps never run backwards.
    """
    folder.mkdir(parents=True)
    total = lines = wanted = 0
    for writer in map(Writer, range(RANKS)):
        with (folder / f"rank_{writer.rank}.log").open("wb") as out:
            for text, is_wanted in tells(writer, random.Random(seed * RANKS + writer.rank), size // RANKS):
                out.write(text.encode() + b"\n")
                count = text.count("\n") + 1
                lines += count
                wanted += count if is_wanted else 0
            total += out.tell()
    return Corpus(folder, total, lines, wanted)


def _mixed(
    share: float, samples: Sequence[str], of_progress: float, writer: Writer, chance: random.Random, size: int
) -> Iterator[Told]:
    """Samples, progress and noise; a sample of several lines counts as so many lines of the share."""
    told = _told_by(writer, tuple(samples))
    other = [Stamped(text) for text in noise(writer, chance)]
    steps = progress(writer, chance)
    per_sample = of_progress + (1 - of_progress) * sum(sample.count("\n") + 1 for sample in samples) / len(told)
    rate = share / (share + (1 - share) * per_sample)
    seconds, written = 0.0, 0
    while written < size:
        seconds += chance.random() * 2 * _PAUSE
        is_wanted = chance.random() < rate
        chosen: Stamped | Step = chance.choice(told if is_wanted else other)
        if is_wanted and chance.random() < of_progress:
            chosen = next(steps)
        text = chosen.at(seconds)
        yield Told(text, is_wanted)
        written += len(text.encode()) + 1


@cache
def _told_by(writer: Writer, samples: tuple[str, ...]) -> list[Stamped]:
    return [Stamped(told_by(writer, sample)) for sample in samples]


def _trains(
    ends: Callable[[Writer], Iterable[tuple[float, str]]], writer: Writer, chance: random.Random, size: int
) -> Iterator[Told]:
    """A believable job: its start, then steps with noise between them, and checkpoints.

    All ranks take as many steps, each at the same time.
    """
    other = [Stamped(text) for text in noise(writer, chance)]
    saving = [Stamped(text) for text in saves(writer)]
    yield from (Told(Stamped(text).at(0), True) for text in starts(writer))
    last = max(round(size / _bytes_of_a_step()), 1)
    for step, line in zip(range(1, last + 1), progress(writer, chance), strict=False):
        for place, between in enumerate(chance.choices(other, k=_EACH_STEP)):
            yield Told(between.at((step + place / _EACH_STEP) * _STEP), False)
        yield Told(line.at((step + 1) * _STEP), True)
        if step % _EACH_CHECKPOINT == 0:
            yield from (Told(text.at((step + 1) * _STEP), True) for text in saving)
    yield from (Told(Stamped(text).at((last + 1) * _STEP + after), True) for after, text in ends(writer))


def _bytes_of_a_step() -> float:
    someone, chance = Writer(0), random.Random(0)
    between = noise(someone, chance)
    return (
        _EACH_STEP * sum(len(text.encode()) for text in between) / len(between)
        + len(next(progress(someone, chance)).at(0))
        + _EACH_STEP
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corpus", description=__doc__)
    parser.add_argument("folder", type=Path, help="where they are written; it must not exist")
    parser.add_argument("--mb", type=int, default=64, help="size of each (default: %(default)s)")
    args = parser.parse_args()
    for name, corpus in write_all(args.folder, args.mb * 10**6).items():
        share = 100 * corpus.wanted / corpus.lines
        print(
            f"{name:8} {corpus.bytes / 1e6:6.1f} MB {corpus.lines:10,} lines, {share:5.1f}% from samples or like them"
        )


if __name__ == "__main__":
    main()
