"""Which lines a wording matches."""

import pytest

from logsleuth.model.event import FieldValue
from logsleuth.tokenize.patterns import LONGEST_LINE, LinePattern
from tests.language.wordings import regex, template
from tests.tokenize.reading import found


def fields(line: str, text: str) -> dict[str, FieldValue] | None:
    """The fields of the event with this wording that a line holds; None where it holds none."""
    occurrences = found(f'event e.e {{ line "{line}" }}', text + "\n")
    return occurrences[0].fields if occurrences else None


@pytest.mark.parametrize(
    ("line", "text", "expected"),
    [
        ("lost rank {r:int}", "lost rank 3 at once", {"r": 3}),
        ("lost rank {r:int}", "   \tlost rank 3", {"r": 3}),
        ("lost rank {r:int}", "we lost rank 3", None),
        ("{...}lost rank {r:int}", "we lost rank 3", {"r": 3}),
        ("{...} lost rank {r:int}", "we lost rank 3", {"r": 3}),
        ("lost {_} {r:int}", "lost rank 3", {"r": 3}),
        ("lost {_} {r:int}", "lost the rank 3", None),
        ("lost {...} {r:int} today", "lost the rank 3 today", {"r": 3}),
        ("lost rank {r}", "lost rank three", {"r": "three"}),
        ("lost rank {r}, {why:text}", "lost rank 3, it was cold ", {"r": "3", "why": "it was cold"}),
        ("lost ({why:text}) again", "lost (so (far)) again", {"why": "so (far)"}),
        ("lost rank", "lost  rank", None),
        ("lost  rank", "lost rank", {}),
        ("lost  rank", "lost \\t   rank".replace("\\t", "\t"), {}),
        ("lost  rank", "lostrank", None),
        ("set {{a: {n:int}}} done", "set {a: 4} done", {"n": 4}),
        ("a 100% (.*) [x]", "a 100% (.*) [x]", {}),
        ("a 100% (.*) [x]", "a 100% anything [x]", None),
        ("Lost rank", "lost rank", None),
        ("verlor Rang für {r:int}", "verlor Rang für 3", {"r": 3}),
    ],
)  # fmt: skip
def test_a_template(line: str, text: str, expected: dict[str, FieldValue] | None) -> None:
    assert fields(line, text) == expected


@pytest.mark.parametrize(
    ("text", "exception"),
    [
        ("lost rank 3", None),
        ("torch.DistBackendError: lost rank 3", "torch.DistBackendError"),
        ("[rank1]: RuntimeError: lost rank 3", "RuntimeError"),
        ("  what():  lost rank 3", None),
        ("2024-05-01 10:00:00,123 ERROR lost rank 3", None),
    ],
)  # fmt: skip
def test_a_template_is_tried_behind_framing_and_the_name_of_an_exception(text: str, exception: str | None) -> None:
    (occurrence,) = found('event e.e { line "lost rank {r:int}" }', text + "\n")
    assert (occurrence.fields, occurrence.exception) == ({"r": 3}, exception)


def test_the_message_itself_may_name_the_class() -> None:
    (occurrence,) = found('event e.e { line "ValueError: lost rank {r:int}" }', "[rank0]: ValueError: lost rank 3\n")
    assert occurrence.fields == {"r": 3}


def test_a_regular_expression_may_say_that_it_begins_where_the_message_does() -> None:
    event = r"event e.e { regex `^\s*lost rank (?P<r>\d+)` with r:int }"
    lines = ["lost rank 3", "[rank1]:   lost rank 4", "2024-05-01 10:00:00,123 ERROR lost rank 5", "we lost rank 6"]
    occurrences = found(event, "".join(f"{line}\n" for line in lines))
    assert [one.fields["r"] for one in occurrences] == [3, 4, 5]


def test_a_regular_expression() -> None:
    event = "event e.e { regex `lost (?P<what>rank|host) (?P<n>\\d+)(?: of (?P<size>\\d+))?` with n:int, size:int }"
    one, two = found(event, "  lost rank 3\nwe lost rank 3\nlost host 4 of 8\n")
    assert one.fields == {"what": "rank", "n": 3}
    assert two.fields == {"what": "host", "n": 4, "size": 8}


ANY_ORDER = (
    'event e.e { line "lost rank {r:int}" also "after {n:int} steps" also `because: (?P<why>\\w+)` with why:text }'
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lost rank 3", {"r": 3}),
        ("lost rank 3 after 5 steps, because: cold", {"r": 3, "n": 5, "why": "cold"}),
        ("lost rank 3, because: cold, after 5 steps", {"r": 3, "n": 5, "why": "cold"}),
        ("lost rank 3 thereafter 5 steps", {"r": 3}),
        ("lost rank 3 x/after 4 steps after 5 steps", {"r": 3, "n": 5}),
    ],
)
def test_what_a_line_tells_besides(text: str, expected: dict[str, FieldValue]) -> None:
    (occurrence,) = found(ANY_ORDER, text + "\n")
    assert occurrence.fields == expected


def test_the_first_wording_that_finds_a_field_decides_it() -> None:
    event = 'event e.e { line "lost rank {r:int}" also "after {s:ms} ms" also "after {s:s} s" also "rank {r:int} too" }'
    one, two = found(event, "lost rank 3 after 5 s\nlost rank 3 after 500 ms after 9 s, rank 4 too\n")
    assert (one.fields, two.fields) == ({"r": 3, "s": 5.0}, {"r": 3, "s": 0.5})


def test_what_is_told_besides_may_stand_before() -> None:
    (occurrence,) = found('event e.e { line "{...}lost rank {r:int}" also "at {n:int}" }', "at 7 lost rank 3\n")
    assert occurrence.fields == {"r": 3, "n": 7}


def test_a_number_that_lines_tell_in_parts() -> None:
    event = """event e.e {
      line "epoch {epoch:int}, batch {batch:int} of {size:int}"
        also "(step {step:int})"
      counts step = batch of size in epoch from 1
    }"""
    one, two = found(event, "epoch 1, batch 7 of 100\nepoch 3, batch 7 of 100 (step 9)\n")
    assert (one.fields["step"], two.fields["step"]) == (7, 9)


def test_bytes_that_are_no_text_stay_in_their_field() -> None:
    (occurrence,) = found('event e.e { line "lost {what:text}" }', b"lost \xff\xfe things\n")
    assert occurrence.fields == {"what": "\ufffd\ufffd things"}


def test_only_the_start_of_a_very_long_line_is_looked_at() -> None:
    event = 'event e.e { line "lost {what} at last" }'
    assert len(found(event, f"lost {'x' * 1000} at last\n")) == 1
    assert found(event, f"lost {'x' * LONGEST_LINE} at last\n") == []


def test_what_a_wording_fixes_decides_between_several() -> None:
    texts = [template("lost {what:text}"), template("lost rank {n:int}"), template("lost rank {n:int} for good")]
    weights = [LinePattern(wording).weight for wording in texts]
    assert weights == sorted(weights)
    assert LinePattern(regex(r"lost (?P<x>\w+) \d+")).weight < LinePattern(regex(r"lost rank (?P<x>\d+)")).weight
