"""What each type of hole matches, and what value that has."""

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.language.template import TYPES
from logsleuth.model.event import FieldValue
from logsleuth.tokenize.patterns import LinePattern
from logsleuth.tokenize.types import FIELD_TYPES
from tests.language.wordings import regex, template
from tests.tokenize.reading import found


def value(kind: str, text: str, behind: str = " end") -> FieldValue | None:
    """The value of ``text`` in a hole with text behind it; None where the template does not match."""
    occurrences = found(f'event e.e {{ line "value {{x:{kind}}}{behind}" }}', f"value {text}{behind}\n")
    return occurrences[0].fields.get("x") if occurrences else None


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("int", "-9", -9), ("int", "+4", 4), ("int", "12.5", None), ("int", "0x10", None), ("int", "007", 7),
        ("float", "1,234.5", 1234.5), ("float", "1e-3", 0.001), ("float", "'2.5'", 2.5), ("float", '"7"', 7.0), ("float", "inf", math.inf),
        ("float", "-Infinity", -math.inf), ("float", ".5", 0.5), ("float", "3.", 3.0), ("float", "none", None),
        ("percent", "97 %", 0.97), ("percent", "12.5%", 0.125), ("percent", "97", 0.97), ("percent", "all", None),
        ("word", "rank:3,", "rank:3,"), ("word", "two words", None), ("text", "two words", "two words"),
        ("bytes", "12.50 GiB", 12.5 * 2**30), ("bytes", "512 bytes", 512), ("bytes", "300 MB", 3e8), ("bytes", "1 GiBs", None), ("bytes", "7", None),
        ("duration", "600000ms", 600), ("duration", "900s", 900), ("duration", "0:10:00", 600), ("duration", "15 min", 900), ("duration", "2 hours", 7200),
        ("ms", "1500", 1.5), ("ms", "0.5", 0.0005), ("s", "90.5", 90.5), ("s", "soon", None),
        ("ms", "8.75K", 8.75), ("count", "1.6M", 1.6e6), ("count", "1,234", 1234), ("count", "182K", 182e3), ("count", "12 KB", None), ("count", "many", None),
        ("mib", "1.5", 1.5 * 2**20), ("gib", "1.5", 1.5 * 2**30),
        ("address", "10.0.0.7:29500", "10.0.0.7:29500"), ("address", "[::1]:29500", "[::1]:29500"), ("address", "10.0.0.7<41234>", "10.0.0.7<41234>"),
        ("address", "node-3:29500", "node-3:29500"), ("address", "node-3", "node-3"),
        ("hex", "0x7f00", 0x7F00), ("hex", "7f00", 0x7F00), ("hex", "0xyz", None),
        ("ranks", "0, 3-5", (0, 3, 4, 5)), ("ranks", "[0, 1]", (0, 1)), ("ranks", "{2}", (2,)), ("ranks", "all", None),
        ("exception", "torch.cuda.OutOfMemoryError", "torch.cuda.OutOfMemoryError"), ("exception", "9Error", None),
    ],
)  # fmt: skip
def test_value(kind: str, text: str, expected: FieldValue | None) -> None:
    assert value(kind, text) == expected


def test_not_a_number_is_a_number() -> None:
    got = value("float", "nan")
    assert isinstance(got, float)
    assert math.isnan(got)


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("word", "a/b.c:3) more", "a/b.c:3)"), ("text", "all of the rest \t", "all of the rest"), ("int", "12ab", 12), ("address", "10.0.0.7:80, and", "10.0.0.7:80"),
        ("ranks", "[1, 2], but", (1, 2)), ("bytes", "2.00 MiB free", 2 * 2**20), ("duration", "30 seconds, then", 30), ("float", "0.25/s", 0.25),
    ],
)  # fmt: skip
def test_a_hole_at_the_end_takes_what_is_its_own(kind: str, text: str, expected: FieldValue) -> None:
    assert value(kind, text, "") == expected


def test_every_type_of_the_language_is_there() -> None:
    assert FIELD_TYPES.keys() == TYPES


@pytest.mark.parametrize("text", ["9" * 5000, "1.2.3s", "1..2 GiB", "9" * 400 + ".5", "1-999999999"])
@pytest.mark.parametrize("kind", sorted(TYPES))
def test_absurd_numbers_are_no_error(kind: str, text: str) -> None:
    value(kind, text)
    value(kind, text, "")


def test_a_number_without_bounds_is_unknown() -> None:
    assert value("int", "9223372036854775807") == 2**63 - 1
    assert value("int", "9223372036854775808") is None
    assert value("hex", "f" * 41) is None


@pytest.mark.parametrize("kind", sorted(TYPES))
@settings(max_examples=50, deadline=None)
@given(text=st.one_of(st.text(), st.text("0123456789.,:-+eExinfa[]{}<> smhGiB")))
def test_a_group_of_a_regular_expression_may_hold_anything(kind: str, text: str) -> None:
    pattern = LinePattern(regex("(?P<x>(?s:.*))", ("x", kind)))
    match = re.compile(pattern.source.encode()).match(text.encode("utf-8", "surrogatepass"))
    assert match
    pattern.fields(match)


@pytest.mark.parametrize("kind", sorted(TYPES))
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_what_a_hole_matches_has_a_value_of_its_type(kind: str, data: st.DataObject) -> None:
    pattern = LinePattern(template("value {x:" + kind + "} end"))
    compiled = re.compile(pattern.source.encode())
    line = data.draw(st.from_regex(compiled, fullmatch=True))
    match = compiled.match(line)
    assert match
    kinds = {
        "int": int, "hex": int, "float": float, "ms": float, "s": float, "mib": float, "gib": float, "count": float, "bytes": float, "duration": float, "ranks": tuple,
        "percent": float,
    }  # fmt: skip
    got = pattern.value(match, "x")
    assert got is None or isinstance(got, kinds.get(kind, str))
