"""Which event a line becomes where several have a wording for it."""

import pytest

from logsleuth.language.library import compile_texts
from logsleuth.tokenize.dictionary import Claims, Dictionary, Vocabulary
from logsleuth.tokenize.framing import frame
from logsleuth.tokenize.view import Line
from tests.tokenize.reading import found

SEVERAL = """
event a.any "Something was lost." { line "lost {what:text}" }
event a.rank "A rank was lost." { line "lost rank {r:int}" }
event a.good "A rank was lost for good." { line "lost rank {r:int} for good" }
event b.rest "Something else." { fallback line "lost rank 3 for good and all" }
"""


@pytest.mark.parametrize(
    ("text", "event"),
    [("lost keys", "a.any"), ("lost rank 3", "a.rank"), ("lost rank 3 for good", "a.good"), ("lost rank 3 for good and all", "a.good")],
)  # fmt: skip
def test_the_wording_that_fixes_most_wins_and_a_fallback_comes_last(text: str, event: str) -> None:
    (occurrence,) = found(SEVERAL, text + "\n")
    assert occurrence.event == event


def test_the_order_of_declarations_does_not_matter() -> None:
    turned = "\n".join(reversed(SEVERAL.strip().splitlines()))
    (occurrence,) = found(turned, "lost rank 3 for good and all\n")
    assert occurrence.event == "a.good"


def test_an_event_that_is_not_wanted_is_not_searched_for() -> None:
    program = compile_texts({"x.sleuth": SEVERAL})
    wanted = [program.events["a.good"]]
    assert len(Vocabulary(wanted, program.events.values(), "plain").dictionary.literals) == 1


def test_wordings_with_one_literal_share_it() -> None:
    program = compile_texts(
        {
            "x.sleuth": 'event a.b { line "the same {x:int}" line "the same {y:hex}" block within 3 lines { line "the same {z}" line "thing" } }'
        }
    )
    dictionary = Dictionary(program.events.values())
    assert dictionary.literals == [b"the same "]
    found_lines, blocks = dictionary.candidates((0,))
    assert (len(found_lines), len(blocks)) == (2, 1)


def test_a_line_without_literals_may_be_nothing() -> None:
    program = compile_texts({"x.sleuth": SEVERAL})
    assert Dictionary(program.events.values()).candidates(()) == ((), ())


@pytest.mark.parametrize(
    ("text", "claimed"),
    [(b"lost rank 3", True), (b"[rank0]: RuntimeError: lost keys", True), (b"we lost rank 3", False), (b"nothing", False)],
)  # fmt: skip
def test_a_line_is_claimed_by_an_event_that_is_no_fallback(text: bytes, claimed: bool) -> None:
    program = compile_texts({"x.sleuth": SEVERAL + 'event b.more { fallback line "nothing" }'})
    assert Claims(program.events.values()).claimed(Line(text, 0, 1, frame(text))) is claimed
