"""Paths: which parts of one tell whose it is, and what stands in their place.

Words that every training job has (``checkpoints``, ``rank_3``, ``train.py``), numbers and everything inside libraries
stay: they say what a file is for, and rules may ask for it. Any other word is numbered.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

_PART = rb"[\w.+@%~=,\x80-\xff-]+"
ABSOLUTE = (
    # Between quotes a path may have blanks.
    rb"(?<=[\"'])(?:/[^\"'\n/\\]{1,120}){2,40}(?=\\{0,3}[\"'])|(?<![\w.~:/<\x80-\xff-])(?:/%b){2,}+" % _PART
)
RELATIVE = (
    rb"(?<![\w./\x80-\xff-])(?:%b/)++%b(?<=\.py|\.sh|\.pt|\.gz)(?![\w/])"
    rb"|(?<![\w./\x80-\xff-])(?:%b/)++%b(?<=\.yaml|\.json|\.ckpt)(?![\w/])"
    rb"|(?<![\w./\x80-\xff-])(?:%b/)++%b(?<=\.yml|\.txt|\.log|\.pth|\.bin|\.csv|\.tar|\.out|\.err|\.cfg)(?![\w/])"
) % ((_PART,) * 6)
"""A path that does not begin at the root; the ending of a file tells it from ``tokens/s`` and ``train/loss``."""
URL = rb"(?:(?<=://)|(?<=@)(?=[\w-]+(?:\.[\w-]+)*\.[a-z]{2}))[^\s/'\"<>\])},;@\\]{1,253}(?:/[^\s'\"<>\])},;\\]*)?"

_SYSTEM = frozenset(b"usr lib lib64 lib32 proc sys dev etc bin sbin run boot snap".split())
_LIBRARIES = re.compile(
    rb"site-packages|dist-packages|python[23](?:\.\d+)?|torch|transformers|deepspeed|megatron|lightning|pytorch_lightning"
    rb"|accelerate|vllm|ray|nccl|cuda(?:-[\d.]+)?|conda|miniconda3|anaconda3|nvidia|rocm|c10d?|aten|csrc|caffe2"
    rb"|pytorch|third_party|gloo|__w|dvs"
)
"""What follows one of these in a path is the library's, not the user's."""
_COMMON = frozenset(
    b""""a agent all alloc api app apps args array arrow async attempt avg backup base bash batch best bin block bucket
    cache checkpoint checkpoints chunk ckpt class cmd code common conda conf config configs console core cpu csv
    cuda data dataset datasets debug default demo dist distributed dmesg docker dp dump env envs ep epoch err
    error errors eval exp experiment experiments fabricmanager file files final fold fr fs fsx gcs global gpu
    gpus gz home host hosts hub huggingface ibstat ids idx image images info init input inputs iter iteration
    job jobs json jsonl kern kernel last latest launch launcher layer lib libs lightning lightning_logs llm
    local log logging logs lustre main master media meminfo messages metrics mnt model models module modules mp
    mpi nccl net nfs node node_rank nodelist nodes none nvidia nvme opt optim optimizer out output outputs part
    pipeline pods pp pretrain probe proc process project projects ptl py python raid rank ray rdzv records
    replica results root run runs sample samples save saved scratch script scripts server session session_latest
    sh shard shards shared shm slurm smi source src srv ssd state std stderr stdout step storage store stream
    syslog system tar task tensor test tests text tmp token tokenizer tokens torch torchelastic torchrun tp
    trace train trainer training transformers tree txt ulimit user users util utils v val valid validation var
    venv version volume wandb weights work worker workers workspace world yaml yml zip zst
    pt pth safetensors npz npy gguf parquet toml ini""".split()
)
_WORD = re.compile(
    rb"(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])"
    rb"|([A-Za-z\x80-\xff][A-Za-z0-9\x80-\xff]*)"
)
"""A word, as the group; what was drawn by chance is none, and tells pods and runs apart."""
_RUN = re.compile(rb"(.+)(_[a-z0-9_]{8})")
"""torchrun's folder of a run, whose last eight characters are random."""


class _Part(NamedTuple):
    text: bytes
    tail: bytes
    """What stays of it in any case."""
    is_kept: bool


class Words:
    """Numbers the words of paths, in the order in which they sort."""

    def __init__(self, spared: frozenset[bytes]) -> None:
        """``spared`` are further words that stay, in lower case."""
        self._spared = spared
        self._seen: set[bytes] = set()
        self._names: dict[bytes, bytes] = {}

    def learn(self, path: bytes) -> None:
        """Takes note of the words of a path that will be renamed."""
        for part in _parts(path):
            if not part.is_kept:
                words = {word[1].lower() for word in _WORD.finditer(part.text) if word[1] and not _is_common(word[1])}
                self._seen |= words - self._spared

    def number(self) -> None:
        """All paths were learned."""
        self._names = {word: b"w%d" % number for number, word in enumerate(sorted(self._seen), 1)}

    def renamed(self, path: bytes, names: re.Pattern[bytes], rename: Callable[[re.Match[bytes]], bytes]) -> bytes:
        """The path with its words renamed, and the names of hosts and users in it by what ``rename`` gives."""

        def host(name: re.Match[bytes]) -> bytes:
            return rename(name) if name.lastgroup == "host" else name[0]

        return b"/".join(
            # A folder may be called as a library is, and the logs of hosts lie in it.
            (names.sub(host, part.text) if part.is_kept else self._part(part.text, names, rename)) + part.tail
            for part in _parts(path)
        )

    def _part(self, part: bytes, names: re.Pattern[bytes], rename: Callable[[re.Match[bytes]], bytes]) -> bytes:
        pieces, end = [], 0
        for name in names.finditer(part):
            pieces += [self._numbered(part[end : name.start()]), rename(name)]
            end = name.end()
        return b"".join([*pieces, self._numbered(part[end:])])

    def _numbered(self, text: bytes) -> bytes:
        return _WORD.sub(lambda word: self._names.get(word[0].lower(), word[0]), text)


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
