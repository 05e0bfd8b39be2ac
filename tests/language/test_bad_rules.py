"""A folder of bad rules, one or more for each code: what a rule author is told of each stands beside it."""

import os
from pathlib import Path

import pytest

from logsleuth.language.library import compile_texts
from logsleuth.language.messages import RulesError

FILES = sorted((Path(__file__).parent / "bad").glob("*.sleuth"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_bad_rule_gets_its_message(file: Path) -> None:
    """The name of a file is ``CODE_what_is_wrong``: its messages hold one with that code, and are as the golden says.

    ``LOGSLEUTH_WRITE_GOLDEN=1`` writes the golden files.
    """
    with pytest.raises(RulesError) as told:
        compile_texts({file.name: file.read_text(encoding="utf-8")})
    code = file.stem.partition("_")[0]
    assert code in [message.code for message in told.value.messages]
    golden = file.with_suffix(".txt")
    if os.environ.get("LOGSLEUTH_WRITE_GOLDEN"):
        golden.write_text(f"{told.value}\n", encoding="utf-8")
    assert f"{told.value}\n" == golden.read_text(encoding="utf-8")
