"""The documentation says what the program knows."""

import re
from pathlib import Path

from logsleuth.language.messages import CODES
from logsleuth.model.cause import CAUSES

DOCS = Path(__file__).parents[1] / "docs"


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
