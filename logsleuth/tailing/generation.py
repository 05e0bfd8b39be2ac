"""What is remembered of a file that was read, so that it is known again under another name or by another process."""

from hashlib import blake2b
from typing import NamedTuple

HEAD = 4096
"""Bytes at the start of a file by which it is known again."""

Identity = tuple[int, int]
"""Device and inode."""


class Generation(NamedTuple):
    """One file of a log, and how far it was read."""

    device: int
    inode: int
    size: int
    """Bytes up to which it was read; of a packed file, of what it holds."""
    digest: str
    """Of its first ``head`` bytes."""
    head: int
    """At most ``HEAD``."""
    path: str
    """Where it lay."""
    lines: int
    """Newlines among the bytes that were read."""
    start: int = 0
    """Offset from which it was read."""

    @property
    def identity(self) -> Identity:
        return self.device, self.inode


def digest(head: bytes) -> str:
    """What tells the start of one file from that of another."""
    return blake2b(head, digest_size=16).hexdigest()
