"""Rules that pages of documentation show, each with tests of its own.

The words behind a fence's language say what a block is:

- ``sleuth example``: run as a test; ``with NAME`` (any number of times) puts the page's file of that name beside it;
- ``sleuth NAME``: such a file.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from logsleuth.language.library import compile_texts
from logsleuth.language.program import Program

DOCS = Path(__file__).parents[1] / "docs"
_FENCE = re.compile(r"^```sleuth (\S+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """A rule file that a page shows."""

    page: str
    line: int
    text: str
    beside: tuple[tuple[str, str], ...]
    """Name and text of the files of the page that it is run with."""

    @property
    def texts(self) -> dict[str, str]:
        """Its own text and those beside it, by the names that errors give them."""
        return {
            f"{DOCS / self.page}:{self.line}": self.text,
            **{str(DOCS / f"{self.page}:{name}"): text for name, text in self.beside},
        }

    def program(self) -> Program:
        return compile_texts(self.texts)


@cache
def examples_of(page: str) -> tuple[Example, ...]:
    """The examples of one page of ``docs/``, in their order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    fences = list(_FENCE.finditer(text))
    files = {fence[1]: fence[3] for fence in fences if fence[1].endswith(".sleuth")}
    return tuple(
        Example(
            page,
            text.count("\n", 0, fence.start()) + 1,
            fence[3],
            tuple((name, files[name]) for name in re.findall(r"with (\S+)", fence[2])),
        )
        for fence in fences
        if fence[1] == "example"
    )


def examples() -> list[Example]:
    """The examples of all pages."""
    return [example for page in sorted(DOCS.glob("*.md")) for example in examples_of(page.name)]
