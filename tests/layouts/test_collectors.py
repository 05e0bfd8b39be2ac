"""What each collector tells of rank, host and time, and where in its file the evidence stands."""

from pathlib import Path

import pytest

import logsleuth
from logsleuth.layouts.registry import names

RECORDS = Path(__file__).parents[2] / "fixtures" / "logs" / "records"

FOUND = {
    # Folder: layout, host, rank, line and time of the evidence, what the evidence begins with.
    "azure": ("json-document", "llm-worker-1", 11, 28, "10:00:01.050", "[rank11]: torch.Out"),
    "cloud_logging": ("json-document", "llm-worker-1", 11, 22, "10:00:01.050", "[rank11]: torch.Out"),
    "cri": (
        "cri",
        "llm-worker-1",
        11,
        7,
        "10:00:02.000",
        "2026-03-05T10:00:02.000000000Z stderr P [rank11]: torch.Out",
    ),
    "datadog": ("json-document", "llm-worker-1", 11, 1, "10:00:01.050", "[rank11]: torch.Out"),
    "docker": ("docker", "gpu-a13", 11, 4, "10:00:01.050", "[rank11]: torch.Out"),
    "elasticsearch": ("json-document", "llm-worker-1", 11, 1, "10:00:01.050", "[rank11]: torch.Out"),
    "fluent_bit": ("json", "llm-worker-1", 11, 10, "10:00:01.050", "[rank11]: torch.Out"),
    "grafana": ("csv", "llm-worker-1", 11, 2, "10:00:01.050", "[rank11]: torch.Out"),
    "journald": ("json", "gpu-a12", None, 2, "10:00:41.203", "NVRM: Xid (PCI:0000:17:00): 79"),
    "journald_export": ("journal-export", "gpu-a12", None, 19, "10:00:41.203", "NVRM: Xid (PCI:0000:17:00): 79"),
    "json_logger": ("json", "gpu-a13", 11, 4, "10:00:05.310", "torch.Out"),
    "logcli": ("text-export", "llm-worker-1", 11, 2, "10:00:01.050", "[rank11]: torch.Out"),
    "logfmt": ("logfmt", "gpu-a13", 11, 3, "10:00:02.000", "torch.Out"),
    "loguru": ("json", None, 11, 2, "10:00:05.310", "torch.Out"),
    "loki": ("json-document", "llm-worker-1", 11, 1, "10:00:01.050", "[rank11]: torch.Out"),
    "sagemaker": ("json-document", "algo-2", 11, 27, "10:00:41.100", "[rank11]: torch.Out"),
    "sagemaker_tail": ("text-export", "algo-2", 11, 9, "10:00:41.100", "[rank11]: torch.Out"),
    "splunk": ("json", "llm-worker-1", 11, 1, "10:00:01.050", "[rank11]: torch.Out"),
    "stern": ("json", "llm-worker-1", 11, 10, "10:00:01.050", "2026-03-05T10:00:01.050000000Z [rank11]: torch.Out"),
}


def test_every_sample_is_read() -> None:
    assert {folder.name for folder in RECORDS.iterdir()} == FOUND.keys()
    assert {layout for layout, *_ in FOUND.values()} <= {*names()}


@pytest.mark.parametrize("name", FOUND)
def test_rank_host_time_and_evidence(name: str) -> None:
    layout, host, rank, line, time, text = FOUND[name]
    analysis = logsleuth.analyze(RECORDS / name, local_rules=False)
    assert {item.layout for item in analysis.inputs} == {layout}
    assert not any(item.problems for item in analysis.inputs)
    (verdict,) = analysis.verdicts
    assert verdict.culprits.ranks == (() if rank is None else (rank,))
    assert verdict.culprits.hosts == (() if host is None else (host,))
    first = verdict.evidence[0]
    assert (first.rank, first.host, first.line, first.time) == (rank, host, line, f"2026-03-05T{time}")
    assert first.text.startswith(text)
    data = Path(first.source).read_bytes()
    if name == "docker":
        # The log was rotated: its two files are read as one, and evidence names the file.
        data = (RECORDS / name / "gpu-a13" / "4f1c-json.log").read_bytes()
        assert first.source.endswith("4f1c-json.log")
    assert data[first.offset :].startswith(text.encode())
    assert data.count(b"\n", 0, first.offset) == line - 1


def test_writers_in_one_export_are_kept_apart() -> None:
    for name in ("sagemaker", "loki", "fluent_bit"):
        (job,) = logsleuth.analyze(RECORDS / name, local_rules=False).jobs
        assert len(job.hosts) == 2
        assert job.seen_ranks == (0, 11)
