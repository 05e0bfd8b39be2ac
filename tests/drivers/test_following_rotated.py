"""Whatever rotation does to the logs of a job that is followed: in the end it is said what is said of what lies there."""

import gzip
import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.drivers.following import Following
from logsleuth.drivers.hints import found
from logsleuth.drivers.watched import watches
from logsleuth.report.document import to_document
from tests.drivers.jobs import NAMES, PROGRAM, answer, job

AFTER_ALL = float("inf")
_PARTS = [30, 300, 3_000, 30_000, 300_000]


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(NAMES), st.integers(0, 1 << 32))
def test_any_rotation_gives_the_same_answer(
    simulated: Path, tmp_path_factory: pytest.TempPathFactory, name: str, seed: int
) -> None:
    place = tmp_path_factory.mktemp("live")
    followed, at_once = run(job(name, simulated), place, seed)
    assert followed == at_once
    shutil.rmtree(place)


def run(folder: Path, place: Path, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Follows the logs of a job that are written anew and rotated: what is said in the end, and what of reading them."""
    chance = random.Random(seed)
    logs = _written(folder, place, chance)
    following = Following(PROGRAM, watches([str(place)]), chunk_size=chance.choice([1 << 9, 1 << 12, 64 << 10]))
    _catch_up(following)
    while any(log.rest for log in logs):
        log = chance.choice([log for log in logs if log.rest])
        log.write_on()
        if chance.random() < 0.5:
            _catch_up(following)
        if chance.random() < 0.2:
            # Whoever rotates is seen with all that was written before: else the order of files is not known.
            _catch_up(following)
            log.rotate()
            if chance.random() < 0.5:
                _catch_up(following)
            log.pack()
    _catch_up(following)
    document = to_document(following.conclude(None).analysis)
    following.close()
    at_once = answer([str(place)])
    for one in (document, at_once):
        # What a log was rotated to, and nobody has written to since, is no part of it yet.
        one["inputs"] = [of_file for of_file in one["inputs"] if of_file["bytes"]]
    return document, at_once


class _Log:
    """One log that is written on and rotated, always in one way."""

    def __init__(self, path: Path, text: bytes, chance: random.Random) -> None:
        self._path, self.rest, self._chance = path, text, chance
        self._is_copied = chance.random() < 0.5
        self._generations: list[str] = []
        """How the names of the rotated files end, the newest first."""

    def write_on(self) -> None:
        part = self._chance.choice(_PARTS)
        with self._path.open("ab") as file:
            file.write(self.rest[:part])
        self.rest = self.rest[part:]

    def rotate(self) -> None:
        for number in range(len(self._generations), 0, -1):
            end = self._generations[number - 1]
            self._named(number, end).rename(self._named(number + 1, end))
        if self._is_copied:
            shutil.copy2(self._path, self._named(1, ""))
            os.truncate(self._path, 0)
        else:
            self._path.rename(self._named(1, ""))
            self._path.touch()
        self._generations.insert(0, "")

    def pack(self) -> None:
        """Packs one of the files that were rotated before the last."""
        plain = [number for number, end in enumerate(self._generations, 1) if not end and number > 1]
        if plain and self._chance.random() < 0.5:
            number = self._chance.choice(plain)
            path, packed = self._named(number, ""), self._named(number, ".gz")
            packed.write_bytes(gzip.compress(path.read_bytes(), 1))
            shutil.copystat(path, packed)
            path.unlink()
            self._generations[number - 1] = ".gz"

    def _named(self, number: int, end: str) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}{end}")


def _written(folder: Path, place: Path, chance: random.Random) -> list[_Log]:
    """The logs of a job as they are written anew; what was rotated or packed before is there as it is."""
    logs = []
    for source in found([str(folder)]).sources:
        for piece in source.files:
            path = Path(piece.path.partition("!")[0])
            copy = place / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if source.pieces or source.path != str(path):
                copy.write_bytes(path.read_bytes())
            else:
                logs.append(_Log(copy, path.read_bytes(), chance))
    return logs


def _catch_up(following: Following) -> None:
    while following.look(is_last=True):
        following.read(AFTER_ALL)
