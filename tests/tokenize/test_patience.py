"""A wording that a line keeps busy for too long is given up, and the analysis says so with everything else answered."""

from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.language.library import compile_texts
from logsleuth.tokenize import patience

RULES = r"""
event job.told "A job told." {
  regex `told: (?=[ab]{3}q)\w{4}(?:a|b|ab)+c`
  sample "told: aaaqabc"
}
event job.fell "A job fell." {
  line "fell with code {code:int}"
  sample "fell with code 9"
}
rule job.spoke "It spoke." { severity warning cause aborted when some rank has job.told as told verdict "it spoke" }
rule job.ended "It fell." { severity error cause killed when some rank has job.fell as fall culprit fall verdict "{fall}" }
"""
"""The first pattern can run for ever, in a way that the checker does not find: the look-ahead is in its way."""
BUSY = "told: aaaq" + "ab" * 60 + "!c"


def write(folder: Path, *lines: str) -> list[str]:
    (folder / "rank3.log").write_text("\n".join(lines) + "\n")
    return [str(folder)]


def test_what_runs_for_ever_is_given_up_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "ONE_LINE", 0.05)
    program = compile_texts({"site.sleuth": RULES})
    assert program.events["job.told"].wordings[0].is_guarded
    logs = write(tmp_path, "told: aaaqabc", BUSY, "told: aaaqabc", "fell with code 9")
    analysis = analyze_with(program, logs)
    (note,) = analysis.notes
    assert "job.told (site.sleuth:3) was given up at" in note
    assert "rank3.log:2" in note
    assert [verdict.rule for verdict in analysis.verdicts] == ["job.ended", "job.spoke"]
    assert [evidence.line for evidence in analysis.verdicts[1].evidence] == [1]


def test_slow_lines_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a pattern that is proved harmless: it may take the square of a line's length, on every line."""
    monkeypatch.setattr(patience, "SLOW", -1.0)
    monkeypatch.setattr(patience, "ALL_LINES", 0.0)
    program = compile_texts({"site.sleuth": RULES.replace("(?=[ab]{3}q)\\w{4}(?:a|b|ab)+c", ".*x.*y")})
    assert not program.events["job.told"].wordings[0].is_guarded
    long = "told: " + "x" * patience.LONG
    analysis = analyze_with(program, write(tmp_path, "fell with code 9", long, "told: xy", "told: xy" + long))
    assert ["rank3.log:2" in note for note in analysis.notes] == [True]
    assert {verdict.rule for verdict in analysis.verdicts} == {"job.ended", "job.spoke"}


def test_an_ordinary_log_has_no_such_note(tmp_path: Path) -> None:
    program = compile_texts({"site.sleuth": RULES})
    assert analyze_with(program, write(tmp_path, "told: aaaqabc", "fell with code 9")).notes == ()
