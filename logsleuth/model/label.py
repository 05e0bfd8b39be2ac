"""One label for what a record tells about a line beside its text: who wrote it, when, how bad it is.

Collectors write that in fields of their own (journald's ``_HOSTNAME``, the ``time`` of docker). A layout puts it in
front of the text in this form, and the tokenizer peels it like any other framing. It is never shown: evidence cites the
source.
"""

import re

OPENS, CLOCK, CLOSES = b"\x1e", b"\x1d", b"\x1f"
"""Control characters (ASCII's own separators of records and units) that no log has a use for."""
_HARMLESS = b"\x1a"
"""ASCII's own sign for a character that was replaced."""
_NAME = re.compile(r"[A-Za-z0-9][\w.:-]{0,252}", re.ASCII)
_STAMP = re.compile(rb"[\w:.,+ /-]{1,40}")
_LEVEL = re.compile(r"[DIWEF]")


def told(
    *,
    host: str | None = None,
    rank: int | None = None,
    local_rank: int | None = None,
    task: int | None = None,
    pid: int | None = None,
    stamp: bytes | None = None,
    level: str | None = None,
) -> bytes:
    """The label; empty where nothing is told.

    ``stamp`` is in any form of ``tokenize.stamps.NUMERIC`` or a number of seconds since 1970, ``level`` one of D I W E
    F. What is no name, stamp, level or number of up to eight digits is left out.
    """
    numbers = (("rank", rank), ("local_rank", local_rank), ("task", task), ("pid", pid))
    writer = [f"{name}={number}" for name, number in numbers if number is not None and 0 <= number < 10**8]
    if host is not None and _NAME.fullmatch(host):
        writer.insert(0, f"host={host}")
    when = stamp if stamp is not None and _STAMP.fullmatch(stamp) else b""
    how = level if level is not None and _LEVEL.fullmatch(level) else ""
    if not (writer or when or how):
        return b""
    return OPENS + " ".join(writer).encode() + CLOCK + when + CLOCK + how.encode() + CLOSES


def unlabelled(text: bytes) -> bytes:
    """Text that somebody else wrote, with nothing left in it that could be taken for a label; as long as it was."""
    return text.replace(OPENS, _HARMLESS) if OPENS in text else text
