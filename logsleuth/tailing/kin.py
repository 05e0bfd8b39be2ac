"""Which files beside a log are generations of it: where it was moved to, what it was copied to, what was missed."""

import os
import re
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from logsleuth.ingest.layers import head_of
from logsleuth.ingest.open import open_source
from logsleuth.ingest.pieces import pieces_by_name
from logsleuth.model.origin import Source
from logsleuth.tailing.folders import Folders, parted, status_of
from logsleuth.tailing.generation import Generation, Identity, digest
from logsleuth.tailing.grown import Grown
from logsleuth.tailing.whole import PACKED

IsTaken = Callable[[str, Identity], bool]
"""Whether a file (its path, device and inode) is known already as a part of some log."""


def is_named_after(name: str, log: str) -> bool:
    """Whether a name may be that of an older generation of a log: ``x.log.1``, ``x.log-20261130.gz``, ``x-1.log``."""
    if name.startswith(log) and name[len(log) : len(log) + 1] in set(".-_~"):
        return True
    stem, dot, suffix = log.partition(".")
    return bool(re.fullmatch(rf"{re.escape(stem)}[.\-_]\d[\d.\-_T]*{re.escape(dot + suffix)}(?:\.\w{{2,4}})?", name))


def moved_to(file: Grown, live: str, folders: Folders, fresh: bool = False) -> str | None:
    """Where in the folder of the log's path a file lies that was there; None where it is not in it. Its inode may have
    been given to another where it was not held open."""
    folder, _ = parted(live)
    if file.identity is None:
        return None
    device, inode = file.identity
    for name, entry in folders.listing(folder, fresh).items():
        path = folder + name
        if entry.inode != inode or path == live or entry.is_link or _identity(path) != (device, inode):
            continue
        if file.is_open or agrees(path, file, True):
            return path
    return None


def agrees(path: str, file: Grown, is_whole: bool = False) -> bool:
    """Whether a file holds what was read of another one: its start, and what stands where the other was left.

    Where it need not be whole, because it may still be written, it may hold less, or nothing."""
    known = file.peek()
    if not known and file.is_over:
        status = status_of(path)
        return status is not None and not status.st_size
    try:
        with open_source(Source(path)) as stream:
            head = head_of(stream, len(known))
        if head != known[: len(head)] or (is_whole and len(head) < len(known)):
            return False
        if path.endswith(PACKED):
            return True
        if Path(path).stat().st_size < file.read:
            return not is_whole
        with Path(path).open("rb") as plain:
            plain.seek(file.read - len(file.overlap))
            return plain.read(len(file.overlap)) == file.overlap
    except OSError:
        return False


def copied_to(file: Grown, live: str, folders: Folders, is_taken: IsTaken) -> tuple[str, os.stat_result] | None:
    """The file beside a log that holds all that was read of it; the newest where there are several."""
    found: list[tuple[int, str, os.stat_result]] = []
    folder, own = parted(live)
    if not file.peek():
        return None
    for name in folders.listing(folder, True):
        if not is_named_after(name, own):
            continue
        path = folder + name
        status = status_of(path)
        if status is None or not stat.S_ISREG(status.st_mode) or is_taken(path, (status.st_dev, status.st_ino)):
            continue
        if agrees(path, file, True):
            found.append((status.st_mtime_ns, path, status))
    if not found:
        return None
    _, path, status = max(found, key=lambda entry: entry[:2])
    return path, status


def missed(
    parts: Sequence[Grown], live: str, folders: Folders, is_taken: IsTaken, also: str | None = None
) -> list[str]:
    """Generations that came and went between two looks, oldest first: they are named as pieces of the log, nobody knows
    them, and they are newer than the last of the known parts, and no copy of any;
    ``also`` is one of them in any case, where it is named so."""
    folder, own = parted(live)
    paths = [folder + name for name in folders.listing(folder, True) if is_named_after(name, own)]
    found = next((pieces for pieces in pieces_by_name(map(Source, [*paths, live])) if pieces.log == live), None)
    if found is None:
        return []
    last = next((part for part in reversed(parts) if part.identity is not None and (part.read or part.size)), None)
    order = [file.path for file in found.files if file.path != live]
    if last is not None and last.path in order and is_still(last):
        order = order[order.index(last.path) + 1 :]
    chosen = []
    for path in order:
        if path == also:
            chosen.append(path)
            continue
        status = status_of(path)
        if status is None or not status.st_size or is_taken(path, (status.st_dev, status.st_ino)):
            continue
        is_newer = last is None or status.st_mtime_ns >= last.modified
        if is_newer and not any(part.peek() and agrees(path, part) for part in parts):
            chosen.append(path)
    return chosen


def is_still(file: Grown) -> bool:
    """Whether a file lies where it was seen last."""
    return _identity(file.path) == file.identity and (file.is_open or agrees(file.path, file, True))


def known_again(generation: Generation, candidates: Sequence[str]) -> str | None:
    """Which of the paths holds a file that was read by another process: by inode first, then by its start."""
    there = sorted(candidates, key=lambda path: (_identity(path) != generation.identity, path))
    return next((path for path in there if _digest(path, generation.head) == generation.digest), None)


def _digest(path: str, size: int) -> str | None:
    try:
        with open_source(Source(path)) as stream:
            head = head_of(stream, size)
    except OSError:
        return None
    return digest(head) if len(head) == size else None


def _identity(path: str) -> Identity | None:
    status = status_of(path)
    return None if status is None else (status.st_dev, status.st_ino)
