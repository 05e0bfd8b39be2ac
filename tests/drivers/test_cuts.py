"""How a log is cut into files changes nothing: evidence is the same once it is mapped back to the whole log."""

import gzip
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from logsleuth.ingest.labels import label
from logsleuth.model.origin import BARE
from tests.drivers.jobs import NAMES, answer, job, whole_answer

MOST_PIECES = 4

SELF_TOLD = ("lines", "docker", "json", "logfmt", "metric-lines")
"""Layouts in which every line is known by itself. Tables, outputs and documents are known by their beginning, which only
the first piece has."""

Naming = Callable[[Path, int, int], str]
"""The name of a piece, from the log's path, the piece's number (from 0) and how many there are."""


def rotated(log: Path, number: int, pieces: int) -> str:
    return f"{log.name}.{pieces - 1 - number}" if number < pieces - 1 else log.name


def dated(log: Path, number: int, pieces: int) -> str:
    return f"{log.name}.2026-11-{number + 1:02d}" if number < pieces - 1 else log.name


def split(log: Path, number: int, _pieces: int) -> str:
    return f"{log.stem}.part{number + 1}{log.suffix}"


def split_behind(log: Path, number: int, _pieces: int) -> str:
    return f"{log.name}.part-{number:04d}"


def numbered(log: Path, number: int, _pieces: int) -> str:
    return f"{log.name}.{number + 1}"


class Piece(NamedTuple):
    log: str
    offset: int
    lines: int


def cut(folder: Path, target: Path, rng: random.Random) -> dict[str, Piece]:
    """Writes the logs of a folder in pieces; tells of each file (by its name beneath ``target``) what it is of which log."""
    pieces: dict[str, Piece] = {}
    for log in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = log.relative_to(folder)
        data = log.read_bytes()
        ends = (
            [place for place in range(1, len(data)) if data[place - 1 : place] == b"\n"]
            if log.suffix != ".json"
            else []
        )
        cuts = [0, *sorted(rng.sample(ends, min(rng.randrange(MOST_PIECES), len(ends)))), len(data)]
        naming = rng.choice(namings(name)) if len(cuts) > 2 else lambda log, _number, _pieces: log.name
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        for number, (start, end) in enumerate(pairwise(cuts)):
            called = naming(log, number, len(cuts) - 1)
            is_packed = called != log.name and rng.random() < 0.2
            of_piece = name.with_name(called + ".gz" * is_packed)
            pieces[str(of_piece)] = Piece(str(name), start, data.count(b"\n", 0, start))
            (target / of_piece).write_bytes(gzip.compress(data[start:end]) if is_packed else data[start:end])
    return pieces


def namings(name: Path) -> list[Naming]:
    """How pieces of a log may be called. Bare numbers may also be those of several writers, unless the name tells one."""
    always: list[Naming] = [rotated, dated, split, split_behind]
    return [*always, numbered] if label(str(name)).tag._replace(host=None) != BARE else always


def mapped_back(document: dict[str, Any], folder: Path, pieces: dict[str, Piece]) -> dict[str, Any]:
    """What was said of pieces, as it would be said of the whole logs beneath ``folder``."""
    for verdict in document["verdicts"]:
        for evidence in verdict["evidence"]:
            piece = pieces[str(Path(evidence["source"]).relative_to(folder))]
            evidence["source"] = str(folder / piece.log)
            evidence["offset"] += piece.offset
            evidence["line"] += piece.lines
    return document


def read_of(document: dict[str, Any], folder: Path, pieces: dict[str, Piece]) -> dict[str, Counter[str]]:
    """Bytes, lines and events of every log."""
    logs: dict[str, Counter[str]] = {}
    for item in document.pop("inputs"):
        assert not item["problems"] or "repeats" in item["problems"][0]["text"], item
        path = str(Path(item["source"]).relative_to(folder))
        counts = logs.setdefault(pieces[path].log if pieces else path, Counter())
        counts.update({key: item[key] for key in ("bytes", "lines", "events")})
    return logs


def beneath(document: Any, folder: Path) -> Any:
    """The document with every mention of the folder left out."""
    if isinstance(document, dict):
        return {key: beneath(value, folder) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [beneath(value, folder) for value in document]
    return document.replace(f"{folder}/", "") if isinstance(document, str) else document


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(NAMES), st.randoms(use_true_random=False))
def test_the_cut_of_logs_into_files_changes_nothing(simulated: Path, name: str, rng: random.Random) -> None:
    folder = job(name, simulated)
    with tempfile.TemporaryDirectory() as place:
        target = Path(place) / folder.name  # It may be the name of a host.
        pieces = cut(folder, target, rng)
        whole = dict(whole_answer(folder))
        assume(all(source["layout"] in SELF_TOLD for source in whole["inputs"]))
        got = answer([str(target)])
        assert read_of(got, target, pieces) == read_of(whole, folder, {})
        assert beneath(mapped_back(got, target, pieces), target) == beneath(whole, folder)
