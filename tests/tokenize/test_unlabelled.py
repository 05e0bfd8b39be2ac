"""Tracebacks of which only the first line carries the label of their writer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.tokenize.framing import is_labelled
from tests.tokenize.reading import found

EVENTS = """
event t.trace "A traceback." {
  fallback
  block within 40 lines {
    line "Traceback (most recent call last):"
    lines deeper
    regex `(?P<kind>[A-Z]\\w*Error): (?P<message>.*)` with kind:exception, message:text
  }
}
event t.full "A line of its own." {
  line "CUDA out of memory. Tried {n:int}"
}
event t.joined "Handled." {
  line "During handling of the above exception, another exception occurred:"
}
"""
BODY = '  File "/srv/job/train.py", line 9, in main\n    step(batch)\n         ^^^^^\n'
HEAD = "Traceback (most recent call last):\n"


def told(text: str, size: int = 1 << 20) -> list[tuple[str, int | None, int]]:
    return sorted(((o.event, o.tag.rank, o.line) for o in found(EVENTS, text, chunk_size=size)), key=str)


def test_the_exception_is_that_of_the_labelled_head() -> None:
    text = f"[rank3]: {HEAD}{BODY}KeyError: 'x'\n[rank1]: step 9\n"
    assert told(text) == [("t.trace", 3, 1)]


def test_so_is_one_that_an_event_of_its_own_knows() -> None:
    text = f"[rank3]: {HEAD}{BODY}OutOfMemoryError: CUDA out of memory. Tried 20\n"
    assert told(text) == [("t.full", 3, 5)]


def test_and_one_that_was_raised_while_it_was_handled() -> None:
    text = (
        f"[rank3]: {HEAD}{BODY}KeyError: 'x'\nsome more\n\n"
        f"During handling of the above exception, another exception occurred:\n\n{HEAD}{BODY}ValueError: y\n"
    )
    assert told(text) == [("t.joined", 3, 8), ("t.trace", 3, 1), ("t.trace", 3, 10)]


@pytest.mark.parametrize(
    "between",
    ["[rank1]: step 9\n", "2026-03-05 10:00:00,123 step 9\n", "step 9\n", "step 9\n" + BODY],
    ids=["labelled", "stamped", "of no traceback", "of another traceback"],
)
def test_lines_of_others_end_that(between: str) -> None:
    for text in (f"[rank3]: {HEAD}{between}{BODY}KeyError: 'x'\n", f"[rank3]: {HEAD}{BODY}{between}KeyError: 'x'\n"):
        assert told(text) == []


def test_a_traceback_of_its_own_is_nobodys() -> None:
    text = f"[rank3]: {HEAD}{BODY}KeyError: 'x'\n{HEAD}{BODY}ValueError: y\n"
    assert {(rank, line) for _, rank, line in told(text)} == {(3, 1), (None, 6)}


def test_a_traceback_that_goes_on_keeps_its_lines() -> None:
    text = f"{HEAD}[rank3]: {HEAD}{BODY}KeyError: 'x'\n"
    assert told(text) == [("t.trace", None, 1)]


def test_labels_on_every_line_count_as_before() -> None:
    text = "".join(f"[rank3]: {line}\n" for line in f"{HEAD}{BODY}KeyError: 'x'".splitlines())
    assert told(text.replace("[rank3]: KeyError", "ValueError: y\n[rank3]: KeyError")) == [("t.trace", 3, 1)]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [f"[rank3]: {HEAD}", f"[rank1]: {HEAD}", HEAD, BODY, "KeyError: 'x'\n", "\n", "[rank1]: step\n", "step\n",
             "During handling of the above exception, another exception occurred:\n", "[rank3]: KeyError: 'x'\n",
             "\x1b[31mOutOfMemoryError: CUDA out of memory. Tried 20\x1b[0m\n"]
        ),
        max_size=16,
    ),
    st.integers(1, 120),
)  # fmt: skip
def test_where_chunks_end_changes_nothing(parts: list[str], size: int) -> None:
    text = "".join(parts)
    assert told(text, size) == told(text)


@pytest.mark.parametrize("label", ["{}: ", "node-{}: "])
def test_a_log_whose_tracebacks_are_labelled_once_is_labelled(label: str) -> None:
    lines = [label.format(at * 7 % 4) + f"step {at // 4}" for at in range(24)]
    trace = [label.format(2) + HEAD.strip(), *(BODY * 8).splitlines(), "KeyError: 'x'"]
    text = "\n".join(lines + trace).encode()
    assert is_labelled(text) == 1
