"""Layers that begin with a time stamp of a rarer spelling, or with what stands around one: kernels, syslog, logfmt."""

import re
from collections.abc import Callable
from functools import cache

from logsleuth.model.origin import Stamp
from logsleuth.tokenize.peeled import DIGITS, LEVEL, Layer, Peeled, text
from logsleuth.tokenize.spellings import CLOCK, END, EPOCH, dated_at, read_clock, read_dated, read_since_1970
from logsleuth.tokenize.stamped import MONTH_OR_DAY, behind, host_behind
from logsleuth.tokenize.stamps import ISO, NUMERIC, find, read, read_uptime

_CLOSING = {b"[": b"]", b"(": b")", b"<": b">", b"{": b"}", b"\xe3": "】".encode()}
_OPENING = {b"\xe3": "【".encode()}
_LEVELS = {b"trace": b"TRACE", b"debug": b"DEBUG", b"info": b"INFO", b"warn": b"WARN", b"warning": b"WARN",
           b"error": b"ERROR", b"fatal": b"FATAL", b"panic": b"FATAL", b"crit": b"FATAL", b"err": b"ERROR",
           b"notice": b"INFO", b"alert": b"FATAL", b"emerg": b"FATAL"}  # fmt: skip
_NO_CLOCK = re.compile(rb"[ \t]*(?:[</]|elapsed|remaining|left|ETA|eta|total|\.)")
"""What follows a duration that is written as a clock is."""


def _take_bare(peeled: Peeled, match: re.Match[bytes]) -> int:
    stamp = read_dated(match)
    if stamp is None:
        return 0
    peeled.see_stamp(stamp)
    line, end = match.string, match.end()
    if (match["weekday"] or match["month6"]) and (told := host_behind(peeled, line, end, match.endpos)):
        return told
    return behind(peeled, line, end, match.endpos)


def _take_clock(peeled: Peeled, match: re.Match[bytes]) -> int:
    line, end = match.string, match.end()
    stamp = read_clock(match[0])
    if (
        stamp is None
        or peeled.stamp is not None
        or peeled.level is not None
        or _NO_CLOCK.match(line, end, match.endpos)
    ):
        return 0
    peeled.see_stamp(stamp)
    return behind(peeled, line, end, match.endpos)


def _take_epoch(peeled: Peeled, match: re.Match[bytes]) -> int:
    stamp = read_since_1970(match[1])
    line, end = match.string, match.end(1)
    if stamp is None or peeled.stamp is not None or peeled.level is not None:
        return 0
    told = host_behind(peeled, line, end, match.endpos)
    # Ten digits may count anything.
    if not told and match[1].isdigit() and len(match[1]) == 10 and not match[2]:
        return 0
    peeled.see_stamp(stamp)
    return told or behind(peeled, line, end, match.endpos)


def _take_enclosed(peeled: Peeled, match: re.Match[bytes]) -> int:
    """A stamp in brackets of any kind."""
    line, limit = match.string, match.endpos
    opening = line[match.start() : match.start() + 1]
    start = match.start() + len(_OPENING.get(opening, opening))
    closing = _CLOSING[opening]
    end = line.find(closing, start, min(start + 48, limit))
    stamp = _whole(line[start:end]) if end > start else None
    if stamp is None:
        return 0
    peeled.see_stamp(stamp)
    return behind(peeled, line, end + len(closing), limit)


def _whole(inside: bytes) -> Stamp | None:
    """The stamp that is all of a text."""
    if stamp := read(inside):
        return stamp
    if inside[2:3] == b":":
        return read_clock(inside)
    if re.fullmatch(EPOCH, inside):
        return read_since_1970(inside)
    match = dated_at().fullmatch(inside)
    return read_dated(match) if match else None


def _take_level(peeled: Peeled, match: re.Match[bytes]) -> int:
    """tornado's and optuna's ``[I 2026-01-05 10:00:00,123 app:12] ``, ``[10:00:00 INFO] ``."""
    letter, full, tornado, clock, word = match.groups()
    stamp = read(full) if full else read_clock(clock) if clock else _tornado(tornado)
    if stamp is None:
        return 0
    peeled.see_stamp(stamp)
    peeled.see_level(letter or word)
    peeled.is_inside = True
    return match.end()


def _tornado(stamp: bytes) -> Stamp | None:
    match = dated_at().fullmatch(b"20" + stamp)
    return read_dated(match) if match else None


def _take_uptime(peeled: Peeled, match: re.Match[bytes]) -> int:
    """A kernel's time since boot with what ``journalctl`` puts behind it, the host, or ``dmesg -d``, a difference."""
    uptime, host, pid = match.groups()
    peeled.see_stamp(read_uptime(uptime))
    if host is not None:
        peeled.host, peeled.is_inside = text(host), True
        peeled.pid = int(pid) if pid else peeled.pid
    return match.end()


def _take_kmsg(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.see_stamp(read_uptime(b"%b.%b" % (match[1][:-6] or b"0", match[1][-6:].rjust(6, b"0"))))
    peeled.is_inside = True
    return match.end()


def _take_facility(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.see_level(_LEVELS.get(match[1]))
    peeled.is_inside = True
    return match.end()


def _take_silent(peeled: Peeled, match: re.Match[bytes]) -> int:
    """What tells neither who nor when: the priority of a line of syslog, a difference of times."""
    peeled.is_inside = True
    return match.end()


def _take_rfc5424(peeled: Peeled, match: re.Match[bytes]) -> int:
    stamp, host, pid = match.groups()
    peeled.see_stamp(read(stamp))
    peeled.host = peeled.host if host == b"-" else text(host)
    peeled.pid = int(pid) if pid.isdigit() and int(pid) else peeled.pid
    peeled.is_inside = True
    return match.end()


def _take_logfmt(peeled: Peeled, match: re.Match[bytes]) -> int:
    stamp, level = match.groups()
    peeled.see_stamp(read(stamp))
    peeled.see_level(_LEVELS.get(level.lower()) if level else None)
    peeled.is_inside = True
    return match.end()


def _take_cancelled(peeled: Peeled, match: re.Match[bytes]) -> int:
    """The line tells when, and nothing of it is framing."""
    if peeled.stamp is None and (stamp := find(match[1])):
        peeled.see_stamp(stamp)
    return 0


def _lazily(pattern: bytes) -> Callable[[bytes, int, int], re.Match[bytes] | None]:
    """The ``match`` of a pattern that is compiled when the first line asks."""

    @cache
    def compiled() -> re.Pattern[bytes]:
        return re.compile(pattern)

    return lambda line, at, limit: compiled().match(line, at, limit)


def _dated(line: bytes, at: int, limit: int) -> re.Match[bytes] | None:
    return dated_at().match(line, at, limit)


def _late(
    pattern: bytes, take: Callable[[Peeled, re.Match[bytes]], int], first: bytes, in_bracket: bytes = b""
) -> Layer:
    return Layer(_lazily(pattern), take, first or in_bracket, bool(in_bracket))


_HOST = rb"([A-Za-z\d][\w.-]{0,252}) (?:kernel: |[\w./@-]{1,100}\[(\d{1,8})\]: )"

KERNELS: tuple[Layer, ...] = (
    # journalctl -o short-monotonic.
    _late(rb"\[ {0,6}(\d{1,10}\.\d{6})\] " + _HOST, _take_uptime, b"", DIGITS + b" "),
    # dmesg -d.
    _late(rb"\[ {0,6}(\d{1,10}\.\d{6}) < {0,12}\d{1,10}\.\d{6}>\]()() ?", _take_uptime, b"", DIGITS + b" "),
    # dmesg -e tells what lies between two lines, which is no time.
    _late(rb"\[ {0,6}\+\d{1,10}\.\d{6}\] ?", _take_silent, b"", b" +"),
    # /dev/kmsg: priority, sequence number, microseconds since boot, flags.
    _late(rb"\d{1,3},\d{1,20},(\d{1,16}),[^;\s]{1,40};", _take_kmsg, DIGITS),
    # dmesg -x.
    _late(
        rb"(?:kern|user|mail|daemon|auth|syslog|lpr|news|cron|authpriv|ftp|local\d) {0,4}:(\w{3,6}) {0,4}: (?=\[)",
        _take_facility,
        b"kumdaslncf",
    ),
)
"""Those that must be tried before a launcher's."""

LAYERS: tuple[Layer, ...] = (
    _late(
        rb"<\d{1,3}>1 (%b) ([\w.:-]{1,253}) [\x21-\x7e]{1,48} ([\x21-\x7e]{1,128}) [\x21-\x7e]{1,32} "
        rb"(?:-|(?:\[[^\]\n]{1,200}\]){1,8})(?: (?:\xef\xbb\xbf)?|$)" % ISO,
        _take_rfc5424,
        b"<",
    ),
    _late(rb"<\d{1,3}>(?=[A-Z\d])", _take_silent, b"<"),
    _late(
        rb'(?:time|ts|timestamp)="?(%b)"? (?:[\w.]{1,40}=(?:"[^"\n]{0,100}"|[^"\s]{1,100}) ){0,4}?'
        rb'(?:(?:level|lvl)="?(\w{3,8})"? )?(?:[\w.]{1,40}=(?:"[^"\n]{0,100}"|[^"\s]{1,100}) ){0,4}?msg="?' % ISO,
        _take_logfmt,
        b"t",
    ),
    _late(rb"slurmstepd: error: \*\*\* (?:JOB|STEP) [^\n]{1,200}? CANCELLED AT (%b)" % ISO, _take_cancelled, b"s"),
    _late(
        rb"\[(?:([DIWEC]) (?:(%b)|(\d{6} \d\d:\d\d:\d\d))(?: [\w.:-]{1,100})?|(%b) (%b))\](?: |$)"
        % (NUMERIC, CLOCK, LEVEL),
        _take_level,
        b"",
        b"DIWEC" + DIGITS,
    ),
    _late(rb"\[(?=\d|[A-Z][a-z]{2},? )", _take_enclosed, b"", DIGITS + MONTH_OR_DAY),
    _late(rb"[(<{](?=\d)|\xe3\x80\x90(?=\d)", _take_enclosed, b"(<{\xe3"),
    Layer(_dated, _take_bare, DIGITS + MONTH_OR_DAY, False),
    _late(CLOCK + END, _take_clock, DIGITS),
    _late(rb"(%b)%b(:? \[?%b\]?[: ])?" % (EPOCH, END, LEVEL), _take_epoch, DIGITS),
)
