"""Follows many simulated jobs on a virtual clock, and counts false alarms and how soon stalls are told.

Run from a checkout: ``python -m benchmarks.stalls --seeds 200``. Every seed is a healthy job, with pauses of all kinds,
and one of which a rank stalls; see ``tests/simulation/live``. Delays are counted from the moment at
which the line was due that did not come to when the verdict is told, which is when it has settled.
"""

import argparse
import multiprocessing
from collections import Counter
from dataclasses import replace
from functools import cache
from statistics import median, quantiles
from typing import NamedTuple

from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from tests.simulation.live.job import Telling, draw
from tests.simulation.live.score import Outcome, Score, healthy, stalled
from tests.simulation.live.watch import Watcher

_OF_TIME = ("hang.", "speed.hang")
"""Rules that ask how time goes by."""
_NAMABLE = (Telling.EVERY_STEP, Telling.SOME_STEPS)
_SOON = 3
"""Typical iterations within which a stall should be told."""


class Result(NamedTuple):
    seed: int
    has_stall: bool
    telling: Telling
    is_rank_0: bool
    """Whether it is rank 0 that stalls: it may be saving a checkpoint, alone and without a word."""
    score: Score
    iteration: float
    """Seconds that a step takes as a rule."""
    beat: float
    """Seconds from one line of a rank to its next."""
    description: str


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stalls", description=__doc__)
    parser.add_argument("--seeds", type=int, default=200, help="how many (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the first one (default: %(default)s)")
    parser.add_argument("--only", choices=("healthy", "stalled"), help="only jobs of one kind")
    parser.add_argument("--all-rules", action="store_true", help="judge by all rules, which takes longer")
    parser.add_argument("--verbose", action="store_true", help="tell of every job, not only of those that fail")
    parser.add_argument("--processes", type=int, default=2, help="how many run at once (default: %(default)s)")
    args = parser.parse_args()
    seeds = range(args.first, args.first + args.seeds)
    kinds = [kind for kind in (False, True) if args.only in (None, "stalled" if kind else "healthy")]
    watcher(args.all_rules)
    asked = [(seed, kind, args.all_rules) for kind in kinds for seed in seeds]
    with multiprocessing.get_context("fork").Pool(args.processes) as pool:
        results = []
        for result in pool.imap(run, asked, chunksize=2):
            results.append(result)
            outcome = result.score.outcome
            is_good = outcome in (Outcome.QUIET, Outcome.NAMED) or (
                outcome is Outcome.NOBODY and result.telling not in _NAMABLE
            )
            if args.verbose or not is_good:
                print(
                    f"{result.seed} {outcome.upper()} after {result.score.delay:.1f} s: {result.score.said}", flush=True
                )
                print(f"    {result.description}", flush=True)
    report(results)


@cache
def watcher(all_rules: bool) -> Watcher:
    program = compile_texts(read_rules([shipped_rules()]))
    chosen = {name: rule for name, rule in program.rules.items() if all_rules or name.startswith(_OF_TIME)}
    return Watcher(replace(program, rules=chosen, tests=(), ready=None))


def run(asked: tuple[int, bool, bool]) -> Result:
    """Simulates a seed and follows its job."""
    seed, has_stall, all_rules = asked
    job = draw(seed, has_stall)
    found = (stalled if has_stall else healthy)(job, watcher(all_rules))
    is_rank_0 = job.stall is not None and job.stall.rank == 0
    return Result(seed, has_stall, job.telling, is_rank_0, found, job.manner.iteration, job.line_beat, job.description)


def report(results: list[Result]) -> None:
    """The numbers that matter."""
    well = [result for result in results if not result.has_stall]
    if well:
        alarms = sum(result.score.outcome is Outcome.FALSE_ALARM for result in well)
        print(f"healthy jobs: {len(well)}, false alarms: {alarms}")
    for telling in Telling:
        stalls = [result for result in results if result.has_stall and result.telling is telling]
        if stalls:
            print(f"{len(stalls)} stalls of which {telling}")
        if telling in _NAMABLE:
            _report_class("of other ranks than 0", [one for one in stalls if not one.is_rank_0])
            _report_class("of rank 0, which may be saving alone", [one for one in stalls if one.is_rank_0])
        else:
            _report_class("all", stalls)


def _report_class(title: str, stalls: list[Result]) -> None:
    if not stalls:
        return
    print(f"  {title}: {len(stalls)}")
    for outcome, number in sorted(Counter(one.score.outcome for one in stalls).items()):
        those = [one for one in stalls if one.score.outcome is outcome]
        print(f"    {outcome}: {number}, after {_spread([one.score.delay for one in those])} s", end="")
        print(f", {_spread([one.score.delay / one.iteration for one in those])} iterations", end="")
        soon = sum(one.score.delay <= _SOON * one.beat for one in those)
        print(f"; {soon} within {_SOON} typical lines")
        if outcome is Outcome.NAMED:
            for low, high in ((0, 1), (1, 4), (4, 1000)):
                some = [one.score.delay / one.beat for one in those if low <= one.beat < high]
                if some:
                    print(f"      {len(some)} with {low} to {high} s between lines: {_spread(some)} typical lines")


def _spread(numbers: list[float]) -> str:
    most = quantiles(numbers, n=10, method="inclusive")[-1] if len(numbers) > 1 else numbers[0]
    return f"{median(numbers):.1f} (90%: {most:.1f}, most: {max(numbers):.1f})"


if __name__ == "__main__":
    main()
