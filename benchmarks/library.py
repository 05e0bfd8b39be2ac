"""Measures what an analysis costs with libraries of 50, 300 and 3,000 rules: a start on 20 lines, and a corpus.

Run from a checkout: ``python -m benchmarks.library``. Small libraries are parts of the shipped one; large ones hold it
and copies of its events, each known by words of its own, with copies of the rules that ask for them. A library lies
compiled beside the program, as in an installed wheel. All are run in turn, and what counts is the median.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Container, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from benchmarks.coldstart import LINES
from benchmarks.corpus import samples_of_a_job, write_job
from logsleuth.engine.plan import plan
from logsleuth.language import codec
from logsleuth.language.frozen import freeze
from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from logsleuth.language.literals import literals_of
from logsleuth.language.program import Program, types_of
from logsleuth.language.syntax import Event, Rule, Wording
from logsleuth.language.uses import tells_identity

_RUN = (
    "import sys; from pathlib import Path; from logsleuth.language import library; "
    "library._PACKAGE = Path(sys.argv.pop(1)); from logsleuth.cli.main import main; main()"
)
"""The command line with the library of another folder; the first argument names it."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.library", description=__doc__)
    parser.add_argument("--rules", type=int, nargs="+", default=[50, 300, 3000], help="sizes of libraries")
    parser.add_argument("--mb", type=int, default=16, help="size of the corpus (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="runs of each (default: %(default)s)")
    args = parser.parse_args()
    shipped = compile_texts(read_rules([shipped_rules()]))
    sizes = sorted({*args.rules, len(shipped.rules)})
    with tempfile.TemporaryDirectory(prefix="logsleuth-library-") as scratch:
        log = Path(scratch, "job.log")
        log.write_text("\n".join(LINES) + "\n", encoding="utf-8")
        corpus = Path(scratch, "corpus")
        write_job(corpus, args.mb << 20, 0.01, samples_of_a_job(shipped.events.values()))
        folders = {size: Path(scratch, str(size)) for size in sizes}
        programs = {size: of_size(shipped, size) for size in sizes}
        for size, folder in folders.items():
            folder.mkdir()
            (folder / "library.json").write_bytes(freeze(programs[size]))
        seconds: dict[tuple[int, Path], list[float]] = {}
        for _ in range(args.runs):
            for size, folder in folders.items():
                for logs in (log, corpus):
                    seconds.setdefault((size, logs), []).append(_cpu_of(folder, logs))
    middle = {key: statistics.median(times) for key, times in seconds.items()}
    print("CPU seconds, median; in brackets how many times those of the shipped library")
    print(f"{'rules':>6} {'events':>7} {'20 lines':>16} {f'{args.mb} MiB, 1% told':>20}")
    for size in sizes:
        own, shipped_own = ([middle[of, logs] for logs in (log, corpus)] for of in (size, len(shipped.rules)))
        told = [f"{mine:.2f} ({mine / theirs:.2f})" for mine, theirs in zip(own, shipped_own, strict=True)]
        program = programs[size]
        print(f"{len(program.rules):6} {len(plan(program).events):7} {told[0]:>16} {told[1]:>20}")


def of_size(shipped: Program, size: int) -> Program:
    """A program with so many rules."""
    # In the order of their last names, not of their areas, which ask for the same events.
    rules = dict(sorted(shipped.rules.items(), key=lambda item: item[0].rpartition(".")[2])[:size])
    events = dict(shipped.events)
    number = 0
    while len(rules) < size:
        number += 1
        copies = {event.name: _copied(event, number) for event in shipped.events.values() if _is_plain(event)}
        events |= {event.name: event for event in copies.values()}
        names = {name: event.name for name, event in copies.items()}
        about = (rule for name, rule in shipped.rules.items() if _rests_on(shipped, name, names))
        rules |= {f"{rule.name}_{number}": _renamed(rule, names, number) for rule in islice(about, size - len(rules))}
    return replace(shipped, rules=rules, events=events)


def _is_plain(event: Event) -> bool:
    """Whether the event says nothing beyond itself, so that a library may have several like it."""
    is_more = event.frequent or event.series or event.tables or event.blocks or event.fallback
    return not is_more and not tells_identity(event)


def _copied(event: Event, number: int) -> Event:
    """An event with the same fields that is known by other words, as many and as long."""
    wordings = tuple(_reworded(wording, number) for wording in event.wordings)
    return replace(event, name=f"{event.name}_{number}", wordings=wordings, samples=(), places=())


def _reworded(wording: Wording, number: int) -> Wording:
    literals = tuple(literal.translate(_shift(number)) for literal in literals_of(wording))
    holes = " ".join(f"{{{name}:{kind}}}" for name, kind in types_of(wording).items())
    return replace(
        wording, text=f"{literals[0]} {holes}".rstrip(), is_regex=False, types=(), also=(), literals=literals
    )


def _shift(number: int) -> dict[int, str]:
    """Letters become others, a different one for each number; braces would mean a hole."""
    letters = {ord(a): chr((ord(a) - ord("a") + number) % 26 + ord("a")) for a in ascii_lowercase}
    capitals = {ord(a): chr((ord(a) - ord("A") + number) % 26 + ord("A")) for a in ascii_uppercase}
    return {**letters, **capitals, ord("{"): "(", ord("}"): ")"}


def _rests_on(program: Program, rule: str, names: Container[str]) -> bool:
    """Whether a case of the rule rests on events that are copied, so that it has none where only others are seen."""
    return all(name in names for name, _ in program.uses().needed[rule][0])


def _renamed(rule: Rule, names: Mapping[str, str], number: int) -> Rule:
    """The rule about other events."""

    def rename(data: Any) -> Any:
        if isinstance(data, list):
            return [rename(item) for item in data]
        return names.get(data, data) if isinstance(data, str) else data

    renamed: Rule = codec.decode(rename(codec.encode(rule)))
    return replace(renamed, name=f"{rule.name}_{number}")


def _cpu_of(folder: Path, logs: Path) -> float:
    """CPU seconds of an analysis, its children included."""
    before = os.times()
    command = [sys.executable, "-c", _RUN, str(folder), "analyze", str(logs), "--no-local-rules"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode not in (0, 1):
        raise SystemExit(f"an analysis ended with status {done.returncode}: {done.stderr}")
    return after.children_user + after.children_system - before.children_user - before.children_system


if __name__ == "__main__":
    main()
