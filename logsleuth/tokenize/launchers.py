"""Layers that launchers, container runtimes and kernels put around the lines of a program."""

import re
from string import ascii_lowercase

from logsleuth.tokenize.names import may_be_host, may_be_role
from logsleuth.tokenize.peeled import DIGITS, LETTERS, LEVEL, Layer, Peeled, layer, number, text
from logsleuth.tokenize.stamps import NUMERIC, read, read_epoch, read_uptime


def _take_pod(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.host = text(match[1])
    return match.end()


def _take_mpi(peeled: Peeled, match: re.Match[bytes]) -> int:
    task, host, pid = match.groups()
    peeled.task, peeled.is_inside = int(task), True
    if host is not None:
        peeled.host, peeled.pid = text(host), int(pid)
    return match.end()


def _take_sagemaker(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.task, peeled.host, peeled.is_inside = int(match[1]), text(match[2]), True
    return match.end()


def _take_determined(peeled: Peeled, match: re.Match[bytes]) -> int:
    # The name of a container stands behind the stamp; without one it might be any word.
    if match[2] is None and (match[1] is None or peeled.stamp is None):
        return 0
    peeled.rank, peeled.is_inside = number(match[2]), True
    peeled.see_level(match[3])
    return match.end()


def _take_colour(peeled: Peeled, match: re.Match[bytes]) -> int:
    # A blank behind it belongs to the label that it ends.
    return match.end() if peeled.is_inside else match.start() + len(match[0].rstrip(b" "))


def _take_number(peeled: Peeled, match: re.Match[bytes]) -> int:
    if peeled.is_inside:
        return 0
    peeled.is_inside = True
    return match.end()


def _take_tee(peeled: Peeled, match: re.Match[bytes]) -> int:
    role, local_rank = match.groups()
    if not may_be_role(role):
        return 0
    peeled.local_rank, peeled.is_inside = int(local_rank), True
    return match.end()


def _take_tee_of_host(peeled: Peeled, match: re.Match[bytes]) -> int:
    host, local_rank = match.groups()
    if not may_be_host(host):
        return 0
    peeled.host, peeled.local_rank, peeled.is_inside = text(host), int(local_rank), True
    return match.end()


def _take_rank(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.rank, peeled.is_inside = int(match[1]), True
    return match.end()


def _take_printed_rank(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.rank = int(match[match.lastindex or 1])
    if match[0][5:6].isdigit():
        # ``[rank3] `` is a program's own text, which rules of a site read as such: it names the writer and stays.
        return 0
    peeled.is_inside = True
    return match.end()


def _take_ray(peeled: Peeled, match: re.Match[bytes]) -> int:
    rank, pid, host = match.groups()
    peeled.rank = peeled.rank if rank is None else int(rank)
    peeled.pid, peeled.host, peeled.is_inside = number(pid), text(host) or peeled.host, True
    return match.end()


def _take_raylet(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.host, peeled.is_inside = text(match[1]) or peeled.host, True
    return match.end()


def _take_kernel(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.is_inside = True
    return match.end()


def _take_clock(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.see_stamp(read_uptime(match[1]))
    return match.end()


def _take_docker(peeled: Peeled, match: re.Match[bytes]) -> int:
    # What stands behind the message: ``\\n","stream":"stderr","time":"2024-01-05T10:00:00.123456789Z"}``.
    if found := _DOCKER_TIME.search(match.string, max(match.end(), len(match.string) - 100)):
        peeled.see_stamp(read(found[1]))
    return match.end()


def _take_ucx(peeled: Peeled, match: re.Match[bytes]) -> int:
    clock, host, pid, level = match.groups()
    peeled.see_stamp(read_epoch(clock))
    peeled.see_level(level)
    peeled.host, peeled.pid, peeled.is_inside = text(host), int(pid), True
    return match.end()


_COLOUR = (
    rb"(?:[0-57]?|2[1-9]|3[0-79]|4[0-79]|9[0-7]|10[0-7]|0[0-57]|(?:\d{1,3};){1,4}\d{1,3})m(?!in\b|s\b|/)(?: (?=\S))?"
)
"""Behind ``ESC [``: what sets a colour or weight, or takes it back."""
LOWER = ascii_lowercase.encode()
_DOCKER_TIME = re.compile(rb'"time": ?"(%b)' % NUMERIC)

LAYERS: tuple[Layer, ...] = (
    # Docker's json-file driver. What it escapes (quotes, tabs) stays escaped.
    layer(rb'\{"log": ?"', _take_docker, first=b"{"),
    layer(rb"\[pod/([\w.-]{1,253})/[\w.-]{1,253}\] ", _take_pod, in_bracket=b"p"),
    # Open MPI up to 4 ``[1,3]<stdout>:``, from 5 ``[prterun-node-7-123@1,3]<stdout>: ``, in detail with ``[host:pid]``;
    # horovodrun over Gloo ``[3]<stdout>:``.
    layer(
        rb"\[(?:(?:[^\]\[\s@]{1,253}@)?\d{1,10},)?(\d{1,7})\](?:\[([\w.-]{1,253}):(\d{1,8})\])?"
        rb"<std(?:out|err|diag)>: ?",
        _take_mpi,
        in_bracket=DIGITS + LETTERS,
    ),
    # SageMaker's mpirun, whose angle brackets get lost on some pages: ``[1,mpirank:3,algo-2]<stdout>:``.
    layer(
        rb"\[\d{1,10},mpirank:(\d{1,7}),([\w.-]{1,253})\](?:<std(?:out|err)>)?: ?",
        _take_sagemaker,
        in_bracket=DIGITS,
    ),
    # Determined: a container, and a rank where there are several; ``1a2b3c4d [rank=4] || INFO: ``, ``[rank=4] || ``.
    layer(
        rb"(?:([\da-f]{8}) )?(?:\[rank=(\d{1,7})\] )?\|\| (?:(%b): )?" % LEVEL,
        _take_determined,
        first=DIGITS + b"abcdef",
    ),
    layer(rb"()\[rank=(\d{1,7})\] \|\| (?:(%b): )?" % LEVEL, _take_determined, in_bracket=b"r"),
    # Colours whose escape character was lost when the text was copied, or is spelled out. What a collector wrote in
    # colour ends with one, and a blank.
    layer(rb"\[(?=\d)%b(?!\w{0,3}\])" % _COLOUR, _take_colour, in_bracket=DIGITS),
    layer(rb"(?:\^\[|\\x1[bB]|\\033|\\u001[bB]|\\e|#033)\[%b" % _COLOUR, _take_colour, first=b"^\\#"),
    # MPICH's hydra and Intel MPI ``[3] ``, proved by the header behind it; in some set-ups it counts inside a host.
    layer(
        rb"\[\d{1,7}\] (?=(?:\[\d{4}-[^\]\n]{4,40}\] )?[A-Za-z\d][\w.-]{0,253}+:\d{1,10}:\d{1,10} (?:\[|NCCL CALL)"
        rb"|\[rank\d{1,7}\]:)",
        _take_number,
        in_bracket=DIGITS,
    ),
    layer(rb"\[rank(\d{1,7})\]: ?", _take_rank, in_bracket=b"r"),
    # Lightning ``[rank: 3] ``, and what people print themselves; ``[Rank 3] `` may be c10d's (see ``groups``).
    layer(
        rb"\[(?:rank(?:[:=_ ]|[:=] )?(\d{1,7})\](?::? |:(?=[A-Z]))|(?:R(?:ank|ANK))(?:[:=_]|[:=] )(\d{1,7})\]:? "
        rb"|R(?:ank|ANK) {0,2}(\d{1,7})\]: |RANK {0,2}(\d{1,7})\] )",
        _take_printed_rank,
        in_bracket=b"rR",
    ),
    # torchrun --tee: the message follows without a blank.
    layer(rb"\[([a-z][a-z_-]{0,40})(\d{1,4})\]:", _take_tee, in_bracket=LOWER),
    # torchrun --role "$(hostname -s):" --tee 3, for the host in front of the local rank; a port has more digits.
    layer(rb"\[([a-z](?=[a-z._-]{0,60}\d)[a-z\d.-]{1,252}):(\d{1,2})\]:", _take_tee_of_host, in_bracket=LOWER),
    layer(
        rb"\((?:[A-Za-z_][\w.<>:]{0,100}(?:\([^()]{1,60}\))?(?:\[rank=(\d{1,7})\])?(?: rank=\d{1,7})? )?"
        rb"pid=(\d{1,8})(?:, ip=([\w.:-]{1,60}))?\) ?",
        _take_ray,
        first=b"(",
    ),
    layer(
        rb"\((?:raylet|autoscaler|gcs_server)(?: \+\w{1,20})?(?:, ip=([\w.:-]{1,60}))?\) ?", _take_raylet, first=b"("
    ),
    layer(rb"kernel: ", _take_kernel, first=b"k"),
    layer(rb"<\d{1,3}>(?=\[)", _take_kernel, first=b"<"),
    layer(
        rb"\[(\d{1,10}\.\d{6})\] \[([\w.-]{1,253}):(\d{1,8}):\d{1,8}\] {1,40}[\w./-]{1,60}:\d{1,6} {1,20}UC\w{1,3}"
        rb" {1,20}(%b) " % LEVEL,
        _take_ucx,
        in_bracket=DIGITS,
    ),
    layer(rb"\[ {0,6}(\d{1,10}\.\d{6})\](?: \[ {0,6}[TC]\d{1,7}\])? ?", _take_clock, in_bracket=DIGITS + b" "),
)
