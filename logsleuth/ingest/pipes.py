"""Standard input and pipes, of which nothing can be read twice: begun to see what comes, kept where it has to be."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from logsleuth.ingest.kinds import Kind, kind_of
from logsleuth.ingest.layers import Begun, Recorded
from logsleuth.ingest.open import stored
from logsleuth.model.origin import ByteStream


class BegunPipe:
    """Opens, once, a pipe of which the beginning was looked at; see ``logsleuth.model.origin.Opener``."""

    turn: tuple[int, ...] = ()
    once = True

    def __init__(self, stack: ExitStack, stream: Begun) -> None:
        self._stack, self._stream = stack, stream

    @contextmanager
    def __call__(self) -> Iterator[ByteStream]:
        with self._stack:
            yield self._stream


def begun(path: str) -> tuple[Kind, BegunPipe]:
    """What comes out of a pipe, and the pipe. Waits for the first bytes; raises OSError where it cannot be read."""
    with ExitStack() as stack:
        recorded = Recorded(stack.enter_context(stored(path)))
        kind = kind_of(recorded, path.rpartition("/")[2])
        return kind, BegunPipe(stack.pop_all(), recorded.again())
