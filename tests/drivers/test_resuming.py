"""What is known of a log whose files are gone, and how it is read on."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from logsleuth.drivers.reading import read_log, vocabulary_of
from logsleuth.drivers.resuming import Earlier, earlier
from logsleuth.drivers.saved import SavedLog, Seal
from logsleuth.drivers.sealed import Sealed, opened, sealed
from logsleuth.drivers.state_file import StateFile
from logsleuth.engine.documented import DocumentError
from logsleuth.engine.fold import State
from logsleuth.engine.plan import fingerprint, plan
from logsleuth.layouts.whole import LogReader
from logsleuth.model.before import NOTHING
from logsleuth.model.origin import Source
from logsleuth.tailing.generation import Generation
from tests.drivers.jobs import PROGRAM

PLAN = plan(PROGRAM)
FIT = fingerprint(PROGRAM, PLAN)
VOCABULARY = vocabulary_of(PROGRAM, PLAN)
GENERATIONS = tuple(Generation(1, inode, 100, f"{inode:032x}", 50, f"a.log.{inode}", 3) for inode in range(3))


def read_on(folder: Path, text: bytes, known: Sealed | None = None, number: int = 0) -> tuple[State, LogReader]:
    """What is known when the file has ended, and its reader."""
    file = folder / "job.log"
    file.write_bytes(text)
    reader = LogReader(Source(str(file)), before=known.before if known else NOTHING)
    return read_log(number, reader, VOCABULARY, PLAN, (), known.state if known else None), reader


def put_aside(folder: Path, text: bytes, known: Sealed | None = None) -> bytes:
    state, reader = read_on(folder, text, known)
    return sealed(state, reader.behind, FIT)


@pytest.fixture
def file(tmp_path: Path) -> StateFile:
    return StateFile.open(str(tmp_path / "job.state"))


def asked(file: StateFile, seals: Sequence[Seal], lost: Sequence[Generation]) -> Earlier:
    return earlier(file, SavedLog("job.log", GENERATIONS, tuple(seals)), lost, FIT, 7)


def test_nothing_is_known_where_nothing_is_gone(tmp_path: Path, file: StateFile) -> None:
    seal = Seal(1, file.keep(put_aside(tmp_path, b"one\n")))
    assert asked(file, [seal], []) == Earlier(None)


def test_what_is_gone_is_known(tmp_path: Path, file: StateFile) -> None:
    first, second = (
        Seal(1, file.keep(put_aside(tmp_path, b"a\n"))),
        Seal(2, file.keep(put_aside(tmp_path, b"a\nb\n"))),
    )
    for lost, offset in ((GENERATIONS[:1], 2), (GENERATIONS[:2], 4)):
        found = asked(file, [first, second], lost)
        assert found.note is None
        assert found.sealed
        assert found.sealed.before.offset == offset
        assert set(found.sealed.state.sources) == {7}


def test_a_last_file_of_which_nothing_was_put_aside_is_told(tmp_path: Path, file: StateFile) -> None:
    found = asked(file, [Seal(1, file.keep(put_aside(tmp_path, b"a\n")))], GENERATIONS)
    assert found.sealed
    assert found.note == (
        "What job.log said in files that are gone now is not known any more (but for the first 1 of 3 files); verdicts "
        "may rest on it."
    )


def test_what_is_not_known_is_told(tmp_path: Path, file: StateFile) -> None:
    name = file.keep(put_aside(tmp_path, b"a\n"))
    assert "before anything was put aside" in str(asked(file, [], GENERATIONS[:1]).note)
    assert "a file in the middle of it is gone" in str(asked(file, [Seal(2, name)], GENERATIONS[1:2]).note)
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-3])
    assert "(it is damaged)" in str(asked(file, [Seal(1, name)], GENERATIONS[:1]).note)
    (tmp_path / name).unlink()
    assert "cannot be read: No such file" in str(asked(file, [Seal(1, name)], GENERATIONS[:1]).note)


def test_what_was_read_with_other_rules_does_not_fit(tmp_path: Path) -> None:
    without_series = PLAN._replace(series=frozenset())
    data = put_aside(tmp_path, b"a\n")
    assert fingerprint(PROGRAM, without_series) != FIT
    with pytest.raises(DocumentError, match="it was read with other rules"):
        opened(data, fingerprint(PROGRAM, without_series), 0)


def test_the_fingerprint_does_not_depend_on_the_order_of_events() -> None:
    turned = dict(PROGRAM.events)
    program = type(PROGRAM)(dict(reversed(turned.items())), PROGRAM.rules, PROGRAM.lists)
    assert fingerprint(program, PLAN) == FIT


def test_lines_are_cited_where_they_stand(tmp_path: Path) -> None:
    gone = opened(put_aside(tmp_path, b"hello\nTraceback"), FIT, 0)
    assert (gone.before.offset, gone.before.lines) == (len(b"hello\nTraceback\n"), 2)
    state, reader = read_on(tmp_path, b"RuntimeError: CUDA error: unspecified launch failure\n", gone)
    (line,) = {(o.offset, o.line) for kept in state.kept.values() for o in kept.earliest}
    assert line == (16, 3)
    assert [(piece.offset, piece.lines) for piece in reader.pieces] == [(0, 0), (16, 2)]
    assert [(of.lines, of.events > 0) for of in reader.inputs] == [(2, False), (1, True)]


def test_rows_of_a_table_are_counted_on(tmp_path: Path) -> None:
    header = b"# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec\n# Idx      W      C      C      %      %      %      %\n"
    rows = [b"    0    %3d     41      -     %2d     10      0      0\n" % (70 + at, 50 + at) for at in range(6)]
    whole, _ = read_on(tmp_path, header + b"".join(rows))
    gone = opened(put_aside(tmp_path, header + b"".join(rows[:2])), FIT, 0)
    parts, _ = read_on(tmp_path, header + b"".join(rows[2:]), gone)
    assert whole.series
    assert steps(parts) == steps(whole)
    assert gone.before.is_torn


@pytest.mark.parametrize(
    "line",
    [
        b"epoch done, loss: %.2f\n",  # Of an event that is frequent, and of one that is not.
        b"Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to %.1f\n",
    ],
)
def test_lines_without_a_step_are_counted_on(tmp_path: Path, line: bytes) -> None:
    lines = [line % (2 - at / 10) for at in range(6)]
    whole, _ = read_on(tmp_path, b"".join(lines))
    assert [key.by_step for key in whole.series] == [False]
    gone = opened(put_aside(tmp_path, b"".join(lines[:4])), FIT, 0)
    parts, _ = read_on(tmp_path, b"".join(lines[4:]), gone)
    assert steps(parts) == steps(whole)


def steps(state: State) -> dict[str, list[tuple[int, int]]]:
    """Of every series its steps, and the sums of their values."""
    return {
        key.series: [(bucket.at.step, bucket.total) for bucket in series.buckets]
        for key, series in state.series.items()
    }
