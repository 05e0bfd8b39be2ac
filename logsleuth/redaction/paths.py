"""Paths: which parts of one tell whose it is, and what stands in their place.

Words that every training job has (``checkpoints``, ``rank_3``, ``train.py``), numbers and everything inside libraries stay: they
say what a file is for, and rules may ask for it. Any other word is numbered.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

_PART = rb"[\w.+@%~=,\x80-\xff-]+"
ABSOLUTE = rb"(?<![\w.~:/<\x80-\xff-])(?:/%b){2,}+" % _PART
RELATIVE = (
    rb"(?<![\w./\x80-\xff-])(?:%b/)++%b(?<=\.py|\.sh|\.pt|\.gz)(?![\w/])"
    rb"|(?<![\w./\x80-\xff-])(?:%b/)++%b(?<=\.yaml|\.json|\.ckpt|\.arrow)(?![\w/])"
    rb"|(?<![\w./\x80-\xff-])(?:%b/)++%b(?<=\.yml|\.txt|\.log|\.pth|\.bin|\.csv|\.tar|\.out|\.err|\.cfg)(?![\w/])"
) % ((_PART,) * 6)
"""A path that does not begin at the root; the ending of a file tells it from ``tokens/s`` and ``train/loss``."""
URL = rb"(?<=://)[^\s/'\"<>\])},;@\\]{1,253}(?:/[^\s'\"<>\])},;\\]*)?"

_SYSTEM = frozenset(b"usr lib lib64 lib32 proc sys dev etc bin sbin run boot snap".split())
_LIBRARIES = re.compile(
    rb"site-packages|dist-packages|python[23](?:\.\d+)?|torch|transformers|deepspeed|megatron|lightning|pytorch_lightning"
    rb"|accelerate|vllm|ray|nccl|cuda(?:-[\d.]+)?|conda|miniconda3|anaconda3|nvidia|rocm|c10d?|aten|csrc|caffe2"
)
"""What follows one of these in a path is the library's, not the user's."""
_COMMON = frozenset(
    b"""a agent all alloc api app apps array args arrow async attempt avg backup base bash batch best bin block bucket cache
    ckpt checkpoint checkpoints chunk class cmd code common conf config configs console core cpu csv cuda data dataset
    datasets debug default demo dist distributed dmesg docker dp dump ep epoch err error errors eval exp experiment
    experiments fabricmanager file files final fold fr fs fsx gcs global gpu gpus gz home host hosts hub huggingface ibstat
    ids idx image images info init input inputs iter iteration job jobs json jsonl kern kernel last latest launch launcher
    layer lib libs lightning lightning_logs llm local log logging logs lustre main master media messages metrics mnt model
    models module modules mp mpi nccl net nfs node node_rank nodes none nodelist nvidia nvme opt optim optimizer out output
    outputs part pipeline pods pp pretrain process project projects proc ptl py python rank ray raid rdzv records replica
    results root run runs sample samples save saved scratch script scripts server session session_latest sh shard shards
    shared shm slurm smi source src srv ssd state std stderr stdout step storage store stream syslog system tar task tensor
    test tests text tmp token tokenizer tokens torch torchrun torchelastic tp trace train trainer training transformers tree
    txt ulimit user users util utils v val valid validation var venv version volume wandb weights work worker workers
    workspace world yaml yml zip zst opt conda env envs meminfo probe""".split()
)
_WORD = re.compile(rb"[A-Za-z\x80-\xff][A-Za-z0-9\x80-\xff]*")
_RUN = re.compile(rb"(.+)(_[a-z0-9_]{8})")
"""torchrun's folder of a run, whose last eight characters are random."""


class _Part(NamedTuple):
    text: bytes
    tail: bytes
    """What stays of it in any case."""
    is_kept: bool


class Words:
    """Numbers the words of paths, in the order in which they sort."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()
        self._names: dict[bytes, bytes] = {}

    def learn(self, path: bytes) -> None:
        """Takes note of the words of a path that will be renamed."""
        for part in _parts(path):
            if not part.is_kept:
                self._seen.update(word[0].lower() for word in _WORD.finditer(part.text) if not _is_common(word[0]))

    def number(self) -> None:
        """All paths were learned."""
        self._names = {word: b"w%d" % number for number, word in enumerate(sorted(self._seen), 1)}

    def renamed(self, path: bytes, names: Callable[[bytes], bytes]) -> bytes:
        """The path with its words renamed; ``names`` gives a part with every name of a host or user in it renamed."""
        return b"/".join(
            part.text + part.tail if part.is_kept else self._part(part.text, names) + part.tail for part in _parts(path)
        )

    def _part(self, part: bytes, names: Callable[[bytes], bytes]) -> bytes:
        named = names(part)
        return named if named != part else _WORD.sub(lambda word: self._names.get(word[0].lower(), word[0]), part)


def _parts(path: bytes) -> list[_Part]:
    parts = path.split(b"/")
    told: list[_Part] = []
    is_absolute = parts[0] == b"" and len(parts) > 1
    stays = is_absolute and parts[1] in _SYSTEM and parts[1:3] != [b"usr", b"local"]
    for part, following in zip(parts, [*parts[1:], b""], strict=True):
        run = _RUN.fullmatch(part) if following.startswith(b"attempt_") else None
        text, tail = run.groups() if run else (part, b"")
        told.append(_Part(text, tail, stays or (run is not None and text == b"none")))
        stays = stays or _LIBRARIES.fullmatch(part) is not None
    return told


def _is_common(word: bytes) -> bool:
    return word.lower().rstrip(b"0123456789") in _COMMON
