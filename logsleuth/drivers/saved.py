"""What a follower writes down, so that another one can go on where it was ended."""

import json
from hashlib import blake2b
from typing import NamedTuple

from logsleuth import __version__
from logsleuth.model.record_json import decode, encode
from logsleuth.tailing.generation import Generation

FORMAT = 1
OPENING = '{"logsleuth":"state"'
"""How the file begins, and no other."""


class NotSavedError(ValueError):
    """What was read is not what a follower of this version wrote; ``str()`` says why, in the words of a sentence's
    end."""


class Seal(NamedTuple):
    """A part of a log that was put aside (``logsleuth.drivers.sealed``)."""

    generations: int
    """So many files it is made of, from the first that was followed on."""
    name: str
    """Of the file beside the state file that holds it."""


class SavedLog(NamedTuple):
    path: str
    """Of the log as a whole."""
    generations: tuple[Generation, ...]
    """Its files from the first on, those that were gone already before this follower began too."""
    seals: tuple[Seal, ...] = ()


class Saved(NamedTuple):
    fit: str
    """The fingerprint of the plan; what was sealed under another one does not fit."""
    paths: tuple[str, ...]
    """What is followed, as it was given."""
    started: float
    """When the first of all these followers began, in seconds since 1970."""
    run: str
    """Names all these followings together."""
    ledger: object
    """What was told, as the ledger writes it."""
    logs: tuple[SavedLog, ...] = ()
    undelivered: object = None
    """What was told to somebody who tells it on later (a webhook that does not answer), as they write it; ready for
    ``json.dumps``, as the ledger is."""


def written(saved: Saved) -> bytes:
    """As the text of the file."""
    told = json.dumps(encode(saved), separators=(",", ":"), allow_nan=False)
    heading = f'{OPENING},"format":{FORMAT},"version":{json.dumps(__version__)},"check":"{_sum(told)}"'
    return f'{heading},"saved":{told}}}\n'.encode("ascii")


def read(data: bytes) -> Saved:
    """The inverse; raises NotSavedError."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NotSavedError("it is no state file of logsleuth, or a damaged one") from error
    if not isinstance(document, dict) or document.get("logsleuth") != "state":
        raise NotSavedError("it is no state file of logsleuth")
    if document.get("format") != FORMAT:
        raise NotSavedError(f"it was written by logsleuth {document.get('version')!s:.40}, in another format")
    told = document.get("saved")
    if document.get("check") != _sum(json.dumps(told, separators=(",", ":"))):
        raise NotSavedError("it is damaged")
    try:
        return decode(Saved, told)
    except ValueError as error:
        raise NotSavedError(f"it is damaged ({error})") from error


def _sum(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()
