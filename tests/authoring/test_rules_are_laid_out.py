"""The rules that are shipped, and those that tests use as fixtures, are laid out as ``rules format`` does."""

import difflib
from pathlib import Path

import pytest

from logsleuth.authoring.format_rules import format_text
from logsleuth.language.library import shipped_rules

ROOT = Path(__file__).parents[2]
FILES = sorted([*shipped_rules().rglob("*.sleuth"), *(ROOT / "fixtures").rglob("*.sleuth")])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_rule_file_is_laid_out(path: Path) -> None:
    text = path.read_bytes().decode()
    formatted = format_text(path.name, text)
    assert formatted.errors == []
    diff = difflib.unified_diff(text.split("\n"), formatted.text.split("\n"), lineterm="", n=0)
    assert formatted.text == text, "run `logsleuth rules format rules fixtures`:\n" + "\n".join(diff)
