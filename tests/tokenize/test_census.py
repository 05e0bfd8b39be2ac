"""Who writes in a source, and until when."""

import io
from contextlib import nullcontext

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logsleuth.ingest.chunks import CHUNK_SIZE, Reader
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import BARE, Tag
from logsleuth.tokenize import census
from logsleuth.tokenize.census import Census


@pytest.fixture
def small_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 bytes at every 1,000 bytes and the last 200, so that a test needs no megabytes."""
    monkeypatch.setattr(census, "SAMPLE", 100)
    monkeypatch.setattr(census, "STRIDE", 1000)
    monkeypatch.setattr(census, "TAIL", 200)


def life(text: str, *, size: int = CHUNK_SIZE, labelled: bool = False) -> SourceLife:
    taken = Census(labelled)
    for chunk in Reader(nullcontext(io.BytesIO(text.encode())), size=size):
        taken.feed(chunk)
    return taken.finish()


LABELLED = {
    "[rank3]: hello": Tag(rank=3),
    "[default2]: hello": Tag(local_rank=2),
    "[default2]:[rank6]: hello": Tag(rank=6, local_rank=2),
    "[1,5]<stdout>: hello": Tag(task=5),
    "node-7:4711:4720 [0] NCCL INFO hello": Tag(host="node-7", pid=4711),
    "E1130 04:10:02.164000 914 torch/x.py:9] hello": Tag(pid=914),
    "(TrainWorker pid=77) hello": Tag(pid=77),
}


@pytest.mark.parametrize(("line", "tag"), LABELLED.items())
def test_a_writer_is_seen_by_its_label(line: str, tag: Tag) -> None:
    filler = "hello\n" * 50
    text = f"{filler}{line}\n{filler}{line}\n{filler}"
    seen = life(text).lives
    assert set(seen) == {BARE, tag}
    assert (seen[tag].first, seen[tag].last) == (len(filler), 2 * len(filler) + len(line) + 1)


def test_a_launchers_label_is_seen_where_lines_carry_them() -> None:
    text = "0: hello\n1: hello\n" * 40
    assert set(life(text, labelled=True).lives) == {Tag(task=0), Tag(task=1)}
    assert set(life(text).lives) == {BARE}


def test_a_line_that_quotes_a_label_has_none() -> None:
    assert set(life("hello [rank3]: hello\n" * 50).lives) == {BARE}


def test_first_and_last_stamps_are_those_of_the_source() -> None:
    text = (
        "2024-05-01 10:00:00 hello\nE0501 10:00:01.000000 914 x.py:9] hello\nW0501 10:09:00.000000 914 x.py:9] hello\n"
        + "hello\n" * 40 + "E0501 10:01:00.000000 7 x.py:9] hello\n" + "hello\n" * 100
    )  # fmt: skip
    seen = life(text)
    assert seen.first_stamp is not None
    assert seen.first_stamp.has_year
    assert seen.last_stamp == life("E0501 10:01:00.000000 7 x.py:9] hello\n").last_stamp


def test_the_last_line_of_a_writer_tells_until_when_it_lived() -> None:
    text = (
        "".join(f"[rank0]:2024-05-01 10:00:0{n} hello\n[rank1]:2024-05-01 10:00:0{n} hello\n" for n in range(5))
        + "[rank1]:2024-05-01 10:05:00 hello\n"
    )  # fmt: skip
    one, two = life(text).lives[Tag(rank=0)], life(text).lives[Tag(rank=1)]
    assert one.stamp is not None
    assert two.stamp is not None
    assert two.stamp.seconds - one.stamp.seconds == 296
    assert (one.last, two.last) == (text.rindex("[rank0]"), text.rindex("[rank1]"))


def test_nothing_is_known_of_an_empty_source() -> None:
    assert life("") == SourceLife()


@pytest.mark.usefixtures("small_samples")
def test_only_samples_at_fixed_offsets_and_the_end_are_looked_at() -> None:
    lines = ["hello\n"] * 500
    for place, rank in ((0, 0), (16 * 3, 1), (167, 2), (250, 3), (499, 4)):
        lines[place] = f"[rank{rank}]: hello\n"
    seen = {tag.rank for tag in life("".join(lines)).lives}
    # Line 48 lies behind the first 100 bytes, line 250 between two samples.
    assert seen == {None, 0, 2, 4}


@pytest.mark.usefixtures("small_samples")
def test_a_line_that_a_sample_starts_inside_of_is_left_out() -> None:
    end = "[rank9]: so\n" + "hello\n" * 31 + "h\n"
    assert len(end) == 200
    assert set(life("hello\n" * 50 + "he says " + end).lives) == {BARE}
    assert set(life("hello\n" * 50 + end).lives) == {BARE}
    assert set(life("hello\n" * 50 + end[:-1]).lives) == {BARE, Tag(rank=9)}


@pytest.mark.usefixtures("small_samples")
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(["hello", "[rank0]: hello", "[rank1]: x", "2024-05-01 10:00:00 hello", "", "\x1b[31m[rank2]: y\x1b[0m", "z" * 70]), max_size=120),
    st.integers(1, 400),
)  # fmt: skip
def test_where_chunks_end_changes_nothing(lines: list[str], size: int) -> None:
    text = "".join(line + "\n" for line in lines)
    assert life(text, size=size) == life(text)


@pytest.mark.usefixtures("small_samples")
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["hello", "[rank0]: hello", "[rank1]: x", "says [rank9]: so"]), max_size=400))
def test_what_is_told_of_a_writer_is_true(lines: list[str]) -> None:
    text = "".join(line + "\n" for line in lines)
    for tag, seen in life(text).lives.items():
        assert tag.rank != 9
        label = "" if tag.rank is None else f"[rank{tag.rank}]"
        assert text[seen.first :].startswith(label)
        assert text[seen.last :].startswith(label)
        assert seen.first <= seen.last
