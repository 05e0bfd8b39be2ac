"""What one rank has called in a process group: collectives by their number, sends and receives in their order."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

_KEPT = 512
"""Of each group, the last collectives, sends and receives; of those before only what did not complete."""
_P2P = re.compile(r"(send|recv) (\d{1,9})(?:->|<-)(\d{1,9})")


def is_exchange(op: str) -> bool:
    """True of a send and of a receive."""
    return bool(_P2P.search(op))


class Call(NamedTuple):
    """One entry: a collective or a send or receive, as this rank called it."""

    seq: int
    """Counts the collectives of the group (of a send or receive: those of its own kind)."""
    op: str
    """With its backend: ``nccl:all_reduce``."""
    state: str
    """``scheduled``, ``started`` or ``completed``."""
    is_done: bool
    sizes: tuple[str, str]
    """Of inputs and outputs, as torch writes them: ``[[8, 2]]``."""
    counts: tuple[tuple[int, ...], tuple[int, ...]]
    """Elements of each input and output."""
    dtypes: tuple[str, ...]
    created: int
    newest: int
    """Nanoseconds since 1970 of its first and its last sign of life; 0 where unknown."""
    limit: int | None
    """Its timeout in milliseconds."""
    caller: str
    """``train.py:12 (step) < train.py:80 (main)``, without torch's own; empty where no stack was kept."""

    @property
    def kind(self) -> str:
        """The operation without its backend and places: ``all_reduce``, ``send``."""
        return self.op.rpartition(":")[2].split(" ")[0]

    @property
    def ends(self) -> tuple[int, int] | None:
        """Places in the group of who sends and who receives."""
        if not (match := _P2P.search(self.op)):
            return None
        here, there = int(match[2]), int(match[3])
        return (here, there) if match[1] == "send" else (there, here)


@dataclass(slots=True)
class Group:
    """A process group as one rank knows it."""

    number: int | None
    name: str
    description: str
    ranks: tuple[int, ...] | None
    """Global ranks in the order of their places."""
    calls: dict[int, list[Call]] = field(default_factory=dict)
    """Collectives by their number; those of one coalesced call share it."""
    sends: list[Call] = field(default_factory=list)
    """Sends and receives, in their order."""
    enqueued: int | None = None
    """What the group's status says of its last collective."""

    def add(self, call: Call, exchanges: int) -> None:
        """Takes a call that came after the others; ``exchanges`` is its number among sends and receives.

        The entries of a coalesced call have no state of their own; the one that closes it has theirs, and nothing else.
        """
        if call.kind == "coalesced":
            self._settle(call, exchanges)
        elif call.ends is not None:
            self.sends.append(call)
        else:
            self.calls.setdefault(call.seq, []).append(call)

    def _settle(self, closing: Call, exchanges: int) -> None:
        if closing.state == "scheduled":
            return
        for calls, seq in ((self.calls.get(closing.seq, []), closing.seq), (self.sends, exchanges)):
            for place in range(len(calls) - 1, -1, -1):
                call = calls[place]
                if call.seq != seq or call.state != "scheduled" or call.is_done:
                    break
                newest = max(call.newest, closing.newest)
                calls[place] = call._replace(state=closing.state, is_done=closing.is_done, newest=newest)

    def forget(self) -> None:
        """Lets go of what completed long ago."""
        for seq in sorted(self.calls)[:-_KEPT]:
            if all(call.is_done or call.op.startswith("gloo") for call in self.calls[seq]):
                del self.calls[seq]
        self.sends[:-_KEPT] = [call for call in self.sends[:-_KEPT] if not call.is_done]

    @property
    def last(self) -> int:
        """Number of the last collective that was called, 0 where there was none."""
        return max(max(self.calls, default=0), self.enqueued or 0)
