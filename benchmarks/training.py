"""Runs the analysis over many simulated training logs and counts how often it tells the truth.

Run from a checkout: ``python -m benchmarks.training``. Every other seed is a healthy run; the rest have a trouble that
is known, or only look as if; see ``tests/simulation/training``. Seeds that fail are listed;
``--first SEED --seeds 1 --verbose --keep DIR`` shows one.
"""

import argparse
import multiprocessing
import tempfile
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from logsleuth.drivers.batch import analyze_with
from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from logsleuth.language.program import Program
from tests.simulation.training.frameworks.choice import FRAMEWORKS
from tests.simulation.training.score import Outcome, score
from tests.simulation.training.simulate import KINDS, MOST_LINES, simulate

_ALARMS = (Outcome.FALSE_ALARM, Outcome.FALSE_WARNING, Outcome.FALSE_INFO)
_FAILURES = (Outcome.MISSED, Outcome.WRONG_CAUSE, Outcome.UNNAMED, Outcome.FALSELY_ACCUSED, *_ALARMS)


class Result(NamedTuple):
    kind: str
    is_healthy: bool
    framework: str
    outcome: Outcome
    said: str
    beside: str
    description: str


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training", description=__doc__)
    parser.add_argument("--seeds", type=int, default=300, help="how many (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the first one (default: %(default)s)")
    parser.add_argument("--kind", choices=sorted(KINDS), help="only this kind of run, with every seed")
    parser.add_argument(
        "--framework", choices=sorted(FRAMEWORKS), help="only this framework, where it can show the kind"
    )
    parser.add_argument("--longest", type=int, default=MOST_LINES, help="lines of a run (default: %(default)s)")
    parser.add_argument("--verbose", action="store_true", help="tell of every seed, not only of those that fail")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="write the logs of seed N to DIR/N and leave them there"
    )
    parser.add_argument("--processes", type=int, default=2, help="how many run at once (default: %(default)s)")
    args = parser.parse_args()
    program()
    work = partial(run, kind=args.kind, framework=args.framework, longest=args.longest, keep=args.keep)
    with multiprocessing.get_context("fork").Pool(args.processes) as pool:
        found = pool.map(work, range(args.first, args.first + args.seeds), chunksize=4)
    results = [result for result in found if result is not None]
    for result in results:
        if args.verbose or not result.outcome.is_good or result.beside:
            beside = f"\n    unfair beside it: {result.beside}" if result.beside else ""
            print(f"{result.outcome.upper()}: {result.description}\n    said: {result.said}{beside}")
    report(results)


@cache
def program() -> Program:
    """The shipped rules; compiled before processes are forked."""
    return compile_texts(read_rules([shipped_rules()]))


def run(seed: int, kind: str | None, framework: str | None, longest: int, keep: Path | None) -> Result | None:
    """Simulates a seed and analyses its logs; None where the framework cannot show its kind."""
    with tempfile.TemporaryDirectory(prefix="logsleuth-training-") as scratch:
        folder = Path(scratch) if keep is None else keep / str(seed)
        try:
            simulated = simulate(seed, folder, kind, framework, longest)
        except ValueError:
            return None
        found = score(simulated.truth, analyze_with(program(), [str(folder)]))
    truth = simulated.truth
    return Result(
        truth.kind,
        truth.is_healthy,
        simulated.framework,
        found.outcome,
        found.said,
        found.beside,
        simulated.description,
    )


def report(results: list[Result]) -> None:
    """Trouble by kind, healthy runs by kind and by framework, and the numbers that matter."""
    troubles = [result for result in results if not result.is_healthy]
    healthy = [result for result in results if result.is_healthy]
    _table("trouble", [(result.kind, result) for result in troubles], (Outcome.EXACT, Outcome.QUIET, *_FAILURES))
    _table("healthy", [(result.kind, result) for result in healthy], (Outcome.QUIET, *_ALARMS))
    _table("framework", [(result.framework, result) for result in healthy], (Outcome.QUIET, *_ALARMS))
    total = Counter(result.outcome for result in troubles)
    alarms = Counter(result.outcome for result in healthy)
    good = sum(result.outcome.is_good for result in troubles)
    beside = sum(bool(result.beside) for result in troubles)
    print(
        f"\ngood in {good} of {len(troubles)} runs with trouble, {total[Outcome.FALSELY_ACCUSED]} falsely accused, "
        f"{beside} with an unfair verdict beside it\n"
        f"{len(healthy)} healthy runs: {alarms[Outcome.FALSE_ALARM]} false alarms, "
        f"{alarms[Outcome.FALSE_WARNING]} warnings, {alarms[Outcome.FALSE_INFO]} infos"
    )


def _table(title: str, rows: list[tuple[str, Result]], columns: tuple[Outcome, ...]) -> None:
    if not rows:
        return
    print(f"\n{title:18} seeds  " + "  ".join(columns) + "  unfair beside")
    for name in dict.fromkeys(sorted(name for name, _ in rows)):
        mine = [result for other, result in rows if other == name]
        count = Counter(result.outcome for result in mine)
        cells = "  ".join(f"{count[column] or '':>{len(column)}}" for column in columns)
        print(f"{name:18} {len(mine):5}  {cells}  {sum(bool(result.beside) for result in mine) or '':>13}")


if __name__ == "__main__":
    main()
