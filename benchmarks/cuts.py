"""Judges real logs as somebody who follows them does, at moments when only a part is written, and lists what is said
too early.

Run from a checkout: ``python -m benchmarks.cuts [FOLDER...]``. Each folder is the log of one job, or of several;
without any it is all of ``fixtures/logs``, and with ``--healthy`` what ``tests/healthy`` writes of every family.
A log is cut where it stood at a moment, by the stamps of its lines: when a line was written, at any time, and right
before the longest silence ends. The present is that moment. A firm warning or failure that the whole log does not bear
out was said too early; what is said of time (``hang.``) of a log without any verdict is a false alarm.
"""

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from logsleuth.drivers.batch import concluded
from logsleuth.drivers.hints import NO_HINTS, found
from logsleuth.drivers.reading import read, vocabulary_of
from logsleuth.engine.plan import plan
from logsleuth.language.library import load
from logsleuth.language.program import Program
from logsleuth.model.analysis import Severity, Verdict
from logsleuth.model.origin import Source
from logsleuth.testing.present import present_of
from logsleuth.tokenize.stamps import find
from tests.healthy.families import FAMILIES
from tests.healthy.log import written

_HEAD = 96
"""Bytes of a line in which its stamp stands."""
_FIXTURES = Path(__file__).parent.parent / "fixtures" / "logs"


class Line(NamedTuple):
    """Where a line ends and how late it is: the latest moment so far in its log, else its place in it."""

    end: int
    moment: float | None
    place: float


class Early(NamedTuple):
    """A verdict on a part of a log that the whole does not bear out."""

    folder: str
    share: float
    verdict: Verdict


class Cutter:
    """Judges parts of the logs of one program."""

    def __init__(self, program: Program) -> None:
        self._program, self._plan = program, plan(program)
        self._vocabulary = vocabulary_of(program, self._plan)

    def early(self, folder: Path, cuts: int, seed: int) -> Iterator[Early]:
        """What is said too early of the logs in a folder, each cut at so many moments."""
        sources = [s for s in found([str(folder)], NO_HINTS).sources if Path(s.path).is_file() and not s.made]
        texts = [Path(source.path).read_bytes() for source in sources]
        if not texts or any(b"\0" in text for text in texts):
            return
        lines = [list(_lines(text)) for text in texts]
        borne_out = {verdict.rule for verdict in self._says(sources, texts, None)}
        rng = random.Random(f"{seed} {folder.name}")
        for share, now, ends in _cuts(lines, cuts, rng):
            parts = [text[:end] for text, end in zip(texts, ends, strict=True)]
            for verdict in self._says(sources, parts, now):
                if verdict.rule not in borne_out and verdict.severity is not Severity.INFO:
                    yield Early(str(folder), share, verdict)

    def _says(self, sources: Sequence[Source], texts: Sequence[bytes], now: float | None) -> list[Verdict]:
        made = [source._replace(made=text) for source, text in zip(sources, texts, strict=True) if text or now is None]
        reading = read(made, self._program, self._plan, vocabulary=self._vocabulary)
        present = present_of(reading.state, now)
        analysis = concluded(self._program, self._plan, reading._replace(present=present))
        return [verdict for verdict in analysis.verdicts if verdict.status == "firm"]


def _lines(text: bytes) -> Iterator[Line]:
    end, latest = 0, None
    for line in text.splitlines(keepends=True):
        end += len(line)
        stamp = find(line[:_HEAD])
        if stamp is not None and stamp.has_year and (latest is None or stamp.seconds > latest):
            latest = stamp.seconds
        yield Line(end, latest, end / len(text))


def _cuts(lines: Sequence[Sequence[Line]], cuts: int, rng: random.Random) -> Iterator[tuple[float, float, list[int]]]:
    """So many shares of a log, moments, and how far each of its files had come by then."""
    moments = sorted({line.moment for of in lines for line in of if line.moment is not None})
    for number in range(cuts):
        share = (number + rng.random()) / cuts
        if number % 2 and moments:
            now = moments[0] + share * (moments[-1] - moments[0])
            yield share, now, _ends(lines, now, share)
        else:
            yield share, *_at(lines, share)
    silence, before = max(((b - a, b) for a, b in pairwise(moments)), default=(0.0, 0.0))
    if silence:
        yield 1.0, before - silence / 1000, _ends(lines, before - silence / 1000, 1.0)


def _at(lines: Sequence[Sequence[Line]], share: float) -> tuple[float, list[int]]:
    """The moment at which a share of all lines was written, and how far each log had come; with its last line, so
    that nothing has passed since."""
    moments = sorted(line.moment for of in lines for line in of if line.moment is not None)
    if not moments:
        return 0.0, [_end(of, share) for of in lines]
    now = moments[min(int(share * len(moments)), len(moments) - 1)]
    return now, _ends(lines, now, share)


def _ends(lines: Sequence[Sequence[Line]], now: float, share: float) -> list[int]:
    return [
        max((line.end for line in of if line.moment is not None and line.moment <= now), default=0)
        if any(line.moment is not None for line in of)
        else _end(of, share)
        for of in lines
    ]


def _end(lines: Sequence[Line], share: float) -> int:
    return max((line.end for line in lines if line.place <= share), default=0)


def folders() -> list[Path]:
    """Of the fixtures, those that hold the logs of one sample."""
    return sorted(path for path in _FIXTURES.glob("*/*") if path.is_dir())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cuts", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, help="logs of jobs (default: all fixtures)")
    parser.add_argument("--cuts", type=int, default=8, help="of each (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="draws the moments (default: %(default)s)")
    parser.add_argument("--healthy", action="store_true", help="cut the logs of tests/healthy instead")
    parser.add_argument("--lines", type=int, default=1500, help="of a healthy log (default: %(default)s)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="logsleuth-cuts-") as scratch:
        asked = healthy(Path(scratch), args.seed, args.lines) if args.healthy else args.folders or folders()
        report(asked, args.cuts, args.seed)


def healthy(scratch: Path, seed: int, lines: int) -> list[Path]:
    """A folder for the log of each family of healthy ones."""
    for name, family in sorted(FAMILIES.items()):
        for path, text in written(family, seed, lines).items():
            target = scratch / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode())
    return sorted(scratch.iterdir())


def report(asked: Sequence[Path], cuts: int, seed: int) -> None:
    """Prints what was said too early of each folder, and how often each rule did."""
    cutter, counted = Cutter(load((), local=False).program), Counter[str]()
    for folder in asked:
        for early in cutter.early(folder, cuts, seed):
            counted[early.verdict.rule] += 1
            told = early.verdict
            print(f"{early.folder} at {early.share:.2f}: {told.severity} {told.rule} ({told.role}): {told.summary}")
    print(f"{len(asked)} folders, {cuts} cuts of each")
    for rule, number in counted.most_common():
        print(f"  {number:3d} {rule}")


if __name__ == "__main__":
    main()
