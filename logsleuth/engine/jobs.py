"""Which sources belong to one job, and which to another.

Only what names a job divides: the rendezvous id in torchrun's folders, a SLURM job number in the names of files and
folders. Where nothing does, all sources are of one job, however many hosts, attempts and launchers speak in them.
"""

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

from logsleuth.engine.calendar import Calendar
from logsleuth.engine.fold import State
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import PathLabel

ONLY = "job"
"""The id of a job where there is only one."""
_SLURM = re.compile(r"(?:slurm|job|jobid|slurm-job)[-_](\d{3,10}(?:_\d{1,6})?)(?![\w-]*\d{4}-\d\d)(?![0-9A-Za-z])")
_SAID = re.compile(r"\*\*\* (?:JOB|STEP) (\d{3,10}(?:_\d{1,6})?)(?:\.\w+)? ON ")
_SUFFIX = 9
"""Characters that torchrun puts behind a rendezvous id: ``_`` and eight random ones."""
_NO_ID = frozenset(("none",))
"""What torchrun calls a job that was given no id."""


class Part(NamedTuple):
    """One job's part of what was read."""

    id: str
    state: State
    labels: dict[int, PathLabel]


def divided(state: State, labels: dict[int, PathLabel], paths: Sequence[str]) -> list[Part]:
    """The jobs, the newest first; where the logs tell no time, in the natural order of their names.

    Sources that name no job belong to that whose logs lie nearest in the folders, else to those at whose time they
    were written, else to all.
    """
    named = {source: name for source in sorted(state.sources) if (name := _name(labels[source], paths[source]))}
    if len(set(named.values())) < 2:
        return [Part(ONLY, state, labels)]
    sources: dict[str, list[int]] = defaultdict(list)
    for source, name in named.items():
        sources[name].append(source)
    calendar = Calendar(s for life in state.sources.values() for s in (life.first_stamp, life.last_stamp) if s)
    own = {name: _span([state.sources[source] for source in of], calendar) for name, of in sources.items()}
    said = _said(state, named)
    for source in sorted(state.sources.keys() - named.keys()):
        for name in _homes(source, said, named, paths, own, _span([state.sources[source]], calendar)):
            sources[name].append(source)
    ends = {name: span[1] if span else -math.inf for name, span in own.items()}
    order = sorted(sources, key=lambda name: (-ends[name], min(sources[name])))
    return [_part(name, set(sources[name]), state, labels) for name in order]


def _name(label: PathLabel, path: str) -> str | None:
    """The job that the names of a log and its folders tell: SLURM's number, else torchrun's rendezvous id."""
    numbers = {match[1] for part in PurePath(path).parts if (match := _SLURM.match(part))}
    if len(numbers) == 1:
        return next(iter(numbers))
    name = label.run[:-_SUFFIX] if label.run else ""
    return name if name and name not in _NO_ID else None


def _said(state: State, named: dict[int, str]) -> dict[int, set[str]]:
    """The jobs that lines of other sources speak of: SLURM's own lines, and paths into torchrun's folders."""
    names = set(named.values())
    folders = re.compile("|".join(rf"(?<![\w-]){re.escape(name)}_[a-z0-9_]{{8}}/attempt_" for name in sorted(names)))
    said: dict[int, set[str]] = defaultdict(set)
    for key, kept in state.kept.items():
        if key.source not in named:
            for o in kept.occurrences:
                for text in (o.text, *(text for _, _, text in o.told)):
                    said[key.source] |= {m[0][: -_SUFFIX - len("/attempt_")] for m in folders.finditer(text)}
                    said[key.source] |= {m[1] for m in _SAID.finditer(text)} & names
    return said


_Span = tuple[float, float] | None


def _span(lives: list[SourceLife], calendar: Calendar) -> _Span:
    stamps = [stamp for life in lives for stamp in (life.first_stamp, life.last_stamp) if stamp]
    seconds = [s for s in map(calendar.seconds, stamps) if s is not None]
    return (min(seconds), max(seconds)) if seconds else None


def _homes(
    source: int,
    said: dict[int, set[str]],
    named: dict[int, str],
    paths: Sequence[str],
    spans: dict[str, _Span],
    span: _Span,
) -> list[str]:
    """The jobs that a source which does not name one belongs to."""
    if len(said.get(source, ())) == 1:
        return sorted(said[source])
    near: set[str] = set()
    for folder in PurePath(paths[source]).parents:
        near = {name for other, name in named.items() if folder in PurePath(paths[other]).parents}
        if near:
            break
    near = near or set(spans)
    at_its_time = {name for name in near if span and (of := spans[name]) and of[0] <= span[1] and span[0] <= of[1]}
    return sorted(at_its_time or near)


def _part(name: str, sources: set[int], state: State, labels: dict[int, PathLabel]) -> Part:
    return Part(name, state.of(sources), {source: label for source, label in labels.items() if source in sources})
