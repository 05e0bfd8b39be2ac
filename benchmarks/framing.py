"""Does to the fixtures what happens to logs on their way, and lists what the analysis then says that it did not say.

Run from a checkout: ``python -m benchmarks.framing``. ``--only WORD`` takes framings and jobs whose name holds it;
``--keep DIR`` leaves the logs there.
"""

import argparse
import tempfile
from pathlib import Path

from tests.layouts.framed import JOBS, differences
from tests.layouts.framings import FRAMINGS


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.framing", description=__doc__)
    parser.add_argument("--only", action="append", default=[], help="words of names; all must be in one")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the logs to DIR/FRAMING/JOB and leave them")
    args = parser.parse_args()
    asked = wrong = 0
    with tempfile.TemporaryDirectory(prefix="logsleuth-framing-") as scratch:
        for framing in FRAMINGS:
            bad = 0
            for name in JOBS:
                if not all(word in f"{framing.name}/{name}" for word in args.only):
                    continue
                folder = (args.keep or Path(scratch)) / framing.name / name
                asked += 1
                found = differences(framing, name, folder)
                bad += bool(found)
                for one in found:
                    print(f"{framing.name} | {name}: {one}", flush=True)
            wrong += bad
            print(f"== {framing.name}: {bad} of {len(JOBS)}", flush=True)
    print(f"{asked} jobs framed, {wrong} told otherwise")


if __name__ == "__main__":
    main()
