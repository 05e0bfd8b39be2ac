"""Sources that repeat another source as a whole: a log that was given twice, under two names or packed and plain."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from logsleuth.engine.fold import State
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import PathLabel

_NUMBER = re.compile(r"\d+")


class Whole(NamedTuple):
    """The sources that count."""

    state: State
    labels: dict[int, PathLabel]
    copies: dict[int, int]
    """The sources that do not: each and the one that it repeats."""


def without_copies(state: State, labels: dict[int, PathLabel], paths: Sequence[str]) -> Whole:
    """The state without the sources that repeat another; what their names tell is told of the source that is left.

    Sources whose names tell of different writers are never copies, whatever they hold: all ranks may say the same.
    """
    alike: dict[str, list[int]] = defaultdict(list)
    for source, life in sorted(state.sources.items()):
        if life.content:
            alike[life.content].append(source)
    known, copies = dict(labels), dict[int, int]()
    for group in alike.values():
        if len(group) > 1:
            copies |= _copies(group, known, state.sources, paths)
    if not copies:
        return Whole(state, labels, {})
    known = {source: label for source, label in known.items() if source not in copies}
    return Whole(state.of(known), known, copies)


def _copies(
    group: list[int], labels: dict[int, PathLabel], lives: dict[int, SourceLife], paths: Sequence[str]
) -> dict[int, int]:
    """Of sources with equal content those that repeat another; the one whose name tells most is kept."""
    kept: list[int] = []
    copies: dict[int, int] = {}
    for source in sorted(group, key=lambda s: (-_told(labels[s]), s)):
        is_unmistakable = _is_unmistakable(lives[source])
        original = next(
            (
                other
                for other in kept
                if agree(labels[source], labels[other])
                and (is_unmistakable or not _are_siblings(paths[source], paths[other]))
            ),
            None,
        )
        if original is None:
            kept.append(source)
        else:
            copies[source] = original
            labels[original] = _joined(labels[original], labels[source])
    return copies


def agree(left: PathLabel, right: PathLabel) -> bool:
    """Whether two names may be those of one writer: nothing that both tell differs."""
    pairs = [*zip(left.tag, right.tag, strict=True), (left.attempt, right.attempt), (left.run, right.run)]
    return all(a is None or b is None or a == b for a, b in pairs)


def _told(label: PathLabel) -> int:
    """How much a name tells."""
    return sum(part is not None for part in (*label.tag, label.attempt, label.run))


def _joined(label: PathLabel, other: PathLabel) -> PathLabel:
    tag = label.tag._replace(
        **{key: value for key, value in other.tag._asdict().items() if getattr(label.tag, key) is None}
    )
    return PathLabel(
        tag,
        label.attempt if label.attempt is not None else other.attempt,
        label.run if label.run is not None else other.run,
    )


def _is_unmistakable(life: SourceLife) -> bool:
    """Whether no second process can have written the same: a time or a process id stands in it."""
    return life.first_stamp is not None or any(tag.pid is not None for tag in life.lives)


def _are_siblings(path: str, other: str) -> bool:
    """Whether two names differ in their numbers only, as those of several ranks do."""
    return _NUMBER.sub("0", path) == _NUMBER.sub("0", other)
