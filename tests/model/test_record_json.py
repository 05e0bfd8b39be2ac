"""Records as JSON and back."""

import json
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

import pytest

from logsleuth.model.analysis import Verdict
from logsleuth.model.record_json import decode, encode
from tests.report.analyses import CASES


class Colour(StrEnum):
    RED = "red"


class Inner(NamedTuple):
    colour: Colour
    number: int | None


class Outer(NamedTuple):
    inners: tuple[Inner, ...]
    moment: float
    is_it: bool


VALUE = Outer((Inner(Colour.RED, 1), Inner(Colour.RED, None)), 2.0, True)
WRITTEN = {
    "inners": [{"colour": "red", "number": 1}, {"colour": "red", "number": None}],
    "moment": 2.0,
    "is_it": True,
}


def test_what_is_written() -> None:
    assert encode(VALUE) == WRITTEN


@pytest.mark.parametrize("case", CASES)
def test_every_verdict_comes_back_as_it_was(case: str) -> None:
    for verdict in CASES[case]().verdicts:
        assert decode(Verdict, json.loads(json.dumps(encode(verdict)))) == verdict


def test_a_whole_number_is_a_moment_too() -> None:
    assert decode(Outer, WRITTEN | {"moment": 2}) == VALUE


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        (WRITTEN | {"moment": "2"}, "Outer.moment: str"),
        (WRITTEN | {"moment": True}, "Outer.moment: bool"),
        (WRITTEN | {"is_it": 1}, "Outer.is_it: int"),
        (WRITTEN | {"more": 1}, "Outer: .*: more"),
        ({"inners": []}, "Outer: .*: is_it, moment"),
        (WRITTEN | {"inners": {}}, "Outer.inners: dict"),
        (WRITTEN | {"inners": [{"colour": "blue", "number": 1}]}, r"Outer.inners\[0\].colour: 'blue' is no Colour"),
        (WRITTEN | {"inners": [{"colour": None, "number": 1}]}, r"Outer.inners\[0\].colour: NoneType"),
        (WRITTEN | {"inners": [[]]}, r"Outer.inners\[0\]: list"),
        (7, "Outer: int"),
    ],
)
def test_what_is_no_such_record_is_told_with_its_place(wrong: object, place: str) -> None:
    with pytest.raises(ValueError, match=place):
        decode(Outer, wrong)


def test_odd_text_comes_back() -> None:
    verdict = replace(CASES["root"]().verdicts[0], summary="\udcff\0 \u2028")
    assert decode(Verdict, json.loads(json.dumps(encode(verdict)))) == verdict
