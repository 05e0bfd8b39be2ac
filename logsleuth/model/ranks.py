"""Sets of ranks as people write them: ``0-3, 7``."""

import re
from collections.abc import Iterable

_MOST = 1_000_000


def parse_ranks(text: str) -> tuple[int, ...]:
    """Reads ``0-3,7``, ``[0, 1, 2]`` or ``{0,1}`` into sorted numbers; anything else gives what numbers it holds.

    A range with which there would be more than a million ranks is no range but garbage and is read as its two ends.
    """
    ranks: set[int] = set()
    for low, high in re.findall(r"(\d{1,9})(?:\s*-\s*(\d{1,9}))?", text):
        start, stop = int(low), int(high or low)
        is_range = start <= stop and len(ranks) + stop - start < _MOST
        ranks.update(range(start, stop + 1) if is_range else (start, stop))
    return tuple(sorted(ranks))


def format_ranks(ranks: Iterable[int]) -> str:
    """Writes ``0-3, 7``; two neighbours stay apart (``0, 1``)."""
    parts: list[str] = []
    for start, stop in _runs(sorted(set(ranks))):
        if stop - start >= 2:
            parts.append(f"{start}-{stop}")
        else:
            parts += [str(rank) for rank in range(start, stop + 1)]
    return ", ".join(parts)


def _runs(ranks: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for rank in ranks:
        if runs and rank == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], rank)
        else:
            runs.append((rank, rank))
    return runs
