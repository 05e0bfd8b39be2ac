"""What the followed files of one call share: who waits how, what is open, and which file is a part of which log."""

import os
from collections.abc import Callable
from typing import NamedTuple

from logsleuth.tailing.descriptors import Descriptors
from logsleuth.tailing.folders import Folders
from logsleuth.tailing.generation import Identity
from logsleuth.tailing.grown import Grown
from logsleuth.tailing.kin import agrees
from logsleuth.tailing.tail import Pause


class Around(NamedTuple):
    """See above."""

    pause: Pause
    clock: Callable[[], float]
    """Seconds since 1970."""
    folders: Folders
    descriptors: Descriptors
    owners: dict[Identity, Grown]
    """The parts of followed logs."""

    def grown(self, path: str, status: os.stat_result, start: int = 0) -> Grown:
        """A file becomes a part of a log."""
        file = Grown(path, status, self.descriptors, start)
        self.owners[status.st_dev, status.st_ino] = file
        return file

    def owner(self, path: str, identity: Identity) -> Grown | None:
        """The part of a log that a file is; None for one that is none: an inode may have been given anew since."""
        owner = self.owners.get(identity)
        if owner is None or owner.identity != identity or not (owner.is_open or agrees(path, owner, True)):
            return None
        return owner

    def is_taken(self, path: str, identity: Identity) -> bool:
        """Whether a file is a part of a log."""
        return self.owner(path, identity) is not None

    def disown(self, file: Grown) -> None:
        """Where a part of a log lay, another file lies now, or none."""
        if file.identity is not None and self.owners.get(file.identity) is file:
            del self.owners[file.identity]
