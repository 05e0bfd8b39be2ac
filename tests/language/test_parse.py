"""What the parser accepts, and what it says about what it does not."""

import json
from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.language import codec, syntax
from logsleuth.language.messages import render
from logsleuth.language.parse import parse
from logsleuth.language.syntax import Clause, Event, ListOf, Mention, Operation, Quantified, Rule, Seen, Value

EVENT = '''
event proc.failed """The agent saw a worker end badly.""" {
  witness launcher
  line "failed (exitcode: {code:int}) local_rank: {l:int} (pid: {p:int}) of {...}"
  regex `exit=(?P<code>-?\\d+)` with code:int
  block within 12 lines {
    line "Worker {l:int} ended"
    lines deeper
    maybe line "with {code:int}"
  }
  about local_rank {l}, pid {p}
  began after last line of about
  states world_size = {p}, attempt = 3
  begins attempt
  fallback
  sample "failed (exitcode: -9) local_rank: 2 (pid: 922) of binary: python" gives code = -9, l = 2, x = [1, 2]
}
'''
RULE = '''
rule process.killed """A process was killed.""" {
  severity fatal
  cause killed
  role symptom
  for each rank
  needs count(seen ranks) >= 2
  when some rank has proc.failed[code == -9 and l not in quiet] as death without proc.told then proc.b[pid == death.pid]
  when at least 50% of seen ranks have proc.c or not (no proc.d)
  unless exactly 2 hosts have proc.e
  culprit hosts of death
  explains echoes, proc.f[size > 1.5 GiB] on other ranks in later attempts
  confidence certain when death.code == -9, else possible
  verdict "{death} died"
  chain "a" -> "b"
  alternatives host-oom, segfault
  remedy """- one
- two"""
  next "look"
  see "https://example.org/a"
}
'''


def only(text: str) -> object:
    parsed = parse("x.sleuth", text)
    assert parsed.errors == ()
    (declaration,) = parsed.declarations
    return declaration


def test_an_event_keeps_every_clause() -> None:
    event = only(EVENT)
    assert isinstance(event, Event)
    assert (event.name, event.witness, event.began, event.fallback, event.begins_attempt) == (
        "proc.failed", "launcher", "after life", True, True,
    )  # fmt: skip
    assert event.about == (("local_rank", "l"), ("pid", "p"))
    assert event.states == (("world_size", "p"), ("attempt", 3))
    assert [wording.is_regex for wording in event.wordings] == [False, True]
    (block,) = event.blocks
    assert (block.within, [item.optional for item in block.items]) == (12, [False, True, True])
    assert event.samples[0].gives == (("code", -9), ("l", 2), ("x", (1, 2)))


def test_a_rule_keeps_every_clause() -> None:
    rule = only(RULE)
    assert isinstance(rule, Rule)
    first, second = (clause.condition for clause in rule.when if isinstance(clause, Clause))
    assert isinstance(first, Quantified)
    assert (first.quantifier, first.member, first.pattern.binding) == ("some", "rank", "death")
    assert [step.kind for step in first.pattern.steps] == ["without", "then"]
    join = first.pattern.steps[1].reference.filter
    assert isinstance(join, Operation)
    assert isinstance(join.right, Mention)
    assert not isinstance(second, Seen)
    assert rule.culprit is not None
    assert rule.culprit.hosts
    (explains,) = rule.explains
    assert (explains.on, explains.later_attempts, explains.lists[0][0]) == ("other", True, "echoes")
    size = explains.references[0].filter
    assert isinstance(size, Operation)
    assert size.right == Value(1.5 * 2**30, "bytes")
    assert [level.confidence for level in rule.confidence] == ["certain", "possible"]
    assert (rule.chain, rule.alternatives, rule.see) == (
        ("a", "b"),
        ("host-oom", "segfault"),
        ("https://example.org/a",),
    )


def test_lists_and_tests() -> None:
    values = only('list quiet = [0, 130, "x"]')
    events = only("list echoes = [a.b, c.d,]")
    test = only(
        'test "t" { log host a-1 rank 3 """one\n""" log "x.log" """two""" logs "f" expect a.b culprit ranks 1, 2 expect nothing }'
    )
    assert isinstance(values, ListOf)
    assert isinstance(events, ListOf)
    assert isinstance(test, syntax.Test)
    assert values.values == (0, 130, "x")
    assert [name for name, _ in events.events] == ["a.b", "c.d"]
    assert [(log.host, log.rank, log.path, log.text) for log in test.logs] == [
        ("a-1", 3, "", "one\n"), ("", None, "x.log", "two"), ("", None, "f", ""),
    ]  # fmt: skip
    assert [(e.kind, e.culprits, e.members) for e in test.expectations] == [
        ("rule", "ranks", ("1", "2")),
        ("nothing", "", ()),
    ]


@pytest.mark.parametrize("text", [EVENT, RULE])
def test_a_declaration_survives_json(text: str) -> None:
    declaration = only(text)
    assert codec.decode(json.loads(json.dumps(codec.encode(declaration)))) == declaration


def test_what_json_leaves_out_stands_last() -> None:
    for kind in (item for item in vars(syntax).values() if isinstance(item, type) and is_dataclass(item)):
        kept = [field.compare for field in fields(kind)]
        assert kept == sorted(kept, reverse=True), kind


def messages(text: str) -> list[str]:
    return [render(error, {"x.sleuth": text}) for error in parse("x.sleuth", text).errors]


def test_every_declaration_with_an_error_is_told() -> None:
    text = 'rule a.b {\n  severty fatal\n}\nlist ok = [1]\nevent c.d {\n  lin "x"\n}\nfoo\n'
    found = sorted(messages(text))
    assert [message.split(": ")[0:2] for message in found] == [
        ["x.sleuth:2:3", "LS101"], ["x.sleuth:6:3", "LS101"], ["x.sleuth:8:1", "LS103"],
    ]  # fmt: skip
    assert "  2 |   severty fatal\n    |   ^^^^^^^\n" in found[0]
    assert "Did you mean `severity`" in found[0]
    assert len(parse("x.sleuth", text).declarations) == 1


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('rule a.b {\n  verdict "never closed\n}\n', "x.sleuth:2:11: LS102", "not closed"),
        ("event a.b {\n  fallback\n", "x.sleuth:1:11: LS102", "bracket is not closed"),
        ("event a.b {\n  fallback\n\nrule c.d { }\n", "x.sleuth:1:11: LS102", "before the next declaration"),
        ('event a.b { line "\\d" }\n', "x.sleuth:1:19: LS212", "no escape"),
        ("rule a.b { role root role root }\n", "x.sleuth:1:27: LS213", "second time"),
        ("list a = [1, b.c]\n", "x.sleuth:1:6: LS214", "mixes"),
        ("rule a.b { when seen c.d[x matches `(`] }\n", "x.sleuth:1:37: LS211", "does not compile"),
    ],
)  # fmt: skip
def test_errors_name_place_and_cause(text: str, place: str, words: str) -> None:
    (message,) = messages(text)
    assert message.startswith(place)
    assert words in message


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("not " * 20_000 + "seen a.b", "LS104"),
        ("seen a.b[n == " + "+".join(["1"] * 20_000) + "]", "LS104"),
        ("seen a.b[n == " + "9" * 5_000 + "]", "LS105"),
    ],
    ids=["deep condition", "long sum", "long number"],
)
def test_what_python_cannot_read_is_an_error_of_its_declaration(condition: str, code: str) -> None:
    parsed = parse("x.sleuth", "list a = [1]\n" + f"rule a.r {{ when {condition} }}\nlist b = [2]")
    assert [error.code for error in parsed.errors] == [code]
    assert [d.name for d in parsed.declarations if isinstance(d, ListOf)] == ["a", "b"]


@given(st.text(alphabet="evntrul {}[]\"'`a.b=\n#\\0", max_size=80))
def test_no_text_crashes_the_parser(text: str) -> None:
    parsed = parse("x.sleuth", text)
    for error in parsed.errors:
        render(error, {"x.sleuth": text})


@given(st.integers(0, len(RULE)), st.text(max_size=3))
def test_no_damage_to_a_rule_crashes_the_parser(at: int, insert: str) -> None:
    text = RULE[:at] + insert + RULE[at + 1 :]
    parsed = parse("x.sleuth", text)
    assert parsed.declarations or parsed.errors
