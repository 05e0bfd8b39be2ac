"""What an analysis says of logs that are well, and ought not to say."""

import tempfile
from functools import cache
from pathlib import Path

from logsleuth.drivers.batch import analyze_with
from logsleuth.engine.plan import plan
from logsleuth.language.library import load
from logsleuth.language.program import Program
from logsleuth.model.analysis import Severity, Verdict
from logsleuth.tokenize.dictionary import Vocabulary
from tests.healthy.families import FAMILIES
from tests.healthy.log import written

_LOUD = (Severity.ERROR, Severity.FATAL)
FAIR_WARNINGS = {
    "resize": {"elastic-restart"},
    "restarted": {"elastic-restart", "killed"},
    "preempted": {"job-preempted"},
}
"""Causes of which a warning may speak, by family: something did happen there."""
ADVICE = {"dataloader-workers-exceed-cores"}
"""Causes of which a warning may speak anywhere: a library warns of them itself."""


@cache
def program() -> Program:
    return load((), local=False).program


@cache
def vocabulary() -> Vocabulary:
    """What the program looks for, made once: that takes longer than to read a small log."""
    chosen = plan(program())
    return Vocabulary(chosen.events, program().events.values(), series=chosen.series)


def alarms(name: str, seed: int, lines: int, folder: Path | None = None) -> list[str]:
    """Firm verdicts on a healthy log that are too much, told for people; ``folder`` keeps the log."""
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="logsleuth-healthy-") as scratch:
            return alarms(name, seed, lines, Path(scratch))
    for path, text in written(FAMILIES[name], seed, lines).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
    found = analyze_with(program(), [str(folder)], vocabulary=vocabulary())
    fair = ADVICE | FAIR_WARNINGS.get(name, set())
    return [_told(verdict) for verdict in found.verdicts if _is_too_much(verdict, fair)]


def _is_too_much(verdict: Verdict, fair: set[str]) -> bool:
    if verdict.status != "firm":
        return False
    if verdict.severity in _LOUD:
        return True
    return verdict.severity is Severity.WARNING and verdict.role == "root" and verdict.cause not in fair


def _told(verdict: Verdict) -> str:
    cited = "; ".join(f"{one.line}: {one.text[:160]!r}" for one in verdict.evidence[:2])
    return f"{verdict.severity} {verdict.rule} ({verdict.cause}): {verdict.summary[:120]} [{cited}]"
