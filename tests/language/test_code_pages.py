"""Each code has a page, and what the page shows is so."""

import re
from pathlib import Path

import pytest

from logsleuth.language.code_pages import page, titles
from logsleuth.language.library import compile_texts, findings
from logsleuth.testing.samples import check_samples

PACKAGE = Path(__file__).parents[2] / "logsleuth"
BAD = Path(__file__).parent / "bad"
_BLOCK = re.compile(r"^```sleuth( bad)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TOO_LONG_TO_SHOW = {
    "LS104": f"rule a.b {{ when {'not ' * 20_000}seen c.d }}",
    "LS105": f"rule a.b {{ when seen c.d[n == {'9' * 5_000}] }}",
}
"""What gets a code and fits on no page."""
NO_TEXT = {"LS001"}
"""What no text of a rule file gets: tests/language/test_library.py reads files that cannot be read."""

OF_SAMPLES = {"LS301", "LS302", "LS303", "LS304"}
"""What `logsleuth rules test` tells."""


def codes_of(text: str) -> set[str]:
    """The codes that a rule file gets, from the checker or else from its samples."""
    texts = {"example.sleuth": text}
    if told := findings(texts):
        return {message.code for message in told}
    failures = [result.failure for result in check_samples(compile_texts(texts)) if result.failure]
    return {failure.partition(":")[0] for failure in failures}


def prose_of(code: str) -> str:
    return _BLOCK.sub("", page(code).partition("\n")[2]).strip()


@pytest.mark.parametrize("code", titles())
def test_a_page_shows_what_gets_its_code_and_how_that_is_mended(code: str) -> None:
    blocks = {bool(bad): text for bad, text in _BLOCK.findall(page(code))}
    if code not in NO_TEXT:
        assert codes_of(TOO_LONG_TO_SHOW.get(code) or blocks[True]) == {code}
    if code not in NO_TEXT:
        assert codes_of(blocks[False]) == set()


@pytest.mark.parametrize("code", titles())
def test_a_page_has_a_title_and_says_why(code: str) -> None:
    assert re.fullmatch(rf"# {code}: .*[^.]", page(code).partition("\n")[0])
    assert len(prose_of(code)) > 60
    assert not re.findall(r"```sleuth(?!\n| bad\n)", page(code)), "a fence that no test knows"


@pytest.mark.parametrize("code", titles())
def test_related_codes_have_pages(code: str) -> None:
    related = re.findall(r"^Related: (.*)\.$", page(code), re.MULTILINE)
    assert {name for line in related for name in line.split(", ")} <= titles().keys() - {code}


def test_every_code_has_a_bad_rule_with_its_message() -> None:
    shown = {file.name.partition("_")[0] for file in BAD.glob("*.sleuth")}
    assert shown >= titles().keys() - NO_TEXT - OF_SAMPLES


def test_every_code_that_is_given_has_a_page_and_the_other_way_round() -> None:
    given = set()
    for source in PACKAGE.rglob("*.py"):
        given |= set(re.findall(r"""["'](LS\d{3})\b""", source.read_text(encoding="utf-8")))
    assert given >= titles().keys()
    assert given <= titles().keys()


@pytest.mark.parametrize("name", ["LS999", "ls201", "../LS201", "LS201.md", ""])
def test_what_is_no_code_has_no_page(name: str) -> None:
    with pytest.raises(KeyError):
        page(name)
