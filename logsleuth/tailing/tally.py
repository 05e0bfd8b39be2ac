"""Where in its log do bytes of a file stand, as the reader of the log counts them?"""

import codecs

from logsleuth.ingest.encoding import SNIFFED, utf16_codec


class Tally:
    """Counts what was read of one file of a log.

    Readers count on from file to file, one byte more where a file ends inside a line, and count UTF-16 as the UTF-8
    that it is turned into (``logsleuth.layouts.whole``, ``logsleuth.ingest.encoding``).
    """

    __slots__ = ("_decoder", "_was_fed", "base", "counted", "ends_line", "lines", "raw", "start")

    def __init__(self, base: int, start: int) -> None:
        self.base, self.start = base, start
        self.raw, self.counted, self.lines = start, 0, 0
        self.ends_line = True
        self._decoder: codecs.IncrementalDecoder | None = None
        self._was_fed = False

    def add(self, data: bytes) -> None:
        """The next bytes of the file."""
        if not self._was_fed:
            self._was_fed = True
            if codec := utf16_codec(data[:SNIFFED]):
                self._decoder = codecs.getincrementaldecoder(codec)(errors="replace")
                self.counted -= 3 if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else 0
        self.raw += len(data)
        self.lines += data.count(b"\n")
        if self._decoder is None:
            self.counted += len(data)
            self.ends_line = data.endswith(b"\n")
        elif text := self._decoder.decode(data):
            self.counted += len(text.encode())
            self.ends_line = text.endswith("\n")

    def offset(self, raw: int) -> int:
        """Where the byte at this place of the file stands in the log; guessed where it is UTF-16 that was not read."""
        ahead = raw - self.raw
        return self.base + self.counted + (ahead if self._decoder is None else ahead // 2)

    @property
    def next_base(self) -> int:
        """Where the next file begins."""
        return self.base + self.counted + (not self.ends_line)
