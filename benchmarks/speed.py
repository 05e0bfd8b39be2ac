"""Compares ``logsleuth analyze`` in one process with ripgrep counting the lines that match the same patterns.

Run from a checkout: ``python -m benchmarks.speed``. The two are run in turn, so that a machine that gets slower or
faster meanwhile does so for both; what counts is the median of the pairs. Needs ``rg`` on the PATH.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import Corpus, samples_of_a_job, usable_samples, wanted_events, write_even, write_job
from logsleuth.language.syntax import Event
from logsleuth.tokenize.patterns import LinePattern

_TRANSLATIONS = (
    (re.compile(r"\(\?(?:P<\w+>|>)"), "(?:"),
    (re.compile(r"^(?:\[ \\t\]\*\+?|\.\*\?)+"), ""),
    (re.compile(r"^\(\?:\.\*\?"), "(?:"),
    (re.compile(r"\\(?=[ ])"), ""),
)
"""Patterns over patterns and what they become, for ripgrep."""
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:P?<\w+>|<?[=!]|[:>])|.", re.DOTALL)
_LOOK_AROUND = ("(?=", "(?!", "(?<=", "(?<!")
_OTHERS = re.compile(r"[^\x00-\x7f]")
_CLASS = re.compile(r"(?<!\\)\[(\^?\]?(?:\\.|[^\]\\])*)\]")


class Cost(NamedTuple):
    wall: float
    """Seconds."""
    cpu: float
    """Seconds, user and system."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--mb", type=int, default=256, help="size of each corpus (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=5, help="how often both are run (default: %(default)s)")
    parser.add_argument("--percent", type=float, nargs="+", default=[1, 30, 100], help="lines that patterns match")
    parser.add_argument(
        "--mix",
        choices=["job", "even"],
        default="job",
        help="what the lines from samples are: those of one failing job (the default), or all samples alike, so that "
        "every rank fails in every way",
    )
    args = parser.parse_args()
    if not shutil.which("rg"):
        parser.error("ripgrep (rg) is not on the PATH; install it to compare with it")
    events = wanted_events()
    samples, write = (
        (samples_of_a_job(events), write_job) if args.mix == "job" else (usable_samples(events), write_even)
    )
    with tempfile.TemporaryDirectory(prefix="logsleuth-speed-") as scratch:
        patterns = Path(scratch, "patterns.txt")
        patterns.write_text("\n".join(ripgrep_patterns(events)) + "\n", encoding="utf-8")
        for percent in args.percent:
            corpus = write(Path(scratch, "corpus"), args.mb * 10**6, percent / 100, samples)
            compare(corpus, patterns, args.pairs)
            shutil.rmtree(corpus.folder)


def ripgrep_patterns(events: Iterable[Event]) -> list[str]:
    """The wordings that an analysis searches for, blocks by their first line."""
    wordings = [wording for event in events for wording in event.wordings]
    wordings += [item.wording for event in events for block in event.blocks for item in block.items[:1] if item.wording]
    return sorted({_as_ripgrep_likes_it(LinePattern(wording).source) for wording in wordings})


def _as_ripgrep_likes_it(source: str) -> str:
    """A pattern in ripgrep's dialect, made as cheap for it as it can be.

    There is no look-ahead: what ours forbid behind a match is not forbidden there. It only counts, so groups have no
    names, and it looks anywhere in a line, so what may precede a message is left out.
    """
    source = _without_look_around(source)
    for pattern, replacement in _TRANSLATIONS:
        source = pattern.sub(replacement, source)
    # A bracket in a class would open a class in the class.
    source = _CLASS.sub(lambda found: "[" + re.sub(r"(?<!\\)\[", r"\\[", found[1]) + "]", source)
    # Without classes of Unicode's characters there is no character but ASCII's: others are their bytes.
    return _OTHERS.sub(lambda found: "".join(rf"(?-u:\x{byte:02x})" for byte in found[0].encode()), source)


def _without_look_around(source: str) -> str:
    """A pattern without its look-aheads and look-behinds, groups inside them included."""
    out, dropped = "", 0
    for token in _TOKEN.finditer(source):
        text = token[0]
        if dropped:
            dropped += text.startswith("(") - (text == ")")
        elif text in _LOOK_AROUND:
            dropped = 1
        else:
            out += text
    return out


def compare(corpus: Corpus, patterns: Path, pairs: int) -> None:
    """Runs both in turn and prints what they cost, after one run each that is not counted."""
    ours = [sys.executable, "-m", "logsleuth", "analyze", str(corpus.folder), "--format", "json", "--no-local-rules"]
    # Ours match bytes; with classes of all of Unicode's characters ripgrep would be hundreds of times slower.
    theirs = ["rg", "-j1", "-c", "--no-unicode", "-f", str(patterns), str(corpus.folder)]
    megabytes = corpus.bytes / 1e6
    costs = [(measure(ours), measure(theirs)) for _ in range(pairs + 1)][1:]
    share = 100 * corpus.wanted / corpus.lines
    print(f"\n{megabytes:.0f} MB, {corpus.lines} lines, {share:.1f}% of them from samples")
    print(f"{'MB/s by':>8} {'logsleuth':>10} {'ripgrep':>8} {'ratio':>6}   medians of {pairs} pairs")
    for at, kind in enumerate(Cost._fields):
        rates = (megabytes / statistics.median(pair[side][at] for pair in costs) for side in (0, 1))
        ratio = statistics.median(their[at] / our[at] for our, their in costs)
        print("{:>8} {:10.0f} {:8.0f} {:6.2f}".format(kind, *rates, ratio))


def measure(command: Sequence[str]) -> Cost:
    """Runs a command to its end; both programs exit with 0 or 1, whatever they find."""
    before = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - before
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{command[0]} ended with {process.returncode}")
    return Cost(wall, used.ru_utime + used.ru_stime)


if __name__ == "__main__":
    main()
