"""What the checker finds in one event."""

import pytest

from logsleuth.language.library import compile_texts
from logsleuth.language.messages import RulesError
from logsleuth.language.program import fields_of, series_of


def error_of(event: str) -> str:
    with pytest.raises(RulesError) as caught:
        compile_texts({"x.sleuth": event})
    (message,) = caught.value.messages
    return f"{message.code}: {message.text}"


@pytest.mark.parametrize(
    ("clauses", "error"),
    [
        ("regex `caf\\u00e9 is shut`", "LS211: this does not compile: bad escape"),
        ('line "one line\\nand another"', "LS212: a template is about one line"),
        ('line "some {x:int} text" about process {x}', "LS208: 'process' after 'about'"),
        ('line "some {x:int} text" states size = x', "LS208: 'size' after 'states'"),
        ('line "some {x:int} text" states rank = y', "LS202: 'e.e' has no field 'y'"),
        ('line "some {x:int} text" about job about rank {x}', "LS214: an event is about somebody or about the job"),
        ('line "some {x:int} text" began said - y', "LS202: 'e.e' has no field 'y'"),
        ('line "some {x:int} text" sample "some 1 text" gives y = 1', "LS202: 'e.e' has no field 'y'"),
        ('line "some {x:int} text" series y', "LS202: 'e.e' has no field 'y'"),
        ('line "some {x:int} text" series x at y', "LS202: 'e.e' has no field 'y'"),
        ('line "some {x:int} text of {y:word}" series x at y', "LS206: 'y' is no number (int, float, "),
        ('line "some {x:int} text of {y:text}" series y at x', "LS206: 'y' is no number"),
        ('block within 3 lines { maybe line "a long line" }', "LS214: a block starts with a line or regex that must"),
        ('block within 3 lines { line "{x}" }', "LS210: this pattern has no literal"),
        ('line "some {x:int} text" also "{y:whole}"', "LS206: unknown type 'whole'"),
        ('line "some {x:int} text" also `a(` with y:int', "LS211: this does not compile"),
        ('line "some {x:int} text" counts x = x of y in x', "LS202: 'e.e' has no field 'y'"),
        ('line "some {x:int} text of {y}" counts x = x of y in x', "LS206: 'y' is no plain number (int or float)"),
        ('line "some {x:int} text" confirmed by x of y', "LS202: 'e.e' has no field 'y'"),
        ("regex `some (?P<x>\\d) text` with y:int", "LS202: the regular expression has no group 'y'"),
    ],
)  # fmt: skip
def test_each_error(clauses: str, error: str) -> None:
    assert error_of(f"event e.e {{ {clauses} }}").startswith(error)


@pytest.mark.parametrize(
    "gives", ["rank = 1", 'host = "a"', "local_rank = 1", "pid = 1", 'level = "E"', 'exception = "OSError"']
)
def test_a_sample_may_give_what_the_framing_tells(gives: str) -> None:
    compile_texts({"x.sleuth": f'event e.e {{ line "some text" sample "some text" gives {gives} }}'})


def test_a_group_without_a_type_is_text() -> None:
    text = 'event e.e { regex `some (?P<a>\\d) and (?P<b>.*) text` with a:int block within 3 lines { line "begin {c}" line "{d:bytes}" } }'
    event = compile_texts({"x.sleuth": text}).events["e.e"]
    assert fields_of(event) == {"a": "int", "b": "text", "c": "word", "d": "bytes"}


def test_a_series_has_the_unit_of_its_field() -> None:
    text = 'event e.a { line "some {x:ms} text at {n:int}" series x at n series n }'
    more = 'event e.b { line "other {x:duration} text" series x } event f.b { line "third {x:mib} text" series x }'
    events = compile_texts({"x.sleuth": text + more}).events
    assert events["e.a"].series[0].step == "n"
    assert series_of(events) == {"e.x": "seconds", "e.n": "", "f.x": "bytes"}


def test_a_series_has_one_unit_and_a_name_of_its_own() -> None:
    first = 'event e.a { line "some {x:ms} text" series x } '
    assert error_of(first + 'event e.b { line "some {x:float} thing" series x }').startswith(
        "LS206: 'e.x' is in seconds elsewhere, here in plain numbers"
    )
    told = error_of(first + 'event e.x { line "an {y:int} event" }')
    assert told == "LS205: the series would be 'e.x', as the event at x.sleuth:1 is called already"


def test_wordings_of_an_event_may_stand_in_several_files() -> None:
    texts = {
        "a.sleuth": 'wordings of e.e { line "other text of {y:int}" also "{z:s} s" sample "other text of 3" gives y = 3 }',
        "b.sleuth": 'event e.e { line "some {x:int} text" series y }',
    }
    event = compile_texts(texts).events["e.e"]
    assert fields_of(event) == {"x": "int", "y": "int", "z": "s"}
    assert len(event.samples) == 1


def test_wordings_of_an_event_that_is_nowhere() -> None:
    assert (
        error_of('wordings of e.f { line "some text" } event e.e { line "some text" }')
        == "LS201: there is no event 'e.f'"
    )


def test_wordings_elsewhere_are_checked_as_well() -> None:
    assert error_of('event e.e { line "some text" } wordings of e.e { line "{x}" }').startswith("LS210")
