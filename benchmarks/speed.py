"""How many megabytes a second of CPU time a whole analysis reads, and other tools with the same patterns."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import Corpus
from benchmarks.measure import measure
from benchmarks.tables import Table, numbers
from benchmarks.tools import AHO, COUNTED, OURS, UNCOUNTED, Tool, Tools

_PROBE = 50_000
"""Bytes that a tool is given first, to find out how many it can read."""
_GROWTH = 16
"""How many times as many it is given next, at most."""
_YARDSTICKS = (COUNTED, UNCOUNTED, AHO)
_TARGETS = {"A": (2.5, 0.7), "B": (1.0, 0.5), "C": (0.5, 0.2)}
"""How many times as fast as ripgrep, and as ahocorasick_rs, an analysis is to be, by corpus."""


class Effort(NamedTuple):
    pairs: int
    """How often ours and each other are run; medians count."""
    seconds: float
    """Of CPU time that a tool may take for a run, about: slower ones read only a part of a corpus."""
    of_yardsticks: float
    """The same for those that ours is measured against: what they do at first must not stand for what they do."""

    def of(self, tool: Tool) -> float:
        return self.of_yardsticks if tool.name in _YARDSTICKS else self.seconds


class Rates(NamedTuple):
    """Megabytes a second of CPU time, by tool."""

    corpus: Corpus
    of: dict[str, float]


def compared(
    corpora: Mapping[str, Corpus], tools: Tools, effort: Effort, scratch: Path, told: Callable[[str], None]
) -> dict[str, Rates]:
    """Runs all tools over all corpora, ours between the others so that a machine that changes does so for all."""
    found = {}
    nothing = scratch / "nothing.log"
    nothing.write_bytes(b"")
    starts: dict[Tool, float] = {}
    for tool in tools.others:
        try:
            starts[tool] = measure(tool.command([nothing])).cpu
        except RuntimeError as error:
            told(f"{tool.name} is left out: {error}")
    for name, corpus in corpora.items():
        files = sorted(corpus.folder.iterdir())
        mine: list[float] = []
        others: dict[str, list[float]] = {tool.name: [] for tool in starts}
        readers = [
            _reader(tool, files, effort.of(tool), start, scratch / "portion.log") for tool, start in starts.items()
        ]
        for _ in range(effort.pairs):
            mine.append(rate(tools.ours, [corpus.folder], corpus.bytes))
            for tool, reader in zip(starts, readers, strict=True):
                others[tool.name].append(reader())
        rates = {OURS: statistics.median(mine)} | {other: statistics.median(of) for other, of in others.items()}
        told(f"{name}: " + ", ".join(f"{tool} {rate:.2f} MB/s" for tool, rate in rates.items()))
        found[name] = Rates(corpus, rates)
    return found


def rates_table(found: Mapping[str, Rates]) -> Table:
    """A row for each corpus, a column for each tool."""
    names = list(next(iter(found.values())).of)
    rows = []
    for name, (corpus, of) in found.items():
        share = f"{100 * corpus.wanted / corpus.lines:.1f}%"
        rows.append((name, f"{corpus.bytes / 1e6:.0f}", share, *numbers(map(of.get, names))))
    return Table(("corpus", "MB", "lines from samples", *names), tuple(rows))


def ratios_table(found: Mapping[str, Rates]) -> Table:
    """How many times as fast as its yardsticks an analysis is, and what was to be reached."""
    rows = []
    for name, rates in found.items():
        mine = rates.of[OURS]
        ratios = [mine / rates.of[other] if other in rates.of else None for other in _YARDSTICKS]
        of_ripgrep, of_aho = _TARGETS.get(name.rpartition("-")[2], (None, None))
        rows.append((name, *numbers(ratios, 2), *numbers((of_ripgrep, of_aho))))
    heads = ("corpus", f"of {COUNTED}", f"of {UNCOUNTED}", f"of {AHO}", "to reach of ripgrep", f"of {AHO}")
    return Table(heads, tuple(rows))


def rate(tool: Tool, paths: Sequence[Path], size: int, start: float = 0.0) -> float:
    """Megabytes a second of CPU time; ``start`` are seconds that are not counted."""
    return size / 1e6 / max(measure(tool.command(paths)).cpu - start, 0.001)


def _reader(tool: Tool, files: Sequence[Path], seconds: float, start: float, portion: Path) -> Callable[[], float]:
    """Measures the rate of a tool on as much as it reads in the time.

    Where that is not all, what its ``start`` costs is taken off: it would weigh more than it does on a large log. What
    is read grows step by step, because tools that build their automaton while they read are slow at first.
    """
    whole, size = sum(file.stat().st_size for file in files), _PROBE
    while size < whole:
        some = _head(files, size)
        portion.write_bytes(some)
        took = max(measure(tool.command([portion])).cpu - start, 0.005)
        if took > seconds / 2:

            def read(some: bytes = some) -> float:
                portion.write_bytes(some)
                return rate(tool, [portion], len(some), start)

            return read
        size = int(size * min(max(seconds / took, 2), _GROWTH))
    return lambda: rate(tool, files, whole)


def _head(files: Sequence[Path], size: int) -> bytes:
    """As much of the files, one behind the other, a bit of each, to the end of a line."""
    each = size // len(files) + 1
    parts = []
    for file in files:
        with file.open("rb") as log:
            parts.append(log.read(each) + log.readline())
    return b"".join(parts)
