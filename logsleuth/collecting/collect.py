"""Gathers what this node answers and the logs of a job into one archive."""

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from logsleuth import __version__
from logsleuth.collecting import excerpt
from logsleuth.collecting.archive import Archive, written
from logsleuth.collecting.chosen import LogFile, chosen
from logsleuth.ingest.discover import natural_key
from logsleuth.probes.output import Output, instant

MANIFEST = ".logsleuth-manifest.json"
"""Hidden, so that no reader takes it for a log."""
SCHEMA = "logsleuth-collect/1"


class Kept(NamedTuple):
    """A member of the archive."""

    name: str
    origin: str
    """The path of a log, the command of an output."""
    bytes: int
    left_out: int
    """Bytes of the file that are not in the archive: too many, or not to be read."""


class Collected(NamedTuple):
    outputs: list[Kept]
    logs: list[Kept]
    left_out: list[tuple[str, str]]
    """Paths, and why nothing of them is in the archive."""


def collect(archive: Path, paths: Sequence[str], outputs: Sequence[Output], host: str, at: int, most: int) -> Collected:
    """Writes the archive: ``HOST/PROBE.txt`` of every output, ``logs/...`` of every log, and a manifest at the end.

    ``at`` is the time that is stated, in seconds since 1970; ``most`` how many bytes of a file are kept. What cannot be
    read is told, and the rest is collected. Raises OSError where the archive cannot be written.
    """
    found = chosen(paths) if paths else None
    left_out = list(found.left_out) if found else []
    kept = Collected([], [], left_out)
    with written(archive) as target:
        for output in sorted(outputs, key=lambda one: natural_key(one.path)):
            target.add(output.path, len(output.text), [output.text], at)
            kept.outputs.append(Kept(output.path, output.header.command, len(output.text), 0))
        for file in found.files if found else []:
            _add(target, file, most, kept)
        manifest = _manifest(kept, host, at).encode()
        target.add(MANIFEST, len(manifest), [manifest], at)
    return kept


def _add(target: Archive, file: LogFile, most: int, kept: Collected) -> None:
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(file.real).open("rb"))
            status = os.fstat(stream.fileno())
            plan = excerpt.planned(stream, most)
        except OSError as error:
            kept.left_out.append((file.path, f"It cannot be read: {(error.strerror or str(error)).lower()}."))
            return
        if plan.left_out and not file.is_text:
            why = f"It is packed and at {plan.end:,} bytes larger than what is kept of a file; raise --max-size for it."
            kept.left_out.append((file.path, why))
            return
        body = excerpt.Body(stream, plan)
        target.add(file.name, plan.size, body, int(status.st_mtime))
        kept.logs.append(Kept(file.name, file.path, plan.size, plan.left_out + body.lost))


def _manifest(kept: Collected, host: str, at: int) -> str:
    document = {
        "schema": SCHEMA,
        "version": __version__,
        "host": host,
        "collected_at": instant(at),
        "members": [member._asdict() for member in (*kept.outputs, *kept.logs)],
        "left_out": [{"path": path, "why": why} for path, why in kept.left_out],
    }
    return json.dumps(document, indent=2) + "\n"
