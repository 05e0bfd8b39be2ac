"""What a reader finds in one source, by the rules of a test."""

import io
from contextlib import nullcontext

from logsleuth.ingest.chunks import CHUNK_SIZE, Reader
from logsleuth.language.library import compile_texts
from logsleuth.model.event import Occurrence
from logsleuth.tokenize.dictionary import Vocabulary
from logsleuth.tokenize.find import Find
from logsleuth.tokenize.reader import SourceReader


def found(events: str, data: bytes | str, *, chunk_size: int = CHUNK_SIZE, wanted: str = "") -> list[Occurrence]:
    """All occurrences of the events in a source, in the order in which the reader gives them.

    ``wanted`` names the areas of events that are looked for; all of them are known in any case.
    """
    program = compile_texts({"x.sleuth": events})
    chosen = [event for event in program.events.values() if event.name.split(".")[0] in wanted.split() or not wanted]
    finds: list[Find] = []
    reader = SourceReader(0, Vocabulary(chosen, program.events.values(), "plain"), False, finds.append)
    stream = io.BytesIO(data if isinstance(data, bytes) else data.encode())
    for chunk in Reader(nullcontext(stream), size=chunk_size):
        reader.feed(chunk)
    reader.finish()
    return [find.occurrence() for find in finds]
