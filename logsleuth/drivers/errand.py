"""What a worker of a cluster is asked to do: to read some logs for a plan that came to it as bytes, and to send back
what was read as bytes."""

import socket
from collections.abc import Sequence
from functools import lru_cache
from threading import Lock

from logsleuth.drivers.read_document import packed_reads
from logsleuth.drivers.reading import read_source
from logsleuth.engine.packed import packed, unpacked
from logsleuth.engine.plan import Plan
from logsleuth.engine.plan_document import plan_document, wanted_of
from logsleuth.ingest.elsewhere import unseen
from logsleuth.language.program import Program
from logsleuth.model.origin import Source
from logsleuth.tokenize.dictionary import Vocabulary

KIND = "plan"

Share = Sequence[tuple[int, Source]]
"""Sources that are read one after the other, each with its number among all."""

_reading = Lock()
"""A vocabulary knows what it has learned from the log that it is reading: one log at a time in each process."""


class UnseenError(Exception):
    """A worker does not see a file; the path and the worker's host are its arguments."""


def asked(program: Program, plan: Plan) -> bytes:
    """What a plan asks to be read: sent once to each worker."""
    return packed(KIND, plan_document(program, plan))


def read_share(plan: bytes, share: Share) -> bytes:
    """Reads some sources for a plan of ``asked``; gives ``packed_reads`` of them.

    What is wrong with a source is told in its inputs. Raises OtherVersionError where another logsleuth asks, and
    UnseenError where a file is not there.
    """
    with _reading:
        chosen, vocabulary = _known(plan)
        for _, source in share:
            if (path := unseen(source)) is not None:
                raise UnseenError(path, socket.gethostname())
        try:
            return packed_reads(read_source(number, source, vocabulary, chosen) for number, source in share)
        finally:
            if vocabulary.given_up():
                _known.cache_clear()  # What one share gave up is told of that one, and others begin anew.


@lru_cache(maxsize=1)
def _known(plan: bytes) -> tuple[Plan, Vocabulary]:
    wanted = wanted_of(unpacked(KIND, plan))
    return wanted.plan, Vocabulary(wanted.plan.events, wanted.events, None, wanted.plan.series)
