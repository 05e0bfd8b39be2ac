"""A single number in a long log is found, wherever it stands and however the log was cut."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logsleuth.drivers.batch import analyze_with
from logsleuth.language.library import compile_texts
from logsleuth.model.analysis import Analysis

RULES = """
event train.report "A line of progress." {
  frequent
  line "step: {n:int}  loss:  {loss:float}  grad_norm:"
  line "step: {n:int}  loss: {loss:float}  grad_norm:"
  series loss at n
}
rule train.leap "The loss was far above what it had been." {
  severity warning
  cause    loss-spike
  when     seen train.loss[value > 10 * baseline(value)] as leap
  needs    spike(train.loss, factor = 10)
  verdict  "{leap.value} at step {leap.step}"
}
"""
PROGRAM = compile_texts({"x.sleuth": RULES})
LINES = 36_000
"""A little more than five MiB."""


def log(seed: int, spike: int | None) -> list[str]:
    """Lines of progress, one of them with a loss that leaps."""
    chance = random.Random(seed)
    lines = []
    for n in range(1, LINES + 1):
        loss = 2 + 8 / (1 + n / 500) + chance.gauss(0, 0.05)
        value = 400.0 if n == spike else loss
        lines.append(
            f"[titan] 2025-12-19 {n // 3600:02}:{n // 60 % 60:02}:{n % 60:02},{chance.randrange(1000):03} - root - INFO - "
            f"step: {n:2}  loss: {value:8.5f}  grad_norm: {chance.random():7.4f}  memory: 40.11GiB(50.70%)  tps: 5,811\n"
        )
    return lines


def verdicts(analysis: Analysis) -> list[tuple[str, tuple[str, ...]]]:
    return [(verdict.summary, tuple(item.text for item in verdict.evidence)) for verdict in analysis.verdicts]


def written(folder: Path, *parts: list[str]) -> str:
    for number, part in enumerate(parts, 1):
        name = f"train.part{number}.log" if len(parts) > 1 else "train.log"
        (folder / name).write_text("".join(part))
    return str(folder)


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(0, 1000),
    st.integers(200, LINES),
    st.integers(1, LINES - 1),
    st.sampled_from([1 << 16, 300_000, 1 << 22]),
)
def test_a_single_spike_is_found(
    tmp_path_factory: pytest.TempPathFactory, seed: int, spike: int, cut: int, chunk_size: int
) -> None:
    lines = log(seed, spike)
    whole = analyze_with(PROGRAM, [written(tmp_path_factory.mktemp("whole"), lines)])
    found = verdicts(whole)
    assert [summary for summary, _ in found] == [f"400 at step {spike}"]
    assert lines[spike - 1].rstrip() in found[0][1]
    cut_up = written(tmp_path_factory.mktemp("cut"), lines[:cut], lines[cut:])
    assert verdicts(analyze_with(PROGRAM, [cut_up], chunk_size=chunk_size)) == found


def test_without_a_spike_there_is_none(tmp_path: Path) -> None:
    assert verdicts(analyze_with(PROGRAM, [written(tmp_path, log(1, None))])) == []
