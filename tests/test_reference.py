"""The reference of the language leaves nothing out: what the grammar, the types and the functions have is shown there in
an example that is run (tests/test_docs.py runs them)."""

import re
from functools import cache

import pytest
from lark import Token, Tree

from logsleuth.engine.series_functions import FUNCTIONS as OF_SERIES
from logsleuth.engine.series_samples import Argument
from logsleuth.language.check_event import ABOUT_KEYS, STATE_KEYS
from logsleuth.language.check_rule import ROLES, SCOPES
from logsleuth.language.cut import cut
from logsleuth.language.event_nodes import WITNESSES
from logsleuth.language.functions import FUNCTIONS, Function
from logsleuth.language.parse import grammar
from logsleuth.language.program import ORIGIN_FIELDS
from logsleuth.language.template import TYPES, Hole, parse_template
from logsleuth.language.unbraced import STARTS
from logsleuth.model.analysis import Confidence, Severity
from logsleuth.model.units import BYTES, SECONDS
from tests.examples import DOCS, Example, examples_of
from tests.grammar_text import BLOCK, REFERENCE, grammar_text

PAGES = ("language.md", "functions.md")
Node = Tree[Token]


@cache
def nodes() -> tuple[Node, ...]:
    """All that the examples of the reference and the files beside them say, as the parser reads it."""
    texts = {text for page in PAGES for example in examples_of(page) for text in example.texts.values()}
    return tuple(node for text in sorted(texts) for node in nodes_of(text))


def nodes_of(text: str) -> list[Node]:
    return [node for piece in cut("it", text)[0] for node in grammar().parse(piece.text).iter_subtrees()]


def told(node: Node) -> list[str]:
    return [str(item) for item in node.children if isinstance(item, Token)]


def words_of(*kinds: str) -> set[str]:
    """The names and words that stand in nodes of these kinds."""
    return {word for node in nodes() if node.data in kinds for word in told(node)}


# The grammar


def test_the_page_shows_the_grammar() -> None:
    """``python -m tests.pages`` writes it."""
    shown = BLOCK.search(REFERENCE.read_text(encoding="utf-8"))
    assert shown
    assert shown[1] == grammar_text()


def test_every_rule_of_the_grammar_is_shown() -> None:
    names = {rule.origin.name for rule in grammar().rules if not rule.origin.name.startswith("_")}
    assert set(re.findall(r"^(\w+) ::=", grammar_text(), re.MULTILINE)) == names


def test_every_alternative_of_the_grammar_has_an_example() -> None:
    alternatives = {
        rule.alias or str(rule.origin.name)
        for rule in grammar().rules
        if rule.alias or not (rule.origin.name.startswith("_") or rule.options.expand1)
    }
    assert not alternatives - {str(node.data) for node in nodes()}


def test_every_word_of_the_grammar_stands_in_an_example() -> None:
    words = set(re.findall(r'"([a-z_]+)"', grammar_text()))
    texts = "\n".join(example.text for page in PAGES for example in examples_of(page))
    code = re.sub(r'"""(?:[^"\\]|\\.|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|`[^`\n]*`|#[^\n]*', " ", texts)
    assert not words - set(re.findall(r"[a-z_]+", code))


def test_every_declaration_is_listed() -> None:
    page = REFERENCE.read_text(encoding="utf-8")
    table = page[page.index("| declaration | is |") : page.index("A log is *folded*")]
    assert set(re.findall(r"`(\w+) ", table)) == set(STARTS)


# Vocabularies


def test_every_type_has_an_example() -> None:
    holes = {
        part.type
        for node in nodes()
        if node.data in ("line", "also_line", "cell_template")
        for text in node.iter_subtrees()
        if text.data in ("short", "long")
        for part in parse_template(told(text)[0].strip('"').replace("\\\\", "\\"))
        if isinstance(part, Hole)
    }
    assert not TYPES - holes - words_of("typed", "cell_type")


@pytest.mark.parametrize(
    ("kinds", "vocabulary"),
    [
        (("pair",), ABOUT_KEYS),
        (("statement",), STATE_KEYS),
        (("witness",), WITNESSES),
        (("scope",), set(SCOPES) - {"attempt"}),
        (("role",), set(ROLES) - {"root"}),
        (("severity",), list(Severity)),
        (("level",), list(Confidence)),
        (("explains",), ("same", "other", "any")),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_every_word_that_a_clause_knows_has_an_example(kinds: tuple[str, ...], vocabulary: list[str]) -> None:
    assert not set(vocabulary) - words_of(*kinds)


def test_every_unit_has_an_example_and_is_listed() -> None:
    pattern = grammar().get_terminal("NUMBER").pattern.to_regexp()
    page = REFERENCE.read_text(encoding="utf-8")
    table = page[page.index("| unit | is kept as |") : page.index("A text compares with texts")]
    listed = {unit for row in table.splitlines() for unit in re.findall(r"`(\w+|%)`", row.split(" | ")[0])}
    assert all(re.fullmatch(pattern, f"1{unit}") for unit in listed - {"steps"})
    numbers = {told(node)[0] for node in nodes() if node.data == "number"}
    written = {match[0] for text in numbers if (match := re.search(r"[A-Za-z]+$|%$", text))}
    assert written == listed - {"steps"}
    assert {unit for unit in (*BYTES, *SECONDS, "%") if re.fullmatch(pattern, f"1{unit}")} == written


def test_the_fields_of_every_event_are_listed() -> None:
    page = REFERENCE.read_text(encoding="utf-8")
    table = page[page.index("Every event has these fields") :].split("```")[0]
    assert {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split(" | ")[0])} == ORIGIN_FIELDS


# Functions


@cache
def sections() -> dict[str, str]:
    """The text of the section of every function."""
    page = (DOCS / "functions.md").read_text(encoding="utf-8")
    parts = re.split(r"^### (.*)$", page, flags=re.MULTILINE)
    return {name: text.split("\n## ")[0] for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def examples_in(section: str) -> list[Example]:
    return [example for example in examples_of("functions.md") if example.text in section]


def test_every_function_has_a_section() -> None:
    assert sections().keys() == FUNCTIONS.keys()
    index = (DOCS / "functions.md").read_text(encoding="utf-8").split("**Unknown.**")[0]
    assert set(re.findall(r"\[([a-z.]+)\]\(#", index)) == FUNCTIONS.keys()
    assert all(f"[{name}](#{name.replace('.', '')})" in index for name in FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_section_tells_what_a_function_takes_and_gives(name: str) -> None:
    text = sections()[name].split("```")[0]
    assert f"`{name}(" in text
    assert "gives" in text
    assert "nknown" in text
    for option, default in _defaults(name, FUNCTIONS[name]).items():
        assert f"`{option}` {default}" in text, f"{option} {default}"


def _defaults(name: str, function: Function) -> dict[str, str]:
    """The options with the beginning of what the page says of them."""
    parameters = {p.name: p for p in OF_SERIES[name].parameters} if name in OF_SERIES else {}
    defaults = dict[str, str]()
    for option in function.options:
        default = parameters[option].default if option in parameters else None
        if option in function.required:
            defaults[option] = "(must be given)"
        else:
            defaults[option] = f"({_written(default)})" if default else "("
    return defaults


def _written(argument: Argument) -> str:
    return f"{argument.value:g}" + {"percent": "%", "steps": " steps", "": ""}[argument.unit]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_examples_of_a_function_show_it_with_its_options_and_a_near_miss(name: str) -> None:
    own = [node for example in examples_in(sections()[name]) for node in nodes_of(example.text)]
    calls = [node for node in own if node.data == "call" and told(node)[0] == name]
    options = {
        told(option)[0]
        for call in calls
        for option in call.children
        if isinstance(option, Tree) and option.data == "option"
    }
    assert calls
    assert not set(FUNCTIONS[name].options) - options
    expected = {str(node.data) for node in own}
    assert "expect_rule" in expected
    assert expected & {"expect_absent", "expect_open", "expect_nothing"}
