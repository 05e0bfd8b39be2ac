"""When things happened, as a report tells it: the logs of ``fixtures/logs/time``, and one job in every spelling."""

import json
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.drivers.batch import analyze_with
from tests.drivers.jobs import FIXTURES, PROGRAM
from tests.small_jobs import EVENTS, program, rule, write

TIME = FIXTURES / "time"
XID = "NVRM: Xid (PCI:0000:17:00): 79, pid=48213, name=python3, GPU has fallen off the bus."
FALL = rule("r.fall", "when some rank has a.fall as x", "culprit x", "explains a.slip on other ranks")
SLIP = rule("r.slip", "when some rank has a.slip as x", "culprit x", "explains a.fall on other ranks", cause="aborted")
SMALL = program(EVENTS, FALL, SLIP)
"""Whichever of a fall and a slip came first is the cause of the other; where that cannot be told, both are none's."""


def told(name: str) -> dict[str, Any]:
    """What ``analyze --format json`` says of a fixture: the job, and its first verdict."""
    done = run(
        [sys.executable, "-m", "logsleuth", "analyze", str(TIME / name), "--format", "json"],
        capture_output=True,
        text=True,
        check=False,
    )
    document = json.loads(done.stdout)
    return {"of": document["jobs"][0], **document["verdicts"][0]}


@pytest.mark.parametrize(
    ("name", "rule", "since", "echoes"),
    [
        ("kernel/since_boot_alone", "cuda.gpu_lost", None, ["cuda.unknown_error"]),
        ("kernel/since_boot_and_journal", "cuda.gpu_lost", "2026-03-14T08:53:10.207", ["cuda.unknown_error"]),
        ("clock/over_midnight", "cuda.device_assert_failed", "2026-03-15T00:00:12.000", ["peer.lost"]),
        ("clock/no_day_at_all", "cuda.illegal_memory_access", "T11:00:41.000", []),
        ("new_year/no_years", "cuda.gpu_lost", "--12-31T23:59:57.000", ["collective.timeout"]),
        ("zones/utc_and_local", "cuda.gpu_lost", "2026-03-14T15:53:10.000", ["peer.lost"]),
        ("message/cancelled_at", "scheduler.time_limit", "2026-03-14T08:53:10.000", ["slurm.ending"]),
    ],
)
def test_a_verdict_tells_since_when(name: str, rule: str, since: str | None, echoes: list[str]) -> None:
    verdict = told(name)
    assert verdict["rule"] == rule
    assert verdict["since"]["earliest"] == verdict["since"]["latest"] == since
    assert verdict["evidence"][0]["time"] == since
    assert [echo["rule"] for echo in verdict["explains"]] == echoes


def test_a_kernel_does_not_make_the_job_as_old_as_its_host() -> None:
    span = told("kernel/since_boot_and_journal")["of"]["span"]
    assert span == {"started": "2026-03-14T08:50:00.411", "ended": "2026-03-14T08:53:11.402"}


def test_the_span_goes_on_over_new_year() -> None:
    span = told("new_year/no_years")["of"]["span"]
    assert span == {"started": "--12-31T23:45:00.000", "ended": "--01-01T00:10:30.000"}


def test_where_hours_may_lie_between_clocks_it_is_said() -> None:
    unknowns = told("zones/utc_and_local")["unknowns"]
    assert unknowns == [
        "the clock of node-7 says no zone and shows another time than those that do: what came first cannot be told "
        "across them"
    ]


# One line in all spellings


@pytest.mark.parametrize(
    ("prefix", "time"),
    [
        ("Mar 14 08:53:10 node-7 kernel: ", "--03-14T08:53:10.000"),
        ("Mar 14 08:53:10.207731 node-7 kernel: ", "--03-14T08:53:10.207"),
        ("2026-03-14T08:53:10+0000 node-7 kernel: ", "2026-03-14T08:53:10.000"),
        ("2026-03-14T09:53:10.207731+01:00 node-7 kernel: ", "2026-03-14T08:53:10.207"),
        ("Sat 2026-03-14 08:53:10 UTC node-7 kernel: ", "2026-03-14T08:53:10.000"),
        ("Sat 2026-03-14 09:53:10 CET node-7 kernel: ", "2026-03-14T08:53:10.000"),
        ("1773478390.207731 node-7 kernel: ", "2026-03-14T08:53:10.207"),
        ("<2>1 2026-03-14T08:53:10.207731+00:00 node-7 kernel - - - ", "2026-03-14T08:53:10.207"),
        ("<2>Mar 14 08:53:10 node-7 kernel: [91830.114026] ", "--03-14T08:53:10.000"),
        ("[91830.114026] node-7 kernel: ", None),
    ],
)
def test_every_way_to_show_a_journal_tells_host_and_time(prefix: str, time: str | None, tmp_path: Path) -> None:
    write(tmp_path, {"saved.txt": f"{prefix}{XID}\n"})
    (verdict,) = analyze_with(PROGRAM, [str(tmp_path)]).verdicts
    assert (verdict.rule, verdict.culprits.hosts, verdict.evidence[0].time) == ("cuda.gpu_lost", ("node-7",), time)


@pytest.mark.parametrize(
    ("prefix", "time"),
    [
        ("[Sat Mar 14 08:53:10 2026] ", "2026-03-14T08:53:10.000"),
        ("2026-03-14T08:53:10,207731+00:00 ", "2026-03-14T08:53:10.207"),
        ("kern  :crit  : [Sat Mar 14 08:53:10 2026] ", "2026-03-14T08:53:10.000"),
        ("[91830.114026] ", None),
        ("[91830.114026 <    0.001203>] ", None),
        ("kern  :crit  : [91830.114026] ", None),
        ("<2>[91830.114026] ", None),
        ("2,3381,91830114026,-;", None),
        ("[  +0.001203] ", None),
    ],
)
def test_every_way_to_show_dmesg_tells_the_time_if_it_can(prefix: str, time: str | None, tmp_path: Path) -> None:
    write(tmp_path, {"node-7/dmesg.txt": f"{prefix}{XID}\n"})
    (verdict,) = analyze_with(PROGRAM, [str(tmp_path)]).verdicts
    assert (verdict.rule, verdict.culprits.hosts, verdict.evidence[0].time) == ("cuda.gpu_lost", ("node-7",), time)


# Order

START = datetime(2026, 3, 14, 22, 40, tzinfo=UTC)
BERLIN = timezone(timedelta(hours=1))


def iso(moment: datetime) -> str:
    return moment.isoformat(sep=" ", timespec="milliseconds")[:23].replace(".", ",") + " "


def zulu(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f") + "000Z "


def clock(moment: datetime) -> str:
    return moment.strftime("[%H:%M:%S] ")


SPELLINGS = {
    "ISO": iso,
    "UTC": zulu,
    "offset": lambda at: at.astimezone(BERLIN).isoformat(timespec="milliseconds") + " ",
    "name": lambda at: at.astimezone(BERLIN).strftime("%Y-%m-%d %H:%M:%S CET "),
    "epoch": lambda at: f"{at.timestamp():.6f} ",
    "milliseconds": lambda at: f"{int(at.timestamp() * 1000)} ",
    "glog": lambda at: at.strftime("I%m%d %H:%M:%S.%f 4711 loop.py:88] "),
    "syslog": lambda at: at.strftime("%b %e %H:%M:%S "),
    "date": lambda at: at.strftime("%a %b %e %I:%M:%S %p UTC %Y "),
    "American": lambda at: at.strftime("%m/%d/%Y %I:%M:%S %p "),
    "European": lambda at: at.strftime("%d.%m.%Y %H:%M:%S "),
    "Apache": lambda at: at.strftime("[%d/%b/%Y:%H:%M:%S +0000] "),
    "compact": lambda at: at.strftime("%Y%m%d_%H%M%S "),
    "logfmt": lambda at: at.strftime('time="%Y-%m-%dT%H:%M:%SZ" level=info msg="'),
    "Chinese": lambda at: at.strftime("【%Y-%m-%d %H:%M:%S】"),
    "clock": clock,
}


def logs_of(fell: timedelta, slipped: timedelta, spelling: list[str], shift: timedelta = timedelta()) -> dict[str, str]:
    """Two ranks that run for two hours over midnight; one falls, one slips."""
    out = {}
    for rank, (said, at) in enumerate((("fell with code 1", fell), ("slipped on ice", slipped))):
        stamp = SPELLINGS[spelling[rank]]
        rows = sorted([*((timedelta(minutes=10 * n), "alive") for n in range(13)), (at, said)])
        out[f"rank_{rank}.log"] = "".join(f"{stamp(START + shift + when)}{text}\n" for when, text in rows)
    return out


def answer(logs: dict[str, str]) -> list[tuple[object, ...]]:
    with TemporaryDirectory() as folder:
        write(Path(folder), logs)
        found = analyze_with(SMALL, [folder])
    return [(v.rule, v.culprits, v.explains, v.unknowns) for v in found.verdicts]


MINUTES = st.integers(1, 110).map(lambda minutes: timedelta(minutes=minutes))


@settings(max_examples=40, deadline=None)
@given(MINUTES, MINUTES, st.lists(st.sampled_from(sorted(SPELLINGS)), min_size=2, max_size=2))
def test_how_a_stamp_is_spelled_changes_no_verdict(fell: timedelta, slipped: timedelta, spelling: list[str]) -> None:
    assert answer(logs_of(fell, slipped, spelling)) == answer(logs_of(fell, slipped, ["UTC", "UTC"]))


@settings(max_examples=40, deadline=None)
@given(
    MINUTES,
    MINUTES,
    st.lists(st.sampled_from(sorted(SPELLINGS)), min_size=2, max_size=2),
    st.integers(-400 * 86400, 4000 * 86400).map(lambda seconds: timedelta(seconds=seconds)),
)
def test_when_a_job_ran_changes_no_verdict(
    fell: timedelta, slipped: timedelta, spelling: list[str], shift: timedelta
) -> None:
    assert answer(logs_of(fell, slipped, spelling, shift)) == answer(logs_of(fell, slipped, spelling))


@settings(max_examples=40, deadline=None)
@given(MINUTES, MINUTES, st.sampled_from(range(-26, 29)), st.sampled_from(["ISO", "syslog", "European", "American"]))
def test_local_time_beside_utc_is_never_a_wrong_order(
    fell: timedelta, slipped: timedelta, halves: int, spelling: str
) -> None:
    """What came first is told or left open, whatever the zone of the stamps that say none."""
    local = logs_of(fell, slipped, ["UTC", spelling])
    local["rank_1.log"] = logs_of(fell, slipped, ["UTC", spelling], timedelta(minutes=30 * halves))["rank_1.log"]
    rules = [entry[0] for entry in answer(local)]
    right = [entry[0] for entry in answer(logs_of(fell, slipped, ["UTC", "UTC"]))]
    assert rules == right or (halves and set(rules) >= set(right))
