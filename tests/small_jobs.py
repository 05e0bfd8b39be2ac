"""Small jobs: rules of a few lines, logs of a few lines, analysed the way a user's are."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.language import library
from logsleuth.language.library import compile_texts
from logsleuth.language.messages import RulesError
from logsleuth.language.program import Program
from logsleuth.model.analysis import Analysis, Verdict

EVENTS = """
event a.fall "A rank fell." { line "fell with code {code:int}" }
event a.slip "A rank slipped." { line "slipped on {what}" }
event a.hang "A rank gave up waiting." { witness watchdog line "gave up waiting after {ms:ms} ms" }
event a.echo "A rank lost another one." { witness peer line "lost sight of {peer}" }
event a.exit "A launcher saw the end of a rank." { witness launcher line "saw rank {r:int} end" about rank {r} }
event a.local "A launcher saw the end of a local rank." {
  witness launcher line "saw local rank {l:int} end (pid {p:int})" about local_rank {l}, pid {p}
}
event a.notice "Something about the job." { line "notice: {what}" about job }
event job.size "How large the job is." { witness launcher line "the job has {n:int} ranks" about job states world_size = {n} }
event job.again "The job starts over." { witness launcher line "starting over" about job begins attempt }
"""
"""Events that most tests of the engine and of diagnosis share."""


def rule(name: str, *clauses: str, severity: str = "error", cause: str = "killed", verdict: str = "it happened") -> str:
    """A rule with the clauses that matter to a test, and what else a rule must have."""
    said = f'verdict "{verdict}"'
    return f'rule {name} "A rule." {{ severity {severity} cause {cause} {said} {" ".join(clauses)} }}\n'


FALL = rule("r.fall", "when seen a.fall as x", "culprit x", "explains a.echo on other ranks")
ECHO = rule("r.echo", "when seen a.echo as x", "culprit x", cause="peer-exited")
LOGS = {"rank_0.log": "fell with code 1\n", "rank_1.log": "lost sight of 0\n"}
"""One rank falls and another only loses it: the rules, and the logs of both."""


def program(*texts: str) -> Program:
    """The checked program of rule texts."""
    return compile_texts({f"{number}.sleuth": text for number, text in enumerate(texts)})


def errors_of(texts: Mapping[str, str]) -> list[str]:
    """What is wrong with rule texts by file name: each error with its place, its code and its remedy."""
    with pytest.raises(RulesError) as caught:
        compile_texts(dict(texts))
    return [
        f"{m.place.file}:{m.place.line}:{m.place.column} {m.code} {m.text}. {m.remedy}" for m in caught.value.messages
    ]


def ship(root: Path, monkeypatch: pytest.MonkeyPatch, rules: str) -> Path:
    """Makes these rules the shipped library (``site/library/s.sleuth``), beside an empty folder to work in, which it
    gives, and an empty cache."""
    write(root, {"site/library/s.sleuth": rules})
    monkeypatch.setattr(library, "_PACKAGE", root / "site")
    monkeypatch.setenv("LOGSLEUTH_CACHE_DIR", str(root / "cache"))
    (root / "work").mkdir()
    monkeypatch.chdir(root / "work")
    return root / "work"


def write(folder: Path, logs: Mapping[str, str]) -> None:
    """Logs by their path beneath the folder."""
    for path, text in logs.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def analysed(folder: Path, rules: str, logs: Mapping[str, str] | str, chunk_size: int | None = None) -> Analysis:
    """What a program of ``EVENTS`` and these rules says of the logs; one text is one log without any name to go by."""
    write(folder, {"job.log": logs} if isinstance(logs, str) else logs)
    return analyze_with(program(EVENTS, rules), [str(folder)], chunk_size=chunk_size)


def verdicts(folder: Path, rules: str, logs: Mapping[str, str] | str) -> list[Verdict]:
    """The verdicts of ``analysed``, in their order."""
    return list(analysed(folder, rules, logs).verdicts)


def only(folder: Path, rules: str, logs: Mapping[str, str] | str) -> Verdict:
    """The one verdict of ``analysed``."""
    (verdict,) = verdicts(folder, rules, logs)
    return verdict


def names(found: list[Verdict]) -> list[str]:
    """The rules of verdicts, those of open ones with a question mark."""
    return [v.rule + ("?" if v.status == "open" else "") for v in found]
