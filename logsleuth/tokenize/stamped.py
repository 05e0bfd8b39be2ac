"""Layers that begin with a time stamp, and the fields that Python's logging formats put behind it."""

import re

from logsleuth.tokenize.peeled import DIGITS, LEVEL, Layer, Peeled, layer, text
from logsleuth.tokenize.stamps import NAMED, NUMERIC, read

MONTH_OR_DAY = b"JFMASONDTW"
"""What the name of a month or of a day of the week begins with."""
_MONTHS = frozenset(b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split())
_FILE = rb"[\w./<>-]{1,100}:\d{1,6}"
_NAME = rb"[\w./<>:-]{1,100}"

_CRI = re.compile(rb" std(?:out|err) [FP](?: |$)")
_SYSLOG = re.compile(rb" ([\w.-]{1,253}) (?:kernel: |[\w./@-]{1,100}\[(\d{1,8})\]: )")
# Without a process id any words could stand here, and a host's name is known by its digit.
_SYSLOG_HOST = re.compile(rb" (?=[a-z.-]{0,60}\d)([a-z\d][\w.-]{0,252})() (?=[\w./@-]{1,100}: )")
_BRACKETS = re.compile(
    # ``[INFO] [engine.py:12:step] [Rank 0] ``, ``[I][ezpz/dist:12] ``, ``[INFO] [tid 7] ``, ``[main][INFO] - ``.
    rb"[ \t]?(?:\[%b\] ?)?\[(%b|[DIWEFC])\](?: ?\[%b(?::[\w.<>]{1,100})?\]| \[tid \d{1,10}\])?"
    rb"(?: \[Rank (-?\d{1,7})\])?(?: -)?(?: |$)" % (_NAME, LEVEL, _FILE)
)
_WORDS = re.compile(
    # `` INFO     [olmo.train:816, rank=0] ``, ``\tWARNING worker.py:99 -- ``, `` ERROR: ``.
    rb":?[ \t](?:(%b)(?:[ \t]{0,8}[:|-][ \t]|[ \t]{1,8}\[%b(?:, rank=(\d{1,7}))?\][ \t]"
    rb"|[ \t]{1,8}%b(?:\]| --|:)[ \t]|[ \t]{1,8}|:?$)"
    # `` I [train.py:12] ``, ``: E tensorflow/x.cc:12] ``.
    rb"|([DIWEFC]) (?:\[%b\]|%b\])[ \t])" % (LEVEL, _FILE, _FILE, _FILE, _FILE)
)
_DASHES = re.compile(
    # `` - root - INFO - ``, `` - PID:7 - rank:(0, 0) - x.py - INFO - ``.
    rb" - ((?:(?:PID:\d{1,8}|rank:\([\d, ]{1,40}\)|%b) - ){0,4}?)(%b)[ \t]{0,8}(?:- |: |$)" % (_NAME, LEVEL)
)
_BARS = re.compile(
    # `` | INFO | train_inner | ``, loguru's `` | INFO     | x.y:step:12 - ``.
    rb"[ \t]{0,2}\|[ \t](?:%b[ \t]{1,8}\|[ \t]){0,2}(%b)[ \t]{0,8}\|[ \t]"
    rb"(?:[\w.<>]{1,100}(?::[\w<>]{1,100})?:\d{1,6} - |[\w.<>]{1,100}[ \t]{0,8}\|[ \t])?" % (_NAME, LEVEL)
)
_LOGGER = re.compile(rb"[\w.]{1,100} - ")
_PID = re.compile(rb"PID:(\d{1,8})")
# torch 2.1 and 2.2 `` torch.distributed.run: [WARNING] ``.
_COLON = re.compile(rb" (?:\[\d{1,9}/[\d_]{1,20}\] )?[\w.]{1,100}: \[(%b)\](?: |$)" % LEVEL)
_RAY_PLACE = re.compile(rb" ?(?:\(\w{1,40}\) )?(?:[\w./-]{1,100}\.(?:cc|h):\d{1,6}: ?)?")
_END = re.compile(rb" - |: ?|\t| ")


def _take_bracketed(peeled: Peeled, match: re.Match[bytes]) -> int:
    stamp, level, pid = match.groups()
    peeled.see_stamp(read(stamp))
    end = match.end()
    if level is not None:
        # Ray's C++ side: ``[2024-01-05 10:00:00,123 E 4711 4712] ``.
        peeled.see_level(level)
        peeled.pid, peeled.is_inside = int(pid), True
        place = _RAY_PLACE.match(match.string, end)
        return place.end() if place else end
    return behind(peeled, match.string, end, match.endpos)


def _take_bare(peeled: Peeled, match: re.Match[bytes]) -> int:
    stamp, line, end = match[1], match.string, match.end()
    peeled.see_stamp(read(stamp))
    if stamp[10:11] == b"T" or stamp[:3] in _MONTHS:
        if collected := _CRI.match(line, end, match.endpos):
            return collected.end()
        if told := host_behind(peeled, line, end, match.endpos, is_syslog=stamp[:3] in _MONTHS):
            return told
    return behind(peeled, line, end, match.endpos)


def host_behind(peeled: Peeled, line: bytes, at: int, limit: int, is_syslog: bool = True) -> int:
    """Peels the host and the program of syslog and the journal; gives where that ends, or 0 where none stands here."""
    if collected := _SYSLOG.match(line, at, limit) or (is_syslog and _SYSLOG_HOST.match(line, at, limit)):
        host, pid = collected.groups()
        peeled.host = text(host)
        if pid:
            peeled.pid = int(pid)
        return collected.end()
    return 0


def _take_detectron(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.see_stamp(read(match[1]))
    peeled.is_inside = True
    return match.end()


def behind(peeled: Peeled, line: bytes, at: int, limit: int) -> int:
    """Peels the fields behind a stamp, or else what separates the stamp from the text; gives where that begins."""
    separator, behind = line[at : at + 1], line[at + 1 : at + 2]
    end = 0
    if separator == b"[" or behind == b"[":
        end = _brackets(peeled, line, at, limit)
    elif behind == b"-":
        end = _dashes(peeled, line, at, limit)
    elif separator == b"|" or behind == b"|":
        end = _bars(peeled, line, at, limit)
    elif behind.isupper() or separator == b":":
        end = _words(peeled, line, at, limit)
    if not end and separator == b" ":
        end = _logger(peeled, line, at, limit)
    if end:
        peeled.is_inside = True
        return end
    match = _END.match(line, at, limit)
    return match.end() if match else at


def _brackets(peeled: Peeled, line: bytes, at: int, limit: int) -> int:
    match = _BRACKETS.match(line, at, limit)
    if not match:
        return 0
    peeled.see_level(match[1])
    if match[2] and match[2] != b"-1":
        # DeepSpeed's log_dist: a global rank.
        peeled.rank = int(match[2])
    return match.end()


def _dashes(peeled: Peeled, line: bytes, at: int, limit: int) -> int:
    match = _DASHES.match(line, at, limit)
    if not match:
        return 0
    peeled.see_level(match[2])
    if pid := _PID.search(match[1]):
        peeled.pid = int(pid[1])
    name = None if match[1] else _LOGGER.match(line, match.end(), limit)
    return (name or match).end()


def _bars(peeled: Peeled, line: bytes, at: int, limit: int) -> int:
    match = _BARS.match(line, at, limit)
    if not match:
        return 0
    peeled.see_level(match[1])
    return match.end()


def _words(peeled: Peeled, line: bytes, at: int, limit: int) -> int:
    if match := _WORDS.match(line, at, limit):
        word, rank, letter = match.groups()
        peeled.see_level(word or letter)
        if rank is not None:
            peeled.rank = int(rank)
        return match.end()
    return 0


def _logger(peeled: Peeled, line: bytes, at: int, limit: int) -> int:
    if b": [" not in line[at : at + 120]:
        return 0
    match = _COLON.match(line, at, limit)
    if not match:
        return 0
    peeled.see_level(match[1])
    return match.end()


LAYERS: tuple[Layer, ...] = (
    # SGLang names its parallel workers in here: ``[2024-01-05 10:00:00 TP9] ``.
    layer(
        rb"\[(%b|%b)(?: ([DIWEFC]) (\d{1,8}) \d{1,8}|(?: [A-Z]{2,3}\d{1,4}){1,4})?\]" % (NUMERIC, NAMED),
        _take_bracketed,
        in_bracket=DIGITS + MONTH_OR_DAY,
    ),
    # detectron2.
    layer(rb"\[(%b) [\w.]{1,100}\]: " % NUMERIC, _take_detectron, in_bracket=DIGITS),
    layer(rb"(%b|%b)(?![\w.])(?! [AP]M(?!\w))" % (NUMERIC, NAMED), _take_bare, first=DIGITS + MONTH_OR_DAY),
)
