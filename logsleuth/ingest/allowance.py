"""How much may be unpacked of one file: bounds that no logs reach, and a bomb does."""

RATIO = 1000
"""Logs pack to a tenth or a twentieth, the same line over and over to a few hundredths; zeros to a thousandth and far
less (gzip: 1,030 at most, xz and zstd: many thousands)."""
FREE = 1 << 30
"""Bytes that may be unpacked of any file, however small."""
MOST = 1 << 40
"""Bytes that are unpacked of no file."""


class BombError(OSError):
    """A file unpacks to more than it may; ``str()`` says so as the rest of a sentence."""


class Allowance:
    """What was unpacked of one file, through all layers of packing, beside what of it was read for that."""

    __slots__ = ("stored", "unpacked")

    def __init__(self, stored: int = 0) -> None:
        self.stored = stored
        self.unpacked = 0

    def spend(self, count: int) -> None:
        """Notes bytes that were unpacked; raises BombError where these are too many."""
        self.unpacked += count
        if self.unpacked > FREE and self.unpacked > RATIO * self.stored:
            raise BombError(
                f"it unpacks to more than {RATIO:,} times its size, which logs do not; if you trust it, unpack it and "
                "give what was in it"
            )
        if self.unpacked > MOST:
            raise BombError(f"it unpacks to more than {MOST >> 40} TiB; give the part of it that matters")
