"""Follows many simulated jobs on a virtual clock, and counts false alarms and how soon stalls are told.

Run from a checkout: ``python -m benchmarks.stalls --seeds 200``. Every seed is a healthy job, with pauses of all kinds,
and one of which a rank stalls; see ``tests/simulation/live``.
"""

import argparse
import multiprocessing
from collections import Counter
from dataclasses import replace
from functools import cache
from statistics import median, quantiles
from typing import NamedTuple

from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from tests.simulation.live.job import draw
from tests.simulation.live.score import Outcome, Score, healthy, stalled
from tests.simulation.live.watch import Watcher

_OF_TIME = ("hang.", "speed.hang")
"""Rules that ask how time goes by."""


class Result(NamedTuple):
    seed: int
    has_stall: bool
    can_be_named: bool
    score: Score
    beat: float
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
                outcome is Outcome.NOBODY and not result.can_be_named
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
    return Watcher(replace(program, rules=chosen, tests=(), ready={}))


def run(asked: tuple[int, bool, bool]) -> Result:
    """Simulates a seed and follows its job."""
    seed, has_stall, all_rules = asked
    job = draw(seed, has_stall)
    found = (stalled if has_stall else healthy)(job, watcher(all_rules))
    return Result(seed, has_stall, job.can_be_named, found, job.line_beat, job.description)


def report(results: list[Result]) -> None:
    """The numbers that matter."""
    well = [result for result in results if not result.has_stall]
    if well:
        alarms = sum(result.score.outcome is Outcome.FALSE_ALARM for result in well)
        print(f"healthy jobs: {len(well)}, false alarms: {alarms}")
    for can_be_named in (True, False):
        stalls = [r for r in results if r.has_stall and r.can_be_named is can_be_named]
        if not stalls:
            continue
        print(f"stalls of which logs {'tell' if can_be_named else 'cannot tell'} the rank: {len(stalls)}")
        for outcome, number in sorted(Counter(r.score.outcome for r in stalls).items()):
            delays = [r.score.delay for r in stalls if r.score.outcome is outcome]
            lines = [r.score.delay / r.beat for r in stalls if r.score.outcome is outcome]
            print(f"  {outcome}: {number}, after {_spread(delays)} s, {_spread(lines)} typical lines")
            slow = [r.score.delay / r.beat for r in stalls if r.score.outcome is outcome and r.beat >= 4]
            if slow:
                print(f"    of those with 4 s or more between lines: {_spread(slow)} typical lines")


def _spread(numbers: list[float]) -> str:
    most = quantiles(numbers, n=10)[-1] if len(numbers) > 1 else numbers[0]
    return f"{median(numbers):.1f} (90%: {most:.1f})"


if __name__ == "__main__":
    main()
