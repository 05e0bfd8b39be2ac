"""The layer of framing that a layout puts in front of the text of a record; see ``logsleuth.model.label``."""

import re

from logsleuth.model.label import CLOCK, CLOSES, OPENS
from logsleuth.tokenize.peeled import Layer, Peeled, layer, number, text
from logsleuth.tokenize.stamps import read, read_epoch


def _take(peeled: Peeled, match: re.Match[bytes]) -> int:
    host, rank, local_rank, task, pid, stamp, level = match.groups()
    peeled.host, peeled.rank, peeled.local_rank = text(host), number(rank), number(local_rank)
    peeled.task, peeled.pid = number(task), number(pid)
    if stamp:
        peeled.see_stamp(read_epoch(stamp) if stamp.replace(b".", b"").isdigit() else read(stamp))
    peeled.see_level(level or None)
    return match.end()


LAYERS: tuple[Layer, ...] = (
    layer(
        OPENS + rb"(?:host=([\w.:-]{1,253}))? ?(?:rank=(\d{1,8}))? ?(?:local_rank=(\d{1,8}))? ?(?:task=(\d{1,8}))? ?"
        rb"(?:pid=(\d{1,8}))?" + CLOCK + rb"([^\x1d\x1f\n]{0,40})" + CLOCK + rb"([DIWEF]?)" + CLOSES,
        _take,
        first=OPENS,
    ),
)
