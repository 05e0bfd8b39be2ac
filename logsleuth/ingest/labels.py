"""What the names of a log's file and folders tell about its writer.

Only names that can hardly mean anything else count: a wrong rank is far worse than none. Dates, job numbers, versions,
sizes and ports are no ranks, ``gpu-8`` and ``dgx-h100`` are no hosts.
"""

import re

from logsleuth.ingest.host_names import MODEL, is_address, is_host_name, is_pod_name
from logsleuth.model.origin import PathLabel, Tag

_SUFFIX = re.compile(
    r"\.(?:log|txt|out|err|csv|tsv|prom|jsonl?|gz|bz2|xz|zst|tar|tgz|tbz2?|txz|zip|stdout|stderr|old|bak)$",
    re.IGNORECASE,
)
_ROTATION = re.compile(r"(?<=\.log|\.out|\.err|\.txt)\.\d{1,3}$", re.IGNORECASE)
_WORDS = (
    r"logs?|out|output|std(?:out|err)|err|errors?|train|training|torchrun|agent|launcher|run|nccl|debug|kern|kernel|"
    r"syslog|messages|journal|fabricmanager|dcgm|dcgmi|console|nvsmi|smi|dmon|gpustat|"
    r"dmesg(?:[_-]T)?|nvidia[_-]smi(?:[_-](?:q|topo|nvlink|processes|query|pmon))?|rocm-smi|amd-smi|topo|df(?:[_-](?:h|i|shm|"
    r"inodes))?|ulimit|cgroup|meminfo|free|ibstat(?:us)?|ibdev2netdev|ibv[_-]devinfo|ib[_-]counters|ip[_-]a(?:ddr(?:ess)?)?|ss|"
    r"ports|listening|chronyc?|timedatectl|versions|lsmod|nccl[_-](?:env|tests)|env|py-spy|"
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
_RANK_FOLDER = re.compile(r"(?:global_|world_|local_)?rank[._-]?\d{1,6}", re.IGNORECASE)
_TASK = re.compile(r"(?:(?:worker|process|proc)[_-]?|task[_-])(\d{1,6})", re.IGNORECASE)
_AZURE = re.compile(r"(?:std_log_process|70_driver_log)_(\d{1,6})")
"""Azure ML names a log for each process that it starts; a run that it starts anew has a folder ``retry_001``."""
_AZURE_RETRY = re.compile(r"retry_(\d{1,4})")

_POD_FOLDER = re.compile(r"[a-z0-9-]+_([a-z0-9][a-z0-9.-]*)_[0-9a-f]{8}-[0-9a-f-]{27}")
"""The kubelet's ``/var/log/pods/<namespace>_<pod>_<uid>``."""
_CONTAINER_FILE = re.compile(r"([a-z0-9][a-z0-9.-]*)_[a-z0-9-]+_[a-z0-9-]+-[0-9a-f]{64}")
"""The kubelet's ``/var/log/containers/<pod>_<namespace>_<container>-<id>.log``."""
_RAY_FILE = re.compile(
    r"(?:worker-[0-9a-f]{28,56}-(?:[0-9a-f]{8}|-?\d+)-|python-core-(?:worker|driver)-[0-9a-f]{28,56}_)(\d{1,8})"
)
"""Ray's logs of its processes, in the folder of a session: the last number is that of the process."""
_PADDLE_FILE = re.compile(r"(?:.+\.)?workerlog\.(\d{1,4})")
"""Paddle's launcher names a log for each process of its host."""
_SAGEMAKER_STREAM = re.compile(r"(algo-\d{1,4})-\d{10}")
_NCCL = re.compile(r"(?:^|[._-])nccl(?=[._-]|$)", re.IGNORECASE)
_NCCL_WORDS = re.compile(r"(?:^|(?<=[._-]))(?:nccl|debug|info|trace|warn|log|file|dbg)(?:[._-]|$)", re.IGNORECASE)
_HOST_AND_PID = re.compile(r"(?P<host>[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?P<by>[._-])(?P<pid>\d{2,7})")
_PID_AND_HOST = re.compile(r"(?P<pid>\d{2,7})(?P<by>[._-])(?P<host>[A-Za-z](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)")
"""What NCCL_DEBUG_FILE makes of ``%h`` and ``%p``, in either order."""
_JOB = re.compile(r"(?:[A-Za-z][\w.-]*?[._-](?=\d{4}))?(?:slurm[-_])?\d{3,}([._-])(.+)")
_JOB_AND_TASK = re.compile(
    r"(?:(?!slurm)[A-Za-z][\w.-]*?[._-])?(?P<job>\d{4,10})(?:(?P<by>[._-])(?P<step>\d{1,5}))?(?P<last>[._-])(?P<task>\d{1,5})"
)
"""``%j_%t``, ``%x-%j-%t``, ``%j.%s.%t``; what an array calls ``%A_%a`` looks the same, so that only a proof makes a
rank of the number (``engine/tasks.py``). ``%j.%s`` tells no task, nor does a date."""
_DAY = re.compile(r"(?:19|20)\d\d(?:[01]\d(?:[0-3]\d)?)?")
_NUMBERED = re.compile(r"(.+)([._-])(\d{1,6})")
_FOLDER_ENDS = re.compile(r"[/\\!]+")
"""An archive is the folder of its members: ``logs-node-7.tar.gz!train.log``."""
_MADE = "!entries"
"""Behind the path of a file of which lines were made."""
_FOLDERS = 3
"""Folders above a file that may name its writer."""


def label(path: str) -> PathLabel:
    """Reads the names in a path: the file's first, then its folder's, then those above. Raises nothing."""
    parts = parts_of(path)
    if not parts:
        return PathLabel()
    *folders, file = parts
    attempts = {int(number) for part in parts for number in _ATTEMPT.findall(part)}
    attempt = next(iter(attempts)) if len(attempts) == 1 else None
    if torchrun := _torchrun(folders, file):
        local_rank, run, above = torchrun
        stream = next((word for word in ("stdout", "stderr") if word in file), None)
        return PathLabel(Tag(local_rank=local_rank, host=_folder_host(above)), attempt, run, stream)
    if process := _AZURE.fullmatch(_stem(file)):
        retries = [int(found[1]) for part in folders[-1:] if (found := _AZURE_RETRY.fullmatch(part))]
        return PathLabel(Tag(rank=int(process[1]), host=_folder_host(folders)), retries[0] if retries else attempt)
    tag = file_tag(file)
    if tag == Tag(host=tag.host):
        tag = _folder_tag(folders)._replace(host=tag.host)
    return PathLabel(tag if tag.host else tag._replace(host=_folder_host(folders)), attempt)


def parts_of(path: str) -> list[str]:
    """The folders of a path, archives among them, and its file."""
    return [part for part in _FOLDER_ENDS.split(path.removesuffix(_MADE)) if part]


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


def file_tag(file: str) -> Tag:
    """What the name of a file alone tells."""
    stem = _stem(file)
    if tag := _rank(stem):
        return tag
    if match := _TASK.fullmatch(_bare(stem)):
        return Tag(task=int(match[1]))
    if match := _RAY_FILE.fullmatch(stem):
        return Tag(pid=int(match[1]))
    if match := _PADDLE_FILE.fullmatch(file):
        return Tag(local_rank=int(match[1]))
    if match := _CONTAINER_FILE.fullmatch(stem):
        return Tag(host=match[1])
    if _NCCL.search(stem):
        return _nccl(stem) or Tag(host=_host(stem))
    return _slurm(stem) or Tag(host=_host(stem))


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
    bare = _NCCL_WORDS.sub("", stem).strip("._-")
    for match in (_HOST_AND_PID.fullmatch(bare), _PID_AND_HOST.fullmatch(bare)):
        if match is None:
            continue
        host, pid = match["host"], match["pid"]
        # Any name may be a host's where nothing but a process id can follow it: ``nccl.h100.1024`` speaks of a size.
        is_plain = match["by"] == "." and len(pid) > 4 and re.search(r"\d", host) and re.search(r"[a-z]", host)
        if _host(host) or (is_plain and not re.fullmatch(MODEL, host)):
            return Tag(host=host, pid=int(pid))
    return None


def _slurm(stem: str) -> Tag | None:
    """SLURM's ``%j-%N``, ``%j-%N-%t``, ``%N_%t`` and ``%j-%t``: job number, host, task."""
    if (numbers := _JOB_AND_TASK.fullmatch(stem)) and (task := _task_behind_job(numbers)) is not None:
        return Tag(task=task)
    job = _JOB.fullmatch(stem)
    numbered = _NUMBERED.fullmatch(job[2] if job else stem)
    if job is None:
        is_sure = numbered is not None and numbered[2] == "_" and _host(numbered[1]) == numbered[1]
        return Tag(host=numbered[1], task=int(numbered[3])) if numbered and is_sure else None
    separator, rest = job.groups()
    if numbered and numbered[2] == separator and _host(numbered[1]) and (separator != "-" or "-" not in numbered[1]):
        return Tag(host=numbered[1], task=int(numbered[3]))
    # ``4711-gpu-a12-13`` may be task 13 on gpu-a12, or gpu-a12-13.
    is_unclear = numbered is not None and _host(numbered[1]) is not None and not rest.startswith("ip-")
    host = None if is_unclear else _host(rest)
    return Tag(host=host) if host or is_unclear else None


def _task_behind_job(match: re.Match[str]) -> int | None:
    job, step = match["job"], match["step"]
    if _DAY.fullmatch(job) or (step is None and match["last"] == ".") or (step and match["by"] != match["last"]):
        return None
    return int(match["task"])


def _folder_tag(folders: list[str]) -> Tag:
    """The rank of ``rank_3/train.log``."""
    tag = _rank(folders[-1]) if folders and _RANK_FOLDER.fullmatch(folders[-1]) else None
    return tag._replace(host=None) if tag else Tag()


def _folder_host(folders: list[str]) -> str | None:
    for folder in reversed(folders[-_FOLDERS:]):
        if pod := _POD_FOLDER.fullmatch(folder):
            return pod[1]
        if host := folder_host(folder):
            return host
    return None


def folder_host(folder: str) -> str | None:
    """The host that the name of a folder, of an archive or of a file is alone."""
    return _host(_stem(folder))


def bare_name(name: str) -> str:
    """A name without its suffixes, and without words that say what a log is about."""
    return _bare(_stem(name))


def is_pod_folder(name: str) -> bool:
    """Whether the kubelet keeps the logs of a pod in a folder of this name, numbered by the restarts of containers."""
    return _POD_FOLDER.fullmatch(name) is not None


def _host(name: str) -> str | None:
    """The host or pod that a whole name is, but for words about the log around it."""
    if is_pod_name(name):
        return name
    if stream := _SAGEMAKER_STREAM.fullmatch(name):
        return stream[1]
    bare = _bare(name)
    return bare if is_host_name(bare) or is_address(bare) else None
