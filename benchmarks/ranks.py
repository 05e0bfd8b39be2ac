"""What a job of many ranks costs that print lines of progress: CPU seconds of reading and of judging, apart.

Run from a checkout: ``python -m benchmarks.ranks``. Every rank writes a log of its own, so both should grow as the
ranks do: the job is read and judged with a quarter of them, with half, and with all. With ``--alike`` all print the
same numbers, as where losses are averaged over them, and one differs from the middle on.
"""

import argparse
import gc
import tempfile
import time
from pathlib import Path

from benchmarks.live import STEP
from logsleuth.cli.main import RARELY
from logsleuth.drivers.batch import concluded
from logsleuth.drivers.hints import NO_HINTS, found
from logsleuth.drivers.reading import read
from logsleuth.engine.plan import plan
from logsleuth.language.library import load

_START = 1_772_600_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ranks", description=__doc__)
    parser.add_argument("--ranks", type=int, default=256, help="of the job (default: %(default)s)")
    parser.add_argument("--lines", type=int, default=400, help="that each of them prints (default: %(default)s)")
    parser.add_argument("--alike", action="store_true", help="all but one print the same numbers")
    args = parser.parse_args()
    gc.set_threshold(*RARELY)
    program = load(local=False).program
    chosen = plan(program)
    for ranks in sorted({max(args.ranks // part, 1) for part in (4, 2, 1)}):
        with tempfile.TemporaryDirectory() as folder:
            _write(Path(folder), ranks, args.lines, args.alike)
            start = time.process_time()
            reading = read(found([folder], NO_HINTS).sources, program, chosen)
            was_read = time.process_time()
            verdicts = concluded(program, chosen, reading).verdicts
            ended = time.process_time()
        told = ", ".join(verdict.rule for verdict in verdicts) or "nothing wrong"
        print(f"{ranks:,} ranks: read in {was_read - start:.2f} s, judged in {ended - was_read:.2f} s; {told}")


def _write(folder: Path, ranks: int, lines: int, alike: bool) -> None:
    for rank in range(ranks):
        text = (_line(rank, step, alike, differs=rank == ranks // 2 and step > lines // 2) for step in range(lines))
        (folder / f"rank_{rank}.log").write_text("".join(text))


def _line(rank: int, step: int, alike: bool, differs: bool) -> str:
    clock = time.strftime("%H:%M:%S", time.gmtime(_START + step))
    loss = (step * 7 + (1000 if differs else 0) if alike else step * 7 + rank) % 10_000
    return STEP.format(clock=clock, rank=rank, step=step + 1, loss=loss) + "\n"


if __name__ == "__main__":
    main()
