"""Rows of tables: known by the header before them, spread evenly over devices, however the log was cut."""

import io
from contextlib import nullcontext
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logsleuth.ingest.chunks import CHUNK_SIZE, Reader
from logsleuth.language.library import compile_texts
from logsleuth.model.event import Occurrence
from logsleuth.tokenize import table_rows, tables
from logsleuth.tokenize.dictionary import Vocabulary
from logsleuth.tokenize.find import Find
from logsleuth.tokenize.reader import SourceReader

EVENTS = """
event m.sample "A monitor told of a device." {
  frequent
  about gpu {index}
  series load
  table separated by "," {
    header "load.gpu", "memory.used"
    column "timestamp" as stamp
    column "index" as index:int
    column "name" as name:text
    column "load.gpu", "load.device" as load:percent
    column "memory.used" as memory:mib
    column "power" as power:float
  }
  table {
    header "# gpu", "#Date"
    column "#Date", "Time" as stamp
    column "gpu" as index:int
    column "sm" as load:percent
  }
  table {
    header "#Entity"
    column "#Entity" as "GPU {index:int}"
    column "GPUTL" as load:percent
  }
}
event m.process "A monitor told of a process." {
  frequent
  about gpu {index}
  table {
    header "# gpu"
    needs "pid"
    column "gpu" as index:int
    column "pid" as process:int
    column "sm" as load:percent
  }
}
event m.word "Somebody spoke." { line "spoken word {n:int}" }
"""
PROGRAM = compile_texts({"x.sleuth": EVENTS})


def read(
    text: str, *, labelled: bool = False, chunk_size: int = CHUNK_SIZE
) -> tuple[list[Occurrence], list[tuple[int, int]]]:
    """All occurrences, and (line, number of the row) of what was looked at for the sake of series."""
    finds: list[Find] = []
    fed: list[tuple[int, int]] = []
    events = PROGRAM.events.values()
    vocabulary = Vocabulary(events, events, "plain", ("m.load",))
    reader = SourceReader(
        0, vocabulary, labelled, finds.append, lambda find, number: fed.append((find.first.number, number))
    )
    for chunk in Reader(nullcontext(io.BytesIO(text.encode())), size=chunk_size):
        reader.feed(chunk)
    reader.finish()
    return [find.occurrence() for find in finds], fed


def told(text: str, *names: str, labelled: bool = False) -> list[tuple[object, ...]]:
    """These fields of every occurrence."""
    return [tuple(o.fields.get(name) for name in names) for o in read(text, labelled=labelled)[0]]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("index, load.gpu [%]\n0, 97 %\n1, 5 %\n", [(0, 0.97), (1, 0.05)]),
        ("load.gpu [%], index\n97, 0\n", [(0, 0.97)]),
        ("index, load.gpu\r\n0, 97.5\r\n", [(0, 0.975)]),
        ("uuid, load.gpu [%], pstate, index\nGPU-1f, 97 %, P0, 4\n", [(4, 0.97)]),
        ("load.gpu [%], index\n[N/A], 0\n[Not Supported], 1\n[GPU is lost], 2\n-, 3\nERR!, 4\n", [(None, n) for n in range(5)]),
        ("load.gpu [%], load.device [%], index\n97 %, 1 %, 0\n", [(0, 0.97)]),
        ("# gpu    pwr     sm\n# Idx      W      %\n    0     61     97\n    1      -      -\n", [(0, 0.97), (1, None)]),
        ("#Entity   GPUTL   POWER\nID                W\nGPU 0     97      61.123\nGPU 11    N/A     1e3\n", [(0, 0.97), (11, None)]),
    ],
)  # fmt: skip
def test_rows_behind_their_header(text: str, rows: list[tuple[object, ...]]) -> None:
    order = ("index", "load") if not text.startswith("load.gpu [%], index\n[") else ("load", "index")
    assert told(text, *order) == rows


@pytest.mark.parametrize(
    "text",
    [
        "0, 97 %\n",
        "+ monitor --query=index,load.gpu --format=csv -l 5\n0, 97 %\n",
        "index, name, memory.used.by.whom\n0, 97 %, 1\n",
        "we print index, load.gpu and so on:\n0, 97 %\n",
        "index, load.gpu [%]\n0, 97 %, 3\n0\nzero, 97 %\nload, 0, 97 %\n",
        "index, load.gpu [%]\nindex, load.gpu [%]\n",
        "index, name, memory.used\n",
    ],
)
def test_no_rows(text: str) -> None:
    assert told(text, "index") == []


def test_units() -> None:
    text = "index, memory.used [MiB], power [W]\n0, 2 MiB, 312.45 W\n1, 2, 61\n2, 2 GiB, 1e2 W\n"
    assert told(text, "memory", "power") == [(2 << 20, 312.45), (2 << 20, 61.0), (2 << 30, 100.0)]


def test_the_time_of_a_row_may_stand_anywhere_and_in_two_cells() -> None:
    one, _ = read("index, timestamp, load.gpu [%]\n0, 2025/03/04 03:12:07.500, 97 %\n1, soon, 97 %\n")
    two, _ = read("#Date       Time        gpu     sm\n 20250304   03:12:07      0     98\n")
    first, none = (o.stamp for o in one)
    assert first is not None
    assert two[0].stamp is not None
    assert first.seconds == two[0].stamp.seconds + 0.5
    assert none is None


def test_other_lines_between_rows_are_passed_over() -> None:
    text = "index, load.gpu [%]\n0, 1 %\nspoken word 7\nwhatever\n0, 2 %\n"
    assert [(o.event, o.line) for o in read(text)[0]] == [("m.word", 3), ("m.sample", 2), ("m.sample", 5)]


def test_another_header_ends_a_table_and_the_same_one_does_not() -> None:
    text = "index, load.gpu [%]\n0, 1 %\nindex, load.gpu [%]\n0, 2 %\nload.gpu [%], index\n3 %, 0\n0, 4 %\n# gpu sm\n0 5\n6 %, 0\n"
    assert told(text, "load") == [(0.01,), (0.02,), (0.03,), (0.05,)]


def test_the_table_with_more_of_the_columns_takes_a_header() -> None:
    found, _ = read("# gpu    pid   type   sm\n    0   4711      C   97\n")
    assert [(o.event, o.fields["process"]) for o in found] == [("m.process", 4711)]


@pytest.mark.parametrize(
    ("text", "labelled", "rows"),
    [
        ("[node-7] index, load.gpu [%]\n[node-7] 0, 1 %\n[node-8] 0, 2 %\n", False, [("node-7", None, 0.01)]),
        ("[node-7] index, load.gpu [%]\n[node-8] load.gpu [%], index\n[node-8] 2 %, 0\n[node-7] 0, 1 %\n", False,
         [("node-8", None, 0.02), ("node-7", None, 0.01)]),
        ("[step 1] index, load.gpu [%]\n[step 1] 0, 1 %\n", False, []),
        ("0: index, load.gpu [%]\n1: index, load.gpu [%]\n0: 0, 1 %\n1: 0, 2 %\n", True, [(None, 0, 0.01), (None, 1, 0.02)]),
        (" 9: index, load.gpu [%]\n10: index, load.gpu [%]\n 9: 0, 1 %\n10: 0, 2 %\n", True, [(None, 9, 0.01), (None, 10, 0.02)]),
        ("node-7: index, load.gpu [%]\nnode-7: 0, 1 %\n", True, [("node-7", None, 0.01)]),
        ("2025-03-04T03:12:07.1Z index, load.gpu [%]\n2025-03-04T03:12:08.12Z 0, 1 %\n", False, [(None, None, 0.01)]),
    ],
)  # fmt: skip
def test_labels(text: str, labelled: bool, rows: list[tuple[object, ...]]) -> None:
    found, _ = read(text, labelled=labelled)
    assert [(o.tag.host, o.tag.task, o.fields["load"]) for o in found] == rows


def test_a_collectors_stamp_is_the_time_where_no_column_is() -> None:
    (row,), _ = read("2025-03-04T03:12:07Z index, load.gpu [%]\n2025-03-04T03:12:08Z 0, 1 %\n")
    assert row.stamp is not None
    assert row.stamp.has_zone


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four rows of a device in the first 400 bytes, two in every 400 bytes after; tables end after three without."""
    monkeypatch.setattr(table_rows, "WINDOW", 400)
    monkeypatch.setattr(table_rows, "AT_FIRST", 4)
    monkeypatch.setattr(table_rows, "SPREAD", 2)
    monkeypatch.setattr(table_rows, "PATIENCE", 3)


@pytest.mark.usefixtures("small")
def test_rows_are_spread_evenly_over_each_device() -> None:
    rows = [f"{device}, {n % 100:2d} %\n" for n in range(400) for device in range(2)]
    found, fed = read("index, load.gpu [%]\n" + "".join(rows))
    assert len(found) == len(fed)
    for device in range(2):
        numbers = [number for line, number in fed if line % 2 == device]
        assert 2 * len(rows) * 8 // 400 // 2 <= len(numbers) <= 3 * len(rows) * 8 // 400
        assert max(b - a for a, b in pairwise(numbers)) <= 32
    assert all(number == (line - 2) // 2 for line, number in fed)


@pytest.mark.usefixtures("small")
def test_a_table_ends_where_a_long_stretch_holds_no_row() -> None:
    noise = "nothing of interest\n" * 20
    assert len(told("index, load.gpu [%]\n" + noise * 2 + "0, 1 %\n", "load")) == 1
    assert told("index, load.gpu [%]\n" + noise * 5 + "0, 1 %\n", "load") == []
    assert len(told("index, load.gpu [%]\n" + noise * 5 + "index, load.gpu [%]\n0, 1 %\n", "load")) == 1


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["index, load.gpu [%]", "load.gpu [%], index", "[node-7] index, load.gpu [%]", "# gpu sm", "# Idx %", "spoken word 1", "noise " * 20]
        ),
        st.builds("{}, {} %".format, st.integers(0, 2), st.integers(0, 100)),
        st.builds("[node-7] {}, {} %".format, st.integers(0, 2), st.integers(0, 100)),
        st.builds("{} %, \x1b[1m{}\x1b[0m".format, st.integers(0, 100), st.integers(0, 2)),
        st.builds("  {}  {}".format, st.integers(0, 2), st.integers(0, 100)),
    ),
    max_size=120,
)  # fmt: skip


@pytest.mark.usefixtures("small")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(lines=LINES, size=st.integers(1, 700))
def test_chunks_change_nothing(lines: list[str], size: int) -> None:
    text = "".join(line + "\n" for line in lines)
    whole, fed = read(text)
    pieces, fed_in_pieces = read(text, chunk_size=size)
    assert sorted(whole, key=lambda o: o.offset) == sorted(pieces, key=lambda o: o.offset)
    assert fed == fed_in_pieces


NAMES = st.from_regex(tables._NAME, fullmatch=True)


@given(
    st.lists(NAMES, min_size=1, max_size=4),
    st.sampled_from([",", " ", "|", ", ", "\t"]),
    st.sampled_from(["", " ", "\r"]),
)
def test_every_header_ends_as_one(names: list[str], separator: str, end: str) -> None:
    assert tables.may_end_header((separator.join(names) + end).encode())


@pytest.mark.parametrize(
    "line", [b"", b"loss=0.5", b"3it/s, load=9.5]", b"| 2/9 [0:01, load=9]", b"(load)", b"load, 97 %"]
)
def test_most_other_lines_end_otherwise(line: bytes) -> None:
    assert not tables.may_end_header(line)
