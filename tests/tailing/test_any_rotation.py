"""Whatever is done to a log between looks, in any order: what must be delivered is, once and in its order."""

import gzip
import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tailing.follower import STEP, Follower

_KEPT = 3
"""Generations that rotation keeps."""
_CLOSED_AFTER = 60.0 / STEP
"""Looks without a byte after which a file may have been closed."""


@dataclass(eq=False)
class _File:
    """What the model knows of a file."""

    tokens: list[int] = field(default_factory=list)
    is_seen: bool = False
    """It held something at a look, so that it was opened."""
    quiet: int = 0
    """Looks since it grew."""


class _Model:
    """A log on disk, what is done to it, and which of its tokens must be delivered."""

    def __init__(self, folder: Path) -> None:
        self.live: _File | None = None
        self.old: dict[int, tuple[_File, str]] = {}
        """Rotated files by number, and how their names end."""
        self.must: set[int] = set()
        self.written = 0
        self._path = folder / "x.log"

    def append(self) -> None:
        self.live = self.live or _File()
        self.live.tokens.append(self.written)
        with self._path.open("a") as file:
            file.write(f"token {self.written}\n")
        self.written += 1

    def rename(self) -> None:
        if self.live is not None:
            self._shift()
            self._path.rename(self._name(1, ""))
            self.old[1] = self.live, ""
            self.live = None

    def rename_and_create(self) -> None:
        self.rename()
        self._path.touch()
        self.live = self.live or _File()

    def copy_and_cut(self) -> None:
        if self.live is not None:
            self._shift()
            shutil.copy(self._path, self._name(1, ""))
            self.old[1] = _File(self.live.tokens), ""
            os.truncate(self._path, 0)
            self.live.tokens, self.live.is_seen = [], False

    def cut(self) -> None:
        if self.live is not None:
            os.truncate(self._path, 0)
            self.live.tokens, self.live.is_seen = [], False

    def delete(self) -> None:
        if self.live is not None:
            self._remove(self._path, self.live)
            self.live = None

    def pack(self) -> None:
        file, end = self.old.get(1, (None, ""))
        if file is not None and not end:
            plain, packed = self._name(1, ""), self._name(1, ".gz")
            packed.write_bytes(gzip.compress(plain.read_bytes()))
            times = plain.stat()
            os.utime(packed, ns=(times.st_atime_ns, times.st_mtime_ns))
            plain.unlink()
            self.old[1] = file, ".gz"

    def looked(self) -> None:
        """Everything that is there at a look must be delivered."""
        for file in [*(file for file, _ in self.old.values()), *([self.live] if self.live else [])]:
            grew = not self.must.issuperset(file.tokens)
            self.must.update(file.tokens)
            file.quiet = 0 if grew else file.quiet + 1
            file.is_seen = file.is_seen or bool(file.tokens)

    def _shift(self) -> None:
        for number in sorted(self.old, reverse=True):
            file, end = self.old.pop(number)
            if number == _KEPT:
                self._remove(self._name(number, end), file)
            else:
                self._name(number, end).rename(self._name(number + 1, end))
                self.old[number + 1] = file, end

    def _remove(self, path: Path, file: _File) -> None:
        path.unlink()
        if file.is_seen and file.quiet < _CLOSED_AFTER - 1:
            self.must.update(file.tokens)  # It is open.

    def _name(self, number: int, end: str) -> Path:
        return self._path.with_name(f"x.log.{number}{end}")


_STEPS = ("append", "rename", "rename_and_create", "copy_and_cut", "cut", "delete", "pack", "look")


@pytest.mark.parametrize("is_notified", [True, False], ids=["told", "polled"])
@settings(max_examples=150, deadline=None)
@given(steps=st.lists(st.sampled_from([*_STEPS, "append", "append", "look", "look"]), max_size=40))
def test_any_sequence(is_notified: bool, steps: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model = _Model(Path(folder))
        model.append()
        follower = Follower(folder, is_notified=is_notified)
        for step in ["look", *steps, "look"]:
            if step == "look":
                follower.look()
                model.looked()
            else:
                getattr(model, step)()
        follower.end()
        delivered = [
            [int(line.removeprefix(b"token ")) for line in b"".join(parts).splitlines()]
            for parts in follower.logs.values()
        ]
        assert len(delivered) == 1, follower.logs
        assert delivered[0] == sorted(set(delivered[0]))
        assert model.must <= set(delivered[0])
        assert not follower.watching.still
