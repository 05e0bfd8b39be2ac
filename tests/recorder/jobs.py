"""Flight-recorder dumps of invented jobs, as torch writes them, and the lines of watchdogs beside them."""

import json
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

START = 1_764_500_000_000_000_000
"""Nanoseconds since 1970 of the first call."""
STEP = 10_000_000
"""Nanoseconds from one call to the next."""
LIMIT = 600_000
"""Milliseconds that a collective may take."""

Entry = dict[str, Any]


@dataclass(slots=True)
class Recorder:
    """The recorder of one rank. ``moment`` is when its next entry is made."""

    rank: int
    groups: Mapping[str, tuple[int, ...]]
    """Name of every group, and its global ranks; ``0`` is the default one."""
    entries: list[Entry] = field(default_factory=list)
    moment: int = START
    backend: str = "nccl"
    _seqs: dict[str, int] = field(default_factory=dict)

    def call(
        self,
        op: str = "all_reduce",
        size: Iterable[int] = (4096,),
        *,
        group: str = "0",
        dtype: str = "Float",
        state: str = "completed",
        line: int = 88,
        at: int | None = None,
    ) -> "Recorder":
        """Adds a collective, or a send or receive (``send 0->1``)."""
        is_p2p = op.startswith(("send", "recv"))
        key = group + "p2p" * is_p2p
        self._seqs[key] = self._seqs.get(key, 0) + (op != "coalesced")
        created = self.moment if at is None else at
        self.moment = created + STEP
        is_done = state == "completed"
        sizes = [list(size)]
        self.entries.append(
            {
                "record_id": len(self.entries),
                "pg_id": int(group),
                "process_group": (group, "default_pg" if group == "0" else f"mesh_{group}"),
                "collective_seq_id": self._seqs.get(group, 0),
                "p2p_seq_id": self._seqs.get(group + "p2p", 0),
                "op_id": len(self.entries) + 1,
                "profiling_name": f"{self.backend}:{op}",
                "time_created_ns": created,
                "time_discovered_started_ns": created + 1000 if state != "scheduled" else None,
                "time_discovered_completed_ns": created + 2000 if is_done else None,
                "input_sizes": sizes,
                "input_dtypes": [dtype],
                "output_sizes": sizes,
                "output_dtypes": [dtype],
                "state": state,
                "retired": is_done,
                "timeout_ms": LIMIT,
                "is_p2p": is_p2p,
                "frames": [
                    {"name": op, "filename": "/opt/env/lib/python3.11/site-packages/torch/distributed/d.py", "line": 3},
                    {"name": "step", "filename": "/srv/job/train.py", "line": line},
                ],
            }
        )
        return self

    def calls(self, count: int, **options: Any) -> "Recorder":
        for _ in range(count):
            self.call(**options)
        return self

    def dump(self, keep: int | None = None) -> Entry:
        """What torch writes, with the last ``keep`` entries."""
        status = {}
        for group, ranks in self.groups.items():
            own = [entry for entry in self.entries if entry["process_group"] == (group, entry["process_group"][1])]
            done = [entry for entry in own if entry["state"] == "completed"]
            if self.rank in ranks:
                status[group] = {
                    "last_enqueued_collective": self._seqs.get(group, -1),
                    "last_started_collective": -1,
                    "last_completed_collective": done[-1]["collective_seq_id"] if done else -1,
                }
        config = {
            group: {"name": group, "desc": "default_pg" if group == "0" else f"mesh_{group}", "ranks": str(list(ranks))}
            for group, ranks in self.groups.items()
            if self.rank in ranks
        }
        entries = self.entries if keep is None else self.entries[-keep:]
        return {
            "version": "2.10", "pg_config": config, "comm_lib_version": "2.27.5", "pg_status": status, "entries": entries,
        }  # fmt: skip


def job(size: int, groups: Mapping[str, tuple[int, ...]] | None = None, *, backend: str = "nccl") -> list[Recorder]:
    """The recorders of a job, nothing called yet."""
    named = {"0": tuple(range(size)), **(groups or {})}
    return [Recorder(rank, named, backend=backend) for rank in range(size)]


def write_pickle(path: Path, dump: Entry) -> Path:
    path.write_bytes(pickle.dumps(dump, protocol=2))
    return path


def write_json(path: Path, dump: Entry) -> Path:
    """As torch writes it: no stacks, no null, numbers of the status as texts, keys in order."""
    entries = [
        {key: 0 if value is None else value for key, value in entry.items() if key != "frames"}
        for entry in dump["entries"]
    ]
    status = {key: {name: str(number) for name, number in told.items()} for key, told in dump["pg_status"].items()}
    path.write_text(json.dumps({**dump, "entries": entries, "pg_status": status}, sort_keys=True))
    return path


def write_all(folder: Path, recorders: Iterable[Recorder], keep: int | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for recorder in recorders:
        write_pickle(folder / f"nccl_trace_rank_{recorder.rank}", recorder.dump(keep))
    return folder


def timed_out(rank: int, seq: int, *, op: str = "ALLREDUCE") -> str:
    """What the watchdog of a rank prints that waited in a collective of the default group."""
    head = f"[rank{rank}]:[E1130 12:10:00.{rank:03}456789 ProcessGroupNCCL.cpp"
    return (
        f"{head}:632] [Rank {rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum={seq}, OpType={op}, "
        f"NumelIn=4096, NumelOut=4096, Timeout(ms)={LIMIT}) ran for {LIMIT + 29} milliseconds before timing out.\n"
        f"{head}:2150] [PG ID 0 PG GUID 0(default_pg) Rank {rank}]  failure detected by watchdog at work sequence id: {seq} "
        f"PG status: last enqueued work: {seq}, last completed work: {seq - 1}\n"
        f"{head}:1806] [PG ID 0 PG GUID 0(default_pg) Rank {rank}] ProcessGroupNCCL preparing to dump debug info. Include "
        f"stack trace: 1\n"
    )


def told_by_another(rank: int, enqueued: int, by: int = 0) -> str:
    """What a rank prints that waited in nothing and was told to dump."""
    head = f"[rank{rank}]:[E1130 12:10:01.{rank:03}000000 ProcessGroupNCCL.cpp"
    return (
        f"{head}:1685] [PG ID 0 PG GUID 0(default_pg) Rank {rank}] Observed flight recorder dump signal from another rank "
        f"via TCPStore.\n{head}:1746] [PG ID 0 PG GUID 0(default_pg) Rank {rank}] Received a dump signal due to a collective "
        f"timeout from  rank {by} and we will try our best to dump the debug info. Last enqueued NCCL work: {enqueued}, last "
        f"completed NCCL work: {enqueued}.This is most likely caused by incorrect usages of collectives\n"
    )
