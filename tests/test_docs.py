"""The documentation says what the program knows."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from logsleuth.language.library import compile_texts
from logsleuth.language.messages import CODES
from logsleuth.language.program import Program
from logsleuth.model.cause import CAUSES
from logsleuth.testing.runner import run_test

DOCS = Path(__file__).parents[1] / "docs"
_EXAMPLE = re.compile(r"^```sleuth example\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    """A rule file that a page shows."""

    page: str
    line: int
    text: str

    def program(self) -> Program:
        return compile_texts({f"{self.page}:{self.line}": self.text})


def examples() -> list[Example]:
    found = []
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        found += [Example(page.name, text.count("\n", 0, m.start()) + 1, m[1]) for m in _EXAMPLE.finditer(text)]
    return found


def test_the_page_of_causes_lists_the_vocabulary_in_its_order() -> None:
    rows = re.findall(r"^\| ([\w-]+) \| ([\w-]+) \| \S", (DOCS / "causes.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [(cause, kind.value) for cause, kind in CAUSES.items()] == [
        (cause, kind) for kind, cause in rows if kind not in ("kind", "---")
    ]


def test_pages_link_to_pages_that_are_there() -> None:
    for page in [*DOCS.glob("*.md"), DOCS.parent / "README.md", DOCS.parent / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_code_says_what_it_stands_for() -> None:
    assert all(text and not text.endswith(".") for text in CODES.values())


@pytest.mark.parametrize("example", examples(), ids=lambda example: f"{example.page}:{example.line}")
def test_examples_do_what_the_page_says(example: Example) -> None:
    program = example.program()
    assert program.tests, "an example without a test shows nothing"
    failures = [f"{r.name}\n{r.failure}" for test in program.tests if (r := run_test(test, program)).failure]
    assert not failures, "\n".join(failures)
    expected = {item.name for test in program.tests for item in test.expectations}
    assert expected >= program.rules.keys(), "a rule that no test speaks of"


def test_every_block_of_rules_that_claims_to_be_an_example_is_run() -> None:
    """A fence that is misspelt would hide its example from the tests."""
    fences = sum(page.read_text(encoding="utf-8").count("sleuth example") for page in DOCS.glob("*.md"))
    assert fences == len(examples()) > 0
