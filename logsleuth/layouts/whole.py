"""A log as one stream of chunks, whether it lies in one file or in several pieces."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from logsleuth.ingest.chunks import CHUNK_SIZE, Chunk, Reader
from logsleuth.ingest.open import open_source
from logsleuth.layouts.registry import laid_out
from logsleuth.layouts.rows import RowFolds
from logsleuth.model.analysis import Input
from logsleuth.model.origin import Piece, Source, Turned


class LogReader:
    """The chunks of a log, once, from the first file's first to the last file's last; offsets and lines count on.

    Where a file ends inside a line, the line ends with it. What is wrong with a file is told in its input; the
    others are read all the same.
    """

    def __init__(self, source: Source, size: int = CHUNK_SIZE, files: Iterable[Source] | None = None) -> None:
        """``files`` are those of the source, where they are known only one after the other."""
        self._files, self._size = source.files if files is None else files, size
        self.pieces: list[Piece] = []
        """The files that were begun, and where in the log they begin."""
        self.inputs: list[Input] = []
        """The same files and what was read of them; whoever takes the chunks counts the events."""
        self._offsets: list[int] = []
        self.told: int | None = None
        """See ``Reader.told``."""
        self.encoding = ""
        """See ``Reader.encoding``; that of the last file that has one."""

    def __iter__(self) -> Iterator[Chunk]:
        offset = lines = 0
        ends_line = True
        for file in self._files:
            if not ends_line:
                yield Chunk(b"\n", offset, lines, True)
                offset, ends_line = offset + 1, True
            self.told = None
            self.pieces.append(Piece(file.path, offset, lines))
            self._offsets.append(offset)
            of_file = Input(file.path, file.format)
            self.inputs.append(of_file)
            reader = Reader(open_source(file), size=self._size)
            moved = _moved(reader, offset, lines)
            of_file.layout, chunks = laid_out(moved, file.layout)
            for chunk in chunks:
                ends_line = chunk.data.endswith(b"\n")
                if isinstance(chunk.folds, RowFolds) and (turned := chunk.folds.turned):
                    self._turn(turned)
                yield chunk
                if chunk.folds is None or chunk.folds.keeps_lines:
                    reader.told = self.told
                self.told = None
            of_file.bytes, of_file.lines, of_file.problems = reader.bytes, reader.lines, list(reader.problems)
            self.encoding = reader.encoding or self.encoding
            offset, lines = offset + reader.bytes, lines + reader.lines

    def _turn(self, turned: Turned) -> None:
        """Lines of the last file are read in another order than they stand in."""
        piece = self.pieces[-1]
        if piece.turned is None:
            self.pieces[-1] = piece._replace(turned=turned)
        else:
            piece.turned.starts.extend(turned.starts)
            piece.turned.shifts.extend(turned.shifts)

    def input_at(self, offset: int) -> Input:
        """The file that holds what stands at this offset of the log."""
        return self.inputs[0 if len(self.inputs) == 1 else bisect_right(self._offsets, offset) - 1]


def _moved(chunks: Iterable[Chunk], offset: int, lines: int) -> Iterator[Chunk]:
    """The chunks of a file as they stand in the log that it is a piece of."""
    return (chunk._replace(offset=chunk.offset + offset, line=chunk.line + lines) for chunk in chunks)
