"""Layers that a program's own logging writes and that do not begin with a time stamp: glog, c10, level first."""

import re

from logsleuth.tokenize.groups import ROW, read_row
from logsleuth.tokenize.peeled import LEVEL, LEVELS, Layer, Peeled, layer, text
from logsleuth.tokenize.stamps import NUMERIC, nearest, read, read_glog

_PLACE = rb"[\w./-]{1,100}:\d{1,6}"
_LEVEL_FIRST = b"DIWECFTS"
_OPENS, _CLOSES = (
    "|".join(signs).encode()
    for signs in ("\u3010\u300c\u300e\u3014\u3016\uff3b\uff08", "\u3011\u300d\u300f\u3015\u3017\uff3d\uff09")
)


def _take_c10(peeled: Peeled, match: re.Match[bytes]) -> int:
    # The most frequent of all headers, hence written out.
    rank, level, day_and_clock, fraction, row = match.groups()
    if rank is not None:
        peeled.rank = int(rank)
    if day_and_clock is not None and (stamp := read_glog(day_and_clock, fraction)):
        peeled.stamp = nearest(stamp, peeled.stamp) if peeled.stamp else stamp
    peeled.level = LEVELS[level]
    return _close(peeled, match, row)


def _take_glog(peeled: Peeled, match: re.Match[bytes]) -> int:
    level, day_and_clock, fraction, thread, file, row = match.groups()
    peeled.see_stamp(read_glog(day_and_clock, fraction))
    peeled.see_level(level)
    if len(thread) <= 7 and file.endswith(b".py"):
        # torch writes the pid here from 2.5 on, a 15-digit thread identity before; C++ writes a thread's number.
        peeled.pid = int(thread)
    return _close(peeled, match, row)


def _close(peeled: Peeled, match: re.Match[bytes], row: bytes) -> int:
    peeled.is_closed = True
    if not row:
        return match.end()
    peeled.group, length = read_row(row)
    return match.end() - len(row) + length


def _take_level(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.see_level(match[1])
    peeled.is_inside = True
    return match.end()


def _take_stamp_and_letter(peeled: Peeled, match: re.Match[bytes]) -> int:
    stamp, level = match.groups()
    peeled.see_stamp(read(stamp))
    peeled.see_level(level)
    peeled.is_inside = True
    return match.end()


def _take_small_level(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.see_level(match[1].upper())
    peeled.is_inside = True
    return match.end()


def _take_wide_brackets(peeled: Peeled, match: re.Match[bytes]) -> int:
    stamp, level = match.groups()
    peeled.see_level(level)
    if stamp:
        peeled.see_stamp(read(stamp))
    return match.end()


def _take_level_and_stamp(peeled: Peeled, match: re.Match[bytes]) -> int:
    level, stamp, later = match.groups()
    peeled.see_level(level)
    if stamp or later:
        peeled.see_stamp(read(stamp or later))
    peeled.is_inside = True
    return match.end()


def _take_nemo(peeled: Peeled, match: re.Match[bytes]) -> int:
    level, stamp, rank = match.groups()
    peeled.see_level(level)
    peeled.see_stamp(read(stamp))
    if rank is not None:
        peeled.rank = int(rank)
    peeled.is_inside = True
    return match.end()


def _take_coordinates(peeled: Peeled, match: re.Match[bytes]) -> int:
    level, host = match.groups()
    peeled.see_level(level)
    peeled.host = text(host) or peeled.host
    peeled.is_inside = True
    return match.end()


def _take_name(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.is_inside = True
    return match.end()


LAYERS: tuple[Layer, ...] = (
    # c10 up to torch 2.3 ``[E ProcessGroupNCCL.cpp:828] ``, later with a time whose month is not padded:
    # ``[E709 12:00:00.123456789 ProcessGroupNCCL.cpp:629] ``.
    layer(
        rb"\[(?:rank(\d{1,7})\]:\[)?([VIWEF])(?:(\d{3,4} \d\d:\d\d:\d\d)(\.\d{1,12}))? [\w.+/-]{1,200}+:\d{1,6}\] ?(%b)"
        % ROW,
        _take_c10,
        in_bracket=b"rVIWEF",
    ),
    # glog, absl and torch's Python side: ``E1130 00:17:10.164000 14934 torch/_dynamo/x.py:874] [0/1] [__recompiles] ``.
    layer(
        rb"([VIWEFC])((?:\d{8}|\d{4}) \d\d:\d\d:\d\d)(\.\d{1,12}) {1,12}(\d{1,20}) ([\w.+/-]{1,200}+):\d{1,6}\]"
        rb"(?: \[\d{1,9}/[\d_]{1,20}\])?(?: \[__\w{1,60}\])? ?(%b)" % ROW,
        _take_glog,
        first=b"VIWEFC",
    ),
    # logging.basicConfig: ``WARNING:torch.distributed.run:``.
    layer(rb"(%b):[A-Za-z_][\w.]{0,200}:(?!\d)" % LEVEL, _take_level, first=_LEVEL_FIRST),
    # uvicorn fills its levels up to ten characters, in front of every line of a traceback too: ``ERROR:    ``.
    layer(rb"(ERROR): {4}(?=\S| {2})", _take_level, first=b"E"),
    # vLLM ``INFO 01-05 10:00:00 [block_pool.py:378] ``, Lingua ``INFO    24-01-05 10:00:00.123456 - 0:00:54 - ``.
    layer(
        rb"(%b)[ \t]{1,8}(%b)()(?:[ \t]{1,4}(?:\[%b\]|%b\]|-(?: \d{1,4}:\d\d:\d\d -)?)[ \t]|[ \t]|$)"
        % (LEVEL, NUMERIC, _PLACE, _PLACE),
        _take_level_and_stamp,
        first=_LEVEL_FIRST,
    ),
    # transformers ``[INFO|trainer.py:2128] 2024-01-05 10:00:00,123 >> ``,
    # LLaMA-Factory ``[INFO|2024-01-05 10:00:00] parser:143 >> ``.
    layer(
        rb"\[(%b)\|(?:(%b)|%b)\](?: (%b))?(?: %b)?(?: >>)? " % (LEVEL, NUMERIC, _PLACE, NUMERIC, _PLACE),
        _take_level_and_stamp,
        in_bracket=_LEVEL_FIRST,
    ),
    # nanotron ``08/31/2024 14:37:31 [INFO|DP=0|PP=0|TP=0|node-7]: ``.
    layer(
        rb"\[(%b)(?:\|[A-Z]{1,6}=\d{1,6}){1,8}(?:\|([\w.-]{1,253}))?\]: ?" % LEVEL,
        _take_coordinates,
        in_bracket=_LEVEL_FIRST,
    ),
    layer(rb"\[(%b)(?::[\w.]{1,100})?\] " % LEVEL, _take_level, in_bracket=_LEVEL_FIRST),
    # Loggers that write levels small, as npm, Go's and shell functions do: ``[info] ``, ``[error]: ``.
    layer(rb"\[(%b)\]:? " % LEVEL.lower(), _take_small_level, in_bracket=_LEVEL_FIRST.lower()),
    # Brackets of Chinese and Japanese logs around a stamp, a level or both: ``\u30102026-11-30 10:00:00\u3011``.
    layer(
        rb"(?:%b)(?:(%b)|(%b))(?:%b)[:-]? ?" % (_OPENS, NUMERIC, LEVEL, _CLOSES), _take_wide_brackets, first=b"\xe3\xef"
    ),
    layer(
        rb"\[NeMo ([DIWEC]) (%b) (?:rank(\d{1,7}):)?[\w.<>/-]{1,100}(?::\d{1,6})?\] ?" % NUMERIC,
        _take_nemo,
        in_bracket=b"N",
    ),
    layer(rb"\[titan\] ", _take_name, in_bracket=b"t"),
    # ``accelerate test`` in front of what its job wrote.
    layer(rb"std(?:err|out): ", _take_name, first=b"s"),
    # Determined up to 0.17: ``<info>    [2026-11-30 10:00:00] 1a2b3c4d || ``.
    layer(rb"<(%b)> {1,8}(?=\[\d{4}-)" % LEVEL.lower(), _take_small_level, first=b"<"),
    # pm2: a number and a name, filled with blanks.
    layer(rb"\d{1,4}\|[A-Za-z][\w .-]{0,60}+\| ", _take_name, first=b"0123456789"),
    # TensorFlow and Horovod: ``[2026-11-30 10:00:00.120000: W horovod/common/operations.cc:588] ``.
    layer(rb"\[(%b): ([VIWEFDT]) [\w.+/-]{1,200}+:\d{1,6}\] ?" % NUMERIC, _take_stamp_and_letter, in_bracket=b"12"),
)
