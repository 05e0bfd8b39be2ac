"""Records become lines, and evidence is what stands in the file."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import logsleuth
from logsleuth.drivers.batch import analyze_with
from logsleuth.ingest.chunks import cut
from logsleuth.language.library import load
from logsleuth.layouts import registry
from logsleuth.layouts.folds import Physical, Unfolded
from logsleuth.layouts.layout import Layout, unfolded
from logsleuth.model.label import told
from logsleuth.model.origin import Stamp, Tag
from logsleuth.tokenize.framing import frame
from logsleuth.tokenize.view import View


class Bars:
    """``<rank>|a\\nb`` tells two lines of a rank; what has no bar stands as it is."""

    def feed(self, line: Physical) -> Iterable[Unfolded]:
        match = re.match(rb"(\d)\|", line.text)
        if not match:
            return [Unfolded(line.text, line)]
        pieces, at = [], match.end()
        for piece in line.text[at:].split(rb"\n"):
            label = told(rank=int(match[1]), host="node-7", stamp=b"2026-03-05T10:00:00Z")
            pieces.append(Unfolded(label + piece, line, at, at + len(piece)))
            at += len(piece) + 2
        return pieces

    def finish(self) -> Iterable[Unfolded]:
        return ()


BARS = Layout("bars", "for this test", lambda head: head.startswith(b"0|"), Bars)


def test_a_label_is_peeled() -> None:
    line = told(host="node-7", rank=3, pid=41, stamp=b"2026-03-05T10:00:00Z", level="E") + b"[rank5]: message"
    framed = frame(line)
    assert line[framed.start :] == b"message"
    assert framed.tag == Tag(rank=5, host="node-7", pid=41), "what the line says itself counts"
    assert framed.stamp == Stamp(1772704800.0, True, True)
    assert framed.level == "E"


@pytest.mark.parametrize("host", ["", "a b", "x\x1f", "näme", "-", None])
def test_what_is_no_host_is_not_told(host: str | None) -> None:
    assert told(host=host) == b""


@given(st.lists(st.text("ab0|\\n", max_size=12).map(str.encode)), st.integers(1, 30))
def test_chunks_change_nothing(lines: list[bytes], size: int) -> None:
    data = b"".join(line + b"\n" for line in lines)
    whole = list(unfolded(cut([data], 1 << 20, 1 << 20), Bars()))
    pieces = list(unfolded(cut([data], size, 1 << 20), Bars()))
    assert [chunk.data for chunk in whole] == ([b"".join(chunk.data for chunk in pieces)] if pieces else [])
    views = [[View(chunk, False) for chunk in chunks] for chunks in (whole, pieces)]
    assert _cited(views[0]) == _cited(views[1])
    for text, offset, number in _cited(views[0]):
        assert data[offset:].startswith(text)
        assert data.count(b"\n", 0, offset) == number - 1


def _cited(views: list[View]) -> list[tuple[bytes, int, int]]:
    found = []
    for view in views:
        start = 0
        while start < len(view.text):
            end = view.end(start)
            line = view.line(start, end)
            assert line.cited is not None
            found.append((line.cited, line.offset, line.number))
            start = view.behind(end)
    return found


def test_an_analysis_of_records(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(registry, "LAYOUTS", (BARS,))
    error = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB of which 1.31 GiB is free."
    log = tmp_path / "all.log"
    log.write_text(f'0|begins\n3|Traceback (most recent call last):\\n  File "t.py", line 3, in f\\n{error}\n0|ends\n')
    for size in (1 << 20, 5):
        analysis = analyze_with(load((), False).program, [str(log)], chunk_size=size)
        (verdict,) = [verdict for verdict in analysis.verdicts if verdict.role == "root"]
        assert (verdict.cause, verdict.culprits.ranks, verdict.culprits.hosts) == ("gpu-oom", (3,), ("node-7",))
        assert [(evidence.line, evidence.text, evidence.rank) for evidence in verdict.evidence][:1] == [(2, error, 3)]
        assert verdict.evidence[0].time == "2026-03-05T10:00:00.000"
        assert log.read_bytes()[verdict.evidence[0].offset :].startswith(error.encode())
        (of_log,) = analysis.inputs
        assert (of_log.layout, of_log.lines, of_log.bytes) == ("bars", 3, len(log.read_bytes()))


def test_a_layout_is_recognised_at_the_head_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(registry, "LAYOUTS", (BARS,))
    log = tmp_path / "all.log"
    log.write_text("begins\n0|x\n")
    assert [item.layout for item in logsleuth.analyze(log).inputs] == ["lines"]


def test_the_layout_is_in_the_document(tmp_path: Path) -> None:
    from logsleuth.report.document import to_json

    log = tmp_path / "all.log"
    log.write_text("begins\n")
    assert [item["layout"] for item in json.loads(to_json(logsleuth.analyze(log)))["inputs"]] == ["lines"]
    assert registry.names()[0] == "lines"
