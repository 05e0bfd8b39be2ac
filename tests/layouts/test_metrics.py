"""Metrics of trackers become the rows that rules know."""

import csv
import io
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import logsleuth
from logsleuth.ingest.chunks import cut
from logsleuth.layouts.layout import unfolded
from logsleuth.layouts.metric_records import History, MetricLines
from logsleuth.layouts.metric_rows import MetricRows
from logsleuth.layouts.registry import laid_out

FIXTURES = Path(__file__).parents[2] / "fixtures"
BEGUN = 1772704800
"""2026-03-05 10:00:00 UTC."""


def loss(step: int) -> float:
    return 8 - 0.02 * step if step < 120 else math.nan


def lightning() -> str:
    rows = [f"0,0.0003,{50 * step + 49},{loss(step)}," for step in range(200)]
    return "\n".join(["epoch,lr-AdamW,step,train_loss_step,val_loss", *rows, "0,,9999,,7.9", ""])


def history() -> str:
    rows = [
        {"_step": step, "_timestamp": BEGUN + 10.5 * step, "_runtime": 10 * step, "train/loss": loss(step)}
        for step in range(200)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def trainer_state() -> str:
    log = [{"epoch": step / 100, "learning_rate": 1e-4, "loss": loss(step), "step": step} for step in range(200)]
    return json.dumps({"best_metric": None, "global_step": 200, "log_history": log, "logging_steps": 1}, indent=2)


def export(*runs: str) -> str:
    out = io.StringIO()
    table = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    table.writerow(["Step", *(f"{run} - train/loss{end}" for run in runs for end in ("", "__MIN", "__MAX"))])
    for step in range(200):
        table.writerow([step, *(loss(step) if run == runs[-1] else 3 for run in runs for _ in range(3))])
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "text", "layout", "evidence"),
    [
        ("metrics.csv", lightning(), "metric-table", "0,0.0003,6049,nan,"),
        ("history.jsonl", history(), "metric-lines", '{"_step": 120, "_timestamp": 1772706060.0, "_runtime": 1200, "train/loss": NaN}'),
        ("trainer_state.json", trainer_state(), "trainer-state", '      "loss": NaN,'),
        ("export.csv", export("vivid-sun-3"), "metric-table", '"120","nan","nan","nan"'),
    ],
)  # fmt: skip
def test_a_loss_that_ends(name: str, text: str, layout: str, evidence: str, tmp_path: Path) -> None:
    log = tmp_path / name
    log.write_text(text)
    analysis = logsleuth.analyze(log, local_rules=False)
    (verdict,) = analysis.verdicts
    assert verdict.cause == "loss-nan"
    assert analysis.inputs[0].layout == layout
    assert evidence.strip() in [found.text.strip() for found in verdict.evidence]
    lines = text.splitlines()
    for found in verdict.evidence:
        assert lines[found.line - 1].strip() == found.text.strip()
    if layout == "metric-lines":
        assert verdict.since.earliest == "2026-03-05T10:21:00.000"


def test_runs_of_an_export_are_ranks_where_their_names_say_so(tmp_path: Path) -> None:
    log = tmp_path / "export.csv"
    log.write_text(export("job-rank-0", "job-rank-3"))
    told = {
        (verdict.cause, found.rank, found.line)
        for verdict in logsleuth.analyze(log, local_rules=False).verdicts
        for found in verdict.evidence
    }
    assert ("loss-nan", 3, 122) in told


@pytest.mark.parametrize(
    "head",
    [
        export("vivid-sun-3", "calm-sea-4"),  # Nobody knows which of them is whose.
        "timestamp, name, utilization.gpu [%], memory.used [MiB]\n2026/03/05 10:00:00.000, NVIDIA H100, 97 %, 70000 MiB\n",
        "id,text,label\n1,the loss of a friend,0\n2,more,1\n",
        "loss,reason\nhigh,unknown\n",
        "step,loss\nthe first,of all\n",
        "step 10, loss 2.3\nstep 20, loss 2.2\n",
        '{"model": "x", "lr": 0.0003, "batch": 32}\nstep 1 loss 3\n',
        '{"step": 1, "loss": 2.3, "message": "step done"}\n{"step": 2, "loss": 2.3, "message": "step done"}\n',
        '{"level": "info", "epoch": 1, "event": "saved"}\n',
        '{\n  "loss": "mse",\n  "epochs": 3\n}\n',
        "[rank0]: RuntimeError: loss\n",
        "",
        "\n\n",
        "step,loss",
        '{"step": 1, "loss": ',
        "{" * 5000,
    ],
)
def test_what_is_no_log_of_metrics(head: str) -> None:
    assert laid_out(cut([head.encode()], 1 << 20, 1 << 20), None)[0] not in (
        "metric-lines",
        "metric-table",
        "trainer-state",
    )


def test_no_log_of_lines_is_taken_for_metrics() -> None:
    for path in FIXTURES.rglob("*.*"):
        if path.is_file():
            layout = laid_out(cut([path.read_bytes()[: 1 << 16]], 1 << 20, 1 << 20), None)[0]
            assert not layout.startswith("metric") or path.suffix in (".csv", ".jsonl"), path


_NUMBERS = st.one_of(
    st.integers(0, 10**9), st.floats(-1e6, 1e6, allow_nan=False), st.sampled_from([math.nan, math.inf])
)
_ROWS = st.lists(
    st.fixed_dictionaries(
        {"step": st.integers(0, 10**9), "loss": _NUMBERS}, optional={"grad_norm": _NUMBERS, "note": st.text()}
    ),
    min_size=1,
    max_size=8,
)


def _expected(rows: list[dict[str, object]]) -> list[dict[str, str]]:
    told = []
    for row in rows:
        known = {name: value for name, value in row.items() if name != "note"}
        told.append({name: repr(float(str(value))) for name, value in known.items()})
    return told


def _unfolded(text: str, unfolder: MetricLines | MetricRows | History, size: int) -> list[dict[str, str]]:
    chunks = unfolded(cut([text.encode()], size, 1 << 20), unfolder)
    lines = [line for chunk in chunks for line in chunk.data.decode().splitlines() if line.startswith('{"step"')]
    found = []
    for line in lines:
        row = json.loads(line.replace("nan", "NaN").replace("inf", "Infinity"))
        found.append({name: repr(float(value)) for name, value in row.items()})
    return found


@given(_ROWS, st.integers(1, 400))
def test_rows_in_every_form_tell_the_same_numbers(rows: list[dict[str, object]], size: int) -> None:
    names = ["step", "loss", "grad_norm", "note"]
    out = io.StringIO()
    table = csv.DictWriter(out, names, lineterminator="\n")
    table.writeheader()
    for row in rows:
        table.writerow({name: str(value).replace("\n", " ").replace("\r", " ") for name, value in row.items()})
    as_lines = "".join(json.dumps(row) + "\n" for row in rows)
    state = json.dumps({"log_history": rows}, indent=2)
    expected = _expected(rows)
    assert _unfolded(as_lines, MetricLines(), size) == expected
    assert _unfolded(out.getvalue(), MetricRows(), size) == expected
    assert _unfolded(state, History(), size) == expected


@given(st.text())
def test_any_text_is_unfolded_without_an_error(text: str) -> None:
    for unfolder in (MetricLines(), MetricRows(), History()):
        for chunk in unfolded(cut([text.encode()], 1 << 20, 1 << 20), unfolder):
            assert chunk.data.endswith(b"\n")
