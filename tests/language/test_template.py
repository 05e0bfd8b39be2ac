"""Templates and their parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.language.template import TYPES, Hole, Part, Skip, TemplateError, parse_template


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("plain", ("plain",)),
        ("{name}", (Hole("name", "word"),)),
        ("a {n:int} b", ("a ", Hole("n", "int"), " b")),
        ("{_} and {...}", (Skip(False), " and ", Skip(True))),
        ("{{{x:hex}}}", ("{", Hole("x", "hex"), "}")),
        ("a{{b}}c", ("a{b}c",)),
        ("", ()),
    ],
)  # fmt: skip
def test_parts(text: str, parts: tuple[Part, ...]) -> None:
    assert parse_template(text) == parts


@pytest.mark.parametrize("kind", sorted(TYPES))
def test_every_type(kind: str) -> None:
    assert parse_template("{x:" + kind + "}") == (Hole("x", kind),)


@pytest.mark.parametrize(
    ("text", "offset", "width", "words"),
    [
        ("some {x text", 5, 1, "a lone '{'"),
        ("some} text", 4, 1, "a lone '}'"),
        ("a {x:whole} b", 2, 9, "unknown type 'whole'"),
        ("a {} b", 2, 2, "is no hole"),
        ("a {1x} b", 2, 4, "is no hole"),
        ("{x} {x:int}", 4, 7, "a second time"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(text: str, offset: int, width: int, words: str) -> None:
    with pytest.raises(TemplateError, match=words) as caught:
        parse_template(text)
    assert (caught.value.offset, caught.value.width) == (offset, width)


@given(st.text())
def test_a_text_with_its_braces_doubled_stands_for_itself(text: str) -> None:
    parts = parse_template(text.replace("{", "{{").replace("}", "}}"))
    assert parts == ((text,) if text else ())


@given(st.text("{}ab:_.1"))
def test_every_text_is_a_template_or_blamed(text: str) -> None:
    offset = 0
    try:
        parse_template(text)
    except TemplateError as error:
        offset = error.offset
    assert 0 <= offset <= len(text)
