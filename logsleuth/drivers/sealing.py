"""When and how is what was read of a followed log put aside?

Its reader stops where one of its files has ended and nothing of the next was read. The loop that sees it there makes a
fork, in which the log ends there, and seals what is known then; the reader itself reads on.
"""

from collections.abc import Callable, Iterator

from logsleuth.drivers.hub import Waiting
from logsleuth.drivers.sealed import sealed
from logsleuth.drivers.state_file import StateFile
from logsleuth.engine.fold import State
from logsleuth.layouts.whole import LogReader
from logsleuth.model.origin import Piece, Source


def stopping(files: Iterator[Source], ended: Callable[[int], None], pause: Callable[[], bool]) -> Iterator[Source]:
    """The same files, for a log's reader, which stops in front of each but the first.

    ``ended`` is told how many files were read, then ``pause`` (of the hub) is called; where it says that nothing more
    comes, the files end.
    """
    for number, file in enumerate(files):
        if number:
            ended(number)
            if not pause():
                return
        yield file


def put_aside(
    reader: LogReader,
    waiting: Waiting[State],
    fit: str,
    file: StateFile,
    pieces: Callable[[], tuple[Piece, ...]] | None = None,
) -> str:
    """The name under which all that was read of one log is kept from now on, for a ``Seal``.

    Only for a fork, after ``declare_end`` of the hub: the log's reader is taken up and goes on to its end. At a stop
    between two files that is exact. It may be done at any other moment too, for a file that may be gone before it has
    ended; then the last line may be a part of one. Raises OSError where it cannot be written.
    """
    while not waiting.is_done:
        waiting.go_on()
    behind = reader.behind if pieces is None else reader.behind._replace(pieces=tuple(map(_counted, pieces())))
    return file.keep(sealed(waiting.result, behind, fit))


def _counted(piece: Piece) -> Piece:
    """What stands in front of a piece cannot be counted when its file is gone."""
    return piece if piece.skipped is None else piece._replace(lines=piece.lines - piece.skipped(), skipped=None)
