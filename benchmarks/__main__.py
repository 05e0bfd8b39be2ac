"""Measures what docs/performance.md claims, all in one run; with ``--write`` its tables are written there.

Run from a checkout: ``python -m benchmarks``. Tools that are not installed are left out: ripgrep, SEC, lnav and zstd
are packages of most systems; ``--drain3 PYTHON`` names a Python that has drain3, which wants older libraries than ours.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.parts import Measuring, Parts
from benchmarks.speed import Effort
from benchmarks.tables import with_measured

DOCUMENT = Path(__file__).parents[1] / "docs" / "performance.md"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller corpora, each run once: about half an hour")
    parser.add_argument("--write", action="store_true", help=f"write the tables to {DOCUMENT.name}")
    parser.add_argument("--only", action="append", metavar="PART", help="only this part; may be given again")
    parser.add_argument("--drain3", type=Path, metavar="PYTHON", help="a Python that has drain3")
    parser.add_argument("--mb", type=int, help="size of each corpus (default: 256, quick 32)")
    args = parser.parse_args()
    effort = Effort(1, 1.5, 40) if args.quick else Effort(3, 20, 120)
    with tempfile.TemporaryDirectory(prefix="logsleuth-benchmarks-") as scratch:
        megabytes = args.mb or (32 if args.quick else 256)
        parts = Parts(Measuring(megabytes, effort, Path(scratch), args.drain3, _say)).all
        if unknown := sorted(set(args.only or ()) - set(parts)):
            parser.error(f"there is no part {', '.join(unknown)}; the parts are {', '.join(parts)}")
        return _measured(parts, args.only or list(parts), DOCUMENT if args.write else None)


def _measured(parts: dict[str, Callable[[], dict[str, str]]], names: list[str], document: Path | None) -> int:
    """Measures parts, prints each and writes it at once: what is long must not be lost by what comes after it."""
    failed = 0
    for name in names:
        before = time.perf_counter()
        try:
            texts = parts[name]()
        except RuntimeError as error:
            _say(f"{name} failed: {error}")
            failed += 1
            continue
        _say(f"{name}: measured in {time.perf_counter() - before:.0f} s")
        for text in texts.values():
            print(f"\n{text}\n", flush=True)
        if document:
            document.write_text(with_measured(document.read_text(encoding="utf-8"), texts), encoding="utf-8")
    return 1 if failed else 0


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
