"""Which regular expressions a hostile line makes run for ever, shown in steps and never in seconds."""

import dataclasses
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.language import syntax as s
from logsleuth.language.backtracking import backtracking
from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from logsleuth.language.program import Program, wordings_of
from logsleuth.language.regex_steps import StepCounter
from logsleuth.language.regex_tree import tree_of
from logsleuth.language.wording_regex import also_regex_of, regex_of
from tests.language.regexes import compiled, patterns


def steps(pattern: str, line: bytes, most: int = 10**6) -> int:
    return StepCounter(tree_of(pattern.encode())).steps(line, most)


@pytest.mark.parametrize(
    ("pattern", "part"),
    [
        (r"(a+)+b", "(a+)+"),
        (r"x(?:a*)*b", "(?:a*)*"),
        (r"(?:a|a)*b", "(?:a|a)*"),
        (r"(?:a|ab|b)*c", "(?:a|ab|b)*"),
        (r"ranks: (?:\d+,?)+ of", r"(?:\d+,?)+"),
        (r"(\w+\s?)*:", r"(\w+\s?)*"),
        (r"([\w.-]{1,40})+!", r"([\w.-]{1,40})+"),
        (r"(?=(?:a+)+b)x", "(?:a+)+"),
        (r"(?>(?:a+)+b)x", "(?:a+)+"),
        (r"(?=.*step)(?:x|xy|y)+ of", "(?:x|xy|y)+"),
        (r"(?i)(?:é|É|[éa])+b", "(?:é|É|[éa])+"),
    ],
)
def test_ways_that_double(pattern: str, part: str) -> None:
    attack = backtracking(pattern.encode()).attack
    assert attack
    assert attack.is_exponential
    assert pattern.encode()[attack.start : attack.end].decode() == part
    assert steps(pattern, attack.line(10)) > 8 * steps(pattern, attack.line(5))


def test_copies_that_may_be_empty_are_ways_too() -> None:
    attack = backtracking(rb"(?:a?){40}a{40}").attack
    assert attack
    assert steps(r"(?:a?){40}a{40}", attack.line(5)) > 500_000


@pytest.mark.parametrize(
    ("pattern", "is_searched"),
    [
        (r"a*a*a*b", False),
        (r".*x.*y.*z", False),
        (r"a*a*x?b*b*c", False),
        (r".*x.*y", True),
        (r"(\w+) (\w+)=\d+\d+\d+;", False),
    ],
)
def test_work_that_grows_with_a_cube(pattern: str, is_searched: bool) -> None:
    attack = backtracking(pattern.encode(), is_searched).attack
    assert attack
    assert not attack.is_exponential
    whole = f"(?s:.*?){pattern}" if is_searched else pattern
    assert steps(whole, attack.line(32)) > 5 * steps(whole, attack.line(16))


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+",  # it never fails, so nothing is tried again
        r"(?>a+)+b",
        r"(?:a++)+b",
        r"(?:\d+, ?)+ ranks",
        r"(?:\d+(?:, ?)?)++ ranks",
        r"foo(?:[^\"]*\"[^\"]*\")*bar",
        r"(?>.*?x)(?>.*?y)(?>.*?z).*?w",
        r"[^,]*,[^,]*,[^,]*,[^,]*;",
        r".*x.*y",
        r"\S+ \S+ \S+ \S+:",
        r"(?:ab|ac|b)*d",
        r"(?:(?!stop).)*stop",
        r".{0,20}a.{0,20}b.{0,20}c.*d",
    ],
)
def test_what_no_line_makes_dear_is_no_error(pattern: str) -> None:
    assert backtracking(pattern.encode()).attack is None


@pytest.mark.parametrize("pattern", [r"[^,]*,[^,]*;", r"\S+ \S+:", r".*x.*y", r"(?:\d+, ?)+ ranks", r"a{2,5}b"])
def test_what_is_proved_to_be_harmless_is_not_watched(pattern: str) -> None:
    assert backtracking(pattern.encode()).is_harmless


@pytest.mark.parametrize("pattern", [r"(?>a+)+b", r"(?:a++)+b", "(?:x{1,9}y{1,9}){200}" * 4])
def test_what_is_not_proved_is_watched(pattern: str) -> None:
    assert backtracking(pattern.encode()) == (None, False)


@settings(max_examples=400)
@given(patterns, st.text("ab1 x=.", max_size=3), st.text("ab1 x=.", min_size=1, max_size=4), st.sampled_from("!b \0"))
def test_patterns_that_pass_are_cheap_on_any_repetition(pattern: str, text: str, pump: str, tail: str) -> None:
    """Of what is proved harmless, lines four times as long never take more than the square of that, 16 times as much,
    and what is added once."""
    compiled(pattern)
    if not backtracking(pattern.encode()).is_harmless:
        return
    counts = [steps(pattern, (text + pump * times + tail).encode()) for times in (12, 48)]
    assert counts[1] <= 20 * counts[0] + 2000


def shipped() -> Iterator[tuple[str, str, bool]]:
    """(name of the event or rule, regular expression, whether it is searched for) of all that the library holds."""
    program = compile_texts(read_rules([shipped_rules()]), tests=False)
    for event in program.events.values():
        for wording in wordings_of(event):
            yield event.name, regex_of(wording), False
            yield from ((event.name, also_regex_of(also), True) for also in wording.also)
    yield from ((rule.name, pattern, True) for rule in program.rules.values() for pattern in matched(rule))


def matched(node: object) -> Iterator[str]:
    """The patterns of ``matches`` beneath a node."""
    if isinstance(node, s.Operation) and node.operator == "matches" and isinstance(node.right, s.Value):
        yield str(node.right.value)
    if dataclasses.is_dataclass(node):
        for field in dataclasses.fields(node):
            yield from matched(getattr(node, field.name))
    elif isinstance(node, tuple):
        for item in node:
            yield from matched(item)


def test_no_line_makes_the_shipped_patterns_dear() -> None:
    found = [
        (name, pattern)
        for name, pattern, is_searched in shipped()
        if backtracking(pattern.encode(), is_searched).attack
    ]
    assert found == []


def test_most_of_the_shipped_patterns_are_proved_harmless() -> None:
    """What is not is watched, which costs something."""
    everything = list(shipped())
    watched = {
        name for name, pattern, is_searched in everything if not backtracking(pattern.encode(), is_searched).is_harmless
    }
    assert len(everything) > 1000
    assert len(watched) <= 12, sorted(watched)


def test_wordings_that_are_not_proved_are_marked() -> None:
    rules = """
event a.b {
  regex `told: (?:\\d++,?)+ ranks`
    also `by (?>x+)+ (?P<who>\\w+)` with who:word
  regex `told: \\w+ ranks`
  sample "told: 1,2 ranks"
  sample "told: some ranks"
  block within 3 lines { regex `begins: (?>x+)+ y` line "ends" }
  sample \"\"\"
begins: x y
ends\"\"\"
}
"""
    program: Program = compile_texts({"x.sleuth": rules})
    first, second = program.events["a.b"].wordings
    assert [first.is_guarded, first.also[0].is_guarded, second.is_guarded] == [True, True, False]
    wording = program.events["a.b"].blocks[0].items[0].wording
    assert wording
    assert wording.is_guarded
