"""What stands around the messages of a source, by its name: which launcher, collector or logger wrote it there?

Only told, never decided by: who writes a line is read by the layers of ``tokenize.framing``.
"""

import re
from typing import NamedTuple

from logsleuth.tokenize import ansi

_SHARE = 0.1
"""Of the lines that are not blank: so many must look alike."""
_STAMP = rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)"


class _Collector(NamedTuple):
    name: str
    fits: re.Pattern[bytes]
    is_label: bool = False
    """Whether a line alone does not prove it, so that the source has to be known as labelled."""


_COLLECTORS = (
    _Collector("CRI", re.compile(_STAMP + rb" std(?:out|err) [FP] ")),
    _Collector("docker JSON", re.compile(rb'\{"log": ?"')),
    _Collector("kubectl logs --prefix", re.compile(rb"\[pod/[^\]]+\] ")),
    _Collector("kubectl logs --timestamps", re.compile(rb"(?:\[pod/[^\]]+\] )?" + _STAMP + rb" (?!std)\S")),
    _Collector("Ray", re.compile(rb"\((?:[\w.<>:]+(?:\([^()]*\))?(?:\[rank=\d+\])?(?: rank=\d+)? )?pid=\d+[^)]*\)")),
    _Collector(
        "mpirun --tag-output", re.compile(rb"\[(?:[^\]\s@]+@)?\d+,\d+\](?:\[[\w.-]+:\d+\])?<std(?:out|err|diag)>:")
    ),
    _Collector("torchrun --tee", re.compile(rb"\[(?!rank)[a-z][a-z_-]*\d{1,4}\]:")),
    _Collector("rank labels", re.compile(rb"(?:\[[a-z][a-z_-]*\d{1,4}\]:)?\[rank\d+\]:")),
    _Collector("srun --label", re.compile(rb" *\d{1,6}:(?: |$)"), is_label=True),
    _Collector("host labels (pdsh, clush)", re.compile(rb"[a-z\d][a-z\d.-]*: "), is_label=True),
    _Collector("docker compose", re.compile(rb"[a-z\d][\w.-]* +\|"), is_label=True),
    _Collector(
        "syslog", re.compile(rb"(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|" + _STAMP + rb") \S+ [\w./@-]+(?:\[\d+\])?: ")
    ),
    _Collector("kernel log", re.compile(rb"(?:<\d{1,3}>)?\[ *\d+\.\d{6}\] ")),
    _Collector("glog headers", re.compile(rb"(?:.{0,80}\]:)?\[?[VIWEFC]\d{3,4} \d\d:\d\d:\d\d\.\d+ ")),
    _Collector("NCCL headers", re.compile(rb".{0,80}?[\w.-]+:\d+:\d+ \[-?\d+\] ")),
)


def collectors(sample: bytes, labelled: int) -> tuple[str, ...]:
    """The names of what wrote around the messages of a sample (64 KiB from the start of a source will do)."""
    lines = [line for line in ansi.strip(sample)[0].split(b"\n") if line.strip()]
    fewest = max(_SHARE * len(lines), 1)
    return tuple(
        one.name
        for one in _COLLECTORS
        if (labelled or not one.is_label) and sum(one.fits.match(line) is not None for line in lines) >= fewest
    )
