"""Asks a node everything that can be asked without harm."""

import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from logsleuth.probes import environment, files, limits, ports, versions
from logsleuth.probes.kinds import Command, Facts, Files, Probe
from logsleuth.probes.output import Answer, Header, Output, host_name, instant
from logsleuth.probes.running import ask
from logsleuth.probes.table import PROBES

_AT_ONCE = 4
"""Tools that run beside each other: some wait for seconds, none works hard."""
_FACTS: dict[str, Callable[[], Answer]] = {
    "ulimit": limits.ulimit,
    "cgroup": limits.cgroup,
    "ports": ports.rendezvous,
    "versions": versions.told,
    "nccl-env": environment.told,
}


def outputs(at: float | None = None) -> list[Output]:
    """What this node answers, in the order of the table; ``at`` is the time to state, in seconds since 1970."""
    host = this_host()
    when = instant(time.time() if at is None else at)
    asked = [probe for probe in PROBES if isinstance(probe.asks, Command | Files | Facts)]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        answers = list(pool.map(_answer, asked))
    return [
        Output(probe, Header(probe.name, host, answer.exit, when, command(probe)), answer.body)
        for probe, answer in zip(asked, answers, strict=True)
    ]


def this_host() -> str:
    """The name of this node, as headers and folders hold it."""
    return host_name(socket.gethostname())


def command(probe: Probe) -> str:
    """What would be typed to see the same."""
    match probe.asks:
        case Command(words):
            return " ".join(words)
        case Files(patterns):
            return f"cat {' '.join(patterns)}"
        case Facts(words):
            return words
        case _:
            return ""


def _answer(probe: Probe) -> Answer:
    match probe.asks:
        case Command() as tool:
            return ask(tool)
        case Files() as there:
            return files.read(there)
        case _:
            return _FACTS[probe.name]()
