"""A job is judged alike whatever its logs are wrapped in."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.language.library import load
from logsleuth.model.analysis import Analysis
from logsleuth.tokenize.framing import frame
from tests.layouts.wrapped import BEGIN, WRAPPERS, Written, wrapped

FIXTURES = Path(__file__).parents[2] / "fixtures" / "logs"
JOBS = ("memory/gpu_out_of_memory_on_one_rank/one_of_eight", "real/mismatched_order", "real/one_raises_filtered")


def _written(text: str) -> list[Written]:
    """The lines of a log, each at the time that it or the last one before it tells."""
    at, lines = BEGIN, []
    for line in text.splitlines():
        if (stamp := frame(line.encode()).stamp) and stamp.has_year:
            at = datetime.fromtimestamp(stamp.seconds, UTC)
        lines.append(Written(line, at))
        at += timedelta(milliseconds=2)
    return lines


def _answer(analysis: Analysis) -> list[tuple[object, ...]]:
    return sorted(
        (verdict.role, verdict.cause, verdict.rule, verdict.culprits.ranks, verdict.culprits.hosts)
        for verdict in analysis.verdicts
    )


@pytest.mark.parametrize("job", JOBS)
def test_the_answer_is_that_on_the_plain_logs(job: str, tmp_path: Path) -> None:
    program = load((), False).program
    plain = analyze_with(program, [str(FIXTURES / job)])
    assert plain.verdicts
    logs = [path for path in sorted((FIXTURES / job).rglob("*.log")) if path.stat().st_size]
    for number, (name, (layout, _)) in enumerate(WRAPPERS.items()):
        folder = tmp_path / str(number)
        for log in logs:
            target = folder / log.relative_to(FIXTURES / job)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(wrapped(name, _written(log.read_text())))
        found = analyze_with(program, [str(folder)])
        assert {item.layout for item in found.inputs if item.bytes} == {layout}, name
        assert _answer(found) == _answer(plain), name
        for verdict in found.verdicts:
            for evidence in verdict.evidence:
                data = (folder / Path(evidence.source).relative_to(folder)).read_bytes()
                assert data.count(b"\n", 0, evidence.offset) == evidence.line - 1
                start = evidence.text.encode()[:40].lstrip()
                assert data[evidence.offset :].lstrip().startswith(start) or "journald" in name, (name, evidence)
