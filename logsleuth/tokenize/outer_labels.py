"""Labels in front of lines that one line cannot prove: most lines of the source must carry one.

A source carries at most one kind of them. Kinds are apart, since what proves the one proves nothing of another: where
every line begins with a host's name, a line that begins with ``[3] `` without one does not come from task 3.
"""

import re
from itertools import pairwise

from logsleuth.ingest.host_names import is_pod_name
from logsleuth.tokenize.launchers import LOWER
from logsleuth.tokenize.names import may_be_host
from logsleuth.tokenize.peeled import DIGITS, Layer, Peeled, layer, text


def _take_task(peeled: Peeled, match: re.Match[bytes]) -> int:
    if peeled.is_inside:
        return 0
    peeled.task = peeled.label = int(match[1])
    peeled.is_inside = True
    return match.end()


def _take_host(peeled: Peeled, match: re.Match[bytes]) -> int:
    if peeled.is_inside or not may_be_host(match[1]):
        return 0
    peeled.host = peeled.label = text(match[1])
    peeled.is_inside = True
    return match.end()


def _take_service(peeled: Peeled, match: re.Match[bytes]) -> int:
    # A service without a number is known by its name, which is no host's.
    if peeled.is_inside:
        return 0
    peeled.label, peeled.is_inside = text(match[1]), True
    return match.end()


def _take_stern(peeled: Peeled, match: re.Match[bytes]) -> int:
    pod = text(match[1])
    if peeled.is_inside or pod is None or not is_pod_name(pod):
        return 0
    peeled.host, peeled.label, peeled.is_inside = pod, text(match[0]), True
    return match.end()


def _take_rank(peeled: Peeled, match: re.Match[bytes]) -> int:
    if peeled.is_inside:
        return 0
    peeled.rank = peeled.label = int(match[1] or match[2])
    peeled.is_inside = True
    return match.end()


_HOST_AHEAD = (
    rb"(?=[a-z._-]{0,60}\d"
    rb"|(?:[a-z]{2,40}-)?(?:node|host|worker|gpu|dgx|server|machine|trainer|compute|pod|vm)-[a-z]{1,2}(?![a-z]))"
)

KINDS: tuple[tuple[Layer, ...], ...] = (
    (
        # srun --label: right-aligned to the width of the number of tasks.
        layer(rb"(\d{1,6}):(?: |$)", _take_task, first=DIGITS),
        # pdsh, clush: a host is lower case and has a digit, or a letter behind a word for hosts, or any word would be
        # one; a device of a kernel's line is none.
        layer(rb"(?!nvidia-nvswitch\d)(%b[a-z\d][a-z\d.-]{0,252}+): " % _HOST_AHEAD, _take_host, first=LOWER + DIGITS),
        # docker compose and its like: the names are padded.
        layer(rb"(%b[a-z][a-z\d._-]{0,252}+) {1,40}\|(?: |$)" % _HOST_AHEAD, _take_host, first=LOWER),
        # GNU parallel --tag.
        layer(rb"(%b[a-z][a-z\d.-]{0,252}+)\t" % _HOST_AHEAD, _take_host, first=LOWER),
        layer(rb"\[(%b[a-z][a-z\d.-]{0,252}+)\]:? " % _HOST_AHEAD, _take_host, in_bracket=LOWER),
        layer(rb"<(%b[a-z][a-z\d.-]{0,252}+)>:? " % _HOST_AHEAD, _take_host, first=b"<"),
    ),
    # MPICH's hydra and Intel MPI with -prepend-rank.
    (layer(rb"\[(\d{1,6})\](?: |$)", _take_task, in_bracket=DIGITS),),
    # What people print themselves: ``rank 3: ``, ``Rank 3 | ``, ``(rank 3) ``, ``rank=3 ``.
    (
        layer(
            rb"(?:[Rr]ank|RANK)(?:[ _-]?(?P<plain>\d{1,7})(?::| ?\||>)|[=:] ?(?P<equal>\d{1,7})[:,]?)(?: |$)",
            _take_rank,
            first=b"rR",
        ),
        layer(rb"\((?:[Rr]ank|RANK)[ :=_-]{0,2}(\d{1,7})\)():?(?: |$)", _take_rank, first=b"("),
    ),
    # docker compose with services that have no number.
    (layer(rb"([a-z][a-z._-]{0,60}+) {1,40}\|(?: |$)", _take_service, first=LOWER),),
    # stern: pod and container, behind a namespace where it follows several.
    tuple(
        layer(
            rb"%b([a-z\d][a-z\d-]{2,252}+) (?:[a-z\d][a-z\d-]{0,62}+)(?: \xe2\x80\xba| \xe2\x94\x82)?(?: |$)"
            % namespace,
            _take_stern,
            first=LOWER + DIGITS,
        )
        for namespace in (rb"", rb"[a-z\d][a-z\d-]{0,62}+ ")
    ),
)
"""By kind, in the order in which they are asked for; ``labelled`` of ``frame`` is the place of one in here plus 1."""

OPENINGS: tuple[bytes, ...] = (
    rb"\[?<?[a-z\d][a-z\d._-]{1,252}(?:\]:?|>:?|:| {0,40}\||\t)",
    rb"\[\d{1,6}\]",
    rb"\(?(?:[Rr]ank|RANK)[ :=_-]{0,2}\d{1,7}",
    rb"[a-z][a-z._-]{0,60} {1,40}\|",
    rb"[a-z\d][a-z\d-]{2,252} [a-z\d][a-z\d-]{0,252} (?:[a-z\d][a-z\d-]{0,62} )?",
)
"""What lines of each kind begin with, roughly: to look for their writers in a sample."""


def counts(numbers: list[int]) -> bool:
    """Whether numbers in front of lines count something: the lines one by one, or every tenth step. Tasks of srun may
    speak one after the other, too, but the first is 0."""
    if len(numbers) < 3:
        return False
    rises = [after - before for before, after in pairwise(numbers)]
    are_steps = min(rises) >= 0 and max(rises) > 1 and numbers[0] > 0 and len(set(numbers)) > 2
    return are_steps or all(rise == 1 for rise in rises)


def interleave(numbers: list[int]) -> bool:
    """Whether numbers in front of lines come as those of processes do that write at the same time: they come back, in
    no order. Those of steps only rise, and those of a list that is printed again and again rise alike each time."""
    runs: list[list[int]] = []
    for number in numbers:
        if not runs or number <= runs[-1][-1]:
            runs.append([])
        runs[-1].append(number)
    falls = any(after < before for before, after in pairwise(numbers))
    is_list = len({tuple(run) for run in runs[1:-1]}) < 2
    return falls and len(numbers) >= 2 * len(set(numbers)) and not is_list
