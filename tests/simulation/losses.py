"""Which logs are lost, and which are cut?"""

import random
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from tests.simulation.layouts import Placed


class Kept(NamedTuple):
    """The files as they lie there in the end."""

    files: dict[str, list[Placed]]
    cut: frozenset[str]
    """Files that lack their end."""
    lost: frozenset[str]


def gathered(pieces: Iterable[Placed]) -> Kept:
    files: dict[str, list[Placed]] = defaultdict(list)
    for piece in sorted(pieces, key=lambda piece: (piece.at, piece.order)):
        files[piece.path].append(piece)
    return Kept(dict(files), frozenset(), frozenset())


def draw_losses(chance: random.Random, kept: Kept, *, may_cut: bool, least: int) -> Kept:
    """Mostly nothing is lost; else some files are missing, or the first or the last kilobytes of one.

    ``least``: how many files are missing at least, if any.
    """
    kind = chance.choices(("nothing", "missing", "end", "start"), (66, 18, 8, 8))[0]
    names = sorted(kept.files)
    if kind == "nothing" or len(names) < 2 or (kind == "end" and not may_cut):
        return kept
    if kind == "missing":
        count = min(max(least, 1 + int(chance.random() ** 2 * len(names) / 2)), len(names) - 1)
        gone = frozenset(chance.sample(names, count))
        return kept._replace(files={name: kept.files[name] for name in names if name not in gone}, lost=gone)
    name, size = chance.choice(names), chance.randrange(200, 4000)
    pieces = kept.files[name]
    files = {**kept.files, name: _cut_end(pieces, size) if kind == "end" else _cut_start(pieces, size)}
    return kept._replace(files=files, cut=frozenset([name] if kind == "end" else []))


def _cut_end(pieces: list[Placed], size: int) -> list[Placed]:
    """Without the last characters; a piece of which only a part is left tells no fact."""
    left = list(pieces)
    while left and size > 0:
        last = left.pop()
        if len(last.text) > size:
            left.append(last._replace(text=last.text[:-size], facts=()))
        size -= len(last.text) + 1
    return left


def _cut_start(pieces: list[Placed], size: int) -> list[Placed]:
    left = list(pieces)
    while left and size > 0:
        first = left.pop(0)
        if len(first.text) > size:
            left.insert(0, first._replace(text=first.text[size:], facts=()))
        size -= len(first.text) + 1
    return left
