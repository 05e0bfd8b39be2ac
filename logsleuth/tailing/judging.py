"""Is a file that was found a log that is followed, something that is read when it is complete, or nothing for us?"""

from functools import partial
from pathlib import Path
from typing import NamedTuple

from logsleuth.ingest.finds import reason
from logsleuth.ingest.kinds import is_named_like_no_log, judged, kind_of, last_bytes, may_be_recorder
from logsleuth.model.analysis import Problem

_PARTED = b"==> "
"""How text begins that holds several logs under headings (``logsleuth.ingest.parts``)."""


class Judgement(NamedTuple):
    is_log: bool = False
    """Text, which is followed as it grows; what holds nothing yet is taken for it."""
    is_still: bool = False
    """Packed, an archive, a dump: read as a whole."""
    may_become: bool = False
    """What is written to it next may show that it is a dump."""
    problem: Problem | None = None


def judgement(path: str, is_named: bool) -> Judgement:
    """By name and first bytes, as ``logsleuth.ingest.discover`` judges. Raises nothing."""
    name = Path(path).name
    if not is_named and is_named_like_no_log(name) and not may_be_recorder(name):
        return Judgement()
    try:
        with Path(path).open("rb") as stream:
            kind = kind_of(stream, name, partial(last_bytes, stream))
            stream.seek(0)
            is_parted = stream.read(len(_PARTED)) == _PARTED
    except OSError as error:
        return Judgement(problem=Problem(f"It cannot be read: {reason(error)}.", True))
    what = judged(kind, name, is_named)
    if isinstance(what, Problem):
        return Judgement(is_still=kind.archive is not None, problem=None if kind.archive else what)
    if what is None:
        return Judgement(may_become=may_be_recorder(name))
    if kind.archive or what != "text" or is_parted:
        return Judgement(is_still=True)
    return Judgement(is_log=True)
