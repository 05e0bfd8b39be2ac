"""Takes colours and other terminal control sequences out of a chunk, and keeps the way back to the source's offsets."""

import re
from array import array
from bisect import bisect_left

_ESCAPE = b"\x1b"
_SEQUENCE = re.compile(
    rb"\x1b(?:"
    rb"\[[0-?]{0,64}[ -/]{0,8}[@-~]"  # CSI: colours, cursor movements
    rb"|[\]PX^_][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)"  # OSC and its kin: titles, links
    rb"|[()*+][0-9A-Za-z]"  # character sets
    rb"|[6-9=>cDEHMNOZ]"
    rb")"
)


class Offsets:
    """Maps offsets in cleaned bytes to offsets in the bytes as they stood."""

    __slots__ = ("_places", "_removed")

    def __init__(self, places: "array[int]", removed: "array[int]") -> None:
        self._places, self._removed = places, removed

    def raw(self, offset: int) -> int:
        """Where the byte at a clean offset stood, or where the sequences right in front of it began.

        So a line that begins with a colour begins where the colour does.
        """
        place = bisect_left(self._places, offset)
        return offset + self._removed[place - 1] if place else offset


_UNCHANGED = Offsets(array("Q"), array("Q"))


def strip(data: bytes) -> tuple[bytes, Offsets]:
    """Takes the control sequences out. Data without an escape is given back as it is.

    An escape that begins no sequence stays, and no sequence reaches over the end of a line.
    """
    if _ESCAPE not in data:
        return data, _UNCHANGED
    pieces: list[bytes] = []
    places, removed = array("Q"), array("Q")
    end = taken = 0
    for match in _SEQUENCE.finditer(data):
        start = match.start()
        pieces.append(data[end:start])
        places.append(start - taken)
        end = match.end()
        taken += end - start
        removed.append(taken)
    pieces.append(data[end:])
    return b"".join(pieces), Offsets(places, removed)
