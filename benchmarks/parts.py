"""What is measured, part by part; each gives what stands in docs/performance.md for it."""

import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import Corpus, shipped_program, wanted_events, write_all, write_failing, write_healthy
from benchmarks.dialects import wordings
from benchmarks.measure import measure
from benchmarks.packed import packed, packings
from benchmarks.speed import Effort, compared, rate, rates_table, ratios_table
from benchmarks.tables import Table, machine, numbers, plain
from benchmarks.tools import UNCOUNTED, Tool, Tools, ours, tools

_PACKED = "job-B"
"""The corpus that is read packed."""
_OF_JOBS = 512 << 20
"""Bytes of the corpora that several processes read."""
_CHECKOUT = Path(__file__).parents[1]
_OF_OTHERS = ("library", "wide", "memory", "cluster")
"""Modules beside this one that measure something else and print it."""


class Measuring(NamedTuple):
    """How thoroughly, and where."""

    megabytes: int
    effort: Effort
    scratch: Path
    drain3: Path | None
    told: Callable[[str], None]


class Parts:
    """All parts by name; corpora are written when the first of them needs them."""

    def __init__(self, measuring: Measuring) -> None:
        self._measuring = measuring

    @cached_property
    def _corpora(self) -> dict[str, Corpus]:
        megabytes = self._measuring.megabytes
        self._measuring.told(f"writing corpora of {megabytes} MB")
        return write_all(self._measuring.scratch / "corpora", megabytes * 10**6)

    @cached_property
    def _tools(self) -> Tools:
        return tools(wanted_events(), self._measuring.scratch, self._measuring.drain3)

    @property
    def all(self) -> dict[str, Callable[[], dict[str, str]]]:
        """Parts in their order; each gives texts by the names of their markers."""
        others = {name: self._other(name) for name in _OF_OTHERS}
        return {
            "machine": self.machine,
            "speed": self.speed,
            "packed": self.packed,
            "jobs": self.jobs,
            "coldstart": self.coldstart,
        } | others

    def machine(self) -> dict[str, str]:
        """The machine, the versions of all tools, and how much of the library is read."""
        program = shipped_program()
        wanted = wanted_events()
        read, known = len(wordings(wanted)), len(wordings(program.events.values()))
        versions = "; ".join(f"{tool.name}: {tool.version}" for tool in (self._tools.ours, *self._tools.others))
        missing = ", ".join(self._tools.missing)
        lines = [
            f"- Machine: {machine()}.",
            f"- Versions: {versions}.",
            *([f"- Not installed, and so not measured: {missing}."] if missing else []),
            f"- Of the shipped library's {len(program.events)} events {len(wanted)} are wanted by its "
            f"{len(program.rules)} rules, and so read: {read:,} of {known:,} patterns.",
        ]
        return {"machine": "\n".join(lines)}

    def speed(self) -> dict[str, str]:
        """The rates of all tools on all corpora."""
        found = compared(
            self._corpora, self._tools, self._measuring.effort, self._measuring.scratch, self._measuring.told
        )
        return {"rates": rates_table(found).markdown, "ratios": ratios_table(found).markdown}

    def packed(self) -> dict[str, str]:
        """One corpus as it is and packed."""
        corpus = self._corpora[_PACKED]
        yardstick = next((tool for tool in self._tools.others if tool.name == UNCOUNTED), None)
        pairs = self._measuring.effort.pairs
        rows = []
        for ending in ("", *packings()):
            read = packed(corpus, ending) if ending else corpus
            files = sorted(read.folder.iterdir())
            rates = [_median(partial(rate, self._tools.ours, [read.folder], read.bytes), pairs)]
            if yardstick:
                rates.append(_median(partial(rate, yardstick, files, read.bytes), pairs))
            rows.append((ending or "as it is", *numbers(rates), *[""] * (2 - len(rates))))
        return {"packed": Table((_PACKED, self._tools.ours.name, UNCOUNTED), tuple(rows)).markdown}

    def jobs(self) -> dict[str, str]:
        """One process and two: seconds of the clock, on jobs that take one long enough."""
        rows = []
        for name, write in (("healthy", write_healthy), ("failing", write_failing)):
            folder = write(self._measuring.scratch / "jobs" / name, _OF_JOBS).folder
            one, two = (_median(partial(_wall, ours(jobs), folder), self._measuring.effort.pairs) for jobs in (1, 2))
            rows.append((f"{name}, {_OF_JOBS >> 20} MB", *numbers((one, two, one / two), 2)))
        return {"jobs": Table(("corpus", "one process, s", "two, s", "times as fast"), tuple(rows)).markdown}

    def coldstart(self) -> dict[str, str]:
        """The time to the answer on 20 lines, of what a wheel installs."""
        here, wheels, installed = (self._measuring.scratch / name for name in (".", "wheels", "installed"))
        pip = (sys.executable, "-m", "pip", "-q", "--disable-pip-version-check")
        _run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(wheels), str(_CHECKOUT)], here)
        _run([*pip, "install", "--no-deps", "--target", str(installed), *map(str, wheels.glob("*.whl"))], here)
        script = str(Path(__file__).with_name("coldstart.py"))
        return {"coldstart": plain(_run([sys.executable, script], here, {"PYTHONPATH": str(installed)}))}

    def _other(self, name: str) -> Callable[[], dict[str, str]]:
        return lambda: {name: plain(_run([sys.executable, "-m", f"benchmarks.{name}"], _CHECKOUT))}


def _median(run: Callable[[], float], times: int) -> float:
    return statistics.median(run() for _ in range(times))


def _wall(tool: Tool, folder: Path) -> float:
    return measure(tool.command([folder])).wall


def _run(command: Sequence[str], folder: Path, more: Mapping[str, str] | None = None) -> str:
    """What a command prints. Raises RuntimeError where it fails."""
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **(more or {})}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-800:]}")
    return done.stdout
