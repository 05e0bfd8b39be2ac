"""Writes a collected archive again without the names in it, and asks whether it still gives the same answer."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import NamedTuple

from logsleuth.collecting.archive import Archive, written
from logsleuth.collecting.collect import MANIFEST
from logsleuth.drivers.batch import analyze_with
from logsleuth.ingest.chunks import Reader
from logsleuth.ingest.discover import discover
from logsleuth.ingest.kinds import RECORDER
from logsleuth.ingest.open import open_source
from logsleuth.language.program import Program, wordings_of
from logsleuth.model.analysis import Analysis
from logsleuth.model.origin import Source
from logsleuth.probes.table import PROBES
from logsleuth.recorder.dump import plain_value
from logsleuth.recorder.plain_pickle import NotPlainError
from logsleuth.recorder.sources import bytes_of
from logsleuth.redaction.redactor import Redactor

_IN_MEMORY = 8 << 20
"""Bytes of a member that are held in memory; more go to a temporary file."""
_BLOCK = 1 << 20
_PACKED = re.compile(r"\.(?:gz|zst|bz2|xz)$", re.IGNORECASE)
_WORD = re.compile(r"[a-z]{3,}")


class Redacted(NamedTuple):
    counts: dict[str, int]
    """How many different names of each kind were renamed."""
    left_out: list[tuple[str, str]]
    """Members that are not in the archive, by their old names, and why."""
    differences: list[str]
    """What only the one or the other archive is told to have, in words; empty where both give the same answer."""


def redact(program: Program, plain: Path, target: Path, at: int) -> Redacted:
    """Writes to ``target`` what is in the archive ``plain``, unpacked and with its names replaced.

    ``at`` is the time of its members, in seconds since 1970. Both archives are analysed, and compared. Raises OSError
    where an archive cannot be read or written.
    """
    before = analyze_with(program, [str(plain)])
    sources = discover([str(plain)]).sources
    redactor = Redactor(_words_of_rules(program))
    left_out = []
    for source in sources:
        redactor.learn_path(_member(source, plain))
        try:
            for text in _texts(source):
                redactor.learn(text)
        except (OSError, EOFError, NotPlainError) as error:
            left_out.append((_member(source, plain), f"It cannot be read: {error}."))
    redactor.settle(_hosts(before))
    unread = {path for path, _ in left_out}
    with written(target) as archive:
        names: Counter[str] = Counter()
        for source in sources:
            if _member(source, plain) not in unread:
                _add(
                    archive, source, _name(redactor.path(_PACKED.sub("", _member(source, plain))), names), redactor, at
                )
        manifest = _manifest(redactor.counts, list(names)).encode()
        archive.add(MANIFEST, len(manifest), [manifest], at)
    after = analyze_with(program, [str(target)])
    return Redacted(redactor.counts, left_out, _differences(before, after, redactor.host))


def _member(source: Source, plain: Path) -> str:
    """The path of a member; of one of an archive in the archive, its path there behind that of the archive."""
    return source.path.removeprefix(f"{plain}!").replace("!", "/")


def _name(path: str, names: Counter[str]) -> str:
    """A name that no other member has."""
    names[path] += 1
    return path if names[path] == 1 else f"{path}.{names[path]}"


def _texts(source: Source) -> Iterator[bytes]:
    """A source as UTF-8, whole lines at a time; a dump of the flight recorder as JSON."""
    if source.format == RECORDER:
        yield json.dumps(plain_value(bytes_of(source))).encode()
        return
    reader = Reader(open_source(source))
    for chunk in reader:
        yield chunk.data
    if reader.problems and any(problem.fatal for problem in reader.problems):
        raise OSError(reader.problems[0].text)


def _add(archive: Archive, source: Source, name: str, redactor: Redactor, at: int) -> None:
    with SpooledTemporaryFile(max_size=_IN_MEMORY) as spool:
        for text in _texts(source):
            spool.write(redactor.text(text))
        size = spool.tell()
        spool.seek(0)
        archive.add(name, size, iter(lambda: spool.read(_BLOCK), b""), at)


def _manifest(counts: dict[str, int], names: list[str]) -> str:
    return json.dumps({"schema": "logsleuth-collect/1", "redacted": counts, "members": names}, indent=2) + "\n"


def _hosts(analysis: Analysis) -> set[str]:
    of_jobs = {host for job in analysis.jobs for host in job.hosts}
    return of_jobs | {host for verdict in analysis.verdicts for host in verdict.culprits.hosts}


def _words_of_rules(program: Program) -> set[bytes]:
    """Every word that a rule may look for, and those in the names of outputs."""
    texts = [wording.text for event in program.events.values() for wording in wordings_of(event)]
    words = {word for text in texts for word in _WORD.findall(text.lower())}
    return {word.encode() for word in words.union(*(probe.name.split("-") for probe in PROBES))}


def _differences(before: Analysis, after: Analysis, renamed: Callable[[str], str]) -> list[str]:
    plain, redacted = _told(before, renamed), _told(after, str)
    return [
        *(f"only before: {verdict}" for verdict in sorted((plain - redacted).elements())),
        *(f"only redacted: {verdict}" for verdict in sorted((redacted - plain).elements())),
    ]


def _told(analysis: Analysis, renamed: Callable[[str], str]) -> Counter[str]:
    """What an analysis says, without what names and places are in it."""
    told: Counter[str] = Counter()
    for verdict in analysis.verdicts:
        ranks = ", ".join(map(str, verdict.culprits.ranks or verdict.culprits.local_ranks))
        hosts = ", ".join(sorted(map(renamed, verdict.culprits.hosts)))
        who = f" of rank {ranks}" * bool(ranks) + f" on {hosts}" * bool(hosts)
        told[f"{verdict.cause} ({verdict.severity}, {verdict.role}, {verdict.status}, {verdict.confidence}){who}"] += 1
    return told
