"""A log that is followed in any rhythm gives in the end what reading it at once gives."""

import random
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.drivers.apart import Apart
from logsleuth.drivers.following import Following
from logsleuth.drivers.hints import found
from logsleuth.drivers.watched import watches
from logsleuth.model.snapshot import Snapshot
from logsleuth.report.document import to_document
from tests.drivers.jobs import NAMES, PROGRAM, answer, files, job

AFTER_ALL = float("inf")


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(NAMES))
def test_what_was_there_at_the_start_is_read_as_ever(simulated: Path, name: str) -> None:
    folder = job(name, simulated)
    following = Following(PROGRAM, watches([str(folder)]))
    _catch_up(following)
    assert _ended(following) == answer([str(folder)])


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(NAMES), st.integers(0, 1 << 32), st.sampled_from([1 << 9, 1 << 12, 64 << 10]))
def test_any_rhythm_gives_the_same_answer(
    simulated: Path, tmp_path_factory: pytest.TempPathFactory, name: str, seed: int, chunk_size: int
) -> None:
    place, rng = tmp_path_factory.mktemp("live"), random.Random(seed)
    writers = _Writers(job(name, simulated), place, rng)
    following = Following(PROGRAM, watches([str(place)]), chunk_size=chunk_size)
    while writers.write():
        if rng.random() < 0.5:
            _catch_up(following)
        if rng.random() < 0.05:
            _judged(following)  # Judging changes nothing.
    _catch_up(following)
    assert _ended(following) == answer([str(place)])
    shutil.rmtree(place)


def test_a_judgement_apart_is_that_of_reading_what_is_there_at_once(tmp_path: Path) -> None:
    source = next(Path(path) for path in files(job("file-per-rank", tmp_path / "whole")))
    place = tmp_path / "live"
    place.mkdir()
    log = place / source.name
    text = source.read_bytes()
    following = Following(PROGRAM, watches([str(place)]))
    for cut in (0, len(text) // 3, len(text) // 2, len(text)):
        log.write_bytes(text[:cut])
        _catch_up(following)
        assert to_document(_judged(following).analysis)["verdicts"] == answer([str(place)])["verdicts"]


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(NAMES), st.integers(0, 1 << 32), st.sampled_from([1 << 12, 64 << 10]))
def test_what_is_remembered_is_what_reading_anew_would_give(
    simulated: Path, tmp_path_factory: pytest.TempPathFactory, name: str, seed: int, chunk_size: int
) -> None:
    place, rng = tmp_path_factory.mktemp("live"), random.Random(seed)
    writers = _Writers(job(name, simulated), place, rng)
    following = Following(PROGRAM, watches([str(place)]), chunk_size=chunk_size)
    for _ in range(4):
        for _ in range(rng.randrange(1, 40)):
            writers.write()
        _catch_up(following)
        for _ in range(rng.randrange(1, 4)):
            document = to_document(_judged(following).analysis)
        at_once = answer([str(place)])
        assert (document["verdicts"], document["inputs"]) == (at_once["verdicts"], at_once["inputs"])
    following.close()
    shutil.rmtree(place)


def test_small_logs_in_which_nothing_comes_are_read_once(tmp_path: Path) -> None:
    for rank in range(3):
        (tmp_path / f"rank_{rank}.log").write_text(f"[rank{rank}]: step 1 loss nan\n")
    following = Following(PROGRAM, watches([str(tmp_path)]))
    _catch_up(following)
    counts = [len(_judged_with_read(following)[1]) for _ in range(3)]
    with (tmp_path / "rank_1.log").open("a") as log:
        log.write("[rank1]: step 2 loss nan\n")
    _catch_up(following)
    counts += [len(_judged_with_read(following)[1]) for _ in range(3)]
    assert counts == [0, 3, 0, 0, 1, 0]
    following.close()


class _Writers:
    """What writes a job's logs anew, some bytes of one of them at a time."""

    def __init__(self, folder: Path, place: Path, rng: random.Random) -> None:
        self._rng = rng
        self._left: list[tuple[Path, bytes]] = []
        for source in found([str(folder)]).sources:
            for piece in source.files:
                path = Path(piece.path.partition("!")[0])
                copy = place / path.relative_to(folder)
                if source.pieces or source.path != str(path):
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    copy.write_bytes(path.read_bytes())  # What was rotated or packed is complete.
                else:
                    self._left.append((copy, path.read_bytes()))

    def write(self) -> bool:
        """Writes on; returns whether there was anything left."""
        if not self._left:
            return False
        at = self._rng.randrange(len(self._left))
        path, rest = self._left[at]
        part = self._rng.choice([1, 30, 300, 3_000, 30_000, len(rest)])
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as log:
            log.write(rest[:part])
        self._left[at] = path, rest[part:]
        if not rest[part:]:
            del self._left[at]
        return True


def _catch_up(following: Following) -> None:
    while following.look(is_last=True):
        following.read(AFTER_ALL)


def _judged(following: Following) -> Snapshot:
    return _judged_with_read(following)[0]


def _judged_with_read(following: Following) -> tuple[Snapshot, dict[int, bytes]]:
    """The judgement, and what it gave to be remembered."""
    apart = Apart(partial(following.judge, None))
    following.judging()
    while not apart.receive():
        pass
    judged = apart.result()
    following.remember(judged)
    return judged.snapshot, judged.read


def _ended(following: Following) -> dict[str, Any]:
    document = to_document(following.conclude(None).analysis)
    following.close()
    return document
