"""Numbers as Prometheus' own parser reads them."""

import math
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from logsleuth import __version__
from logsleuth.alerts.courier import Courier
from logsleuth.alerts.exposition import Family, exposition
from logsleuth.alerts.figures import MOST_JOBS, MOST_RANKS, MOST_VERDICTS
from logsleuth.alerts.metrics import Metrics, MetricsFile
from logsleuth.model.analysis import Severity
from logsleuth.model.change import ChangeKind
from logsleuth.model.vitals import RankVitals
from tests.alerts.changes import AT, HOSTILE, change, document, job, rank, snapshot, verdict

Samples = dict[str, list[tuple[dict[str, str], float]]]


def _read(page: bytes) -> Samples:
    """The samples by their names, each with its labels; all must have been described and typed."""
    found: Samples = {}
    for family in text_string_to_metric_families(page.decode()):
        assert family.documentation
        assert family.type in ("gauge", "counter")
        for sample in family.samples:
            assert sample.name.startswith("logsleuth_")
            assert sample.name.endswith("_total") == (family.type == "counter")
            found.setdefault(sample.name, []).append((sample.labels, sample.value))
    return found


def _one(samples: Samples, name: str, **labels: str) -> float:
    """The only number of the name that has the labels."""
    fit = [value for found, value in samples[name] if labels.items() <= found.items()]
    assert len(fit) == 1, (name, labels, samples[name])
    return fit[0]


def _metrics() -> Metrics:
    return Metrics(clock=lambda: AT - 60)


def test_before_the_first_judgement_there_is_a_page() -> None:
    samples = _read(_metrics().page())
    assert _one(samples, "logsleuth_build_info", version=__version__) == 1
    assert _one(samples, "logsleuth_start_time_seconds") == AT - 60
    assert _one(samples, "logsleuth_judgements_total") == 0
    assert _one(samples, "logsleuth_verdicts", severity="fatal") == 0
    assert "logsleuth_sources" not in samples
    assert "logsleuth_last_judgement_timestamp_seconds" not in samples


def test_what_a_job_does() -> None:
    metrics = _metrics()
    ranks = (rank(0, quiet=2.0), rank(1, "silent", 90.0), rank(2, "ended", 500.0), rank(3, "unseen", None))
    metrics.heard(snapshot(job(ranks=ranks)), [])
    samples = _read(metrics.page())
    assert _one(samples, "logsleuth_sources") == 3
    assert _one(samples, "logsleuth_read_bytes_total") == 1000
    assert _one(samples, "logsleuth_read_lines_total") == 20
    assert _one(samples, "logsleuth_events_total") == 5
    assert _one(samples, "logsleuth_judgements_total") == 1
    assert _one(samples, "logsleuth_last_judgement_timestamp_seconds") == AT
    assert _one(samples, "logsleuth_job_step", job="4711") == 40
    assert _one(samples, "logsleuth_job_planned_steps", job="4711") == 100
    assert _one(samples, "logsleuth_job_steps_per_second", job="4711") == 0.5
    assert _one(samples, "logsleuth_job_loss", job="4711") == 2.5
    assert _one(samples, "logsleuth_job_memory_bytes", job="4711") == 3e9
    assert _one(samples, "logsleuth_job_state", job="4711", state="training") == 1
    assert _one(samples, "logsleuth_job_state", job="4711", state="silent") == 0
    assert _one(samples, "logsleuth_job_ranks", job="4711", state="running") == 1
    assert _one(samples, "logsleuth_job_ranks", job="4711", state="silent") == 1
    assert _one(samples, "logsleuth_job_ranks", job="4711", state="blamed") == 0
    assert _one(samples, "logsleuth_job_last_sign_timestamp_seconds", job="4711") == AT - 2
    assert _one(samples, "logsleuth_job_quietest_sign_timestamp_seconds", job="4711") == AT - 90
    assert _one(samples, "logsleuth_rank_last_sign_timestamp_seconds", member="rank 1") == AT - 90
    assert {labels["member"] for labels, _ in samples["logsleuth_rank_last_sign_timestamp_seconds"]} == {
        "rank 0",
        "rank 1",
        "rank 2",
    }


def test_what_is_unknown_has_no_number() -> None:
    metrics = _metrics()
    metrics.heard(snapshot(job(loss=None)._replace(step=None, total=None, speed=None, memory=None)), [])
    samples = _read(metrics.page())
    for name in ("step", "planned_steps", "steps_per_second", "loss", "memory_bytes", "last_sign_timestamp_seconds"):
        assert f"logsleuth_job_{name}" not in samples
    assert "logsleuth_read_lag_seconds" not in samples
    assert "logsleuth_judgement_duration_seconds" not in samples


def test_what_others_measure_is_asked_for_at_the_scrape() -> None:
    courier = Courier("--way", _nowhere, document, print)
    metrics = Metrics(lag=lambda: 0.25, judging=lambda: 1.5, alerts={"command": courier})
    metrics.trouble("a source is gone")
    samples = _read(metrics.page())
    assert _one(samples, "logsleuth_read_lag_seconds") == 0.25
    assert _one(samples, "logsleuth_judgement_duration_seconds") == 1.5
    assert _one(samples, "logsleuth_troubles_total") == 1
    assert _one(samples, "logsleuth_alerts_total", way="command", outcome="delivered") == 0
    assert _one(samples, "logsleuth_alerts_waiting", way="command") == 0


async def _nowhere(_: object) -> bool:
    return False


def test_verdicts_stand_until_they_are_gone() -> None:
    metrics = Metrics(standing={"f7": verdict(Severity.WARNING)})
    metrics.heard(
        snapshot(),
        [change(1), change(2, key="f2", of=verdict(Severity.ERROR)), change(3, key="f3", of=verdict(Severity.INFO))],
    )
    samples = _read(metrics.page())
    assert [_one(samples, "logsleuth_verdicts", severity=one.value) for one in Severity] == [1, 1, 1, 1]
    assert _one(samples, "logsleuth_changes_total", kind="appeared") == 3
    info = {labels["key"]: labels for labels, value in samples["logsleuth_verdict_info"] if value == 1}
    assert set(info) == {"f1", "f2", "f3", "f7"}
    assert info["f1"]["rule"] == "process.killed"
    assert info["f1"]["ranks"] == "2"
    metrics.heard(
        snapshot(),
        [
            change(4, ChangeKind.WITHDRAWN),
            change(5, ChangeKind.TAKEN_OVER, key="f7", by="f2"),
            change(6, ChangeKind.REVISED, key="f2", of=verdict(Severity.ERROR, status="open")),
            change(7, ChangeKind.WITHDRAWN, key="f99"),
        ],
    )
    samples = _read(metrics.page())
    assert [_one(samples, "logsleuth_verdicts", severity=one.value) for one in Severity] == [1, 0, 0, 0]
    assert {labels["key"] for labels, _ in samples["logsleuth_verdict_info"]} == {"f2", "f3"}
    assert _one(samples, "logsleuth_changes_total", kind="withdrawn") == 2
    assert _one(samples, "logsleuth_changes_total", kind="taken over") == 1


def test_the_number_of_series_is_bounded() -> None:
    metrics = _metrics()
    many = tuple(rank(number) for number in range(10_000))
    standing = [
        change(number, key=f"f{number}", of=verdict(Severity.FATAL if number == 999 else Severity.WARNING))
        for number in range(1000)
    ]
    metrics.heard(snapshot(*(job(f"job {number}", many) for number in range(100))), standing)
    samples = _read(metrics.page())
    assert len(samples["logsleuth_verdict_info"]) == MOST_VERDICTS
    assert _one(samples, "logsleuth_verdict_info", severity="fatal", key="f999") == 1
    assert _one(samples, "logsleuth_verdicts", severity="warning") == 999
    assert len(samples["logsleuth_job_step"]) == MOST_JOBS
    assert _one(samples, "logsleuth_job_ranks", job="job 3", state="running") == 10_000
    assert "logsleuth_rank_step" not in samples
    metrics.heard(snapshot(job(ranks=many[:MOST_RANKS])), [])
    assert len(_read(metrics.page())["logsleuth_rank_step"]) == MOST_RANKS


def test_hostile_names_stay_labels() -> None:
    metrics = _metrics()
    name = HOSTILE.replace("\ud800", "?")
    metrics.heard(snapshot(job(HOSTILE, (RankVitals(HOSTILE, None, HOSTILE, "running", 1, 1.0),))), [])
    samples = _read(metrics.page())
    assert _one(samples, "logsleuth_job_step", job=name) == 40
    assert _one(samples, "logsleuth_rank_step", job=name, member=name, host=name) == 1


@given(
    st.lists(
        st.tuples(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), st.floats() | st.integers(-9, 9)),
        max_size=5,
    )
)
def test_every_label_and_number_is_read_as_it_was_meant(samples: list[tuple[str, float]]) -> None:
    family = Family("x", "gauge", "A number.")
    for label, value in samples:
        family.add(value, a=label, b="")
    page = exposition([family]).decode()
    read = [
        (sample.labels["a"], sample.value) for one in text_string_to_metric_families(page) for sample in one.samples
    ]
    meant = list(dict(samples).items())
    assert [label for label, _ in read] == [label for label, _ in meant]
    for (_, got), (_, value) in zip(read, meant, strict=True):
        assert got == value or (math.isnan(got) and math.isnan(value))


class _Counting:
    """Takes sentences."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def __call__(self, text: str) -> None:
        self.told.append(text)


def _names(folder: Path) -> Iterable[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_whole_and_stays(tmp_path: Path) -> None:
    metrics, tell = _metrics(), _Counting()
    file = MetricsFile(tmp_path / "job.prom", metrics, tell)
    for ending in (False, True):
        metrics.heard(snapshot(job()), [])
        (file.ended if ending else file.heard)(snapshot(job()), [])
        assert _names(tmp_path) == ["job.prom"]
        assert (tmp_path / "job.prom").read_bytes() == metrics.page()
    assert (tmp_path / "job.prom").stat().st_mode & 0o777 == 0o644
    assert tell.told == []


def test_a_file_that_cannot_be_written_is_told_of_once_and_tried_again(tmp_path: Path) -> None:
    metrics, tell = _metrics(), _Counting()
    path = tmp_path / "collected" / "job.prom"
    file = MetricsFile(path, metrics, tell)
    for _ in range(3):
        file.heard(snapshot(), [])
    assert tell.told == [f"--metrics-file: {path} could not be written: No such file or directory. It is tried again"]
    path.parent.mkdir()
    path.mkdir()
    file.heard(snapshot(), [])
    assert len(tell.told) == 2
    assert _names(path.parent) == ["job.prom"]
    path.rmdir()
    file.heard(snapshot(), [])
    assert path.read_bytes() == metrics.page()


@pytest.mark.parametrize("changed", [ChangeKind.APPEARED, ChangeKind.REVISED])
def test_the_last_judgement_counts_too(changed: ChangeKind) -> None:
    metrics = _metrics()
    metrics.ended(snapshot(), [change(kind=changed)])
    assert _one(_read(metrics.page()), "logsleuth_changes_total", kind=changed.value) == 1
