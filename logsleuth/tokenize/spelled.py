"""Layers that begin with a time stamp of a rarer spelling, or with what stands around one: kernels, syslog, logfmt."""

import re

from logsleuth.model.origin import Stamp
from logsleuth.tokenize.peeled import DIGITS, LEVEL, Layer, Match, Peeled, Take, layer, text
from logsleuth.tokenize.spellings import CLOCK, END, EPOCH, dated_at, read_clock, read_dated, read_since_1970
from logsleuth.tokenize.stamped import MONTH_OR_DAY, behind, host_behind
from logsleuth.tokenize.stamps import ISO, MONTHS, NUMERIC, find, read, read_uptime

_CLOSING = {b"[": b"]", b"(": b")", b"<": b">", b"{": b"}", b"\xe3": "】".encode()}
_OPENING = {b"\xe3": "【".encode()}
_LEVELS = {b"trace": b"TRACE", b"debug": b"DEBUG", b"info": b"INFO", b"warn": b"WARN", b"warning": b"WARN",
           b"error": b"ERROR", b"fatal": b"FATAL", b"panic": b"FATAL", b"crit": b"FATAL", b"err": b"ERROR",
           b"notice": b"INFO", b"alert": b"FATAL", b"emerg": b"FATAL"}  # fmt: skip
_FACILITY = rb"(?:kern|user|mail|daemon|auth|syslog|lpr|news|cron|authpriv)"
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


def _late(pattern: bytes) -> Match:
    """The ``match`` of a pattern that is compiled when the first line asks."""
    compiled: Match | None = None

    def match(line: bytes, at: int, limit: int) -> re.Match[bytes] | None:
        nonlocal compiled
        if compiled is None:
            compiled = re.compile(pattern).match
        return compiled(line, at, limit)

    return match


def _any_of(*steps: tuple[Match, Take]) -> Take:
    """Takes the first of several layers that fits. What they have in common is the pattern that is tried first."""

    def take(peeled: Peeled, match: re.Match[bytes]) -> int:
        for fits, takes in steps:
            if (found := fits(match.string, match.start(), match.endpos)) and (end := takes(peeled, found)):
                return end
        return 0

    return take


def _dated(line: bytes, at: int, limit: int) -> re.Match[bytes] | None:
    return dated_at().match(line, at, limit)


_HOST = rb"([A-Za-z\d][\w.-]{0,252}) (?:kernel: |[\w./@-]{1,100}\[(\d{1,8})\]: )"

KERNELS: tuple[Layer, ...] = (
    layer(
        rb"\[ {0,6}(?:\d{1,10}|\+\d{1,10})\.\d{6}[\] ][ <A-Za-z]",
        _any_of(
            # journalctl -o short-monotonic, dmesg -d.
            (_late(rb"\[ {0,6}(\d{1,10}\.\d{6})(?:\] %b| < {0,12}\d{1,10}\.\d{6}>\] ?)" % _HOST), _take_uptime),
            # dmesg -e tells what lies between two lines, which is no time.
            (_late(rb"\[ {0,6}\+\d{1,10}\.\d{6}\] ?"), _take_silent),
        ),
        in_bracket=DIGITS + b" +",
    ),
)
"""Those that must be tried before a launcher's."""

_ENCLOSED = (_late(rb"[\[(<{](?=\d|[A-Z][a-z]{2},? )|\xe3\x80\x90(?=\d)"), _take_enclosed)
_SYSLOG = _any_of(
    (
        _late(
            rb"<\d{1,3}>1 (%b) ([\w.:-]{1,253}) [\x21-\x7e]{1,48} ([\x21-\x7e]{1,128}) [\x21-\x7e]{1,32} "
            rb"(?:-|(?:\[[^\]\n]{1,200}\]){1,8})(?: (?:\xef\xbb\xbf)?|$)" % ISO
        ),
        _take_rfc5424,
    ),
    (_late(rb"<\d{1,3}>(?=[A-Z\d])"), _take_silent),
    _ENCLOSED,
)
_WORDS = _any_of(
    (
        _late(
            rb'(?:time|ts|timestamp)="?(%b)"? (?:[\w.]{1,40}=(?:"[^"\n]{0,100}"|[^"\s]{1,100}) ){0,4}?'
            rb'(?:(?:level|lvl)="?(\w{3,8})"? )?(?:[\w.]{1,40}=(?:"[^"\n]{0,100}"|[^"\s]{1,100}) ){0,4}?msg="?' % ISO
        ),
        _take_logfmt,
    ),
    (_late(rb"slurmstepd: error: \*\*\* (?:JOB|STEP) [^\n]{1,200}? CANCELLED AT (%b)" % ISO), _take_cancelled),
    # dmesg -x, with its time in any of its formats; Talos ``user: warning: [2026-11-30T10:00:00Z]: ``.
    (_late(rb"[a-z]{3,8} {0,4}: ?(\w{3,7}) {0,4}: (?=\[|\d{4}-\d\d-\d\dT)"), _take_facility),
)
_NUMBERS = _any_of(
    # /dev/kmsg: priority, sequence number, microseconds since boot, flags.
    (_late(rb"\d{1,3},\d{1,20},(\d{1,16}),[^;\s]{1,40};"), _take_kmsg),
    (_dated, _take_bare),
    (_late(CLOCK + END), _take_clock),
    (_late(rb"(%b)%b(:? \[?%b\]?[: ])?" % (EPOCH, END, LEVEL)), _take_epoch),
)
_BRACKETS = _any_of(
    (
        _late(
            rb"\[(?:([DIWEC]) (?:(%b)|(\d{6} \d\d:\d\d:\d\d))(?: [\w.:-]{1,100})?|(%b) (%b))\](?: |$)"
            % (NUMERIC, CLOCK, LEVEL)
        ),
        _take_level,
    ),
    _ENCLOSED,
)
_IN_NUMBERS = (
    rb"(?:\d\d:\d\d:\d|\d{4}(?:[-/.]\d|\xe5)|\d{8}[T _-]\d|\d{10}|\d\d?\.\d\d?\.\d{4}|\d\d?/\d\d?/\d\d"
    rb"|\d\d?[-/ ]%b[-/ ])" % MONTHS
)
_IN_WORDS = rb"(?:[JFMASOND][a-u][a-y]|[MTWFS][a-u][a-u]),? {1,2}[A-Z\d]"
"""What every stamp that is looked for begins with: patterns that few other lines fit, and that are quick to try."""

LAYERS: tuple[Layer, ...] = (
    layer(_IN_NUMBERS + rb"|\d{1,3},\d{1,20},\d", _NUMBERS, first=DIGITS),
    layer(_IN_WORDS, _any_of((_dated, _take_bare)), first=MONTH_OR_DAY),
    layer(
        rb"\[(?:%b|%b|[DIWEC] \d)" % (_IN_NUMBERS, _IN_WORDS), _BRACKETS, in_bracket=b"DIWEC" + DIGITS + MONTH_OR_DAY
    ),
    layer(rb"<\d{1,3}>[A-Z\d]|(?:[(<{]|\xe3\x80\x90)%b" % _IN_NUMBERS, _SYSLOG, first=b"(<{\xe3"),
    layer(
        rb'slurmstepd: error: \*\*\* |(?:time|ts|timestamp)="?\d{4}-|%b {0,4}: ?\w{3,7} {0,4}: [\[\d]' % _FACILITY,
        _WORDS,
        first=b"tskumdalnc",
    ),
)
