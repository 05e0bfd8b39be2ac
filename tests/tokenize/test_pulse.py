"""``logsleuth.tokenize.pulse``: the stretches without a time, whatever the windows and the chunks."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.ingest.chunks import Chunk, cut
from logsleuth.tokenize.pulse import WINDOW, Pulse, PulseTaker
from logsleuth.tokenize.voice import SHORTEST

BEGIN = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)


def stamp(seconds: float) -> str:
    return f"{BEGIN + timedelta(seconds=seconds):%Y-%m-%d %H:%M:%S},000"


def pulse(text: bytes, size: int = 1 << 20, labelled: bool = False, limit: int = 16 << 20) -> Pulse:
    taker = PulseTaker()
    for chunk in cut([text], size, limit):
        taker.feed(chunk, labelled)
    return taker.finish()


def lines_of(pulse: Pulse) -> list[tuple[int, int]]:
    """Of the whole source: between which lines its stretches lie."""
    return [stretch.lines for voice in pulse.voices if voice.tag is None for stretch in voice.stretches]


steps = st.lists(
    st.tuples(st.sampled_from([0, 0, 1, 5, 59, 61, 300, 7000]), st.integers(0, 90), st.integers(0, 2500)),
    min_size=1,
    max_size=60,
)
"""Of every line that tells a time: seconds since the one before, lines without a time before it, bytes behind it."""


def written(steps: list[tuple[int, int, int]]) -> tuple[bytes, list[tuple[int, int]]]:
    """A log, and between which lines more than the shortest gap lies."""
    out: list[str] = []
    told: list[tuple[int, int]] = []
    now = 0
    for seconds, plain, padding in steps:
        now += seconds
        out += ["  File train.py, line 3, in forward"] * plain
        out.append(f"{stamp(now)} step {'x' * padding}")
        told.append((len(out), now))
    gaps = [(a[0], b[0]) for a, b in pairwise(told) if b[1] - a[1] > SHORTEST]
    return ("\n".join(out) + "\n").encode(), gaps


@given(steps)
def test_all_long_stretches_are_found_and_no_other(steps: list[tuple[int, int, int]]) -> None:
    text, gaps = written(steps)
    kept = 32
    found = lines_of(pulse(text))
    if len(gaps) <= kept:
        assert found == gaps
    else:
        assert len(found) == kept
        assert set(found) <= set(gaps)


@pytest.mark.parametrize("seed", range(4))
def test_a_stretch_over_windows_is_found_where_it_is(seed: int) -> None:
    """Rarely long, with tracebacks around it: it lies between the very lines, wherever windows end."""
    draw = Random(seed)
    steps = [
        (draw.choice([90, 4000]) if draw.random() < 0.002 else 1, draw.choice([0, 0, 0, 0, 150]), 200)
        for _ in range(6000)
    ]
    text, gaps = written(steps)
    assert len(text) > 8 * WINDOW
    assert 0 < len(gaps) <= 32
    assert lines_of(pulse(text)) == gaps


@given(steps, st.integers(1, 3 << 20), st.integers(0, 400))
def test_the_size_of_chunks_changes_nothing(steps: list[tuple[int, int, int]], size: int, filling: int) -> None:
    text, _ = written(steps)
    text = text + b"x" * 1000 * filling + b"\n" + text
    assert pulse(text, size) == pulse(text)


@pytest.mark.parametrize("label", ["[default{}]:", "[trainer{}]:[rank{}]:", "(Worker pid=40{})"])
def test_a_writer_among_others_is_followed(label: str) -> None:
    lines = []
    for number in range(9000):
        writer = number % 3
        if writer == 1 and 3000 <= number < 6000:
            continue
        lines.append(f"{label.replace('{}', str(writer))} {stamp(number)} step {number} {'.' * 60}")
    text = "\n".join(lines).encode()
    assert len(text) > 2 * WINDOW
    found = {voice.tag: voice.stretches for voice in pulse(text).voices if voice.tag is not None}
    assert len(found) == 3
    silent = [stretches for stretches in found.values() if stretches]
    assert [[(s.seconds, s.after.seconds) for s in stretches] for stretches in silent] == [
        [(3003.0, BEGIN.timestamp() + 2998)]
    ]


def test_numbers_of_srun_are_labels_only_where_lines_are_labelled() -> None:
    text = "".join(f"{n % 4}: {stamp(n)} step\n" for n in range(40)).encode()
    assert [voice.tag.task for voice in pulse(text, labelled=True).voices if voice.tag] == [0, 1, 2, 3]
    assert [voice.tag for voice in pulse(text).voices if voice.tag] == []


@pytest.mark.parametrize("label", ["node-{}: ", "worker-{}   | ", "[node-{}] "])
def test_hosts_are_labels_only_where_lines_are_labelled(label: str) -> None:
    text = "".join(f"{label.replace('{}', str(n % 3))}{stamp(n)} step\n" for n in range(30)).encode()
    assert len({voice.tag.host for voice in pulse(text, labelled=True).voices if voice.tag}) == 3
    assert [voice.tag for voice in pulse(text).voices if voice.tag] == []


def test_lines_that_tell_an_earlier_time_fill_a_gap() -> None:
    """Two hosts whose clocks lie an hour apart write into one log: nobody was silent for an hour."""
    text = "".join(f"{stamp(n + 3600 * (n % 2))} step\n" for n in range(50)).encode()
    assert lines_of(pulse(text)) == []


def test_stamps_of_different_kinds_are_not_compared() -> None:
    text = f"{stamp(0)} a\n2026-03-14T10:30:00Z b\n{stamp(1)} c\n".encode()
    assert lines_of(pulse(text)) == []


def test_new_year_is_no_gap_where_no_year_is_told() -> None:
    text = b"I1231 23:59:50.000000 7 a.py:1] a\nI0101 00:00:20.000000 7 a.py:1] b\nI0101 00:05:20.000000 7 a.py:1] c\n"
    assert [stretch.seconds for voice in pulse(text).voices for stretch in voice.stretches] == [300.0]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (b"", ""),
        (b"step 1\n", "ascii"),
        ("Schritt für Schritt\n".encode(), "utf-8"),
        (b"caf\xe9 step\n", "utf-8 with errors"),
    ],
)
def test_the_encoding(text: bytes, encoding: str) -> None:
    assert pulse(text).encoding == encoding


def test_a_cut_inside_a_character_is_no_error() -> None:
    text = "ü".encode() * 300
    assert pulse(text, size=101, limit=101).encoding == "utf-8"


def test_a_line_of_many_megabytes_is_passed_over() -> None:
    text = f"{stamp(0)} a\n".encode() + b"x" * (5 << 20) + f"\n{stamp(400)} b\n".encode()
    assert lines_of(pulse(text)) == [(1, 3)]


def test_a_source_without_a_chunk() -> None:
    assert PulseTaker().finish() == Pulse((), (), True, "")


def test_a_source_that_ends_inside_a_line() -> None:
    taker = PulseTaker()
    taker.feed(Chunk(f"{stamp(0)} a\n{stamp(90)} b".encode(), 0, 1, False), False)
    assert lines_of(taker.finish()) == [(1, 2)]
