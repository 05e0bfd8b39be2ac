"""Layers that launchers, container runtimes and kernels put around the lines of a program."""

import re

from logsleuth.tokenize.peeled import DIGITS, LETTERS, LEVEL, Layer, Peeled, layer, number, text
from logsleuth.tokenize.stamps import NUMERIC, read, read_epoch, read_uptime

_LOWER = LETTERS.lower()[:26]
_NOT_A_NAME = re.compile(
    rb"(?:rank|ranks|step|epoch|iter|iteration|batch|micro|layer|block|stage|phase|line|fold|expert|shard|part|chunk|split|"
    rb"item|test|case|run|trial|exp|round|try|attempt|version|gpu|cuda|cpu|dev|device|tensor|param|group|loss|acc|top|lr|beta|"
    rb"mlx|eth|ib|fp|bf|int|uint|float|sha|md|utf|sm|python|py|torch|nccl|lib[a-z]*|slurmstepd|[a-z])[-_]?\d*(?:\.so[.\d]*|\.py)?"
)
"""Words that stand with a number before a colon, or in brackets, and name neither a host nor a torchrun role."""


def _take_task(peeled: Peeled, match: re.Match[bytes]) -> int:
    if peeled.is_inside:
        return 0
    peeled.task, peeled.is_inside, peeled.is_labelled = int(match[1]), True, True
    return match.end()


def _take_host(peeled: Peeled, match: re.Match[bytes]) -> int:
    name = match[1]
    if peeled.is_inside or not is_host(name):
        return 0
    peeled.host, peeled.is_inside, peeled.is_labelled = text(name), True, True
    return match.end()


def is_host(name: bytes) -> bool:
    """Whether a name with a digit in it may be a host rather than a metric, a setting or a file."""
    if name.replace(b".", b"").isdigit():
        return name.count(b".") == 3
    return not name.isdigit() and not _NOT_A_NAME.fullmatch(name)


def _take_pod(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.host = text(match[1])
    return match.end()


def _take_mpi(peeled: Peeled, match: re.Match[bytes]) -> int:
    task, host, pid = match.groups()
    peeled.task, peeled.is_inside = int(task), True
    if host is not None:
        peeled.host, peeled.pid = text(host), int(pid)
    return match.end()


def _take_number(peeled: Peeled, match: re.Match[bytes]) -> int:
    if peeled.is_inside:
        return 0
    peeled.is_inside = True
    return match.end()


def _take_tee(peeled: Peeled, match: re.Match[bytes]) -> int:
    role, local_rank = match.groups()
    if _NOT_A_NAME.fullmatch(role):
        return 0
    peeled.local_rank, peeled.is_inside = int(local_rank), True
    return match.end()


def _take_rank(peeled: Peeled, match: re.Match[bytes]) -> int:
    peeled.rank, peeled.is_inside = int(match[1]), True
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


_DOCKER_TIME = re.compile(rb'"time": ?"(%b)' % NUMERIC)

_HOST_AHEAD = (
    rb"(?=[a-z._-]{0,60}\d"
    rb"|(?:[a-z]{2,40}-)?(?:node|host|worker|gpu|dgx|server|machine|trainer|compute|pod|vm)-[a-z]{1,2}(?![a-z]))"
)

LABELS: tuple[Layer, ...] = (
    # srun --label: right-aligned to the width of the number of tasks.
    layer(rb"(\d{1,6}):(?: |$)", _take_task, first=DIGITS),
    # pdsh, clush: a host is lower case and has a digit, or a letter behind a word for hosts, or any word would be one;
    # a device of a kernel's line is none.
    layer(rb"(?!nvidia-nvswitch\d)(%b[a-z\d][a-z\d.-]{0,252}+): " % _HOST_AHEAD, _take_host, first=_LOWER + DIGITS),
    # docker compose and its like: the names are padded.
    layer(rb"(%b[a-z][a-z\d._-]{0,252}+) {1,40}\|(?: |$)" % _HOST_AHEAD, _take_host, first=_LOWER),
    layer(rb"\[(%b[a-z][a-z\d.-]{0,252}+)\] " % _HOST_AHEAD, _take_host, in_bracket=_LOWER),
)
"""Labels that one line cannot prove: most lines of the source must carry one."""

LAYERS: tuple[Layer, ...] = (
    # Docker's json-file driver. What it escapes (quotes, tabs) stays escaped.
    layer(rb'\{"log": ?"', _take_docker, first=b"{"),
    layer(rb"\[pod/([\w.-]{1,253})/[\w.-]{1,253}\] ", _take_pod, in_bracket=b"p"),
    # Open MPI up to 4 ``[1,3]<stdout>:``, from 5 ``[prterun-node-7-123@1,3]<stdout>: ``, in detail with ``[host:pid]``.
    layer(
        rb"\[(?:[^\]\[\s@]{1,253}@)?\d{1,10},(\d{1,7})\](?:\[([\w.-]{1,253}):(\d{1,8})\])?<std(?:out|err|diag)>: ?",
        _take_mpi,
        in_bracket=DIGITS + LETTERS,
    ),
    # MPICH's hydra and Intel MPI ``[3] ``, proved by the header behind it; in some set-ups it counts inside a host.
    layer(
        rb"\[\d{1,7}\] (?=(?:\[\d{4}-[^\]\n]{4,40}\] )?[A-Za-z\d][\w.-]{0,253}+:\d{1,10}:\d{1,10} (?:\[|NCCL CALL)"
        rb"|\[rank\d{1,7}\]:)",
        _take_number,
        in_bracket=DIGITS,
    ),
    layer(rb"\[rank(\d{1,7})\]: ?", _take_rank, in_bracket=b"r"),
    # torchrun --tee: the message follows without a blank.
    layer(rb"\[([a-z][a-z_-]{0,40})(\d{1,4})\]:", _take_tee, in_bracket=_LOWER),
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
