"""The documentation says what the program knows."""

import re
from pathlib import Path

import pytest

from logsleuth.language.code_pages import titles
from logsleuth.language.constants import written
from logsleuth.language.library import compile_texts, findings, read_rules, shipped_rules
from logsleuth.language.messages import RulesError
from logsleuth.language.syntax import Let, Value
from logsleuth.model.cause import CAUSES
from logsleuth.testing.runner import run_test
from logsleuth.testing.samples import check_samples
from tests.examples import DOCS, Example, examples


def test_the_page_of_causes_lists_the_vocabulary_in_its_order() -> None:
    rows = re.findall(r"^\| ([\w-]+) \| ([\w-]+) \| \S", (DOCS / "causes.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [(cause, kind.value) for cause, kind in CAUSES.items()] == [
        (cause, kind) for kind, cause in rows if kind not in ("kind", "---")
    ]


def test_links_lead_to_pages_and_headings_that_are_there() -> None:
    for page in [*DOCS.glob("*.md"), DOCS.parent / "README.md", DOCS.parent / "CONTRIBUTING.md"]:
        for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
            other = page.parent / target if target else page
            assert other.exists(), f"{page.name} links to {target}"
            assert not anchor or anchor in anchors(other), f"{page.name} links to {target}#{anchor}"


def anchors(page: Path) -> set[str]:
    """What links can lead to in a page: its headings, spelt as code hosts spell them, and the names that it sets."""
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    named = set(re.findall(r'<a id="([^"]+)">', text))
    return named | {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_code_says_what_it_stands_for() -> None:
    assert all(text and not text.endswith(".") for text in titles().values())


@pytest.mark.parametrize("example", examples(), ids=lambda example: f"{example.page}:{example.line}")
def test_examples_do_what_the_page_says(example: Example) -> None:
    assert [message.text for message in findings(example.texts)] == [], "a warning of `rules check`"
    program = example.program()
    assert program.tests, "an example without a test shows nothing"
    failures = [
        f"{r.name}\n{r.failure}" for r in check_samples(program) if r.failure and "There is none" not in r.failure
    ]
    failures += [f"{r.name}\n{r.failure}" for test in program.tests if (r := run_test(test, program)).failure]
    assert not failures, "\n".join(failures)
    expected = {item.name for test in program.tests for item in test.expectations}
    assert expected >= program.rules.keys(), "a rule that no test speaks of"


def test_every_block_of_rules_that_claims_to_be_an_example_is_run() -> None:
    """A fence that is misspelt would hide its example from the tests."""
    fences = sum(page.read_text(encoding="utf-8").count("sleuth example") for page in DOCS.glob("*.md"))
    assert fences == len(examples()) > 0


def test_the_page_of_monitors_lists_each_with_its_constants() -> None:
    program = compile_texts(read_rules([shipped_rules()]), tests=False)
    page = (DOCS / "monitors.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in page.splitlines() if row.startswith("| `")]
    listed = {row[0].strip("`"): (row[1], re.findall(r"`(\w+ = [^`]+)`", row[3])) for row in rows}
    assert listed == {
        rule.name: (
            rule.severity,
            [
                f"{let.name} = {written(let.value)}"
                for let in rule.when
                if isinstance(let, Let) and isinstance(let.value, Value)
            ],
        )
        for rule in program.rules.values()
        if rule.name.startswith("monitor.")
    }


def test_the_codes_of_messages_are_listed() -> None:
    rows = re.findall(r"^\| (LS\d+) \| (.+) \|$", (DOCS / "language.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == titles()


def test_reserved_words_are_those_that_cannot_be_names() -> None:
    page = (DOCS / "language.md").read_text(encoding="utf-8")
    told = re.findall(
        r"`(\w+)`", re.split(r"^#+ ", page[page.index("### Reserved words") + 4 :], flags=re.MULTILINE)[0]
    )
    words = set(
        re.findall(r'"([a-z_]+)"', (DOCS.parent / "logsleuth/language/sleuth.lark").read_text(encoding="utf-8"))
    )
    rules = """
event a.fall { line "fell with code {code:int}" }
rule a.rule { severity error cause killed verdict "x" when seen a.fall let WORD = last(a.fall.code) when WORD > 1 }
test "it holds" { log rank 0 \"\"\"fell with code 2\"\"\" expect a.rule }
"""
    assert sorted(told) == sorted(word for word in words if not _works(rules.replace("WORD", word)))


def _works(rules: str) -> bool:
    try:
        program = compile_texts({"it": rules})
    except RulesError:
        return False
    return all(not run_test(test, program).failure for test in program.tests)
