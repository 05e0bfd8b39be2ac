"""Several shapes as one pattern say of each line what they say one by one."""

from hypothesis import given
from hypothesis import strategies as st

from logsleuth.tokenize.shapes import Shape, Shapes, cut, marks_of

FORMATS = (b"step %d: loss %s", b"step %d: loss %s, norm %s", b"step %d: loss %s, norm %s, lr %s", b"[%d] %s")
NUMBERS = st.sampled_from([b"1", b"22", b"1.5", b"2.1e-05", b"1,024", b"nan"])
LINES = st.lists(st.tuples(st.sampled_from(FORMATS), st.integers(0, 10**6), st.lists(NUMBERS, min_size=3, max_size=3)))


def shape(form: bytes, *numbers: tuple[bytes, bytes, bytes]) -> Shape:
    """The shape of lines of a format, which were seen with these numbers."""
    made: Shape | None = None
    for at, values in enumerate(numbers):
        text = line(form, at, values)
        pieces = cut(text)
        assert pieces is not None
        if made is None:
            marks = marks_of(pieces, [(text.index(b"loss ") + 5, text.index(values[0]) + len(values[0]))])
            assert marks is not None
            made = Shape(pieces, marks)
        else:
            made.widen(pieces)
    assert made is not None
    return made


def line(form: bytes, step: int, values: tuple[bytes, ...] | list[bytes]) -> bytes:
    return form % (step, *values[: form.count(b"%s")])


SEEN = ((b"7.5", b"8.5", b"9.5"), (b"3e-1", b"7.5", b"6"), (b"71", b"8", b"1.5e-5"))
SHAPES = [shape(form, *SEEN[: 2 + at % 2]) for at, form in enumerate(FORMATS[:3])]


@given(LINES)
def test_the_first_shape_that_fits_tells_a_line(told: list[tuple[bytes, int, list[bytes]]]) -> None:
    lines = [line(*parts).decode() for parts in told]
    text = "\n".join(lines)
    starts = [sum(len(before) + 1 for before in lines[:at]) for at in range(len(lines))]
    ends = [start + len(of) for start, of in zip(starts, lines, strict=True)]
    numbers, texts = Shapes(SHAPES).matches(text, starts, ends)
    for of, number, said in zip(lines, numbers, texts, strict=True):
        matches = [one.pattern.fullmatch(of) for one in SHAPES]
        fits = next((at for at, match in enumerate(matches) if match), -1)
        match = matches[fits]
        assert (number, said) == (fits, match.groups() if match and fits >= 0 else None)


def test_lines_of_each_shape_are_told_apart() -> None:
    text = "step 5: loss 2.5, norm 1.5step 5: loss 2.5step 5: gain 2.5"
    numbers, texts = Shapes(SHAPES).matches(text, [0, 26, 42], [26, 42, 58])
    assert (numbers, texts) == ([1, 0, -1], [("2.5",), ("2.5",), None])
