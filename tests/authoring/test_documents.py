"""Rules and events in words."""

import pytest

from logsleuth.authoring.document import plain
from logsleuth.authoring.event_document import event_document
from logsleuth.authoring.function_words import FUNCTION_WORDS
from logsleuth.authoring.holes import Holes
from logsleuth.authoring.index import Index
from logsleuth.authoring.markdown import to_markdown, words
from logsleuth.authoring.prose import Prose
from logsleuth.authoring.rule_document import rule_document
from logsleuth.language import syntax as s
from logsleuth.language.functions import FUNCTIONS
from logsleuth.language.library import compile_texts
from logsleuth.language.program import Program

EVENTS = """
event a.fall "It fell." {
  line "fell with code {code:int} on {where}"
  sample "fell with code 1 on node-7" gives code = 1, where = "node-7"
  sample "fell with code 9 on node-8" gives code = 9, where = "node-8"
}
event a.slip "It slipped." { line "slipped on ice" sample "slipped on ice" }
event a.step "It went on." { line "pace {pace:s} at {step:int}" series pace at step sample "pace 1 at 2" gives pace = 1 }
list bad = [9, 11]
"""
RULE = 'rule a.rule "It." {{ severity error cause killed verdict "it" {} }}'


def program(clauses: str) -> Program:
    return compile_texts({"rules": EVENTS + RULE.format(clauses)})


def told(clauses: str) -> str:
    """The conditions of a rule in plain words."""
    rule = program(clauses).rules["a.rule"]
    prose = Prose({item.name: item.value for item in rule.when if isinstance(item, s.Let)})
    parts = [
        prose.clause(x) if isinstance(x, s.Clause) else prose.let(x) for x in (*rule.when, *rule.needs, *rule.unless)
    ]
    return "; ".join(plain(part) for part in parts)


def test_every_function_has_words() -> None:
    assert FUNCTION_WORDS.keys() == FUNCTIONS.keys()


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        ("when seen a.fall as x", "there is a.fall (x)"),
        ("when seen a.fall[code in bad] as x", "there is a.fall (x) where code is one of bad (9, 11)"),
        ("when seen a.fall[code == 9 and where starts with \"node\"]", 'there is a.fall where code is 9 and where starts with "node"'),
        ("when seen a.fall then no a.slip within 5 min", "there is a.fall, then within 5 min no a.slip"),
        ("when seen a.fall then never a.slip", "there is a.fall, then to the end no a.slip"),
        ("when some rank has a.fall as x without a.slip", "some rank has a.fall (x), and nowhere a.slip"),
        ("when at least 50% of ranks have a.fall", "at least 50% of the ranks have a.fall"),
        ("when all but 1 rank have a.fall", "all but 1 ranks have a.fall"),
        ("when every seen rank has a.fall", "every rank that left a log has a.fall"),
        ("when exactly 1 host has a.fall", "exactly 1 host has a.fall"),
        ("when no a.fall or not (seen a.slip and seen a.fall)", "there is no a.fall or it is not so that (there is a.slip and there is a.fall)"),
        ("when seen a.fall as x when x within 5 s of each other", "there is a.fall (x); all of x began within 5 s of each other"),
        ("let gone = ranks where last(a.slip.text) is known when count(gone) >= 1", "gone: the ranks for which there is a.slip; the number of gone is at least 1"),
        ("when not last(a.slip.text) is known and not last(a.fall.code) is known", "there is no a.slip and the last code of a.fall is not told"),
        ("when count(a.fall) >= 3 within 10m", "the number of a.fall within 10 min is at least 3"),
        ("let most_of = 25% when count(ranks) > most_of * 4", "most_of: 25%; the number of ranks is above most_of (25%) × 4"),
        ("when seen a.fall let slow = ranks where last(a.pace) > 1.5 * peers.median(last(a.pace)) when count(slow) <= 2",
         "there is a.fall; slow: the ranks for which the last a.pace is above 1.5 × the median over its peers of the last a.pace; the number of slow is at most 2"),
        ("when rising(a.pace, over = 200 steps, gain = 10%)", "a.pace only ever rises over the last 200 steps (gain = 10%)"),
        ("when max(1, 25% of ranks) > (2 + 3) * 4", "the greatest of 1 and 25% of the ranks is above (2 + 3) × 4"),
        ("when seen a.fall needs count(seen ranks) >= 2 unless seen a.slip", "there is a.fall; the number of ranks that left a log is at least 2; there is a.slip"),
    ],
)  # fmt: skip
def test_a_condition_in_words(clauses: str, expected: str) -> None:
    assert told(clauses) == expected


def holes(clauses: str, text: str) -> str:
    return words(Holes(program(clauses).rules["a.rule"]).text(text), lambda _: "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{x} fell on {x.where}", "*the rank* fell on *where*"),
        ("{slow} and {took}, {count(slow)} of {count(ranks)}", "*the ranks* and *took*, *the number of slow* of *the number of ranks*"),
        ("run `dmesg {x.where} | grep {{}}` on <it> *now*", r"run `dmesg WHERE | grep {}` on \<it> \*now\*"),
        ("a brace {{here}}", "a brace {here}"),
    ],
)  # fmt: skip
def test_holes_of_texts_are_told_in_words(text: str, expected: str) -> None:
    clauses = "when seen a.fall as x let took = last(a.fall.code) let slow = ranks where took > 1"
    assert holes(clauses, text) == expected


def test_the_line_that_is_shown_is_one_that_passes_the_filter() -> None:
    index = Index(program("when seen a.fall[code in bad] as x"))
    page = to_markdown(rule_document(index.program.rules["a.rule"], index), lambda _: "")
    assert "fell with code 9 on node-8" in page
    assert "fell with code 1" not in page


def test_a_page_shows_what_a_site_has_made_of_the_rule() -> None:
    texts = {
        "rules": EVENTS + RULE.format("let least = 1 when count(a.fall) > least"),
        "site": "adjust a.rule { let least = 7 }",
    }
    index = Index(compile_texts(texts))
    page = to_markdown(rule_document(index.program.rules["a.rule"], index), lambda _: "")
    assert "let least = 7" in page
    assert "*least* (7)" in page
    assert "as adjusted at site:1" in page


def test_lines_cannot_break_out_of_a_page() -> None:
    hostile = 'event h.line "Has ``` and <b>." { line "```boom {x}" sample "```boom \x1b[31m|# x" }\n'
    index = Index(compile_texts({"rules": hostile}))
    page = to_markdown(event_document(index.program.events["h.line"], index), lambda _: "")
    assert "````text\n```boom \\x1b[31m|# x\n````" in page
    assert r"Has \`\`\` and \<b>." in page
    assert "\x1b" not in page
