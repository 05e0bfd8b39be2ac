"""A long file that is read in portions gives the answer of the whole, or is read as a whole."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.drivers import portions, shared_reading
from logsleuth.drivers.batch import analyze_with
from logsleuth.drivers.portions import census_of, portions_of
from logsleuth.drivers.reading import Read, read_source
from logsleuth.ingest.chunks import Chunk
from logsleuth.model.origin import Source
from logsleuth.report.document import to_document
from logsleuth.tokenize import census, frequent
from logsleuth.tokenize.census import Census
from tests.drivers.jobs import NAMES, PROGRAM, job

HEAD = "2026-03-14 09:00:00,000 [rank2] INFO begins\n"
LINE = "2026-03-14 09:{:02}:{:02},000 [rank2] INFO says nothing of interest here, and this at some length\n"
FAILURE = "[rank2]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"


def answer(path: Path, jobs: int = 1) -> dict[str, Any]:
    return to_document(analyze_with(PROGRAM, [str(path)], jobs=jobs))


def told(document: dict[str, Any]) -> dict[str, Any]:
    """Without what depends on how many lines of progress were looked at: some of each window are, and of the line in
    which a border lies one portion sees the end."""
    inputs = [{**one, "events": None} for one in document["inputs"]]
    return {**document, "inputs": inputs, "jobs": [{**one, "clocks": None} for one in document["jobs"]]}


def said(lines: int) -> str:
    return HEAD + "".join(LINE.format(at // 60 % 60, at % 60) for at in range(lines))


@pytest.fixture
def read_in_one_go(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that were."""
    read: list[str] = []

    def reads(number: int, source: Source, *arguments: Any, **options: Any) -> Read:
        read.append(source.path)
        return read_source(number, source, *arguments, **options)

    monkeypatch.setattr(shared_reading, "read_source", reads)
    return read


@pytest.mark.parametrize("name", NAMES[::3])
def test_portions_give_the_answer_of_the_whole(simulated: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = job(name, simulated)
    monkeypatch.setattr(frequent, "WINDOW", 1000)
    whole = answer(folder)
    monkeypatch.setattr(portions, "PORTION", 3000)
    assert told(answer(folder)) == told(whole)


@pytest.mark.parametrize("name", NAMES[::8])
def test_however_many_read_portions_the_answer_is_the_same(
    simulated: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = job(name, simulated)
    monkeypatch.setattr(portions, "PORTION", 3000)
    monkeypatch.setattr(shared_reading, "ENOUGH_BYTES", 0)
    monkeypatch.setattr(shared_reading, "may_fork", lambda: True)
    assert answer(folder, 1) == answer(folder, 2) == answer(folder, 3)


def test_evidence_is_cited_where_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read_in_one_go: list[str]
) -> None:
    text = said(400) + FAILURE + said(100)
    path = tmp_path / "train.log"
    path.write_text(text)
    monkeypatch.setattr(portions, "PORTION", 4096)
    assert len(portions_of(Source(str(path)))) > 5
    analysis = analyze_with(PROGRAM, [str(path)])
    assert read_in_one_go == []
    evidence = analysis.verdicts[0].evidence[0]
    assert (evidence.line, evidence.offset) == (402, text.index(FAILURE))
    assert analysis.inputs[0].lines == 503
    assert analysis.inputs[0].bytes == len(text)


TABLE = "# gpu   sm   mem   enc   dec\n# Idx    %     %     %     %\n" + "    0   90    40     0     0\n" * 400
NO_STEPS = "".join(f"torch.cuda.memory_allocated(0) = {21_580_726_272 + at}\n" for at in range(400))
TORN = said(40) + "[rank2]: Traceback (most recent call last):\n" + '[rank2]:   File "a.py", line 1, in f\n' * 400


@pytest.mark.parametrize("text", [TABLE, NO_STEPS, TORN + FAILURE, said(400) + TABLE], ids=range(4))
def test_what_goes_on_over_a_border_is_read_in_one_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read_in_one_go: list[str], text: str
) -> None:
    path = tmp_path / "train.log"
    path.write_text(text)
    whole = answer(path)
    read_in_one_go.clear()
    monkeypatch.setattr(portions, "PORTION", 4096)
    assert len(portions_of(Source(str(path)))) > 1
    assert answer(path) == whole
    assert read_in_one_go == [str(path)]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.encode("utf-16"),
        lambda text: b"\0" * 100 + text.encode(),
        lambda text: text.replace("\n", " ").encode(),
        lambda text: b"".join(
            b'{"log": "%b\\n", "stream": "stdout", "time": "2026-03-14T09:00:00Z"}\n' % line
            for line in text.encode().splitlines()
        ),
    ],
    ids=["utf-16", "hole", "one line", "docker"],
)
def test_what_has_to_be_read_from_its_start_has_no_portions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[str], bytes]
) -> None:
    monkeypatch.setattr(portions, "PORTION", 4096)
    path = tmp_path / "train.log"
    path.write_bytes(change(said(400)))
    assert portions_of(Source(str(path))) == ()


def test_a_file_that_shrinks_meanwhile_is_read_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portions, "PORTION", 4096)
    path = tmp_path / "train.log"
    path.write_text(said(400) + FAILURE)

    def cut_later(source: Source) -> tuple[portions.Portion, ...]:
        found = portions_of(source)
        path.write_text(said(20) + FAILURE)
        return found

    monkeypatch.setattr(shared_reading, "portions_of", cut_later)
    analysis = analyze_with(PROGRAM, [str(path)])
    assert [one.lines for one in analysis.inputs] == [22]
    assert analysis.verdicts[0].evidence[0].line == 22


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 60), st.integers(1, 12), st.integers(1, 20), st.integers(0, 3000))
def test_the_census_of_samples_is_that_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, sample: int, stride: int, tail: int, size: int
) -> None:
    text = said(60).encode()[: size + 1]
    path = tmp_path_factory.mktemp("census") / "train.log"
    path.write_bytes(text)
    with pytest.MonkeyPatch.context() as patched:
        for module in (census, portions):
            patched.setattr(module, "SAMPLE", sample)
            patched.setattr(module, "STRIDE", sample * stride)
            patched.setattr(module, "TAIL", sample * tail)
        whole = Census(0)
        whole.feed(Chunk(text, 0, 1, False))
        assert census_of(Source(str(path)), len(text), 0) == whole.finish()
