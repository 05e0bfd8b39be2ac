"""Runs the analysis over many simulated jobs and counts how often it tells the truth.

Run from a checkout: ``python -m benchmarks.truth``. Every seed is a job with a trouble that is known; see
``tests/simulation``. Seeds that fail are listed; ``--first SEED --seeds 1 --verbose --keep DIR`` shows one.
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
from tests.simulation.score import Outcome, score
from tests.simulation.simulate import KINDS, simulate


class Result(NamedTuple):
    seed: int
    kind: str
    is_determined: bool
    outcome: Outcome
    said: str
    description: str


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.truth", description=__doc__)
    parser.add_argument("--seeds", type=int, default=300, help="how many (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the first one (default: %(default)s)")
    parser.add_argument("--kind", choices=sorted(KINDS), help="only this kind of trouble, with every seed")
    parser.add_argument("--verbose", action="store_true", help="tell of every seed, not only of those that fail")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="write the logs of seed N to DIR/N and leave them there"
    )
    parser.add_argument("--processes", type=int, default=2, help="how many run at once (default: %(default)s)")
    args = parser.parse_args()
    seeds = range(args.first, args.first + args.seeds)
    program()
    with multiprocessing.get_context("fork").Pool(args.processes) as pool:
        results = pool.map(partial(run, kind=args.kind, keep=args.keep), seeds, chunksize=4)
    for result in results:
        if args.verbose or not result.outcome.is_good:
            print(f"{result.outcome.upper()}: {result.description}\n    said: {result.said}")
    report(results)


@cache
def program() -> Program:
    """The shipped rules; compiled before processes are forked."""
    return compile_texts(read_rules([shipped_rules()]))


def run(seed: int, kind: str | None, keep: Path | None) -> Result:
    """Simulates a seed and analyses its logs."""
    if keep is not None:
        return _result(seed, kind, keep / str(seed))
    with tempfile.TemporaryDirectory(prefix="logsleuth-truth-") as folder:
        return _result(seed, kind, Path(folder))


def _result(seed: int, kind: str | None, folder: Path) -> Result:
    simulated = simulate(seed, folder, kind)
    found = score(simulated, analyze_with(program(), [str(folder)]))
    truth = simulated.truth
    return Result(seed, truth.kind, truth.determined, found.outcome, found.said, simulated.description)


def report(results: list[Result]) -> None:
    """A table by kind of trouble, and the three numbers that matter."""
    columns = [
        Outcome.WRONG_CULPRIT,
        Outcome.FALSE_ACCUSATION,
        Outcome.WRONG_CAUSE,
        Outcome.MISSED,
        Outcome.FALSE_ALARM,
    ]
    print(f"\n{'kind':20} seeds determined exact  " + "  ".join(columns))
    for kind in KINDS:
        mine = [result for result in results if result.kind == kind]
        if not mine:
            continue
        count = Counter(result.outcome for result in mine)
        determined = sum(result.is_determined for result in mine)
        cells = "  ".join(f"{count[column] or '':>{len(column)}}" for column in columns)
        print(f"{kind:20} {len(mine):5} {determined:10} {count[Outcome.EXACT]:5}  {cells}")
    determined = sum(result.is_determined for result in results)
    total = Counter(result.outcome for result in results)
    share = 100 * total[Outcome.EXACT] / determined if determined else 100.0
    print(
        f"\nculprits exact and cause fair in {total[Outcome.EXACT]} of {determined} determined cases ({share:.1f}%), "
        f"{total[Outcome.FALSE_ACCUSATION]} false accusations, {total[Outcome.FALSE_ALARM]} false alarms"
    )


if __name__ == "__main__":
    main()
