"""Labels that a line alone does not prove: which kind a source carries, and that kinds do not mix."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.tokenize.framing import frame, is_labelled
from logsleuth.tokenize.outer_labels import KINDS, counts, interleave

ORDER = [2, 0, 1, 3, 1, 0, 0, 3, 2, 1, 3, 0, 2, 2, 1, 3]
"""In which four processes write."""


def log(form: str, order: list[int] = ORDER) -> bytes:
    return "".join(f"{form.format(k)}hello from step {number}\n" for number, k in enumerate(order)).encode()


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("{}: ", {"task": 3}),
        (" {}: ", {"task": 3}),
        ("node-{}: ", {"host": "node-3"}),
        ("[node-{}]: ", {"host": "node-3"}),
        ("<node-{}> ", {"host": "node-3"}),
        ("node-{}\t", {"host": "node-3"}),
        ("trainer-{}  | ", {"host": "trainer-3"}),
        ("[{}] ", {"task": 3}),
        ("rank {}: ", {"rank": 3}),
        ("Rank {} | ", {"rank": 3}),
        ("rank{}: ", {"rank": 3}),
        ("(rank {}) ", {"rank": 3}),
        ("rank={} ", {"rank": 3}),
        ("llama-worker-{} pytorch ", {"host": "llama-worker-3"}),
        ("llama-worker-{} pytorch \u2502 ", {"host": "llama-worker-3"}),
        ("training llama-worker-{} pytorch ", {"host": "llama-worker-3"}),
        ("llama-workers-0-{}-x7k2p pytorch ", {"host": "llama-workers-0-3-x7k2p"}),
    ],
)
def test_a_source_whose_lines_carry_labels_is_read_with_them(form: str, told: dict[str, object]) -> None:
    kind = is_labelled(log(form))
    line = (form.format(3) + "RuntimeError: x").encode()
    seen = frame(line, kind)
    assert line[seen.start :] == b"RuntimeError: x"
    assert {name: value for name, value in seen.tag._asdict().items() if value is not None} == told


def test_services_without_a_number_are_peeled_and_name_no_host() -> None:
    sample = b"trainer    | a\nredis      | b\ntrainer    | c\nredis      | d\ntrainer    | e\n"
    seen = frame(b"trainer    | RuntimeError: x", is_labelled(sample))
    assert (seen.start, seen.tag.is_bare) == (len(b"trainer    | "), True)


@pytest.mark.parametrize(
    "sample",
    [
        log("[{}] ", [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]),  # epochs
        log("[{}] ", [0, 1, 2, 3] * 4),  # a list that is printed again and again, as gpustat does
        log("[{}] ", [0, 2, 5] * 4),
        log("[{}] ", [0] * 16),
        log("rank {}: ", [0, 1, 2, 3] * 4),  # rank 0 tells of all
        log("{}: ", [10, 10, 20, 20, 30, 30]),  # steps that print two lines each
        log("step-{}: "),
        log("worker-{} finished "),
        b"server is up\nserver is up\nserver is down\nserver is down\n",
        b"name | value\nloss | 0.5\nacc | 0.25\nlr | 0.2\n",
        b"[1] Smith 2020\n[2] Jones 2021\n[3] Brown 2022\n",
    ],
)
def test_numbers_and_words_that_are_no_labels(sample: bytes) -> None:
    assert is_labelled(sample) == 0


@pytest.mark.parametrize("kind", range(len(KINDS) + 1))
def test_a_label_of_another_kind_stays(kind: int) -> None:
    samples = {1: b"3: x", 2: b"[3] x", 3: b"rank 3: x", 4: b"redis   | x", 5: b"llama-worker-3 pytorch x"}
    for other, line in samples.items():
        assert (frame(line, kind).start > 0) is (other == kind)


def test_what_counts() -> None:
    assert counts([1, 2, 3, 4])
    assert counts([10, 10, 20, 20, 30, 30])
    assert not counts([0, 0, 8, 8, 16, 16])
    assert not counts([0, 0, 1, 1, 2, 2])
    assert not counts([0, 1, 0, 1])
    assert not counts([0] * 40 + [1] * 40 + [2] * 40)
    assert not interleave([])
    assert not interleave([3] * 8)


LABELS = st.sampled_from(["3: ", "node-7: ", "[3] ", "rank 3: ", "(rank 3) ", "redis   | ", "llama-worker-3 pytorch "])
TAGS = st.sampled_from(["", "[rank3]: ", "[default3]:", "2026-11-30T10:00:00Z ", "[rank: 3] ", "[1,3]<stderr>:"])
MESSAGES = st.from_regex(r"[G-Zg-z]{3,8}( [a-z]{1,8}| \d{1,4}){0,6}", fullmatch=True)


@settings(deadline=None)
@given(outer=TAGS, label=LABELS, inner=TAGS, message=MESSAGES, kind=st.integers(0, len(KINDS)))
def test_what_is_peeled_is_framing_and_what_is_left_is_the_rest(
    outer: str, label: str, inner: str, message: str, kind: int
) -> None:
    line = (outer + label + inner + message).encode()
    start = frame(line, kind).start
    peeled = line[:start].decode()
    parts = (outer, label, inner)
    # Whole parts from the left, and no byte of the message.
    ends = [len("".join(parts[:number]).encode()) for number in range(4)]
    assert start in {*ends, *(end - 1 for end in ends)}, peeled
    assert line[start:].endswith(message.encode())
