"""Redacted logs give the same verdicts."""

from pathlib import Path

import pytest

import logsleuth
from logsleuth.ingest.discover import discover
from logsleuth.model.analysis import Analysis
from logsleuth.redaction.redactor import Redactor

LOGS = Path(__file__).parents[2] / "fixtures" / "logs"
JOBS = sorted({path.relative_to(LOGS).parts[:3] for path in LOGS.rglob("*.*") if path.is_file()})
FOLDERS = [LOGS.joinpath(*job) for job in JOBS if LOGS.joinpath(*job).is_dir()]


def verdicts(analysis: Analysis, redactor: Redactor | None) -> list[tuple[object, ...]]:
    return sorted(
        (
            verdict.cause,
            verdict.severity,
            verdict.role,
            verdict.status,
            verdict.confidence,
            verdict.culprits.ranks,
            verdict.culprits.local_ranks,
            sorted(redactor.host(host) if redactor else host for host in verdict.culprits.hosts),
        )
        for verdict in analysis.verdicts
    )


@pytest.mark.parametrize("folder", FOLDERS[::3], ids=lambda folder: str(folder.relative_to(LOGS)))
def test_a_job(folder: Path, tmp_path: Path) -> None:
    texts = {
        Path(source.path): Path(source.path).read_bytes()
        for source in discover([str(folder)]).sources
        if source.format == "text"
    }
    plain = logsleuth.analyze([str(path) for path in texts], local_rules=False)
    redactor = Redactor()
    for path, text in texts.items():
        redactor.learn(text)
        redactor.learn_path(str(path.relative_to(LOGS)))
    redactor.settle(host for job in plain.jobs for host in job.hosts)
    for path, text in texts.items():
        copy = tmp_path / redactor.path(str(path.relative_to(LOGS)))
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(redactor.text(text))
    if texts:
        assert verdicts(logsleuth.analyze(tmp_path, local_rules=False), None) == verdicts(plain, redactor)
