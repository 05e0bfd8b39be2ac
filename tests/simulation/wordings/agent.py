"""How torchrun's agents word what they do, release by release."""

from collections.abc import Sequence
from typing import NamedTuple

from tests.simulation.clock import Clock
from tests.simulation.eras import Era

_ELASTIC = "torch/distributed/elastic"
API, MULTI, RUN = f"{_ELASTIC}/agent/server/api.py", f"{_ELASTIC}/multiprocessing/api.py", "torch/distributed/run.py"
RENDEZVOUS = f"{_ELASTIC}/rendezvous/dynamic_rendezvous.py"
_SIGNALS = {-6: "SIGABRT", -9: "SIGKILL", -11: "SIGSEGV", -15: "SIGTERM"}


def header(era: Era, clock: Clock, pid: int, at: float, level: str, file: str, line: int) -> str:
    """What stands before a line of the agent."""
    words = {"I": "INFO", "W": "WARNING", "E": "ERROR"}
    logger = file.removesuffix(".py").replace("/", ".")
    match era.agent:
        case "basic":
            return f"{words[level]}:{logger}:"
        case "bracketed":
            return f"[{clock.comma(at)}] {logger}: [{words[level]}] "
        case "thread":
            return f"{level}{clock.python(at)} {139_000_000_000_000 + pid * 4096} {file}:{line}] "
    return f"{level}{clock.python(at)} {pid} {file}:{line}] "


def lines(era: Era, clock: Clock, pid: int, at: float, level: str, file: str, line: int, texts: Sequence[str]) -> str:
    """A record of several lines: newer releases repeat the header on each."""
    head = header(era, clock, pid, at, level, file, line)
    if era.agent in ("thread", "pid"):
        return "\n".join(head + text for text in texts)
    return head + "\n".join(texts)


def omp() -> list[str]:
    stars = "*****************************************"
    text = (
        "Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being "
        "overloaded, please further tune the variable for optimal performance in your application as needed. "
    )
    return ["", stars, text, stars]


def rendezvous_complete(attempt: int, master: str, port: int, node: int, nodes: int, ranks: Sequence[int]) -> list[str]:
    count = len(ranks)
    return [
        "[default] Rendezvous complete for workers. Result:",
        f"  restart_count={attempt}",
        f"  master_addr={master}",
        f"  master_port={port}",
        f"  group_rank={node}",
        f"  group_world_size={nodes}",
        f"  local_ranks={list(range(count))}",
        f"  role_ranks={list(ranks)}",
        f"  global_ranks={list(ranks)}",
        f"  role_world_sizes={[nodes * count] * count}",
        f"  global_world_sizes={[nodes * count] * count}",
        "",
    ]


class Failure(NamedTuple):
    rank: int
    local: int
    pid: int
    code: int
    noticed: float


def table(script: str, host: str, clock: Clock, failures: Sequence[Failure]) -> str:
    """The exception with which an agent ends; the first failure is the root, as it sees things."""
    root, *others = failures
    shown = [line for number, failure in enumerate(others, 1) for line in _entry(number, host, clock, failure)]
    return "\n".join(
        [
            "Traceback (most recent call last):",
            '  File "/opt/venv/bin/torchrun", line 8, in <module>',
            "    sys.exit(main())",
            '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/elastic/multiprocessing/errors/__init__.py", line 355, in wrapper',
            "    return f(*args, **kwargs)",
            '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/launcher/api.py", line 269, in launch_agent',
            "    raise ChildFailedError(",
            "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
            "=" * 60,
            f"{script} FAILED",
            "-" * 60,
            "Failures:",
            *(shown or ["  <NO_OTHER_FAILURES>"]),
            "-" * 60,
            "Root Cause (first observed failure):",
            *_entry(0, host, clock, root),
            "=" * 60,
        ]
    )


def _entry(number: int, host: str, clock: Clock, failure: Failure) -> list[str]:
    signal = _SIGNALS.get(failure.code)
    said = (
        f"Signal {-failure.code} ({signal}) received by PID {failure.pid}"
        if signal
        else "To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html"
    )
    return [
        f"[{number}]:",
        f"  time      : {clock.at(failure.noticed):%Y-%m-%d_%H:%M:%S}",
        f"  host      : {host}",
        f"  rank      : {failure.rank} (local_rank: {failure.local})",
        f"  exitcode  : {failure.code} (pid: {failure.pid}) {f' ({signal})' if signal else ''}",
        "  error_file: <N/A>",
        f"  traceback : {said}",
    ]
