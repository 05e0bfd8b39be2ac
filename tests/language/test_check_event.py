"""What the checker finds in one event."""

import pytest

from logsleuth.language.library import compile_texts
from logsleuth.language.messages import RulesError
from logsleuth.language.program import fields_of


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
        ('block within 3 lines { maybe line "a long line" }', "LS214: a block starts with a line or regex that must"),
        ('block within 3 lines { line "{x}" }', "LS210: this pattern has no literal"),
        ("regex `some (?P<x>\\d) text` with y:int", "LS202: the regular expression has no group 'y'"),
    ],
)  # fmt: skip
def test_each_error(clauses: str, error: str) -> None:
    assert error_of(f"event e.e {{ {clauses} }}").startswith(error)


@pytest.mark.parametrize("field", ["rank", "host", "local_rank", "pid", "level", "exception"])
def test_a_sample_may_give_what_the_framing_tells(field: str) -> None:
    compile_texts({"x.sleuth": f'event e.e {{ line "some text" sample "some text" gives {field} = 1 }}'})


def test_a_group_without_a_type_is_text() -> None:
    text = 'event e.e { regex `some (?P<a>\\d) and (?P<b>.*) text` with a:int block within 3 lines { line "begin {c}" line "{d:bytes}" } }'
    event = compile_texts({"x.sleuth": text}).events["e.e"]
    assert fields_of(event) == {"a": "int", "b": "text", "c": "word", "d": "bytes"}
