"""What the names of a log's file and folders tell about its writer.

Only names that can hardly mean anything else count: a wrong rank is far worse than none. Dates, job numbers, versions,
sizes and ports are no ranks, ``gpu-8`` and ``dgx-h100`` are no hosts.
"""

import re

from logsleuth.model.origin import PathLabel, Tag

_SUFFIX = re.compile(r"\.(?:log|txt|out|err|csv|tsv|prom|jsonl?|gz|bz2|xz|zst|stdout|stderr|old|bak)$", re.IGNORECASE)
_ROTATION = re.compile(r"(?<=\.log|\.out|\.err|\.txt)\.\d{1,3}$", re.IGNORECASE)
_WORDS = (
    r"logs?|out|output|std(?:out|err)|err|errors?|train|training|torchrun|agent|launcher|run|nccl|debug|dmesg|kern|kernel|"
    r"syslog|messages|journal|fabricmanager|dcgm|dcgmi|console|nvidia-smi|nvidia_smi|nvsmi|smi|dmon|gpustat|"
    r"gpu[_-]?(?:mon|monitor|stats?|util|utilization|usage|metrics|samples|log)|monitor|metrics|"
    r"gpu(?=[_.-](?:node|host|compute)[_.-]?[a-z]?\d)"
)
_AROUND = re.compile(rf"^(?:{_WORDS})[_.-](?=.)|(?<=.)[_.-](?:{_WORDS}|gpus?)$", re.IGNORECASE)
"""Words around a name that say what the log is about, not whose it is."""

_TORCHRUN_FILE = re.compile(r"(?:filtered_)?std(?:out|err)\.log|error\.json")
_TORCHRUN_RUN = re.compile(r".+_[a-z0-9_]{8}")
_ATTEMPT = re.compile(r"(?<![a-z])attempt[_-]?(\d{1,4})(?![\da-z])", re.IGNORECASE)

_RANK = re.compile(r"rank[_ =.-]?(?P<rank>\d{1,6})(?![\da-z]|[-_.,+~]\d{1,3}(?!\d)|[-_]?to[-_]?\d)", re.IGNORECASE)
"""Not ``rank0-7`` nor ``rank_0_to_7``, which are several, nor ``rank-2024-01-05``."""
_BEFORE_RANK = re.compile(r"([a-z]*)([_ =.-]*)$", re.IGNORECASE)
_OTHER_RANK = re.compile(
    r"node|group|role|replica|[tpdecsmv]p|etp|edp|fsdp|tensor|pipeline|data|expert|context|model|sequence|parallel"
    r"|lora|low|matrix|r|max|min|num"
)
"""Words before ``rank`` with which it counts nodes or places in a parallel group, or is the rank of a matrix."""
_RANK_FOLDER = re.compile(r"(?:global_|world_|local_)?rank[_-]?\d{1,6}", re.IGNORECASE)
_TASK = re.compile(r"(?:(?:worker|process|proc)[_-]?|task[_-])(\d{1,6})", re.IGNORECASE)

_MODEL = r"(?:a[1346]0|[abhv]100|[hb][23]00|[ah]800|h20|g[bh][23]00|l4|l40s?|t4|p100|k80|mi\d+x?|rtx\d+)"
"""GPUs, which are no hosts."""
_DOMAIN = (
    r"(?:(?:\.[a-z0-9-]+)*\.(?:local|localdomain|internal|lan|cluster|com|org|net|edu|gov|io|de|fr|uk|ch|eu|jp|cn))?"
)
_HOST = re.compile(
    r"(?:"
    r"(?:node|host|compute)[_-]?[a-z]?\d{1,6}(?:-\d{1,4})?|(?:node|host)-[a-z]{1,2}"
    r"|nid\d{3,6}|cn\d{2,5}|(?:dgx|hgx)-?(?:0\d{1,4}|\d{2,5})|ip-\d{1,3}(?:-\d{1,3}){3}"
    rf"|gpu-?(?!{_MODEL}(?![a-z\d]))[a-z]{{1,3}}\d{{1,5}}|gpu-?0\d{{1,4}}|gpu-\d{{1,3}}-\d{{1,3}}"
    rf"){_DOMAIN}"
)
_IPV4 = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}")
_POD = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*-(?:worker|master|launcher|chief|trainer|replica)-\d{1,4}")
_POD_FOLDER = re.compile(r"[a-z0-9-]+_([a-z0-9][a-z0-9.-]*)_[0-9a-f]{8}-[0-9a-f-]{27}")
"""The kubelet's ``/var/log/pods/<namespace>_<pod>_<uid>``."""
_NCCL = re.compile(r"nccl(?:[._-](?:debug|info|log))?([._-])([A-Za-z0-9][A-Za-z0-9-]*)\1(\d{2,7})")
"""NCCL_DEBUG_FILE with ``%h`` and ``%p``."""
_JOB = re.compile(r"(?:slurm[-_])?\d{3,}([._-])(.+)")
_NUMBERED = re.compile(r"(.+)([._-])(\d{1,6})")
_ARCHIVE = re.compile(
    r"(?:\.tar)?(?:\.(?:tar|tgz|tbz2?|txz|tzst|zip|gz|bz2|xz|zst))?!(?=[^!]*[^!/])(?!entries$)", re.IGNORECASE
)
"""Where a member of an archive begins: the archive stands for the folder that was packed."""
_FOLDERS = 3
"""Folders above a file that may name its writer."""


def label(path: str) -> PathLabel:
    """Reads the names in a path: the file's first, then its folder's, then those above. Raises nothing."""
    parts = [part for part in re.split(r"[/\\]+", _ARCHIVE.sub("/", path)) if part]
    if not parts:
        return PathLabel()
    *folders, file = parts
    attempts = {int(number) for part in parts for number in _ATTEMPT.findall(part)}
    attempt = next(iter(attempts)) if len(attempts) == 1 else None
    if torchrun := _torchrun(folders, file):
        local_rank, run, above = torchrun
        stream = next((word for word in ("stdout", "stderr") if word in file), None)
        return PathLabel(Tag(local_rank=local_rank, host=_folder_host(above)), attempt, run, stream)
    tag = _file_tag(_stem(file))
    if tag == Tag(host=tag.host):
        tag = _folder_tag(folders)._replace(host=tag.host)
    return PathLabel(tag if tag.host else tag._replace(host=_folder_host(folders)), attempt)


def _torchrun(folders: list[str], file: str) -> tuple[int, str | None, list[str]] | None:
    """Local rank, run and log folder of ``<log folder>/<run>/attempt_<k>/<local rank>/stdout.log``."""
    if len(folders) < 2 or not _TORCHRUN_FILE.fullmatch(file):
        return None
    attempt, local_rank = folders[-2:]
    if not re.fullmatch(r"\d{1,4}", local_rank) or not re.fullmatch(r"attempt_\d{1,4}", attempt):
        return None
    run = folders[-3] if len(folders) > 2 and _TORCHRUN_RUN.fullmatch(folders[-3]) else None
    return int(local_rank), run, folders[:-3]


def _stem(file: str) -> str:
    """A file's name without what stands at its end for every log: ``rank_3.log.2.gz`` is ``rank_3``."""
    stem, before = file, ""
    while stem != before:
        before = stem
        stem = _SUFFIX.sub("", _ROTATION.sub("", stem)) or stem
    return stem


def _bare(name: str) -> str:
    before = ""
    while name != before:
        before, name = name, _AROUND.sub("", name)
    return name


def _file_tag(stem: str) -> Tag:
    if tag := _rank(stem):
        return tag
    if match := _TASK.fullmatch(_bare(stem)):
        return Tag(task=int(match[1]))
    if tag := _nccl(stem) or _slurm(stem):
        return tag
    return Tag(host=_host(stem))


def _rank(name: str) -> Tag | None:
    """The rank that a name gives, and the host where one stands before it; None where the name speaks of no rank."""
    matches = list(_RANK.finditer(name))
    if not matches:
        return None
    tags = {_kind_of_rank(name[: match.start()], int(match["rank"])) for match in matches}
    if len(tags) != 1:
        return Tag()
    return next(iter(tags))._replace(host=_host(name[: matches[0].start()].rstrip("_.- ")))


def _kind_of_rank(before: str, rank: int) -> Tag:
    match = _BEFORE_RANK.search(before)
    word, separator = (match[1].lower(), match[2]) if match else ("", "")
    if word == "local":
        return Tag(local_rank=rank)
    if _OTHER_RANK.fullmatch(word) or (word not in ("", "global", "world") and not separator):
        return Tag()
    return Tag(rank=rank)


def _nccl(stem: str) -> Tag | None:
    match = _NCCL.fullmatch(stem)
    if not match:
        return None
    separator, host, pid = match.groups()
    # Any name may be a host's where nothing but a process id can follow it: ``nccl.h100.1024`` speaks of a size.
    is_plain = separator == "." and len(pid) > 4 and re.search(r"\d", host) and re.search(r"[a-z]", host)
    if _host(host) or (is_plain and not re.fullmatch(_MODEL, host)):
        return Tag(host=host, pid=int(pid))
    return None


def _slurm(stem: str) -> Tag | None:
    """SLURM's ``%j-%N`` and ``%j-%N-%t``: job number, host, task."""
    job = _JOB.fullmatch(stem)
    if not job:
        return None
    separator, rest = job.groups()
    numbered = _NUMBERED.fullmatch(rest)
    if numbered and numbered[2] == separator and _host(numbered[1]) and (separator != "-" or "-" not in numbered[1]):
        return Tag(host=numbered[1], task=int(numbered[3]))
    # ``4711-gpu-a12-13`` may be task 13 on gpu-a12, or gpu-a12-13.
    is_unclear = numbered is not None and _host(numbered[1]) is not None and not rest.startswith("ip-")
    return Tag(host=None if is_unclear else _host(rest))


def _folder_tag(folders: list[str]) -> Tag:
    """The rank of ``rank_3/train.log``."""
    tag = _rank(folders[-1]) if folders and _RANK_FOLDER.fullmatch(folders[-1]) else None
    return tag._replace(host=None) if tag else Tag()


def _folder_host(folders: list[str]) -> str | None:
    for folder in reversed(folders[-_FOLDERS:]):
        if pod := _POD_FOLDER.fullmatch(folder):
            return pod[1]
        if host := _host(folder):
            return host
    return None


def is_host_name(name: str) -> bool:
    """Whether a name can hardly be anything but that of a host."""
    return _HOST.fullmatch(name) is not None


def _host(name: str) -> str | None:
    """The host or pod that a whole name is, but for words about the log around it."""
    if _POD.fullmatch(name):
        return name
    bare = _bare(name)
    return bare if _HOST.fullmatch(bare) or _IPV4.fullmatch(bare) else None
