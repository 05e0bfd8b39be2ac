"""What of a log that is followed again is known from the follower before, where its files are gone?"""

from collections.abc import Sequence
from typing import NamedTuple

from logsleuth.drivers.saved import SavedLog, Seal
from logsleuth.drivers.sealed import Sealed, opened
from logsleuth.drivers.state_file import StateFile
from logsleuth.engine.documented import DocumentError
from logsleuth.tailing.generation import Generation


class Earlier(NamedTuple):
    sealed: Sealed | None
    """What was read of the files that are gone; None where none is, or where it is not known."""
    note: str | None = None
    """What is not known any more, in a sentence."""


def earlier(file: StateFile, log: SavedLog, lost: Sequence[Generation], fit: str, number: int) -> Earlier:
    """What is known of the files of a log that are ``lost``, whose other files are read again from their start.

    ``fit`` is the plan's fingerprint and ``number`` that of the log now.
    """
    if not lost:
        return Earlier(None)
    count = _leading(log, lost)
    if count is None:
        return Earlier(None, _unknown(log, "a file in the middle of it is gone"))
    seal = max((seal for seal in log.seals if seal.generations <= count), key=_generations, default=None)
    if seal is None:
        return Earlier(None, _unknown(log, "it was gone before anything was put aside"))
    try:
        found = opened(file.kept(seal.name), fit, number)
    except OSError as error:
        return Earlier(None, _unknown(log, f"{seal.name} cannot be read: {error.strerror}"))
    except DocumentError as error:
        return Earlier(None, _unknown(log, str(error)))
    if seal.generations < count:
        return Earlier(found, _unknown(log, f"but for the first {seal.generations} of {count} files"))
    return Earlier(found)


def _leading(log: SavedLog, lost: Sequence[Generation]) -> int | None:
    """How many files are gone, where those are the first ones."""
    gone = {(one.identity, one.digest) for one in lost}
    count = sum((one.identity, one.digest) in gone for one in log.generations)
    first = log.generations[:count]
    return count if all((one.identity, one.digest) in gone for one in first) else None


def _generations(seal: Seal) -> int:
    return seal.generations


def _unknown(log: SavedLog, why: str) -> str:
    return f"What {log.path} said in files that are gone now is not known any more ({why}); verdicts may rest on it."
