"""What reading on a cluster costs: bytes sent, and time and memory of the process that puts together what comes.

Run from a checkout: ``python -m benchmarks.cluster``. Logs of a healthy and of a failing job are written
(``tests/healthy``, ``tests/simulation``) and read once; what workers would send of them is measured, then workers on
this machine read them. Then jobs of many ranks are simulated: what was sent of those logs comes again and again, each
time as the log of another rank, and is put together as ever. The healthy ranks print a loss at every step, as much as
is kept of a log. Last, what that means for a job of 10,000 ranks and ``--terabytes`` is worked out.
"""

import argparse
import gc
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from logsleuth.cli.main import RARELY
from logsleuth.drivers.batch import concluded
from logsleuth.drivers.cluster import read_on_cluster
from logsleuth.drivers.errand import asked
from logsleuth.drivers.hints import found
from logsleuth.drivers.read_document import packed_reads, unpacked_reads
from logsleuth.drivers.reading import Read, put_together, read, read_source, vocabulary_of
from logsleuth.engine.plan import Plan, plan
from logsleuth.language.library import load
from logsleuth.language.program import Program
from logsleuth.model.origin import Source
from tests.healthy.families import FAMILIES
from tests.healthy.log import written
from tests.simulation.simulate import simulate

_FAILING = 3
"""The seed of a simulated job whose ranks write a log each."""
_NETWORK = 1.25e9
"""Bytes in a second of a network of 10 Gbit/s."""


class _Sent(NamedTuple):
    """A log that was read, and what was sent of it."""

    path: str
    size: int
    seconds: float
    """CPU time of reading and packing."""
    data: bytes


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__)
    parser.add_argument("--ranks", type=int, default=10_000, help="of the failing job (default: %(default)s)")
    parser.add_argument("--healthy", type=int, default=500, help="ranks of the healthy job (default: %(default)s)")
    parser.add_argument("--lines", type=int, default=100_000, help="of a healthy job (default: %(default)s)")
    parser.add_argument("--terabytes", type=float, default=1.0, help="of the job worked out (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=256, help="of the job worked out (default: %(default)s)")
    args = parser.parse_args()
    gc.set_threshold(*RARELY)
    program = load(local=False).program
    chosen = plan(program)
    print(f"to each worker, once: {len(asked(program, chosen)):,} bytes of what to look for")
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder), args.lines)
        healthy, failing = (_sent(folder, kind, program, chosen) for kind in ("healthy", "failing"))
        _compare(folder, program, chosen)
    costs: dict[str, list[_Cost]] = {}
    for kind, ranks, logs in (("failing", args.ranks, failing), ("healthy", args.healthy, healthy)):
        for some in (ranks // 2, ranks):
            with get_context("spawn").Pool(1) as alone:  # Its memory is that of nothing else.
                cost = alone.apply(_simulate, (some, kind, [log.data for log in logs]))
            costs.setdefault(kind, []).append(cost)
    _work_out(args.terabytes, args.workers, "all print numbers", healthy, healthy, costs["healthy"])
    _work_out(args.terabytes, args.workers, "none prints any", healthy, failing, costs["failing"])


def _write(folder: Path, lines: int) -> None:
    for path, text in written(FAMILIES["rank-files"], 7, lines).items():
        place = folder / "healthy" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
    simulate(_FAILING, folder / "failing")


def _sent(folder: str, kind: str, program: Program, chosen: Plan) -> list[_Sent]:
    vocabulary = vocabulary_of(program, chosen)
    sources = found([f"{folder}/{kind}"]).sources
    for source in sources:
        read_source(0, source, vocabulary, chosen)  # Patterns are compiled once.
    logs = []
    for source in sources:
        start = time.process_time()
        of = read_source(0, source, vocabulary, chosen)
        data = packed_reads([of])
        spent = time.process_time() - start
        logs.append(_Sent(source.path, sum(one.bytes for one in of.inputs), spent, data))
    size, sent = (sum(map(measure, logs)) / len(logs) for measure in (_size, _sent_bytes))
    speed = sum(map(_size, logs)) / sum(log.seconds for log in logs)
    print(
        f"{kind}: {len(logs)} logs of {size / 1e6:.3f} MB, read and packed at {speed / 1e6:.0f} MB a second of CPU; "
        f"sent of each {sent:,.0f} bytes"
    )
    return logs


def _size(log: _Sent) -> int:
    return log.size


def _sent_bytes(log: _Sent) -> int:
    return len(log.data)


def _compare(folder: str, program: Program, chosen: Plan) -> None:
    """Reads all of it here and by workers on this machine, which must give the same."""
    sources = found([folder]).sources
    start = time.process_time()
    here = concluded(program, chosen, read(sources, program, chosen))
    spent_here = time.process_time() - start
    started, start = time.monotonic(), time.process_time()
    reading = read_on_cluster(sources, program, chosen)
    spent, passed = time.process_time() - start, time.monotonic() - started
    same = "the same answer" if concluded(program, chosen, reading) == here else "ANOTHER ANSWER"
    print(
        f"here: read and judged in {spent_here:.2f} s of CPU; workers on this machine: {passed:.2f} s with their "
        f"start, of which {spent:.2f} s of CPU in this process; {same}"
    )


class _Cost(NamedTuple):
    """Of putting together what was sent of so many ranks."""

    ranks: int
    seconds: float
    """Of CPU time."""
    memory: int
    """Bytes."""


def _simulate(ranks: int, kind: str, logs: Sequence[bytes]) -> _Cost:
    """What putting together takes."""
    gc.set_threshold(*RARELY)
    sources = [Source(f"job/rank_{rank}.log") for rank in range(ranks)]
    reads = [of for log in logs for of in unpacked_reads(log)]
    spent = 0.0

    def coming() -> Iterator[Read]:
        nonlocal spent
        for rank, of in enumerate(islice(cycle(reads), ranks)):
            data = packed_reads([of._replace(number=rank, state=of.state.renumbered({of.number: rank}))])
            start = time.process_time()
            yield from unpacked_reads(data)
            spent += time.process_time() - start

    before = _resident()
    reading = put_together(sources, coming())
    gc.collect()
    grown = _resident() - before
    print(
        f"{ranks:,} {kind} ranks put together: {spent:.1f} s of CPU, {grown / 1e6:,.0f} MB of memory "
        f"({grown / ranks:,.0f} bytes a rank); {len(reading.state.kept):,} keys, {len(reading.state.series):,} series"
    )
    return _Cost(ranks, spent, grown)


def _work_out(
    terabytes: float, workers: int, who: str, read: Sequence[_Sent], logs: Sequence[_Sent], costs: Sequence[_Cost]
) -> None:
    """Logs are read as fast as those of ``read`` were, and what is sent of them is as much as of ``logs``; memory grows
    on as it did from half of the ranks to all."""
    ranks = 10_000
    minutes = sum(log.seconds for log in read) / sum(map(_size, read)) * terabytes * 1e12 / workers / 60
    sent = sum(map(_sent_bytes, logs)) / len(logs) * ranks
    half, whole = costs
    growth = max(whole.memory - half.memory, 0) / (whole.ranks - half.ranks)
    resident = whole.memory + growth * max(ranks - whole.ranks, 0)
    print(
        f"{ranks:,} ranks, {terabytes:g} TB, {workers} workers, {who}: read in {minutes:,.1f} minutes; "
        f"{sent / 1e9:.3f} GB sent ({sent / (terabytes * 1e12):.4%}, {sent / _NETWORK:.2f} s at 10 Gbit/s); put "
        f"together in {whole.seconds / whole.ranks * ranks:,.0f} s of CPU meanwhile; {resident / 1e9:.2f} GB of memory"
    )


def _resident() -> int:
    """Bytes of memory that this process has."""
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(fields["VmRSS"].split()[0]) * 1024


if __name__ == "__main__":
    main()
