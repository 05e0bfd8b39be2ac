"""The colours of rules: Pygments and editors know every word of the language, and tell the parts of texts apart."""

import json
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import regex
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Token

from logsleuth.authoring import textmate
from logsleuth.authoring.keywords import keywords
from logsleuth.authoring.pygments_lexer import TOKENS, SleuthLexer
from logsleuth.language import parse
from logsleuth.language.functions import FUNCTIONS
from logsleuth.language.library import shipped_rules
from logsleuth.language.template import TYPES

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "editors" / "sleuth.tmLanguage.json"
GRAMMAR = re.sub(r"//.*", "", Path(parse.__file__).with_name("sleuth.lark").read_text(encoding="utf-8"))
WORDS = sorted(set(re.findall(r'"([a-z_]+)"', GRAMMAR)) | {"later", "attempts"})
SHIPPED = sorted(shipped_rules().rglob("*.sleuth"))
LAYOUTS = sorted((Path(__file__).parent / "layouts").glob("*.sleuth"))

Coloured = tuple[Any, str]


def coloured(text: str) -> list[Coloured]:
    """The tokens that Pygments sees, without blanks."""
    found = [(kind, part) for _, kind, part in SleuthLexer().get_tokens_unprocessed(text)]
    assert "".join(part for _, part in found) == text
    return [(kind, part) for kind, part in found if part.strip()]


# Words


def test_the_words_are_those_of_the_grammar() -> None:
    assert sorted(keywords().words()) == WORDS


@pytest.mark.parametrize("word", WORDS)
def test_every_word_of_the_grammar_is_coloured(word: str) -> None:
    kind, part = coloured(f"  {word} x")[0]
    assert part == word
    assert kind in Keyword or kind is Operator.Word


def test_what_begins_a_declaration_is_told_from_clauses() -> None:
    for word in keywords().declarations:
        assert coloured(f"{word} a.b")[0] == (Keyword.Declaration, word)
    assert coloured("  when seen a.b")[0] == (Keyword, "when")


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_function_is_coloured_where_it_is_called(name: str) -> None:
    assert (Name.Builtin, name) in coloured(f"  when {name}(x) > 1")
    assert (Name.Builtin, name) not in coloured(f"  when {name} > 1")


@pytest.mark.parametrize("name", sorted(TYPES))
def test_every_type_is_coloured(name: str) -> None:
    assert (Keyword.Type, name) in coloured(f"  regex `(?P<x>.*)` with x:{name}")
    assert (String.Interpol, f"{{x:{name}}}") in coloured(f'  line "x {{x:{name}}}"')


@pytest.mark.parametrize(("number", "unit"), [("5", " min"), ("5", "min"), ("1.5", "GiB"), ("2e3", "%"), ("7", "")])
def test_units_are_told_from_numbers(number: str, unit: str) -> None:
    found = coloured(f"  let x = {number}{unit}")[3:]
    assert found == [(Number, number), *([(Keyword.Type, unit)] if unit else [])]


# Texts


def test_holes_are_told_from_the_text_around_them() -> None:
    found = coloured(r'  line "a {b} c {d:int} {_}{...} {{no}} \" { x }"')
    assert [part for kind, part in found if kind is String.Interpol] == ["{b}", "{d:int}", "{_}", "{...}"]
    assert [part for kind, part in found if kind is String.Escape] == ["{{", "}}", '\\"']
    assert {kind for kind, _ in found} == {Keyword, String, String.Interpol, String.Escape}


def test_lines_of_logs_have_no_holes() -> None:
    text = '  sample "a {b}" gives c = "{d}"\n  log "{x}.log" """\n{e}\n"""\n  verdict "{f}"\n'
    assert [part for kind, part in coloured(text) if kind is String.Interpol] == ["{f}"]


def test_a_comment_is_no_part_of_a_text() -> None:
    found = coloured('  when a == "# no" # yes "no"')
    assert [part for kind, part in found if kind in Comment] == ['# yes "no"']


def test_groups_of_regular_expressions_are_told() -> None:
    found = coloured(r"  regex `(?P<n>\d+)[a`")
    assert found[1:] == [
        (String.Regex, "`"), (String.Interpol, "(?P<n>"), (String.Escape, r"\d"), (String.Regex, "+"), (String.Regex, ")"),
        (String.Regex, "["), (String.Regex, "a"), (String.Regex, "`"),
    ]  # fmt: skip


def test_causes_and_names_are_told() -> None:
    assert coloured("  cause gpu-oom")[1] == (Name.Label, "gpu-oom")
    assert coloured("  expect a.b culprit host 10.20.0.13")[-1] == (Name.Label, "10.20.0.13")
    assert coloured("  when seen cuda.oom as oom")[2:] == [
        (Name.Class, "cuda.oom"), (Operator.Word, "as"), (Name, "oom"),
    ]  # fmt: skip
    assert coloured("  when a")[1] == (Name, "a")
    assert coloured("}") == [(Punctuation, "}")]


def test_no_shipped_rule_has_a_part_that_nothing_is_known_of() -> None:
    for path in SHIPPED:
        for kind, part in coloured(path.read_text(encoding="utf-8")):
            assert kind not in Token.Error, f"{path}: {part!r}"


def test_pygments_finds_the_lexer() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, name = project["entry-points"]["pygments.lexers"]["sleuth"].partition(":")
    assert getattr(import_module(module), name) is SleuthLexer
    assert SleuthLexer.aliases == ["sleuth"]
    assert SleuthLexer.filenames == ["*.sleuth"]


# Editors


def test_the_grammar_for_editors_is_up_to_date() -> None:
    command = f"python -m logsleuth.authoring.textmate {FILE.relative_to(ROOT)}"
    assert FILE.read_text(encoding="utf-8") == textmate.written(), f"stale; write it anew with {command}"


def test_every_role_has_a_token_and_a_scope_of_its_own() -> None:
    assert TOKENS.keys() == textmate.SCOPES.keys()
    assert len(set(textmate.SCOPES.values())) == len(textmate.SCOPES)


def _patterns(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("match", "begin", "end"):
                yield value
            else:
                yield from _patterns(value)
    elif isinstance(node, list):
        for value in node:
            yield from _patterns(value)


@pytest.mark.parametrize("pattern", sorted(set(_patterns(json.loads(textmate.written())))))
def test_the_regular_expressions_of_editors_are_of_the_common_kind(pattern: str) -> None:
    regex.compile(pattern)
    bare = re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]])*\]", "x", pattern)
    assert set(re.findall(r"\(\?<?.", bare)) <= {"(?:", "(?=", "(?!", "(?<=", "(?<!"}
    assert not re.search(r"[*+?}][+]", bare)
    for behind in re.findall(r"\(\?<[=!]([^)]*)\)", pattern):
        assert len(re.sub(r"\[[^]]*\]", "x", behind)) == 1


def _as_an_editor(text: str) -> list[Coloured]:
    """What an editor makes of a text: a small reading of TextMate grammars, by the character."""
    grammar = json.loads(FILE.read_text(encoding="utf-8"))
    tokens = {f"{scope}.sleuth": TOKENS[role] for role, scope in textmate.SCOPES.items()}
    found: list[Coloured] = []
    stack: list[dict[str, Any]] = [grammar]
    for line in text.split("\n"):
        at = 0
        while at <= len(line):
            rule, match = _next(grammar, stack[-1], line, at)
            inside = _token(stack[-1].get("name", ""), tokens)
            found += [(inside, char) for char in line[at : match.start() if match else len(line)]]
            if match is None:
                break
            if rule is stack[-1]:
                stack.pop()
                found += [(inside, char) for char in match[0]]
            elif "begin" in rule:
                stack.append(rule)
                scope = rule.get("beginCaptures", {}).get("0", rule)["name"]
                found += [(_token(scope, tokens), char) for char in match[0]]
            elif "captures" in rule:
                for number, capture in rule["captures"].items():
                    found += [(_token(capture["name"], tokens), char) for char in match[int(number)]]
            else:
                found += [(_token(rule["name"], tokens), char) for char in match[0]]
            at = match.end()
    return [(kind, char) for kind, char in found if char.strip()]


def _next(grammar: dict[str, Any], top: dict[str, Any], line: str, at: int) -> tuple[dict[str, Any], Any]:
    """The rule that matches first from a place on, and its match; the end of what is open comes before all others."""
    best: tuple[dict[str, Any], Any] = ({}, None)
    for rule in ([top] if "end" in top else []) + list(_rules(grammar, top)):
        match = regex.compile(rule["end"] if rule is top else rule.get("match") or rule["begin"]).search(line, at)
        if match and (best[1] is None or match.start() < best[1].start()):
            best = (rule, match)
    return best


def _rules(grammar: dict[str, Any], holder: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for rule in holder["patterns"]:
        if "include" in rule:
            included = grammar["repository"][rule["include"][1:]]
            yield from [included] if "begin" in included else _rules(grammar, included)
        else:
            yield rule


def _token(scope: str, tokens: dict[str, Any]) -> Any:
    if scope.startswith("string.regexp"):
        return String.Regex
    return String if scope.startswith("string.") else tokens.get(scope)


@pytest.mark.parametrize("path", [*LAYOUTS, *SHIPPED[::40]], ids=lambda path: path.name)
def test_editors_see_what_pygments_sees(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    seen = [(kind, char) for kind, part in coloured(text) for char in part if char.strip()]
    assert _as_an_editor(text) == seen
