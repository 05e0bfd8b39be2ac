"""Who writes a log, and a line of somebody else retold by them: its labels, hosts, addresses and processes theirs."""

import re
from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

RANKS = 64
RANKS_PER_HOST = 8


class Writer(NamedTuple):
    """A rank of the job. Its log holds no other identity."""

    rank: int

    @property
    def local(self) -> int:
        """Its rank on its host, which is its GPU."""
        return self.rank % RANKS_PER_HOST

    @property
    def host(self) -> str:
        return f"gpu-a{self.rank // RANKS_PER_HOST + 1:02d}"

    @property
    def address(self) -> str:
        return f"10.20.0.{self.rank // RANKS_PER_HOST + 11}"

    @property
    def pid(self) -> int:
        return 4100 + self.local

    @property
    def thread(self) -> int:
        return self.pid + 87


_Retold = Callable[[Writer, re.Match[str]], str]

_RETOLD: tuple[tuple[re.Pattern[str], _Retold], ...] = tuple(
    (re.compile(pattern, re.MULTILINE), retold)
    for pattern, retold in (
        # NCCL's header, Open MPI's label with a host, UCX's.
        (
            r"(?<![\w.-])[A-Za-z\d][\w.-]*:\d{1,8}:\d{1,8} \[-?\d{1,3}\]",
            lambda by, _: f"{by.host}:{by.pid}:{by.thread} [{by.local}]",
        ),
        (r"(?<![\w.-])[A-Za-z\d][\w.-]*:\d{1,8}:\d{1,8} (?=NCCL )", lambda by, _: f"{by.host}:{by.pid}:{by.thread} "),
        (r"\[[\w.-]*[A-Za-z][\w.-]*:\d{3,8}(?=[]:])", lambda by, _: f"[{by.host}:{by.pid}"),
        # Labels of ranks, local ranks and tasks.
        (r"(\[rank[ :=]{0,2}|\[Rank[ :=]{0,2}|\bRank )\d+(?=\])", lambda by, found: found[1] + str(by.rank)),
        (r"(\(RANK |\brank=|\brank\": |\bRANK: |^rank {1,3})\d+", lambda by, found: found[1] + str(by.rank)),
        (r"\brank[ :] ?\d+ (n[rR]anks) \d+", lambda by, found: f"rank {by.rank} {found[1]} {RANKS}"),
        (
            r"(nNodes) \d+ localRanks \d+ localRank \d+",
            lambda by, _: f"nNodes {RANKS // RANKS_PER_HOST} localRanks {RANKS_PER_HOST} localRank {by.local}",
        ),
        (r"\[([a-z]*[a-z])\d+\](?=:)", lambda by, found: f"[{found[1]}{by.rank if found[1] == 'rank' else by.local}]"),
        (r"\[1,\d+\](?=<)", lambda by, _: f"[1,{by.rank}]"),
        (r"^\d{1,4}: (?=\S)", lambda by, _: f"{by.rank}: "),
        # Any other rank that is spoken of is one of the job.
        (r"(\b[rR]anks? \[?)(\d{2,7})\b", lambda _, found: found[1] + str(int(found[2]) % RANKS)),
        # Hosts and their addresses.
        (
            r"(?<![\w/.-])(?:gpu-[a-z]|node-|trainer-(?:worker-)?|train-|worker-|algo-|pod)\d{1,4}(?:\.[a-z][\w.]*)?(?![\w])",
            lambda by, _: by.host,
        ),
        (r"(?<![\d.])10(?:\.\d{1,3}){3}(?![\d.])", lambda by, _: by.address),
        # Processes.
        (r"(\b[pP]id[=: ]{1,3}|\bPID[=: ]{1,3}|\b[Pp]rocess )\d{3,8}\b", lambda by, found: found[1] + str(by.pid)),
        (r"(?<= )([\w./@-]{1,40})\[\d{1,8}\](?=: )", lambda by, found: f"{found[1]}[{by.pid}]"),
        (r"( [VIWEFD] )\d{2,8}(?= \d{2,8}\])", lambda by, found: found[1] + str(by.pid)),
        (r"^([VIWEFC]\d{4} \d\d:\d\d:\d\d\.\d+ +)\d+(?= )", lambda by, found: found[1] + str(by.pid)),
    )
)
"""Patterns of what names a writer, and what stands there in the log of another; in this order."""


def told_by(writer: Writer, text: str) -> str:
    """A text as a writer would have written it. What it says beside who says it stays."""
    for pattern, retold in _naming(text):
        text = pattern.sub(partial(retold, writer), text)
    return text


@cache
def _naming(text: str) -> list[tuple[re.Pattern[str], _Retold]]:
    return [(pattern, retold) for pattern, retold in _RETOLD if pattern.search(text)]
