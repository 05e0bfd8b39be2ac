"""Runs the analysis over many logs of jobs that are well, and lists every alarm that it raises.

Run from a checkout: ``python -m benchmarks.healthy``. A family is a framework or a collector with the noise that true
logs have (``tests/healthy``); every seed draws other noise. ``--family NAME --first SEED --seeds 1 --keep DIR`` shows
one.
"""

import argparse
import multiprocessing
from functools import partial
from pathlib import Path

from tests.healthy.alarms import alarms, program
from tests.healthy.families import FAMILIES


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.healthy", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="of every family (default: %(default)s)")
    parser.add_argument("--first", type=int, default=100, help="the first one (default: %(default)s)")
    parser.add_argument("--lines", type=int, default=100_000, help="of a log (default: %(default)s)")
    parser.add_argument("--family", choices=sorted(FAMILIES), help="only this one")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="write the logs to DIR/FAMILY-SEED and leave them there"
    )
    parser.add_argument("--processes", type=int, default=2, help="how many run at once (default: %(default)s)")
    args = parser.parse_args()
    program()  # before processes are forked
    names = [args.family] if args.family else list(FAMILIES)
    tasks = [(name, seed) for seed in range(args.first, args.first + args.seeds) for name in names]
    with multiprocessing.get_context("fork").Pool(args.processes) as pool:
        found = pool.map(partial(_run, lines=args.lines, keep=args.keep), tasks, chunksize=1)
    for (name, seed), said in zip(tasks, found, strict=True):
        for one in said:
            print(f"{name} {seed}: {one}")
    alarmed = sum(bool(said) for said in found)
    print(f"{len(tasks)} healthy logs of about {args.lines:,} lines, {alarmed} with an alarm")


def _run(task: tuple[str, int], lines: int, keep: Path | None) -> list[str]:
    name, seed = task
    return alarms(name, seed, lines, None if keep is None else keep / f"{name}-{seed}")


if __name__ == "__main__":
    main()
