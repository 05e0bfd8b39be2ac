"""Where one physical line holds several records.

Writers that share a pipe lose newlines: a progress bar has none, a killed process leaves its last line open, and writes
longer than the pipe's atom are spliced. The header of the next record shows where it begins.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from logsleuth.tokenize.framing import REACH, frame
from logsleuth.tokenize.nccl_header import HEADER

_MOST = 64
"""Records that one line is cut into at most."""
_LONGEST = 1 << 16
"""Bytes of a line that are searched; a line of many megabytes is no row of records."""

_TRACEBACK = b"Traceback (most recent call last):"
_cpp_place = re.compile(rb"\.cpp:\d{1,6}\]")
_torch_place = re.compile(rb" torch/[\w./-]{1,200}+:\d{1,6}\]")
_c10_before = re.compile(rb"\[[VIWEF](?:\d{3,4} \d\d:\d\d:\d\d\.\d{1,12})? [\w+/-]{1,100}\Z")
_glog_before = re.compile(rb"[VIWEFC](?:\d{8}|\d{4}) \d\d:\d\d:\d\d\.\d{1,12} {1,12}\d{1,20} [\w+/-]{0,100}\Z")
_rank_behind = re.compile(rb"\[rank\d{1,7}\]:(?=\[[VIWEF]| {0,3}(?:Traceback \(most|File \"))")
_rank_before = re.compile(rb"\[rank\d{1,7}\]: ?\Z")
_mpi_before = re.compile(
    rb"\[(?:[^\]\[\s@]{1,100}@)?\d{1,10}(?:,(?:mpirank:)?\d{1,7}(?:,[\w.-]{1,100})?)?\]<std(?:out|err|diag)>: ?\Z"
)
_tee = re.compile(rb"\[([a-z][a-z_-]{0,40})\d{1,4}\]:")
_tee_before = re.compile(rb"\[[a-z][a-z_-]{0,40}\d{1,4}\]:\Z")
_stamp_before = re.compile(rb"\[\d{4}-\d\d-\d\d[ T][\d:.,]{8,24}\] ?\Z")
_header = re.compile(HEADER).match
_host_before = re.compile(rb"[\w.-]{1,253}\Z")
_process = re.compile(rb":\d{1,10}:\d{1,10} (?:\[-?\d{1,5}\] |NCCL CALL )")
_container = re.compile(rb"[0-9a-f]{12}")
_digits_before = re.compile(rb"[-.\d]+(?=[A-Za-z])")

_QUOTED = (b": ", b'"', b"'", b"`", b"(", b"\\n", b"=")
"""What stands before a header that a message quotes, as in ``RuntimeError: [rank0]:[F1130 ...``."""
_NO_TRACEBACK = (b"Original ", b"Group ", b"traceback : ", b'"', b"'", b"`", b"\\n")
_EXTENT = 300
"""Bytes before a mark within which its header begins."""


def splits(line: bytes, message: int | None = None) -> list[int]:
    """Offsets inside a line at which another record begins, ascending and never 0.

    ``message`` is where the framing of the line ends (``Frame.start``); who knows it spares a look at the line's own
    header. That framing is no glue, nor is a header that a message quotes. Where torn text runs into the name of a
    host, the name is cut out by the shape of the line's first host, or else from its first letter on.
    """
    line, start = line[:_LONGEST], message or 0
    if (
        line.find(b"]:", start) < 0
        and line.find(_TRACEBACK, start) < 0
        and line.find(b" NCCL ", start) < 0
        and line.find(b".cpp:", start) < 0
        and line.find(b" torch/", start) < 0
    ):
        return []
    found: list[int] = []
    begin = 0
    for at in sorted(set(_begins(line, start))):
        if message is None:
            message = begin + frame(line[begin : begin + REACH]).start
        if at > message and line[message:at].strip():
            found.append(at)
            if len(found) == _MOST:
                break
            begin, message = at, None
    return found


def _begins(line: bytes, start: int) -> Iterator[int]:
    """Every offset from ``start`` on at which a header begins that is not quoted, glued or not."""
    for at in _finds(line, _TRACEBACK, start):
        yield from _unquoted(line, at, _NO_TRACEBACK)
    for at in _finds(line, b".cpp:", start):
        if _cpp_place.match(line, at):
            yield from _header_before(line, at, _c10_before)
            yield from _header_before(line, at, _glog_before)
    for at in _finds(line, b" torch/", start):
        if _torch_place.match(line, at):
            yield from _header_before(line, at + 1, _glog_before)
    if line.find(b"]:", start) >= 0:
        for at in _finds(line, b"[rank", start):
            if _rank_behind.match(line, at):
                yield from _unquoted(line, at)
        yield from _tees(line, start)
    if line.find(b" NCCL ", start) >= 0:
        yield from _nccl(line)


def _finds(line: bytes, mark: bytes, start: int) -> Iterator[int]:
    at = line.find(mark, start)
    while at >= 0:
        yield at
        at = line.find(mark, at + 1)


def _header_before(line: bytes, at: int, pattern: re.Pattern[bytes]) -> Iterator[int]:
    begin = max(at - _EXTENT, 0)
    if match := pattern.search(line[begin:at]):
        yield from _unquoted(line, begin + match.start())


def _unquoted(line: bytes, at: int, quotes: tuple[bytes, ...] = _QUOTED) -> Iterator[int]:
    """The header at a place with the tags directly before it (``[default1]:[rank1]:[E...``), unless it is quoted."""
    for pattern in (_rank_before, _tee_before, _mpi_before):
        begin = max(at - 140, 0)
        if match := pattern.search(line[begin:at]):
            at = begin + match.start()
    if not line.endswith(quotes, 0, at):
        yield at


def _tees(line: bytes, start: int) -> Iterator[int]:
    """torchrun's tags of the default role, and of the role that the line itself begins with."""
    own = _tee.match(line)
    roles = {b"default"} | ({own[1]} if own and own[1] != b"rank" else set())
    for role in roles:
        for at in _finds(line, b"[" + role, start):
            if (match := _tee.match(line, at)) and match[1] == role:
                yield from _unquoted(line, at)


def _nccl(line: bytes) -> Iterator[int]:
    known: bytes | None = None
    for match in _process.finditer(line):
        begin = max(match.start() - 253, 0)
        run = _host_before.search(line[begin : match.start()])
        if not run:
            continue
        at = begin + run.start()
        host = at + (_torn_off(run[0], known) if at else 0)
        if _header(line, host):
            known = known or line[host : match.start()]
            stamp = _stamp_before.search(line[max(host - 48, 0) : host])
            yield from _unquoted(line, host - len(stamp[0]) if stamp else host)


def _torn_off(run: bytes, known: bytes | None) -> int:
    """How many bytes at the start of a word before ``:<pid>:<tid> [`` belong to torn text rather than to the host."""
    if known is not None and (match := _shape(known).search(run)):
        return match.start()
    digits = None if _container.fullmatch(run) else _digits_before.match(run)
    return digits.end() if digits else 0


@lru_cache(maxsize=256)
def _shape(host: bytes) -> re.Pattern[bytes]:
    """Names like a host's, that differ from it in numbers only, at the end of a word."""
    return re.compile(rb"\d+".join(re.escape(part) for part in re.split(rb"\d+", host)) + rb"\Z")
