"""What reading a log gave, packed and unpacked again."""

import math
from pathlib import Path

import pytest

from logsleuth.drivers import remembered as module
from logsleuth.drivers.reading import read_log, vocabulary_of
from logsleuth.drivers.remembered import Remembered, Whole
from logsleuth.engine.plan import plan
from logsleuth.ingest.discover import discover
from logsleuth.language.library import compile_texts
from logsleuth.layouts.whole import LogReader

RULES = """
event train.report "A line of progress." {
  frequent
  line "step {n:int} loss {loss:float}"
  series loss at n
}
rule train.odd "The loss was no number." {
  severity warning
  cause    loss-nan
  when     seen train.loss[value > 10 * baseline(value)] as leap
  needs    isnan(train.loss)
  verdict  "{leap.value}"
}
"""
PROGRAM = compile_texts({"x.sleuth": RULES})
SIZE = 64 << 10


def whole(folder: Path, text: str) -> Whole:
    log = folder / "train.log"
    log.write_text(text)
    reader = LogReader(discover([str(log)]).sources[0])
    chosen = plan(PROGRAM)
    state = read_log(0, reader, vocabulary_of(PROGRAM, chosen), chosen)
    return Whole(state, reader.pieces, reader.inputs, reader.encoding)


def taken_back(read: Whole) -> Whole | None:
    memory = Remembered()
    packed = memory.packed(0, read, SIZE)
    assert packed
    memory.take_in({0: packed})
    return memory.whole(0)


def test_a_value_that_is_no_number_still_has_its_line(tmp_path: Path) -> None:
    read = whole(tmp_path, "".join(f"step {n} loss {'nan' if n == 7 else n}\n" for n in range(20)))
    again = taken_back(read)
    assert again == read
    (series,) = again.state.series.values()
    (odd,) = (bucket.odd for bucket in series.buckets if bucket.odd)
    assert math.isnan(odd.value)
    assert series.text(odd) == "step 7 loss nan"


def test_what_came_meanwhile_makes_what_was_read_worthless(tmp_path: Path) -> None:
    memory, read = Remembered(), whole(tmp_path, "step 1 loss 2.5\n")
    packed = memory.packed(0, read, SIZE)
    assert packed
    memory.forked()
    memory.stir(0)
    memory.take_in({0: packed})
    assert memory.whole(0) is None
    assert memory.packed(0, read, SIZE) is None  # Something came since that fork was made.
    memory.forked()
    memory.take_in({0: packed})
    assert memory.whole(0) == read
    memory.stir(0)
    assert memory.whole(0) is None


def test_of_a_larger_log_nothing_is_remembered(tmp_path: Path) -> None:
    assert Remembered().packed(0, whole(tmp_path, "step 1 loss 2.5\n"), 15) is None


def test_no_more_is_remembered_than_there_is_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Remembered()
    packed = memory.packed(0, whole(tmp_path, "step 1 loss 2.5\n"), SIZE)
    assert packed
    monkeypatch.setattr(module, "MOST", 2 * len(packed))
    memory.take_in({0: packed, 1: packed, 2: packed})
    assert [memory.whole(number) is None for number in range(3)] == [False, False, True]
    memory.stir(0)
    memory.forked()
    memory.take_in({2: packed})
    assert memory.whole(2) is not None
