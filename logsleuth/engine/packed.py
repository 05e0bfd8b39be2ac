"""Documents as bytes that say what they are, and show whether all of them is there as it was written."""

import json
import zlib
from hashlib import blake2b

from logsleuth.engine.documented import DocumentError, Json


def packed(kind: str, document: Json) -> bytes:
    """A document of a kind (a word) as bytes: a line that names it, then JSON, deflated."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False)
    data = zlib.compress(text.encode("ascii"))
    return _heading(kind, data) + data


def unpacked(kind: str, data: bytes) -> object:
    """The inverse; raises DocumentError where the bytes are not what ``packed`` made, or not all of it."""
    heading, end, body = data.partition(b"\n")
    if not end or not heading.startswith(_opening(kind)):
        raise DocumentError(f"it does not hold {kind} of logsleuth")
    if heading + end != _heading(kind, body):
        raise DocumentError
    try:
        return json.loads(zlib.decompress(body))
    except (zlib.error, ValueError, RecursionError) as error:
        raise DocumentError from error


def _heading(kind: str, data: bytes) -> bytes:
    return _opening(kind) + blake2b(data, digest_size=16).hexdigest().encode() + b"\n"


def _opening(kind: str) -> bytes:
    return f"logsleuth {kind} ".encode()
