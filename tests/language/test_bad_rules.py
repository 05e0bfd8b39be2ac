"""A folder of bad rules, one or more for each code: what a rule author is told of each stands beside it."""

import os
from pathlib import Path

import pytest

from logsleuth.language.library import findings
from logsleuth.language.messages import report

FILES = sorted((Path(__file__).parent / "bad").glob("*.sleuth"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_bad_rule_gets_its_message(file: Path) -> None:
    """The name of a file is ``CODE_what_is_wrong``: its messages hold one with that code, and are as the golden says.

    ``LOGSLEUTH_WRITE_GOLDEN=1`` writes the golden files.
    """
    texts = {file.name: file.read_text(encoding="utf-8")}
    messages = findings(texts)
    assert file.stem.partition("_")[0] in [message.code for message in messages]
    told = report(messages, texts) + "\n"
    golden = file.with_suffix(".txt")
    if os.environ.get("LOGSLEUTH_WRITE_GOLDEN"):
        golden.write_text(told, encoding="utf-8")
    assert told == golden.read_text(encoding="utf-8")
