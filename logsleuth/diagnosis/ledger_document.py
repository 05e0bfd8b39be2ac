"""A ledger as JSON and back, for the state file."""

from collections.abc import Mapping
from typing import NamedTuple

from logsleuth.diagnosis.standing import Standing
from logsleuth.model.record_json import decode, encode

FORMAT = 1
"""Of what is written here; raised with every change of a record that stands in it."""


class LedgerError(Exception):
    """What was to be gone on with is not what a ledger wrote; ``str()`` says why, in the words of a sentence's end."""


class LedgerDocument(NamedTuple):
    """All that a ledger remembers."""

    number: int
    """Of the last change."""
    keys: int
    """How many were given."""
    at: float | None
    """Moment of the last judgement; None before the first."""
    standings: tuple[Standing, ...]


def encoded(document: LedgerDocument) -> object:
    """Ready for ``json.dumps``."""
    return {"format": FORMAT, "ledger": encode(document)}


def decoded(document: object) -> LedgerDocument:
    """The inverse; raises LedgerError."""
    if not isinstance(document, Mapping) or "format" not in document:
        raise LedgerError("it does not say what was told")
    if document["format"] != FORMAT:
        raise LedgerError(f"what was told is written in format {document['format']!r}, and this version reads {FORMAT}")
    try:
        return decode(LedgerDocument, document.get("ledger"))
    except ValueError as error:
        raise LedgerError(f"what was told is damaged: {error}") from None
