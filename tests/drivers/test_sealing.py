"""A followed log that is put aside between its files, by a fork, while its reader reads on; and gone on with."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from logsleuth.drivers.apart import Apart
from logsleuth.drivers.hub import Hub, Waiting
from logsleuth.drivers.reading import read_log, vocabulary_of
from logsleuth.drivers.sealed import Sealed, opened
from logsleuth.drivers.sealing import put_aside, stopping
from logsleuth.drivers.state_file import StateFile
from logsleuth.engine.fold import State
from logsleuth.engine.plan import plan
from logsleuth.layouts.whole import LogReader
from logsleuth.model.before import NOTHING
from logsleuth.model.origin import Source
from tests.drivers.jobs import PROGRAM

PLAN = plan(PROGRAM)
VOCABULARY = vocabulary_of(PROGRAM, PLAN)
PARTS = (
    b"[rank0]: RuntimeError: CUDA error: unspecified launch failure\n",
    b"[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n",
    b"[rank2]: RuntimeError: CUDA error: an illegal memory access was encountered\n",
)


@dataclass
class Followed:
    """One log whose files are all there already, read in a greenlet."""

    files: list[Source]
    file: StateFile
    known: Sealed | None = None
    hub: Hub = field(default_factory=Hub)
    stops: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        before = self.known.before if self.known else NOTHING
        self.reader = LogReader(Source("job.log"), files=self._stopping(), before=before)
        earlier = self.known.state if self.known else None
        work = partial(read_log, 0, self.reader, VOCABULARY, PLAN, (), earlier)
        self.waiting: Waiting[State] = self.hub.begin(work)

    def _stopping(self) -> Iterator[Source]:
        return stopping(iter(self.files), self.stops.append, self.hub.pause)

    def read(self) -> State:
        """Reads all of it, and puts aside what was read wherever the reader stops."""
        while not self.waiting.is_done:
            self.waiting.go_on()
            if not self.waiting.is_done:
                self.names.append(in_a_fork(self))
        return self.waiting.result

    def put_aside(self) -> str:
        self.hub.declare_end()
        return put_aside(self.reader, self.waiting, "fit", self.file)


def in_a_fork(followed: Followed) -> str:
    apart = Apart(followed.put_aside)
    while not apart.receive():
        pass
    return apart.result()


@pytest.fixture
def files(tmp_path: Path) -> list[Source]:
    for number, part in enumerate(PARTS):
        (tmp_path / f"job.log.{number}").write_bytes(part)
    return [Source(str(tmp_path / f"job.log.{number}")) for number in range(len(PARTS))]


def seen(state: State) -> list[tuple[str, int, int, str]]:
    """All that was seen, and where."""
    return sorted((o.event, o.offset, o.line, o.text) for kept in state.kept.values() for o in kept.earliest)


def test_it_is_gone_on_with_behind_any_file(tmp_path: Path, files: list[Source]) -> None:
    file = StateFile.open(str(tmp_path / "job.state"))
    followed = Followed(files, file)
    whole = followed.read()
    assert {line for _, _, line, _ in seen(whole)} == {1, 2, 3}
    assert followed.stops == [1, 2]
    for count, name in zip(followed.stops, followed.names, strict=True):
        known = opened(file.kept(name), "fit", 0)
        assert seen(known.state) == [one for one in seen(whole) if one[1] < sum(map(len, PARTS[:count]))]
        again = Followed(files[count:], file, known)
        assert seen(again.read()) == seen(whole)
        assert again.reader.behind == followed.reader.behind
    file.close()
