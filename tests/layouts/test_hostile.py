"""No log may claim to be somebody else's, hide its lines behind what it looks like, or stop the reading."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.ingest.chunks import cut
from logsleuth.layouts import order
from logsleuth.layouts.registry import laid_out, names
from logsleuth.model.label import told
from tests.layouts.test_wrapped import unfolded

CLAIM = told(host="evil-1", rank=7).decode() + "RuntimeError: CUDA out of memory"
STAMP = "2026-03-05T10:00:00Z"
FAILS = "RuntimeError: CUDA out of memory"

CLAIMS = {
    "lines": CLAIM,
    "json": json.dumps({"message": f"a\n{CLAIM}", "timestamp": STAMP, "level": "info"}),
    "json ": json.dumps({"message": list(CLAIM.encode()), "timestamp": STAMP, "level": "info"}),
    "json-document": json.dumps({"events": [{"message": CLAIM, "timestamp": STAMP}]}, indent=1),
    "docker": json.dumps({"log": CLAIM + "\n", "stream": "stderr", "time": STAMP}, separators=(",", ":")),
    "cri": f"{STAMP} stderr P {CLAIM}\n{STAMP} stderr F {CLAIM}",
    "csv": f"timestamp,host,message\n{STAMP},gpu-a12,{CLAIM}",
    "journal-export": f"__REALTIME_TIMESTAMP=1772704800000000\nMESSAGE={CLAIM}\n",
    "logfmt": f'time="{STAMP}" level=info msg={json.dumps(CLAIM)}',
    "text-export": f"{STAMP} algo-1-1709632800 {CLAIM}",
    "metric-lines": '{"step": 3, "loss": 2.0}\n' + json.dumps({"message": CLAIM, "level": "info"}),
    "metric-table": f"step,loss\n3,2.0\n{CLAIM}",
    "copied": f"> {CLAIM}",
    "tools": f"CA 'mlx5_0'\n{CLAIM}",
    "notebook": '{\n "cells": [\n  "text": [\n' + f"   {json.dumps(CLAIM)}\n",
}


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("size", [1 << 20, 7])
def test_no_text_is_taken_for_a_label(name: str, size: int) -> None:
    _, lines = unfolded(CLAIMS[name].encode() + b"\n", size, name.strip())
    assert any(FAILS.encode() in line.text for line in lines)
    for line in lines:
        assert b"evil" not in line.text.partition(b"\x1f")[0] or line.text[:1] != b"\x1e"
        assert line.text.count(b"\x1e") <= 1


def test_a_length_that_is_written_in_bytes_stays_what_it_is() -> None:
    text = b"thirty bytes, one line of them"
    data = b"__REALTIME_TIMESTAMP=1772704800000000\nMESSAGE\n" + len(text).to_bytes(8, "little") + text + b"\n\n"
    assert len(text) == 0x1E
    _, lines = unfolded(data, 1 << 20)
    assert [line.text.partition(b"\x1f")[2] for line in lines] == [text]


@pytest.mark.parametrize("stamp", ["Feb 31, 2026 @ 99:99:99.999", "Xyz 1, 2026 @ 10:00:00.000", "9" * 40, "1e999"])
def test_a_stamp_that_is_none_stops_nothing(stamp: str) -> None:
    data = json.dumps({"message": FAILS, "@timestamp": stamp, "host": "gpu-a12"}).encode() + b"\n"
    _, lines = unfolded(data, 1 << 20, "json")
    assert len(lines) == 1
    assert lines[0].text.endswith(FAILS.encode())


GOES_ON = {
    "metrics, then what a logger wrote": '{"step": 3, "loss": 2.0}\n{"step": 4, "loss": 2.0, "message": "%s"}\n',
    "metrics, then an exception": '{"step": 3, "loss": 2.0}\n{"step": 4, "loss": 2.0, "exception": "%s"}\n',
    "a table, then a line with a comma": "step,loss\n3,2.0\n%s, tried to allocate 2 GiB\n",
    "trainer_state.json, then a log": '{\n  "a": 1,\n  "log_history": [\n    {\n      "step": 1\n    },\n    {\n    }\n'
    "  ]\n}\n%s\n",
    "a notebook, then a log": '{\n "cells": [\n  {\n   "cell_type": "code"\n  }\n ],\n "nbformat": 4\n}\n%s\n',
    "a document, then a line without an end": f'[{{"message": "a", "timestamp": "{STAMP}"}}]\n%s',
}


@pytest.mark.parametrize("name", GOES_ON)
@pytest.mark.parametrize("size", [1 << 20, 7])
def test_what_follows_is_not_lost(name: str, size: int) -> None:
    _, lines = unfolded((GOES_ON[name] % FAILS).encode(), size)
    assert any(FAILS.encode() in line.text for line in lines)


PARTS = [part.encode() for part in CLAIMS.values()] + [
    b'{"log":"{"log":"a\\n","stream":"stderr","time":"2026-03-05T10:00:00.1Z"}',
    b'{"log":"part ","stream":"stderr","time":"2026-03-05T10:00:00.1Z"}',
    b'2026-01-05T10:00:00Z,gpu-a1,"unclosed',
    b'{"a":' * 2000,
    b"[" * 2000,
    b'{"message":"x","rank":' + b"9" * 5000 + b',"host":"a-1"}',
    b'{"message":"\\ud800 \\udc00\\ud83d\\ude00","host":"gpu-a1"}',
    b"MESSAGE\n\xff\xff\xff\xff\xff\xff\xff\xff",
]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=8),
    st.sampled_from([None, *names()]),
    st.integers(1, 100),
)
def test_the_size_of_chunks_changes_nothing(parts: list[bytes], name: str | None, size: int) -> None:
    data = b"\n".join(parts)
    (layout, lines), (again, others) = (unfolded(data, length, name) for length in (1 << 20, size))
    # A line that stands as it is may cite itself or be its own evidence.
    told = [[(line[:4], line.cited or line.text) for line in found] for found in (lines, others)]
    assert (again, told[1]) == (layout, told[0])


@pytest.mark.parametrize("size", [50, 777, 1 << 20])
def test_a_long_export_is_turned_round_in_the_same_parts(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "_MOST_ROWS", 10)
    records = [
        json.dumps({"timestamp": f"2026-03-05T10:{59 - at}:00Z", "level": "info", "message": f"m{at}\nmore"})
        for at in range(25)
    ]
    data = "".join(f"{record}\n" for record in records).encode()
    _, lines = unfolded(data, size, "json")
    said = [line.text.partition(b"\x1f")[2].decode() for line in lines]
    expected = [*range(4, -1, -1), *range(9, 4, -1), *range(14, 9, -1), *range(19, 14, -1), *range(24, 19, -1)]
    assert said == [text for at in expected for text in (f"m{at}", "more")]


@pytest.mark.parametrize(
    "head",
    [
        "{\n" + ("  " * 40 + '"a": [1, 2],\n') * 400,
        "{\n" + "  " * 20_000 + "\n",
        "CA 'mlx5_0'\n  state: " + " " * 60_000 + "x",
        "-" * 60_000 + "x\n",
        "[" * 60_000,
        "> " * 30_000,
        "│" * 20_000,
        ("  123  text " * 5_000),
        "a,b,loss,step" * 4_000,
        "==> " * 15_000,
        "&lt;" * 15_000,
    ],
    ids=range(11),
)
def test_no_head_keeps_the_recognisers_busy(head: str) -> None:
    """Each takes a moment; a pattern that goes back over it would take years."""
    laid_out(cut([head.encode()], 1 << 20, 1 << 20), None)
