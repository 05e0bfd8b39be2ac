"""Peels the framing off a line: what collectors, launchers, torchrun and loggers wrote around the message.

Framing nests in any order (``2024-01-05T10:00:00Z [default1]:[rank1]:[E1130 ...] [Rank 1] ``), so layers are peeled
from the left until none fits. The first byte decides which layers may fit, or the first two where that is ``[``.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from logsleuth.ingest.host_names import is_host_name
from logsleuth.model.origin import BARE, Frame, Tag
from logsleuth.tokenize import ansi, groups, headers, launchers, nccl_header, outer_labels, spelled, stamped, told
from logsleuth.tokenize.nccl_header import stamped_header, torn_header
from logsleuth.tokenize.openings import opening_at
from logsleuth.tokenize.outer_labels import counts, interleave
from logsleuth.tokenize.peeled import LateMatch, Layer, Match, Peeled, Take
from logsleuth.tokenize.unlabelled import without_bodies

REACH = 512
"""Bytes from the start of a line in which framing is looked for."""
_LABELLED_SHARE = 0.8
_HOSTS_SHARE = 0.4
_FEW = 4
"""Labels from which on the smaller share will do."""
_SLURM = (b"srun: ", b"slurmstepd")
"""What srun itself says is never labelled."""
_SILENT = b"\0\f\v\b\xef\xbb\xbf"
"""Holes, page breaks and byte order marks in front of a line."""
_BRACKET = ord("[")
_BLANKS = b" \t"
_blanks_at = re.compile(rb"[ \t]*").match

_LAYERS = (
    *told.LAYERS,
    *headers.LAYERS,
    *spelled.KERNELS,
    *launchers.LAYERS,
    *groups.LAYERS,
    *stamped.LAYERS,
    *nccl_header.LAYERS,
    *spelled.LAYERS,
)


_Steps = tuple[tuple[Match, Take], ...]


class _Table(dict[int, _Steps]):
    """The layers that may fit, by the byte that decides; worked out when the first line has it."""

    def __init__(self, layers: tuple[Layer, ...], *, bracketed: bool) -> None:
        super().__init__()
        self._layers = [item for item in layers if item.is_bracketed is bracketed]

    def __missing__(self, byte: int) -> _Steps:
        steps = tuple((_ready(item.match), item.take) for item in self._layers if byte in item.first)
        self[byte] = steps
        return steps


def _ready(match: Match) -> Match:
    return match.compiled if isinstance(match, LateMatch) else match


_PLAIN = tuple(_Table((*_LAYERS, *kind), bracketed=False) for kind in ((), *outer_labels.KINDS))
_BEHIND_BRACKET = tuple(_Table((*_LAYERS, *kind), bracketed=True) for kind in ((), *outer_labels.KINDS))
"""By the kind of labels that a source carries, as ``labelled`` tells it."""
_LABELS = tuple(_Table(kind, bracketed=False) for kind in ((), *outer_labels.KINDS))
_BRACKETED_LABELS = tuple(_Table(kind, bracketed=True) for kind in ((), *outer_labels.KINDS))
"""Only these labels, which are tried where no other layer fits."""
_LOOKED_AT = 1 << 10
"""Lines that are remembered as peeled: the first of a source are looked at for several reasons."""


def frame(line: bytes, labelled: int = 1) -> Frame:
    """Peels a line; colours must be gone already.

    ``labelled`` tells which kind of labels the lines of the source carry (1: ``3: ``, ``node-7: ``; 0: none) that a
    single line cannot prove; see ``is_labelled``. Never raises, whatever the line holds.
    """
    peeled, start, _ = _peeled(line, labelled)
    opening = opening_at(line, start)
    if peeled is None:
        if opening is None:
            return _PLAIN_FRAME
        return Frame(start, opening.body, BARE, None, None, opening.group, _decoded(opening.exception))
    tag = _tag(peeled.rank, peeled.local_rank, peeled.task, peeled.host, peeled.pid)
    if opening is None:
        return Frame(start, start, tag, peeled.stamp, peeled.level, peeled.group, None)
    group = peeled.group or opening.group
    return Frame(start, opening.body, tag, peeled.stamp, peeled.level, group, _decoded(opening.exception))


def is_labelled(sample: bytes) -> int:
    """Which kind of labels the lines of a source carry, judged by a sample from it (64 KiB will do); 0 for none.

    They do where four lines of five that are not empty carry one, and the labels repeat as labels do: names come back,
    and numbers do not count. Two lines of five will do where all labels hardly are anything but names of hosts: a
    program that writes in pieces gets a label for the first.
    """
    text = ansi.strip(sample)[0]
    # A lone carriage return ends a line; where there are line feeds too, it draws a progress bar again.
    written = (line.lstrip(_SILENT) for line in text.split(b"\n" if b"\n" in text else b"\r"))
    lines = [line for line in without_bodies(written) if line.strip() and not line.startswith(_SLURM)]
    return next((kind for kind in range(1, len(_PLAIN)) if _carry(lines, kind)), 0)


def _carry(lines: list[bytes], kind: int) -> bool:
    labels: list[int | str] = []
    are_hosts = True
    bare = 0
    least = (_HOSTS_SHARE if kind == 1 else _LABELLED_SHARE) * len(lines)
    for line in lines:
        if len(lines) - bare < least:
            return False  # Whatever follows: most sources carry none.
        peeled = _peeled(line, kind).told if _may_carry(line, kind) else None
        if peeled is not None and peeled.label is not None:
            labels.append(peeled.label)
            are_hosts = are_hosts and peeled.label == peeled.host and is_host_name(peeled.host)
        else:
            bare += 1
    share = _HOSTS_SHARE if are_hosts and len(labels) >= _FEW else _LABELLED_SHARE
    if not labels or len(labels) < share * len(lines):
        return False
    names = [label for label in labels if isinstance(label, str)]
    numbers = [label for label in labels if isinstance(label, int)]
    if len(names) < 2 * len(set(names)):
        return False
    return not counts(numbers) if kind == 1 else not numbers or interleave(numbers)


def _may_carry(line: bytes, kind: int) -> bool:
    """Whether a label of a kind stands in a line, or something like it: where no layer of any other line fits."""
    stop = _peeled(line, 0).stop
    if stop < 0:
        return False
    steps = _LABELS[kind][line[stop]] if line[stop] != _BRACKET else _BRACKETED_LABELS[kind][line[stop + 1]]
    return bool(steps) and any(match(line, stop, min(len(line), REACH)) for match, _ in steps)


class _Outside(NamedTuple):
    """What was peeled off a line."""

    told: Peeled | None
    """What the layers told; None where there is none."""
    start: int
    """Where the message starts."""
    stop: int
    """Where no layer fitted any more; -1 where the line had ended, or nothing but the message could follow."""


def _peeled(line: bytes, labelled: int) -> _Outside:
    return _peeled_before(line, labelled) if len(line) <= REACH else _peel(line, labelled)


@lru_cache(_LOOKED_AT)
def _peeled_before(line: bytes, labelled: int) -> _Outside:
    return _peel(line, labelled)


def _peel(line: bytes, labelled: int) -> _Outside:
    """Peels layer by layer."""
    peeled: Peeled | None = None
    start, limit, stop = 0, len(line), -1
    if limit > REACH:
        limit = REACH
    plain, behind_bracket = _PLAIN[labelled], _BEHIND_BRACKET[labelled]
    while start < limit:
        at, byte = start, line[start]
        if byte in _BLANKS:
            blanks = _blanks_at(line, start, limit)
            if blanks is None or blanks.end() == limit:
                break
            at = blanks.end()
            byte = line[at]
        if byte != _BRACKET:
            steps = plain[byte]
        elif at + 1 < limit:
            steps = behind_bracket[line[at + 1]]
        else:
            break
        for match, take in steps:
            if found := match(line, at, limit):
                if peeled is None:
                    peeled = Peeled()
                if end := take(peeled, found):
                    start = end
                    break
        else:
            stop = at
            break
        if peeled is not None and peeled.is_closed:
            return _Outside(peeled, start, -1)
    if b" NCCL " in line[:limit]:
        told = peeled or Peeled()
        if end := stamped_header(told, line, start, limit) or torn_header(told, line, start, limit):
            return _Outside(told, end, stop)
    return _Outside(peeled, start, stop)


@lru_cache(maxsize=4096)
def _tag(rank: int | None, local_rank: int | None, task: int | None, host: str | None, pid: int | None) -> Tag:
    """Equal tags are one object: a log has few writers and many lines."""
    return Tag(rank, local_rank, task, host, pid)


def _decoded(name: bytes | None) -> str | None:
    return name.decode("utf-8", "replace") if name is not None else None


_PLAIN_FRAME = Frame(0, 0, BARE, None, None, None, None)
