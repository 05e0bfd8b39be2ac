"""Sends and receives of one process group: who waits for somebody that does not answer."""

from collections.abc import Mapping
from typing import NamedTuple

from logsleuth.recorder.group import Call, Group


class Wait(NamedTuple):
    """A rank is in a send or a receive that did not complete."""

    rank: int
    call: Call
    peer: int
    answer: Call | None
    """What the peer has called against it and not completed either."""
    has_dump: bool
    """Whether the peer left a dump, so that it is known that it did not answer."""

    @property
    def fits(self) -> bool:
        """Whether both sides give as many elements, as far as that is known."""
        return self.answer is None or _elements(self.call) == _elements(self.answer)


def waits(groups: Mapping[int, Group], members: tuple[int, ...] | None) -> list[Wait]:
    """The first open send or receive of every rank and peer. Gloo does not note ends, so its exchanges tell nothing."""
    opened: dict[tuple[int, int, str], Call] = {}
    for rank, group in groups.items():
        for call in group.sends:
            if not call.is_done and not call.op.startswith("gloo") and (peer := _peer(rank, call, members)) is not None:
                opened.setdefault((rank, peer, call.kind), call)
    against = {"send": "recv", "recv": "send"}
    return [
        Wait(rank, call, peer, opened.get((peer, rank, against[kind])), peer in groups)
        for (rank, peer, kind), call in sorted(opened.items(), key=lambda item: item[0])
    ]


def _peer(rank: int, call: Call, members: tuple[int, ...] | None) -> int | None:
    """The global rank of the other side; places are those in the group."""
    if call.ends is None:
        return None
    place = call.ends[1] if call.kind == "send" else call.ends[0]
    peer = place if members is None else members[place] if place < len(members) else None
    return None if peer == rank else peer


def _elements(call: Call) -> int:
    inputs, outputs = call.counts
    return sum(inputs) or sum(outputs)
