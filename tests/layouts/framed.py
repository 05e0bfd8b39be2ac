"""What an analysis says of a job whose logs were framed, held against what it says of the job itself."""

from collections import Counter
from functools import cache
from pathlib import Path

from logsleuth.drivers.batch import analyze_with
from logsleuth.model.analysis import CONFIDENCE_ORDER, Analysis, Evidence, Severity, Verdict
from tests.healthy.alarms import program, vocabulary
from tests.layouts.framings import Framing, Job

LOGS = Path(__file__).parents[2] / "fixtures" / "logs"
JOBS = (
    "collective/timeout/one_of_four",
    "process/exception/one_of_four",
    "process/killed/one_of_four",
    "process/left_early/survivor_aborts",
    "process/teardown_failure/abort_at_exit",
    "memory/gpu_out_of_memory/in_the_table_of_torchrun",
    "memory/gpu_out_of_memory/caught_and_skipped",
    "memory/gpu_out_of_memory_on_one_rank/one_of_eight",
    "network/peer_unreachable/told_by_torch_only",
    "elastic/restarted/rank_0_killed_in_every_attempt",
    "elastic/restarted/rank_0_killed_and_all_went_on",
    "real/mismatched_order",
    "real/missing_at_barrier",
    "real/one_raises_filtered",
    "real/other_agent_killed",
    "real/restarts_fail",
    "handbook/01_nccl_timeout/hit",
    "handbook/03_gpu_out_of_memory/hit",
    "handbook/05_loss_nan/hit",
    "handbook/10_rank_0_restarts/hit",
    "healthy/torchrun/one_stream",
    "healthy/torchrun/tee_with_roles",
)
"""Folders of real failures, and of runs that were well."""


@cache
def of_job(name: str) -> Job:
    """The logs of a job."""
    folder = LOGS / name
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in (".log", ".out", ".json")
    }


def written(job: Job, folder: Path) -> Path:
    for path, data in job.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder


@cache
def plain(name: str) -> Analysis:
    return analyze_with(program(), [str(LOGS / name / path) for path in of_job(name)], vocabulary=vocabulary())


def differences(framing: Framing, name: str, folder: Path) -> list[str]:
    """What is said of the framed logs of a job and should not be, or is not said; for people."""
    before = plain(name)
    framed = framing.done(of_job(name))
    written(framed, folder)
    after = analyze_with(program(), [str(folder / path) for path in framed], vocabulary=vocabulary())
    found = []
    if _fails(before) != _fails(after):
        found.append(f"exit status {int(_fails(before))} became {int(_fails(after))}")
    was, now = Counter(map(_said, _roots(before))), Counter(map(_said, _roots(after)))
    found += [f"lost: {_told(one)}" for one in was - now]
    found += [f"new: {_told(one)}" for one in now - was]
    surest = {_said(verdict): verdict.confidence for verdict in _roots(before)}
    for verdict in _roots(after):
        known = surest.get(_said(verdict))
        if known is not None and CONFIDENCE_ORDER[verdict.confidence] > CONFIDENCE_ORDER[known]:
            found.append(f"surer: {verdict.cause} {known} became {verdict.confidence}")
    found += [text for verdict in after.verdicts for one in verdict.evidence if (text := _not_there(one))]
    return found


def _roots(analysis: Analysis) -> list[Verdict]:
    return [verdict for verdict in analysis.verdicts if verdict.role == "root"]


def _fails(analysis: Analysis) -> bool:
    return any(v.status == "firm" and v.severity in (Severity.ERROR, Severity.FATAL) for v in analysis.verdicts)


def _said(verdict: Verdict) -> tuple[object, ...]:
    culprits = verdict.culprits
    return verdict.cause, verdict.status, culprits.ranks, culprits.local_ranks, culprits.hosts


def _told(said: tuple[object, ...]) -> str:
    return " ".join(map(str, said))


def _not_there(evidence: Evidence) -> str | None:
    """Why the text of a piece of evidence does not stand where it is cited; None where it does."""
    path, _, made = evidence.source.partition("!")
    data = Path(path).read_bytes()
    if made or data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
        return None
    lines = data.split(b"\n")
    near = b"\n".join(lines[evidence.line - 1 : evidence.line + 2])
    bare = _bare(near)
    if _bare(evidence.text.encode())[:200] not in bare:
        return f"line {evidence.line} of {path} does not hold {evidence.text[:90]!r}"
    if data.count(b"\n", 0, evidence.offset) != evidence.line - 1:
        return f"offset {evidence.offset} of {path} is not in line {evidence.line}"
    return None


def _bare(text: bytes) -> bytes:
    """Printable ASCII only, as evidence has no control characters."""
    return bytes(byte for byte in text if 32 < byte < 127)
