"""What the checker finds in one rule."""

import pytest

from logsleuth.language.library import compile_texts
from logsleuth.language.messages import RulesError
from tests.small_jobs import EVENTS, rule


def errors(*clauses: str, verdict: str = "v") -> list[str]:
    try:
        compile_texts(
            {
                "x.sleuth": EVENTS
                + "list numbers = [1, 2]\nlist echoes = [a.echo]\n"
                + rule("r.one", *clauses, verdict=verdict)
            }
        )
    except RulesError as error:
        return [f"{message.code}: {message.text}" for message in error.messages]
    return []


@pytest.mark.parametrize(
    "clause",
    [
        "when seen a.slip as s",
        "needs seen a.slip as s",
        "when seen a.fall then a.slip as s",
        "when some rank has a.slip as s",
    ],
)
def test_a_name_that_holds_with_the_rule_can_be_told(clause: str) -> None:
    assert errors("when seen a.fall", clause, "culprit s", verdict="{s.what} {s} {count(s)} {s.time}") == []


@pytest.mark.parametrize("clause", ["unless seen a.slip as s", "confidence certain when seen a.slip as s, else likely"])
def test_a_name_from_a_condition_that_need_not_hold_cannot(clause: str) -> None:
    assert errors("when seen a.fall", clause, verdict="{s.what}") == ["LS204: nothing is called 's' in 'r.one'"]
    assert errors("when seen a.fall", clause, "culprit s") == ["LS204: nothing is called 's' in 'r.one'"]


@pytest.mark.parametrize(
    ("clauses", "error"),
    [
        (["when seen a.fall[code in echoes]"], "LS214: 'echoes' is a list of events, not of values"),
        (["when seen a.fall", "explains numbers on any ranks"], "LS214: 'numbers' is a list of values, not of events"),
        (["when seen a.fall", "explains a.slip on some ranks"], "LS208: 'some' after 'on'"),
        (["when seen a.fall as x", "culprit x.code"], "LS208: 'x.code' is nobody that could be a culprit"),
        (["when seen a.fall as x", "when seen a.slip as x"], "LS205: 'x' names another event already"),
        (["when seen a.fall as x", "when count(y) > 1"], "LS204: nothing is called 'y' in 'r.one'"),
        (["when seen a.fall as x", "when x.what == 1"], "LS202: 'a.fall' has no field 'what'"),
        (["when seen a.fall", "for each gpu"], "LS208: 'gpu' after 'for each'"),
        (["when seen a.fall", "role cause"], "LS208: 'cause' after 'role'"),
        (["when seen a.fall", "confidence sure"], "LS208: 'sure' after 'confidence'"),
        (["when seen a.fall", "alternatives killed, kiled"], "LS207: there is no cause 'kiled'"),
        (["when seen a.fall", 'next "{x y}"'], "LS212: '{x y}' is no hole of a text"),
        (["when exactly 50% ranks have a.fall"], "LS208: '50%' is no number of members"),
        (["when exactly 2 of ranks have a.fall"], "LS101: 'of' was not expected here; expected `ranks` or `hosts`, `other` or `seen`"),
        (["when at least 2 GiB ranks have a.fall"], "LS208: '2 GiB' is no number of members"),
    ],
)  # fmt: skip
def test_each_error(clauses: list[str], error: str) -> None:
    assert error in errors(*clauses)


def test_a_list_may_be_used_before_it_is_declared() -> None:
    compile_texts(
        {"a.sleuth": EVENTS + rule("r.one", "when seen a.fall[code in later]"), "b.sleuth": "list later = [1]"}
    )


RULE = """rule r.one "A rule." {
  severity MARK
  cause    killed
  role     symptom
  when     seen a.fall as x
  culprit  x
  verdict  "it fell"
  chain    "it slips" -> "it falls"
  alternatives hang, killed
  confidence certain when seen a.slip, else likely
}
"""


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("severity MARK", "severity loud", "loud"), ("cause    killed", "cause    kiled", "kiled"), ("role     symptom", "role     simptom", "simptom"),
        ("alternatives hang, killed", "alternatives hang, kiled", "kiled"), ("else likely", "else surely", "surely"), ('"it fell"', '"it {y} fell"', "{y}"),
        ('"it falls"', '"{x} fell by {x.how}"', "{x.how}"), ('"it fell"', '"it fell {1} times"', "{1}"), ('"it fell"', '"{count(y)} fell"', "{count(y)}"),
        ("culprit  x", "for each gang", "gang"), ("when     seen a.fall as x", "when     seen a.fall[code > 5 and code < 3] as x when 3", "3"),
    ],
)  # fmt: skip
def test_a_message_is_about_the_very_word(old: str, new: str, wrong: str) -> None:
    text = RULE.replace(old, new).replace("MARK", "error")
    with pytest.raises(RulesError) as told:
        compile_texts({"e.sleuth": EVENTS, "x.sleuth": text})
    place = told.value.messages[-1].place
    assert text.split("\n")[place.line - 1][place.column - 1 :][: place.width] == wrong
