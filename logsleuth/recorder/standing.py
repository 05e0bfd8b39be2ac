"""Where the ranks of one process group stand to each other: who waits in which collective, who never came to it."""

import zlib
from collections.abc import Mapping
from typing import NamedTuple

from logsleuth.recorder.group import Call, Group

_LOOKED_BACK = 256
"""Collectives before the one that ranks wait in of which the calls are compared."""
_LONGEST = 160
_SPELLED = 64
"""Tensors of a call whose sizes are compared one by one."""
_ONE_SIDED = {"broadcast", "_broadcast_oop", "reduce", "_reduce_oop", "gather", "scatter", "send", "recv", "coalesced"}
"""Operations in which a rank may be through before others have come: no proof that these were there."""
_COMPARED = {
    "all_reduce": "in", "allreduce_coalesced": "in", "allreduce_sparse": "in", "broadcast": "in", "reduce": "in",
    "all_gather": "out", "all_gather_into_tensor_coalesced": "both", "_all_gather_base": "both",
    "reduce_scatter": "in", "_reduce_scatter_base": "both", "reduce_scatter_tensor_coalesced": "both",
}  # fmt: skip
"""Of which operations all ranks have to give the same numbers of elements, and on which side. Not of all-to-all, gather
and scatter, nor of what is not known here."""


class Standing(NamedTuple):
    """What dumps of a group's ranks say of each other."""

    place: int
    """Number of the first collective that not all have come out of, as far as dumps tell."""
    waiting: Mapping[int, Call]
    """Ranks in a collective that did not complete, and that call."""
    behind: frozenset[int]
    """Ranks that never called the collective at ``place`` while others wait in it or behind it."""
    older: frozenset[int]
    """Ranks whose dump was taken before others went on: it does not tell where they came to."""
    absent: tuple[int, ...]
    """Ranks of the group without a dump, where others wait in it."""
    compared: int | None
    """Number of the collective at which calls differ; None where they do not."""
    all_inside: bool
    """Whether every rank of the group waits in the collective at ``place``, all with the same call."""


def stand(groups: Mapping[int, Group], members: tuple[int, ...] | None) -> Standing:
    """Compares what the ranks with a dump have called in one group; ``members`` are all of its ranks, where known."""
    passed = _passed(groups)
    older = frozenset(rank for rank, group in groups.items() if group.last < passed)
    at = {rank: _open_from(group, passed) for rank, group in groups.items() if rank not in older}
    place = min(at.values())
    waiting = {rank: call for rank, start in at.items() if (call := _call(groups[rank], start)) is not None}
    behind = frozenset(rank for rank in at if groups[rank].last < place) if waiting else frozenset()
    compared = _differing(groups, place)
    absent = tuple(rank for rank in members or () if rank not in groups) if waiting else ()
    if not _tells_ends(groups) and not behind and compared is None:
        # Nothing says that a rank did not come out of its last collective.
        waiting, absent = {}, ()
    inside = {rank for rank, call in waiting.items() if call.seq == place}
    all_inside = members is not None and inside == set(members) and compared is None
    return Standing(place, waiting, behind, older, absent, compared, all_inside)


def signature(group: Group, seq: int) -> str | None:
    """What all ranks must give alike in a collective, as text: operation, elements, types; None where unknown.

    A long one is cut in the middle of what it tells, but never of what it means: its end is a checksum.
    """
    if not (calls := group.calls.get(seq)):
        return None
    text = "+".join(_alike(call) for call in calls).replace(" ", "_")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...{zlib.crc32(text.encode()):08x}"


def _alike(call: Call) -> str:
    sides = _COMPARED.get(call.kind)
    if sides is None:
        return call.kind
    counts = [call.counts[side] for side in (0, 1) if sides in (("in", "out")[side], "both")]
    elements = "->".join(_elements(side) for side in counts)
    return f"{call.kind}({elements},{'/'.join(call.dtypes)})"


def _elements(side: tuple[int, ...]) -> str:
    """Of many tensors their number and the sum of their elements: ranks are compared at many calls."""
    return "/".join(map(str, side)) if len(side) <= _SPELLED else f"{len(side)}_tensors_of_{sum(side)}"


def _tells_ends(groups: Mapping[int, Group]) -> bool:
    """Whether the backend notes that a collective has ended: gloo's entries stay ``scheduled`` for ever."""
    return any(
        call.is_done or call.state == "started" or not call.op.startswith("gloo")
        for group in groups.values()
        for calls in group.calls.values()
        for call in calls
    )


def _is_done(group: Group, seq: int) -> bool:
    calls = group.calls.get(seq)
    if calls is None:
        return seq <= group.last
    # Gloo does not tell; but who went on to the next collective has come out of this one.
    return all(call.is_done or (call.op.startswith("gloo") and seq < group.last) for call in calls)


def _passed(groups: Mapping[int, Group]) -> int:
    """The last collective that all must have come to: somebody came out of it who could not have done so alone."""
    passed = 0
    for group in groups.values():
        for seq, calls in group.calls.items():
            if seq > passed and _is_done(group, seq) and not any(call.kind in _ONE_SIDED for call in calls):
                passed = seq
    return passed


def _open_from(group: Group, passed: int) -> int:
    """The first collective from ``passed`` on that a rank has not come out of, or has not called."""
    started = (seq for seq in sorted(group.calls) if seq > passed and not _is_done(group, seq))
    return next(started, max(group.last, passed) + 1)


def _call(group: Group, seq: int) -> Call | None:
    calls = [call for call in group.calls.get(seq, ()) if not call.is_done]
    return calls[0] if calls else None


def _differing(groups: Mapping[int, Group], place: int) -> int | None:
    """Where the calls began to differ that still do at ``place``."""
    found = None
    for seq in range(place, max(place - _LOOKED_BACK, 0), -1):
        kinds = {told for group in groups.values() if (told := signature(group, seq)) is not None}
        if len(kinds) < 2:
            break
        found = seq
    return found
