"""What is promised of every format: which layout it is recognised as, and that rank, host, time and attempt come out.

One row a format. Each is a folder that is given to an analysis as it is; what is expected is what the report says: of
the sources, of the job, and of the line that decides the first verdict. A dash is what the format does not tell. Forms
of a stamp have a table of their own (``tests/drivers/test_when.py``), labels and names of files too
(``tests/drivers/test_writers.py``), and what happens to the text of logs on its way (``tests/layouts/framings.py``).
"""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.model.analysis import Analysis
from tests.healthy.alarms import program
from tests.layouts.framings import FRAMINGS

LOGS = Path(__file__).parents[1] / "fixtures" / "logs"


class Promise(NamedTuple):
    layout: str
    """The layouts of the sources in ``inputs``, and their format where it is not text."""
    ranks: str
    """Ranks that were seen, of how many."""
    hosts: str
    attempts: int
    rank: str
    """Of the line that decides, as are the following."""
    host: str
    time: str
    attempt: int


PODS = "llm-worker-0 llm-worker-1 llm-worker-2 llm-worker-3"
OF_CRI = "gpu-a12 llm-worker-0"
# fmt: off
PROMISES: dict[str, Promise] = {
    # Launchers.                                 layout          ranks         hosts              attempts rank host             time           attempt
    "real/one_raises_filtered":          Promise("lines",        "0-3 of 4",   "gpu-a12",                1, "1", "gpu-a12",      "-",                       0),
    "real/restarts_fail":                Promise("lines",        "0-3 of 4",   "gpu-a12",                3, "1", "gpu-a12",      "-",                       0),
    "sources/srun_label":                Promise("lines",        "0-3 of 4",   "-",                      1, "2", "-",            "2026-03-05T10:00:08.123", 0),
    "sources/slurm_names":               Promise("lines",        "0-3 of 4",   "node07 node08",          1, "2", "node08",       "-",                       0),
    "sources/mpi_tag_output":            Promise("lines",        "0-3 of 4",   "-",                      1, "2", "-",            "2026-03-05T10:00:08.123", 0),
    "sources/deepspeed_pdsh":            Promise("lines",        "0-3 of 4",   "node-0 node-1",          1, "2", "node-1",       "-",                       0),
    "sources/lightning":                 Promise("lines",        "0-3 of 4",   "-",                      1, "3", "-",            "-",                       0),
    "sources/accelerate":                Promise("lines",        "2 of 3",     "node-7",                 1, "2", "node-7",       "-",                       0),
    "sources/ray_session":               Promise("lines",        "0-3 of 4",   "10.20.0.7 10.20.0.8",    1, "2", "10.20.0.8",    "-",                       0),
    # Kubernetes and collectors.
    "sources/kubectl_prefix":            Promise("lines",        "-",          PODS,                     1, "-", "llm-worker-2", "2026-03-05T10:00:08.000", 0),
    "sources/stern":                     Promise("lines",        "-",          PODS,                     1, "-", "llm-worker-2", "2026-03-05T10:00:08.000", 0),
    "sources/docker_restarted":          Promise("docker",       "0-3 of 4",   "gpu-a12",                3, "1", "gpu-a12",      "2026-11-30T00:21:25.158", 0),
    "sources/cri_restarted":             Promise("cri",          "0-3 of 4",   OF_CRI,                   3, "1", "llm-worker-0", "2026-11-30T00:21:25.158", 0),
    "sources/journald_restarted":        Promise("json",         "0-3 of 4",   "gpu-a12",                3, "1", "gpu-a12",      "2026-11-30T00:21:25.158", 0),
    "sources/cloudwatch_two_hosts":      Promise("json-document", "0-3 of 4",  "algo-1 algo-2",          1, "3", "algo-2",       "2026-03-05T10:00:07.000", 0),
    "sources/loki_four_pods":            Promise("json-document", "0-3 of 4",  PODS,                     1, "2", "llm-worker-2", "2026-03-05T10:00:07.002", 0),
    "sources/fluentd_unlabelled":        Promise("lines",        "-",          "node-0 node-1 node-2 node-3", 1, "-", "node-2",  "--03-05T10:00:07.000",    0),
    # Hosts.
    "sources/syslog_two_hosts":          Promise("lines",        "1 of 2",     "node-7 node-8",          1, "1", "node-8",       "--03-05T11:00:44.000",    0),
    "sources/journald_and_dmesg":        Promise("json lines",   "-",          "gpu-a12 gpu-a13",        1, "-", "gpu-a12",      "2026-03-05T10:00:20.250", 0),
    "sources/dmesg_T":                   Promise("lines",        "-",          "gpu-a12",                1, "-", "gpu-a12",      "2026-03-05T10:00:20.000", 0),
    "time/kernel/since_boot_alone":      Promise("lines",        "3 of 4",     "node-7",                 1, "-", "node-7",       "-",                       0),
    "gpu/throttled":                     Promise("lines",        "-",          "node-7",                 1, "-", "node-7",       "2025-03-04T03:01:45.109", 0),
    # What libraries and trackers write themselves.
    "sources/nccl_debug_files":          Promise("lines",        "-",          "gpu-a12 gpu-a13",        1, "-", "gpu-a13",      "-",                       0),
    "sources/wandb":                     Promise("lines",        "0-1 of 2",   "-",                      1, "1", "-",            "-",                       0),
    "sources/wandb_history":             Promise("metric-lines", "1 of 2",     "-",                      1, "-", "-",            "2026-03-05T10:10:00.000", 0),
    "sources/lightning_csv":             Promise("metric-table", "1 of 2",     "-",                      1, "-", "-",            "-",                       0),
    "flight_recorder/rank_missing":      Promise("lines recorder", "0-1 of 2", "-",                      1, "1", "-",            "-",                       0),
    # Times.
    "time/new_year/no_years":            Promise("lines",        "0-1 of 2",   "node-1 node-2",          1, "-", "node-2",       "--12-31T23:59:57.000",    0),
    "time/clock/over_midnight":          Promise("lines",        "0-1 of 2",   "-",                      1, "0", "-",            "2026-03-15T00:00:12.000", 0),
    "time/zones/utc_and_local":          Promise("lines",        "0 of 1",     "node-7",                 1, "-", "node-7",       "2026-03-14T15:53:10.000", 0),
}
# fmt: on


def _or_dash(text: str | None) -> str:
    return text or "-"


def _ranks(seen: tuple[int, ...], size: int) -> str:
    if not seen:
        return "-"
    is_run = len(seen) > 1 and seen == tuple(range(seen[0], seen[-1] + 1))
    return f"{f'{seen[0]}-{seen[-1]}' if is_run else ' '.join(map(str, seen))} of {size}"


def told(analysis: Analysis) -> Promise:
    """What an analysis says of its sources, its job and the line that decides."""
    (job,) = analysis.jobs
    first = next(verdict for verdict in analysis.verdicts if verdict.role == "root" and verdict.status == "firm")
    line = first.evidence[0]
    rank = None if line.rank is None else str(line.rank)
    known = {item.layout for item in analysis.inputs} | {item.format for item in analysis.inputs} - {"text"}
    return Promise(
        " ".join(sorted(known)),
        _ranks(job.seen_ranks, job.size),
        _or_dash(" ".join(job.hosts)),
        job.attempts,
        *(_or_dash(rank), _or_dash(line.host), _or_dash(line.time)),
        first.attempt or 0,
    )


@pytest.mark.parametrize("name", PROMISES)
def test_rank_host_time_and_attempt(name: str) -> None:
    analysis = analyze_with(program(), [str(LOGS / name)])
    assert not any(item.problems for item in analysis.inputs)
    assert told(analysis) == PROMISES[name]


def test_every_folder_of_sources_is_promised() -> None:
    folders = {f"sources/{folder.name}" for folder in (LOGS / "sources").iterdir()}
    assert folders <= PROMISES.keys()


# Packings: the same log, packed, says the same.

SAMPLE = "sources/stern"


def _tarred(name: str, data: bytes) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        member = tarfile.TarInfo(name)
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return made.getvalue()


def _zipped(name: str, data: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return made.getvalue()


def _zstd(data: bytes) -> bytes:
    from backports import zstd

    return zstd.compress(data)


PACKINGS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    # Name of the file: format in ``inputs``, how it is packed.
    "all.log.gz": ("gzip", gzip.compress),
    "all.log.bz2": ("bzip2", bz2.compress),
    "all.log.xz": ("xz", lzma.compress),
    "all.log.zst": ("zstd", _zstd),
    "all.log.gz.zst": ("zstd", lambda data: _zstd(gzip.compress(data))),
    "job.tar.gz": ("text", lambda data: _tarred("logs/all.log", data)),
    "job.zip": ("text", lambda data: _zipped("logs/all.log", data)),
    "outer.zip": ("text", lambda data: _zipped("job.tar.gz", _tarred("logs/all.log", data))),
    "of_packed.tar.gz": ("gzip", lambda data: _tarred("logs/all.log.gz", gzip.compress(data))),
}


@cache
def _plain() -> bytes:
    (path,) = (LOGS / SAMPLE).iterdir()
    return path.read_bytes()


@pytest.mark.parametrize("name", PACKINGS)
def test_packed(name: str, tmp_path: Path) -> None:
    kind, packed = PACKINGS[name]
    (tmp_path / name).write_bytes(packed(_plain()))
    analysis = analyze_with(program(), [str(tmp_path / name)])
    assert kind in {item.format for item in analysis.inputs}
    assert told(analysis)._replace(layout="lines") == PROMISES[SAMPLE]


# Forms of text: who wrote a line survives them.

LABELLED = (
    "sources/stern",
    "sources/srun_label",
    "sources/mpi_tag_output",
    "sources/deepspeed_pdsh",
    "sources/lightning",
)
"""Each form of text takes one."""
TEXTS = [
    framing.name
    for framing in FRAMINGS
    # In a page, a notebook or an answer to a mail the labels of a collector are those of text.
    if not framing.name.startswith(("at words", "hanging", "quoted by mail", "headed", "found by", "of a notebook"))
]


@pytest.mark.parametrize("name", TEXTS)
def test_in_other_forms_of_text(name: str, tmp_path: Path) -> None:
    framing = next(framing for framing in FRAMINGS if framing.name == name)
    sample = LABELLED[TEXTS.index(name) % len(LABELLED)]
    (path,) = (LOGS / sample).iterdir()
    (data,) = framing.done({"all.log": path.read_bytes()}).values()
    (tmp_path / "all.log").write_bytes(data)
    found = told(analyze_with(program(), [str(tmp_path / "all.log")]))
    assert found._replace(layout="lines") == PROMISES[sample]
