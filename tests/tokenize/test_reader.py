"""From the bytes of one source to its events."""

import pytest

from logsleuth.model.origin import Tag
from tests.tokenize.reading import found

FALL = 'event a.fall "A rank fell." { line "fell with code {code:int}" }\n'
AGAIN = 'event a.again "It starts over." { line "starting over" begins attempt }\n'


def test_what_an_occurrence_tells_of_its_place() -> None:
    text = "hello\n2024-05-01 10:00:00,500 ERROR fell with code 3\n[rank2]: fell with code 4\n"
    one, two = found(FALL, text)
    assert (one.line, one.offset, one.end_offset) == (2, 6, 6)
    assert (one.level, one.stamp is not None, one.tag) == ("E", True, Tag())
    assert one.text == "2024-05-01 10:00:00,500 ERROR fell with code 3"
    assert (two.line, two.offset, two.tag) == (3, text.index("[rank2]"), Tag(rank=2))
    assert (two.stamp, two.after) == (None, one.stamp)
    assert one.after is None


def test_colours_are_gone_and_offsets_are_those_of_the_source() -> None:
    text = "\x1b[32mhello\x1b[0m\n\x1b[31mfell with \x1b[1mcode 3\x1b[0m\n"
    (one,) = found(FALL, text)
    assert (one.text, one.offset, one.line) == ("fell with code 3", text.index("\n") + 1, 2)


def test_offsets_and_numbers_do_not_depend_on_chunks() -> None:
    text = "hello\n" * 10 + "\x1b[31mfell with code 3\x1b[0m\n" + "hello\n" * 10 + "fell with code 4\n"
    places = [(o.line, o.offset) for o in found(FALL, text)]
    assert places == [(11, 60), (22, text.index("fell with code 4"))]
    assert all([(o.line, o.offset) for o in found(FALL, text, chunk_size=size)] == places for size in (1, 7, 30, 64))


def test_a_line_that_a_progress_bar_rewrites_is_several() -> None:
    text = "step 1/9\rstep 2/9\rfell with code 3\r\nfell with code 4\r\n"
    assert [(o.line, o.text) for o in found(FALL, text)] == [(1, "fell with code 3"), (2, "fell with code 4")]


def test_a_literal_is_not_enough() -> None:
    assert found(FALL, "fell with code none\nhe fell with code 3\n") == []


def test_a_line_is_one_event_however_many_wordings_fit() -> None:
    events = 'event a.b { line "fell with code {c:int}" line "fell with {what}" line "{...}with code {c:int}" }'
    assert len(found(events, "fell with code 3\n")) == 1


def test_the_last_line_needs_no_end() -> None:
    assert len(found(FALL, "hello\nfell with code 3")) == 1


def test_an_empty_source_and_one_without_events() -> None:
    assert found(FALL, "") == []
    assert found(FALL, "\n\n\n") == []


def test_bytes_of_any_kind_are_no_error() -> None:
    text = b"\x00\xff fell with code\n\xc3\x28fell with code 3\nfell with code 4 \x00\x07\xff\n"
    (one,) = found(FALL, text)
    assert one.text == "fell with code 4 \ufffd"


# Several records in one line

C10 = "[E709 17:05:38.162555850 ProcessGroupNCCL.cpp:632] "


def test_records_that_were_glued_together_are_told_apart() -> None:
    text = f"loss=5.46[rank0]:{C10}fell with code 3[rank1]:{C10}fell with code 4\n"
    glued = found('event a.fall { line "fell with code {code:int}" }', text)
    assert [(o.tag.rank, o.fields["code"], o.line) for o in glued] == [(0, 3, 1), (1, 4, 1)]
    assert [o.offset for o in glued] == [text.index("[rank0]"), text.index("[rank1]")]


def test_a_glued_record_without_a_label_is_that_of_the_line() -> None:
    event = 'event t.t { block within 9 lines { line "Traceback (most recent call last):" lines deeper line "{e:exception}: {m:text}" } }'
    text = "[rank3]: loss=5.4Traceback (most recent call last):\n[rank3]:   File x\n[rank3]: ValueError: bad\n"
    (trace,) = found(event, text)
    assert (trace.tag.rank, trace.fields["m"]) == (3, "bad")


# Attempts and stamps


def test_a_line_that_begins_an_attempt_begins_a_segment() -> None:
    text = "fell with code 1\nstarting over\nfell with code 2\nstarting over\nfell with code 3\n"
    assert [o.segment for o in found(FALL + AGAIN, text) if o.event == "a.fall"] == [0, 1, 2]


def test_a_stated_attempt_begins_a_segment_too() -> None:
    events = FALL + 'event a.nth { line "this is attempt {n:int}" states attempt = {n} }'
    text = "this is attempt 0\nfell with code 1\nthis is attempt 1\nfell with code 2\n"
    assert [o.segment for o in found(events, text) if o.event == "a.fall"] == [1, 2]


def test_the_stamp_before_is_that_of_the_last_line_of_interest() -> None:
    text = (
        "2024-05-01 10:00:00 fell with code 1\n2024-05-01 10:00:05 hello\nfell with code 2\n"
        "2024-05-01 10:00:07 fell with code 3\nfell with code 4\n"
    )
    for size in (1, 50, 1000):
        one, two, three, four = found(FALL, text, chunk_size=size)
        assert (one.after, two.after, three.after, four.after) == (None, one.stamp, one.stamp, three.stamp)


# Events that give way

FALLBACK = """
event p.any "Any exception." {
  fallback
  block within 40 lines { line "Traceback (most recent call last):" lines deeper line "{kind:exception}: {message:text}" }
  line "uncaught: {what:text}"
}
event q.fine "A known exception." { line "ran out of {what}" }
event q.said "A known complaint." { line "uncaught: ran out of {what}" }
"""
TRACE = "Traceback (most recent call last):\n  File x\nRuntimeError: {}\n"


@pytest.mark.parametrize("wanted", ["", "p", "q p"])
def test_a_block_gives_way_to_an_event_that_knows_its_last_line(wanted: str) -> None:
    """Whether or not some rule reads the finer event: what the fallback means must not depend on that."""
    areas = [o.event[0] for o in found(FALLBACK, TRACE.format("ran out of luck"), wanted=wanted)]
    assert areas == ([] if wanted == "p" else ["q"])
    assert [o.event for o in found(FALLBACK, TRACE.format("something else"), wanted=wanted)] == ["p.any"]


@pytest.mark.parametrize("wanted", ["", "p", "q p"])
def test_a_line_gives_way_to_an_event_that_knows_it(wanted: str) -> None:
    areas = [o.event[0] for o in found(FALLBACK, "uncaught: ran out of luck\n", wanted=wanted)]
    assert areas == ([] if wanted == "p" else ["q"])
    assert [o.event for o in found(FALLBACK, "uncaught: no idea\n", wanted=wanted)] == ["p.any"]


AROUND = """
event p.any "Any exception." {
  fallback
  block within 40 lines { line "Traceback (most recent call last):" lines deeper line "{kind:exception}: {message:text}" }
}
event q.ignored "One that did no harm." {
  block within 40 lines { line "Exception ignored in: {what:text}" line "Traceback (most recent call last):" lines deeper line "{kind:exception}: {message:text}" }
}
"""


@pytest.mark.parametrize("size", [1, 40, 1000])
def test_a_block_gives_way_to_the_block_around_it(size: int) -> None:
    text = "Exception ignored in: <function x>\n" + TRACE.format("bad")
    assert [o.event for o in found(AROUND, text, chunk_size=size)] == ["q.ignored"]
    assert [o.event for o in found(AROUND, TRACE.format("bad") + text, chunk_size=size)].count("p.any") == 1


def test_a_block_inside_one_that_says_whom_it_is_about_stays() -> None:
    events = AROUND.replace('line "Exception ignored in: {what:text}"', 'line "Exception ignored in: {r:int}"').replace(
        "event q.ignored", "event q.told"
    )
    events = events.rstrip()[:-1] + "about rank {r} }"
    text = "Exception ignored in: 3\n" + TRACE.format("bad")
    assert sorted(o.event for o in found(events, text)) == ["p.any", "q.told"]


BAR = """event a.bar "A bar." {
  line "drawn at {done:int} of {size:int}"
  line "drawn at rest"
  confirmed by done of size
}
"""


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("drawn at 1 of 9\n", []),
        ("drawn at 1 of 9\rdrawn at 2 of 9\r", [1]),
        ("drawn at 1 of 9\ndrawn at 2 of 9\ndrawn at 4 of 9\n", [1, 2]),
        ("drawn at 2 of 9\ndrawn at 2 of 9\n", []),
        ("drawn at 8 of 9\ndrawn at 1 of 9\ndrawn at 2 of 9\n", [1]),
        ("drawn at 1 of 9\ndrawn at 2 of 3\ndrawn at 2 of 9\n", [1]),
        ("[rank0]: drawn at 1 of 9\n[rank1]: drawn at 2 of 9\n", []),
        ("drawn at rest\n", [None]),
    ],
)
def test_a_bar_counts_once_it_has_moved_on(text: str, counted: list[int | None]) -> None:
    assert [occurrence.fields.get("done") for occurrence in found(BAR, text)] == counted
    assert [occurrence.fields.get("done") for occurrence in found(BAR, text, chunk_size=4)] == counted
