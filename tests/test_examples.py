"""The rules in docs/examples, as somebody outside would write them, pass what a rule author is told to run."""

from pathlib import Path

import pytest

from logsleuth.authoring.format_rules import format_text
from logsleuth.language.library import check_rules
from logsleuth.testing.runner import run_tests

EXAMPLES = sorted((Path(__file__).parent.parent / "docs" / "examples").glob("*.sleuth"))
each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)


@each_example
def test_is_free_of_errors_and_warnings(example: Path) -> None:
    checked = check_rules([str(example)])
    assert checked.rules >= 1
    assert checked.warnings == ()


@each_example
def test_is_laid_out_as_rules_are(example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    assert format_text(str(example), text).text == text


@each_example
def test_its_samples_and_tests_pass(example: Path) -> None:
    report = run_tests([str(example)])
    assert not report.failures, report.text()
    assert len(report.results) >= 3, "samples, a case that is found, and one that must not be"
