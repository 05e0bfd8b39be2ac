"""Dumps of older torch versions, and what else their format leaves open, tell the same standing of the ranks."""

import pickle
from collections.abc import Callable

import pytest

from logsleuth.recorder.dump import read_dump
from logsleuth.recorder.lines import told
from logsleuth.recorder.plain_pickle import NotPlainError
from tests.recorder.jobs import Entry, Recorder, job


def _as_1_0(dump: Entry) -> Entry:
    """torch 2.2: numbers of groups and one count, no configuration, times in microseconds."""
    entries = [
        {
            "record_id": entry["record_id"],
            "pg_id": entry["pg_id"],
            "seq_id": entry["collective_seq_id"],
            "profiling_name": entry["profiling_name"],
            "input_sizes": entry["input_sizes"],
            "output_sizes": entry["output_sizes"],
            "state": entry["state"],
            "time_created_us": entry["time_created_ns"] // 1000,
            "retired": entry["retired"],
            "frames": entry["frames"],
        }
        for entry in dump["entries"]
    ]
    return {"version": "1.0", "entries": entries}


def _as_2_1(dump: Entry) -> Entry:
    """torch 2.3: names of groups and their ranks, no status, no types."""
    entries = [
        {key: value for key, value in entry.items() if key not in ("input_dtypes", "output_dtypes", "timeout_ms")}
        for entry in dump["entries"]
    ]
    return {"version": "2.1", "pg_config": dump["pg_config"], "nccl_version": "2.20.5", "entries": entries}


def _as_listed(dump: Entry) -> Entry:
    """Ranks as a list, a rank's own number, and keys that nobody knows yet."""
    config = {name: {**about, "ranks": [0, 1, 2, 3], "colour": None} for name, about in dump["pg_config"].items()}
    return {**dump, "pg_config": config, "host_name": "node-7", "future": [{"a": (1, 2)}]}


def _lines(recorders: list[Recorder], form: Callable[[Entry], Entry]) -> dict[int, list[str]]:
    return told({one.rank: read_dump(pickle.dumps(form(one.dump()), 2)) for one in recorders})


@pytest.mark.parametrize("form", [dict, _as_1_0, _as_2_1, _as_listed])
def test_the_missing_rank_is_seen(form: Callable[[Entry], Entry]) -> None:
    recorders = [one.calls(5) for one in job(4)]
    for one in recorders:
        if one.rank != 2:
            one.call(state="started")
    lines = _lines(recorders, form)
    assert "never called #6 (nccl:all_reduce), in which 3 wait" in "\n".join(lines[2])
    assert all("waits in #6" in "\n".join(lines[rank]) for rank in (0, 1, 3))


def test_numbers_of_groups_without_names_say_nothing_across_ranks() -> None:
    recorders = job(4, {"1": (0, 1, 2, 3)})
    for one in recorders:
        one.calls(3).calls(2 + one.rank, group="1").call(group="1", state="started")
    lines = _lines(recorders, _as_1_0)
    assert not any("never called" in line or "differ" in line for told_of in lines.values() for line in told_of)


@pytest.mark.parametrize(
    "value",
    [
        {"entries": None},
        {"entries": [None, 1, "x", {}, {"state": 3, "frames": 7, "process_group": [None]}], "pg_config": []},
        {
            "entries": [
                {"process_group": ("a b)] [c", "\x1b[31m\n"), "profiling_name": "x\n[rank9]: y", "pg_id": 10**30}
            ]
        },
        {"entries": [], "pg_config": {1: 2, "x": {"ranks": "[1, 99999999999999999999, x]"}}, "pg_status": {"0": 1}},
        {"entries": [{"collective_seq_id": 2**62, "pg_id": 0, "input_sizes": [[2**62] * 16] * 20}], "rank": -1},
    ],
)
def test_what_is_not_as_it_should_be_is_left_out(value: Entry) -> None:
    try:
        dump = read_dump(pickle.dumps(value, 2))
    except NotPlainError:
        return
    lines = told({0: dump, 1: dump})
    assert all("\n" not in line and "\x1b" not in line for own in lines.values() for line in own)
    assert all(line.startswith(f"[rank{rank}]: ") for rank, own in lines.items() for line in own)


def test_a_status_of_any_size_costs_nothing() -> None:
    recorders = [one.calls(3) for one in job(2)]
    dumps = [one.dump() for one in recorders]
    dumps[0]["pg_status"]["0"]["last_enqueued_collective"] = 10**17
    assert told({rank: read_dump(pickle.dumps(dump, 2)) for rank, dump in enumerate(dumps)})


def test_what_a_file_shares_between_entries_is_looked_at_once() -> None:
    """Pickles share: a few thousand bytes can name one long list in every entry, and one entry very often."""
    name, ranks = "x" * 800, list(range(0, 1 << 17, 2))
    entry = job(1)[0].calls(1).dump()["entries"][0]
    shared = {**entry, "input_dtypes": [name] * 4096, "input_sizes": [[8]] * 4096}
    entries = [shared] * 20_000 + [{**shared, "process_group": (str(group), "tp")} for group in range(1000)]
    config = {str(group): {"desc": "tp", "ranks": ranks} for group in range(1000)}
    dump = read_dump(pickle.dumps({"version": "2.10", "entries": entries, "pg_config": config}, 2))
    assert dump.entries == 21_000
    assert sum(len(group.ranks or ()) for group in dump.groups.values()) <= 1 << 22
    assert sum(map(len, told({0: dump})[0])) < 1 << 26
