"""Takes the flight-recorder dumps out of what was found to read, and gives their lines in their place."""

import re
from typing import NamedTuple

from logsleuth.ingest.discover import Discovery, natural_key
from logsleuth.ingest.kinds import RECORDER
from logsleuth.ingest.labels import label
from logsleuth.ingest.open import in_reading_order, open_source
from logsleuth.model.analysis import Problem
from logsleuth.model.origin import Source
from logsleuth.recorder.dump import Dump, read_dump
from logsleuth.recorder.lines import told
from logsleuth.recorder.plain_pickle import NotPlainError

MEMBER = "!entries"
"""Behind the path of a dump: what is read of it are lines made of its entries, which no file holds."""
MOST_BYTES = 256 << 20
"""Of one dump, unpacked."""
_BLOCK = 1 << 20
_NUMBER = re.compile(r"(?<!\d)(\d{1,6})(?:\.(?:json|pkl|pickle|bin|pt|dump|gz|zst|bz2|xz|txt))*$", re.IGNORECASE)


class _Read(NamedTuple):
    source: Source
    rank: int
    dump: Dump


def with_dumps_told(found: Discovery) -> Discovery:
    """The same, with a source of lines for every dump that could be read, and with a problem for every other one.

    Of several dumps of one rank the fullest of the latest is read: torch may have written both a pickle and JSON.
    """
    dumps = [source for source in found.sources if source.format == RECORDER]
    if not dumps:
        return found
    problems = list(found.problems)
    by_rank: dict[int, list[_Read]] = {}
    for place in in_reading_order(dumps):
        source = dumps[place]
        read = _read(source)
        if isinstance(read, Problem):
            problems.append((source.path, read))
        else:
            by_rank.setdefault(read.rank, []).append(read)
    chosen = [_fullest(reads, problems) for reads in by_rank.values()]
    lines = told({read.rank: read.dump for read in chosen})
    sources = [source for source in found.sources if source.format != RECORDER]
    for read in chosen:
        text = "\n".join(lines[read.rank]) + "\n"
        sources.append(Source(read.source.path + MEMBER, RECORDER, made=text.encode()))
    return Discovery(
        sorted(sources, key=lambda source: natural_key(source.path)),
        sorted(problems, key=lambda entry: (natural_key(entry[0]), entry[1].text)),
    )


def _fullest(reads: list[_Read], problems: list[tuple[str, Problem]]) -> _Read:
    reads.sort(key=lambda read: natural_key(read.source.path))
    best = max(reads, key=lambda read: (read.dump.newest, read.dump.entries, read.dump.has_stacks))
    for read in reads:
        if read is not best:
            text = f"It is a flight-recorder dump of rank {read.rank}, and {best.source.path} tells more of that rank."
            problems.append((read.source.path, Problem(text)))
    return best


def _read(source: Source) -> _Read | Problem:
    try:
        data = bytes_of(source)
        dump = read_dump(data)
    except OSError as error:
        why = getattr(error, "strerror", None) or str(error)
        return Problem(f"It is a flight-recorder dump that could not be read: {why}.", True)
    except NotPlainError as error:
        return Problem(f"It is a flight-recorder dump that could not be read: {error}.", True)
    rank = _rank(source.path, dump)
    if rank is None:
        return Problem(
            "It is a flight-recorder dump, but neither its name nor its content says of which rank: give it a name "
            "that ends in the rank (`trace_rank_3`).",
            True,
        )
    return _Read(source, rank, dump)


def bytes_of(source: Source) -> bytes:
    """A whole dump, unpacked. Raises OSError and NotPlainError where it cannot be read."""
    blocks, length = [], 0
    with open_source(source) as stream:
        while block := stream.read1(_BLOCK):
            blocks.append(block)
            length += len(block)
            if length > MOST_BYTES:
                raise NotPlainError(f"it is larger than {MOST_BYTES >> 20} MiB")
    if not length:
        raise NotPlainError("it is empty, as it is where a process was killed before it wrote")
    return b"".join(blocks)


def _rank(path: str, dump: Dump) -> int | None:
    """What the dump says, else its name: torch puts the global rank behind the name that it is given."""
    match = _NUMBER.search(path)
    named = label(path).tag.rank
    for rank in (dump.rank, named, int(match[1]) if match else None):
        if rank is not None:
            return rank if _may_be(rank, dump) else None
    return None


def _may_be(rank: int, dump: Dump) -> bool:
    """Whether the groups of the dump have this rank; only its own are in it."""
    known = [group.ranks for group in dump.groups.values() if group.ranks]
    return not known or any(rank in ranks for ranks in known)
