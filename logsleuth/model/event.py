"""An event's occurrence: what one line, or one block of lines, said."""

from typing import NamedTuple

from logsleuth.model.origin import Group, Stamp, Tag

FieldValue = str | int | float | tuple[int, ...]


class Occurrence(NamedTuple):
    """One event in one place of one log. Fields are in base units (bytes, seconds)."""

    event: str
    source: int
    """Index into the analysis' list of sources."""
    offset: int
    """Bytes from the start of the source to the physical line that decides (a block's first)."""
    line: int
    """1-based number of that line."""
    end_offset: int
    """Where the last line of the block starts; equal to ``offset`` for a single line."""
    tag: Tag
    stamp: Stamp | None
    after: Stamp | None
    """The last stamp of an interesting line before this one in the source; None where there is none."""
    segment: int
    """How many events that begin an attempt stand before it in its source."""
    level: str | None
    exception: str | None
    group: Group | None
    fields: dict[str, FieldValue]
    text: str
    """The deciding line, framing included, colours removed, cut at 2,000 characters."""
    told: tuple[tuple[int, int, str], ...] = ()
    """Further lines of a block that carry its fields: (line, offset, text)."""
    message: int = 0
    """A checksum of what it says behind its framing: equal in every log that the line was copied to."""
