"""How text leaves the program, and what happens where it cannot."""

import os
import sys
from typing import TYPE_CHECKING, TextIO

from logsleuth.cli import exits
from logsleuth.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from logsleuth.model.analysis import Analysis
    from logsleuth.model.trace import Trace
    from logsleuth.report.outlet import Outlet


class UnwritableError(Exception):
    """A stream of ours takes no more text; what had to be said about it has been said."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def say(message: str) -> None:
    """A sentence of ours to stderr."""
    if sys.stderr is not None:
        emit(f"logsleuth: {printable(message, sys.stderr.encoding)}\n", sys.stderr)


def show(analysis: "Analysis", output_format: str, stream: TextIO | None) -> None:
    """The analysis in the form that the user asked for."""
    if stream is None:
        return
    if output_format == "json":
        from logsleuth.report.document import to_json

        emit(to_json(analysis), stream)
    else:
        from logsleuth.report.terminal import render

        emit(render(analysis, stream), stream)


def status_of(analysis: "Analysis") -> int:
    """The exit status that an analysis asks for."""
    from logsleuth.report.overview import was_anything_read

    if not was_anything_read(analysis):
        return exits.NO_ANSWER
    return exits.FAILURE_FOUND if analysis.failed else exits.NOTHING_WRONG


def show_traces(traces: "Sequence[Trace]", output_format: str, stream: TextIO) -> None:
    """Traces of rules in the form that the user asked for."""
    from logsleuth.report import trace

    if output_format == "json":
        emit(trace.to_json(traces), stream)
        return
    from logsleuth.report.terminal import draw

    emit("\n".join(draw(trace.compose(one), stream) for one in traces), stream)


def bad_rules(errors: Exception) -> int:
    """All that is wrong with rule files, to stderr; the exit status."""
    emit(f"{errors}\n", sys.stderr)
    return exits.NO_ANSWER


def emit(text: str, stream: TextIO | None) -> None:
    """Writes all of the text; raises UnwritableError where the reader left (quietly) or the stream failed (told)."""
    if stream is None:  # Python's way to say that the descriptor was closed before the start.
        return
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        _silence(stream)
        raise UnwritableError(exits.BROKEN_PIPE) from None
    except OSError as error:
        _silence(stream)
        if stream is not sys.stderr:
            say(f"the report could not be written: {error.strerror or error}. Make room, or write it elsewhere.")
        raise UnwritableError(exits.NO_ANSWER) from None


def check(outlet: "Outlet") -> None:
    """Raises UnwritableError where not all that was written to it has left, as ``emit`` does."""
    if outlet.has_left:
        raise UnwritableError(exits.BROKEN_PIPE)
    if outlet.is_broken:
        say(f"not all could be written: {outlet.trouble}. Make room, or write it elsewhere.")
        raise UnwritableError(exits.NO_ANSWER)


def _silence(stream: TextIO) -> None:
    """Lets the interpreter's own flush at its end go nowhere instead of failing once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
