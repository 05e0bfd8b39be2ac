"""The whole reports, kept in ``golden/``, at three widths and piped.

After a change that is meant: ``LOGSLEUTH_WRITE_GOLDEN=1 pytest tests/report/test_golden.py`` writes the files anew; read
the difference before it is committed.
"""

import os
from pathlib import Path

import pytest

from logsleuth.report.document import to_json
from logsleuth.report.terminal import render
from tests.report.analyses import CASES
from tests.report.paper import Paper

GOLDEN = Path(__file__).with_name("golden")
PAPERS = ["60", "80", "120", "pipe", "colour", "ascii"]


def golden(name: str, text: str) -> str:
    """The kept text, which is ``text`` itself where it is to be kept anew."""
    path = GOLDEN / name
    if os.environ.get("LOGSLEUTH_WRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("case", CASES)
def test_the_report_is_the_one_that_was_agreed(case: str, paper: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if paper in ("colour", "ascii") and case not in ("root", "hostile"):
        paper = "pipe"
    if paper == "pipe":
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", paper if paper.isdigit() else "80")
    monkeypatch.setenv("TERM", "xterm-256color")
    for variable in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "TTY_COMPATIBLE"):
        monkeypatch.delenv(variable, raising=False)
    stream = Paper("ascii" if paper == "ascii" else "utf-8", is_terminal=paper == "colour")
    text = render(CASES[case](), stream)
    assert text == golden(f"{case}.{paper}.txt", text)


@pytest.mark.parametrize("case", CASES)
def test_the_document_is_the_one_that_was_agreed(case: str) -> None:
    text = to_json(CASES[case]()) if case != "huge" else "too long to be read\n"
    assert text == golden(f"{case}.json", text)
