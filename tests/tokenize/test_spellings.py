"""Stamps as few writers spell them, what stands around them, and what only looks like one."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.model.origin import BOOT, NOWHERE, Stamp
from logsleuth.tokenize.framing import frame
from logsleuth.tokenize.spellings import read_clock, read_since_1970
from logsleuth.tokenize.zones import east

NOON = datetime(2026, 1, 5, 10, tzinfo=UTC).timestamp()
HOUR = 3600.0
DAYLESS = NOWHERE + 10 * HOUR


def seen(line: str) -> tuple[float, bool, bool] | None:
    stamp = frame(line.encode(), labelled=False).stamp
    return (round(stamp.seconds, 6), stamp.has_year, stamp.has_zone) if stamp else None


def message(line: str) -> str:
    text = line.encode()
    return text[frame(text, labelled=False).start :].decode()


LOCAL, ZONED = (NOON, True, False), (NOON, True, True)
"""What is seen of ten o'clock on 5 January 2026, by a clock that says its zone or not."""


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        # Zones behind the usual stamps.
        ("2026-01-05 10:00:00 GMT ", ZONED),
        ("2026-01-05 11:00:00 CET ", ZONED),
        ("2026-01-05T11:00:00+01 ", ZONED),
        ("2026-01-05 02:00:00 PST ", ZONED),
        # Days.
        ("2026.01.05 10:00:00 ", LOCAL),
        ("2026-1-5 10:00:00 ", LOCAL),
        ("2026-01-05-10:00:00 ", LOCAL),
        ("20260105 10:00:00 ", LOCAL),
        ("20260105-10:00:00 ", LOCAL),
        ("20260105_100000 ", LOCAL),
        ("20260105T100000Z ", ZONED),
        ("2026年01月05日 10:00:00 ", LOCAL),
        ("05.01.2026 10:00:00 ", LOCAL),
        ("05.01.2026, 10:00:00 ", LOCAL),
        ("05-Jan-2026 10:00:00 ", LOCAL),
        ("5 Jan 2026 10:00:00 ", LOCAL),
        ("05/Jan/2026:10:00:00 +0000 ", ZONED),
        ("[05/Jan/2026:11:00:00 +0100] ", ZONED),
        ("Jan 5, 2026 10:00:00 AM ", LOCAL),
        ("1/5/2026 10:00:00 AM ", LOCAL),
        ("01/05/2026, 10:00:00 AM ", LOCAL),
        ("[01/05/26 10:00:00] ", LOCAL),
        ("26/01/05 10:00:00 ", LOCAL),
        # ``date`` of several locales, mail, the journal.
        ("Mon Jan  5 10:00:00 UTC 2026 ", ZONED),
        ("Mon Jan  5 11:00:00 AM CET 2026 ", ZONED),
        ("Mon  5 Jan 10:00:00 UTC 2026 ", ZONED),
        ("Mon 05 Jan 2026 10:00:00 AM UTC ", ZONED),
        ("Mon, 05 Jan 2026 11:00:00 +0100 ", ZONED),
        ("Mon 2026-01-05 10:00:00 UTC ", ZONED),
        ("Mon Jan  5 10:00:00 CST 2026 ", LOCAL),
        # Since 1970.
        ("1767607200.000000 ", ZONED),
        ("1767607200000 ", ZONED),
        ("1767607200000000 ", ZONED),
        ("1767607200000000000 ", ZONED),
        ("[1767607200] ", ZONED),
        ("[1767607200.000] ", ZONED),
        # Brackets.
        ("(2026-01-05 10:00:00) ", LOCAL),
        ("<2026-01-05 10:00:00> ", LOCAL),
        ("{2026-01-05T10:00:00Z} ", ZONED),
        ("【2026-01-05 10:00:00】", LOCAL),
        ("[I 2026-01-05 10:00:00,000] ", LOCAL),
        ("[I 260105 10:00:00 app:12] ", LOCAL),
        # logfmt.
        ('time="2026-01-05T10:00:00Z" level=info msg="', ZONED),
        ("ts=2026-01-05T10:00:00.000Z caller=main.go:12 level=info msg=", ZONED),
        # A clock alone.
        ("10:00:00 ", (DAYLESS, False, False)),
        ("10:00:00.250 ", (DAYLESS + 0.25, False, False)),
        ("[10:00:00] ", (DAYLESS, False, False)),
        ("【10:00:00】", (DAYLESS, False, False)),
        ("[10:00:00 PM] ", (DAYLESS + 12 * HOUR, False, False)),
        ("[12:00:00 AM] ", (NOWHERE, False, False)),
        ("10:00:00 | INFO | ", (DAYLESS, False, False)),
        ("[10:00:00 INFO] ", (DAYLESS, False, False)),
        # A kernel's.
        ("[81234.567890] ", (BOOT + 81234.56789, False, False)),
        ("[81234.567890 <    0.000123>] ", (BOOT + 81234.56789, False, False)),
        ("kern  :err   : [81234.567890] ", (BOOT + 81234.56789, False, False)),
        ("kern  :warn  : 2026-01-05T10:00:00,000000+00:00 ", ZONED),
        ("user: warning: [2026-01-05T10:00:00.000000000Z]: ", ZONED),
        ("3,1234,81234567890,-;", (BOOT + 81234.56789, False, False)),
        ("[  +0.000123] ", None),
    ],
)
def test_a_stamp_is_read_and_nothing_of_the_message(prefix: str, expected: tuple[float, bool, bool] | None) -> None:
    line = prefix + "fell with code 1"
    assert seen(line) == expected
    assert message(line) == "fell with code 1"


@pytest.mark.parametrize(
    ("line", "host", "pid"),
    [
        ("Mon 2026-01-05 10:00:00 UTC node-7 kernel: x", "node-7", None),
        ("Mon 2026-01-05 10:00:00 UTC node-7 slurmd.service[123]: x", "node-7", 123),
        ("1767607200.123456 node-7 kernel: x", "node-7", None),
        ("[81234.567890] node-7 kernel: x", "node-7", None),
        ("[81234.567890] node-7 slurmd[123]: x", "node-7", 123),
        ("<34>1 2026-01-05T10:00:00.123Z node-7 slurmd 123 ID47 - x", "node-7", 123),
        ('<34>1 2026-01-05T10:00:00.123Z node-7 slurmd - - [id@1 a="b"] x', "node-7", None),
        ("<34>Jan  5 10:00:00 node-7 slurmd[123]: x", "node-7", 123),
        ("Jan 5 10:00:00 node-7 kernel: x", "node-7", None),
    ],
)
def test_the_host_behind_a_stamp_is_read(line: str, host: str, pid: int | None) -> None:
    tag = frame(line.encode(), labelled=False).tag
    assert (tag.host, tag.pid, message(line)) == (host, pid, "x")


@pytest.mark.parametrize(
    "line",
    [
        # Addresses, devices, versions.
        "10.20.30.40:29500 refused", "2.1.0+cu121 is torch's", "3.10.12 is Python's", "00:17:00.0 VGA compatible",
        "[00:17:00.0] x", "0000:17:00.0 x", "12:34:56:78:9a:bc link up", "10:00:00:12 x",
        # Durations.
        "00:12:34 elapsed", "00:12:34<01:00:00, 3.1it/s", "01:23:45 / 02:00:00", "Total time 10:00:00", "[0:00:01] x",
        "(10:00:00 left) x",
        # Names of files and of runs.
        "2026-01-05/rank_0.log was opened", "20260105_100000/rank_0.log was opened", "20260105_100000.log was opened",
        "run_20260105_100000 begins", "2026-01-05 was a Monday",
        # Numbers.
        "1234567890 bytes", "1500000000 parameters", "1767607200 rows", "1767607200.5% of all", "1767607200.123.4 x",
        "[1/2] x", "[2026] x", "12/24 done", "10/12/14 x", "0000000000.123 x", "9999999999999 x",
        # What no calendar has, and what nobody can tell.
        "24:00:00 x", "10:60:00 x", "31.02.2026 10:00:00 x", "13/13/2026 10:00:00 x", "25/01/2026 10:00:00 x",
        "13:00:00 PM x", "May 5 people came", "1 Jan 2026 was a Thursday", "<1> x", 'time="x" msg="y"',
    ],
)  # fmt: skip
def test_what_only_looks_like_a_stamp_is_none(line: str) -> None:
    assert seen(line) is None


def test_a_clock_behind_a_stamp_with_a_day_says_less() -> None:
    assert seen("2026-01-05T10:00:00Z [09:59:59] INFO x") == ZONED
    assert message("2026-01-05 10:00:00,123 INFO 00:12:34 since the start") == "00:12:34 since the start"


@pytest.mark.parametrize(
    ("inner", "zoned"),
    [
        ("2026-01-05 09:59:58,000", True), ("2026-01-05 11:59:58,000", True), ("2026-01-05 15:29:58,000", True),
        # No zone is that far away, and a line that comes ten minutes late says nothing of one.
        ("2026-01-07 09:59:58,000", False), ("2026-01-05 09:50:00,000", False),
    ],
)  # fmt: skip
def test_a_collector_tells_the_zone_of_the_stamp_behind_its_own(inner: str, zoned: bool) -> None:
    found = seen(f"2026-01-05T10:00:00.500000000Z {inner} INFO x")
    assert found is not None
    assert found[2] is zoned
    assert not zoned or found[0] == NOON - 2


def test_the_time_of_a_cancellation_is_that_of_its_line() -> None:
    said = "slurmstepd: error: *** JOB 8812 ON node-7 CANCELLED AT 2026-01-05T10:00:00 DUE TO TIME LIMIT ***"
    assert seen(said) == LOCAL
    assert message(said) == said
    assert seen("[2026-01-05T10:00:05.000] " + said) == (NOON + 5, True, False)
    assert seen("x was CANCELLED AT 2026-01-05T10:00:00") is None


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        (b"Z", 0), (b" UTC", 0), (b" CEST", 2 * HOUR), (b"-03:30", -3.5 * HOUR), (b"+0545", 5.75 * HOUR),
        (b"(UTC)", 0), (b" CST", None), (b" IST", None), (b"+15:00", None), (b"+01:75", None), (b"", None), (None, None),
    ],
)  # fmt: skip
def test_only_zones_that_mean_one_offset_are_known(zone: bytes | None, expected: float | None) -> None:
    assert east(zone) == expected


MOMENTS = st.datetimes(min_value=datetime(2015, 1, 1), max_value=datetime(2039, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
)
FORMATS = (
    "%Y.%m.%d %H:%M:%S ", "%Y%m%d %H:%M:%S ", "%Y%m%d_%H%M%S ", "%Y%m%dT%H%M%SZ ", "%d.%m.%Y %H:%M:%S ", "%d-%b-%Y %H:%M:%S ",
    "%d %b %Y %H:%M:%S ", "[%d/%b/%Y:%H:%M:%S +0000] ", "%b %d, %Y %I:%M:%S %p ", "%m/%d/%Y %I:%M:%S %p ",
    "[%m/%d/%y %H:%M:%S] ", "%y/%m/%d %H:%M:%S ", "%a %b %e %H:%M:%S UTC %Y ", "%a %b %e %I:%M:%S %p UTC %Y ",
    "%a %d %b %Y %I:%M:%S %p UTC ", "%a, %d %b %Y %H:%M:%S +0000 ", "%a %Y-%m-%d %H:%M:%S UTC ", "(%Y-%m-%d %H:%M:%S) ",
    "【%Y-%m-%d %H:%M:%S】", "%Y年%m月%d日 %H:%M:%S ", 'time="%Y-%m-%dT%H:%M:%SZ" level=info msg="', "[I %Y-%m-%d %H:%M:%S,000] ",
)  # fmt: skip


@settings(deadline=None)
@given(moment=MOMENTS, shape=st.sampled_from(FORMATS))
def test_any_moment_is_read_back_from_any_spelling(moment: datetime, shape: str) -> None:
    line = moment.strftime(shape) + "fell"
    found = seen(line)
    assert found is not None
    assert found[:2] == (moment.timestamp(), True)
    assert found[2] is any(sign in shape for sign in ("UTC", "Z", "+0000"))
    assert message(line) == "fell"


@given(moment=MOMENTS, digits=st.sampled_from([0, 3, 6, 9]))
def test_any_number_since_1970_is_read_back(moment: datetime, digits: int) -> None:
    seconds = int(moment.timestamp())
    assert read_since_1970(b"%d" % (seconds * 10**digits)) == Stamp(float(seconds), True, True)


@given(st.integers(0, 86_399), st.booleans())
def test_any_clock_is_read_back(second: int, halves: bool) -> None:
    moment = datetime.fromtimestamp(second, UTC)
    text = moment.strftime("%I:%M:%S %p" if halves else "%H:%M:%S").encode()
    assert read_clock(text) == Stamp(NOWHERE + second, False, False)


@settings(deadline=None)
@given(
    st.text(alphabet="0123456789:-/. ,TZ[](){}<>+AMPJanMonUC年月日【】|", max_size=40)
    | st.sampled_from(FORMATS).flatmap(lambda shape: MOMENTS.map(lambda at: at.strftime(shape)[:-3])),
    st.integers(0, 40),
)
def test_no_text_is_too_odd(text: str, cut: int) -> None:
    for line in (text, text[:cut], text[cut:]):
        found = frame(line.encode("utf-8", "replace")[: len(line.encode()) - cut % 3], labelled=False)
        assert 0 <= found.start <= len(line.encode())
