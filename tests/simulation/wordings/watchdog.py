"""How the watchdog of NCCL's process groups words what it sees, release by release."""

from typing import NamedTuple

from tests.simulation.clock import Clock
from tests.simulation.eras import Era
from tests.simulation.job import Call, Group

_USAGE = (
    "This is most likely caused by incorrect usages of collectives, e.g., wrong sizes used across ranks, the order of "
    "collectives is not same for all ranks or the scheduled collective, for some reason, didn't run. Additionally, "
    "this can be caused by GIL deadlock or other reasons such as network errors or bugs in the communications library "
    "(e.g. NCCL), etc. "
)


class Speaker(NamedTuple):
    """A rank in one of its process groups."""

    era: Era
    clock: Clock
    rank: int
    group: Group
    number: int
    """Of the group in this process."""

    @property
    def local(self) -> int:
        """The rank within the group."""
        return self.group.members.index(self.rank)

    @property
    def tag(self) -> str:
        described = f"({self.group.description})" if self.group.description else ""
        match self.era.tag:
            case "PG":
                return f"[PG {self.number} Rank {self.local}] "
            case "PG (desc)":
                return f"[PG {self.number} {described} Rank {self.local}] ".replace("  ", " ")
            case "PG ID":
                return f"[PG ID {self.number} PG GUID {self.group.guid}{described} Rank {self.local}] "
        return ""

    def line(
        self, at: float, message: str, *, level: str = "E", line: int = 0, file: str = "ProcessGroupNCCL.cpp"
    ) -> str:
        return cpp(self.era, self.clock, self.rank, at, message, level=level, place=f"{file}:{line or self.era.line}")


def cpp(
    era: Era, clock: Clock, rank: int, at: float, message: str, *, level: str, place: str, is_known: bool = True
) -> str:
    """A line of torch's C++ code; ``is_known``: the process has a group and so a rank."""
    prefix = f"[rank{rank}]:" if era.header != "bare" and is_known else ""
    moment = clock.cpp(at) + " " if era.header == "stamped" else " "
    return f"{prefix}[{level}{moment}{place}] {message}"


def work(era: Era, seq: int, call: Call, timeout: float) -> str:
    sizes = f"NumelIn={call.numel_in}, NumelOut={call.numel_out}" if era.has_numel else f"TensorShape=[{call.numel_in}]"
    return f"WorkNCCL(SeqNum={seq}, OpType={call.op}, {sizes}, Timeout(ms)={int(timeout * 1000)})"


def timeout_text(speaker: Speaker, work_text: str, ran: float) -> str:
    return (
        f"[Rank {speaker.local}] Watchdog caught collective operation timeout: {work_text} ran for "
        f"{int(ran * 1000)} milliseconds before timing out."
    )


def counters(speaker: Speaker, at: float, seq: int, enqueued: int, completed: int) -> list[str]:
    """Where the group stands on this rank, as far as the release says so."""
    stand = f"last enqueued NCCL work: {enqueued}, last completed NCCL work: {completed}."
    timed_out = speaker.line(at, f"{speaker.tag}Timeout at NCCL work: {seq}, {stand}")
    match speaker.era.counters:
        case "at":
            return [timed_out]
        case "exception":
            caught = f"{speaker.tag}Exception (either an error or timeout) detected by watchdog at work: {seq}, {stand}"
            return [speaker.line(at, caught, line=1664)]
        case "status":
            status = f"PG status: last enqueued work: {enqueued}, last completed work: {completed}"
            found = f"{speaker.tag} failure detected by watchdog at work sequence id: {seq} {status}"
            missing = (
                "Stack trace of the failed collective not found, potentially because FlightRecorder is disabled. You can "
                "enable it by setting TORCH_NCCL_TRACE_BUFFER_SIZE to a non-zero value."
            )
            return [speaker.line(at, found, line=2268), speaker.line(at, missing, line=681)]
    return []


def signals(speaker: Speaker, at: float, enqueued: int, completed: int) -> list[str]:
    """The rank that timed out first tells the others."""
    stand = f"Last enqueued NCCL work: {enqueued}, last completed NCCL work: {completed}."
    if speaker.era.signals == "global":
        text = f"{speaker.tag}Received a dump signal from this local rank and will start to dump the debug info. {stand}{_USAGE}"
        return [speaker.line(at, text, line=1298), _preparing(speaker, at)]
    text = (
        f"{speaker.tag}Received a dump signal due to a collective timeout from this local rank and we will try our best to "
        f"dump the debug info. {stand}{_USAGE}"
    )
    first = [speaker.line(at, f"{speaker.tag}First PG on this rank to signal dumping.", line=1870)]
    return [*(first if speaker.era.name >= "2.7" else []), speaker.line(at, text, line=1538), _preparing(speaker, at)]


def told(speaker: Speaker, at: float, source: int, enqueued: int, completed: int) -> list[str]:
    """A rank learns from the store that another one has timed out."""
    stand = f"Last enqueued NCCL work: {enqueued}, last completed NCCL work: {completed}."
    if speaker.era.signals == "global":
        text = f"{speaker.tag}Received a global dump signal from rank {source}, and will start to dump the debug info. {stand}{_USAGE}"
        return [speaker.line(at, text, line=1296), _preparing(speaker, at)]
    observed = f"{speaker.tag}Observed flight recorder dump signal from another rank via TCPStore."
    text = (
        f"{speaker.tag}Received a dump signal due to a collective timeout from  rank {source} and we will try our best to "
        f"dump the debug info. {stand}{_USAGE}"
    )
    return [speaker.line(at, observed, line=1685), speaker.line(at, text, line=1746), _preparing(speaker, at)]


def _preparing(speaker: Speaker, at: float) -> str:
    return speaker.line(
        at, f"{speaker.tag}ProcessGroupNCCL preparing to dump debug info. Include stack trace: 1", line=1536
    )


def aborting(speaker: Speaker, at: float, reason: str) -> list[str]:
    """The watchdog takes the process down for a reason that it had told before."""
    rank = f"[Rank {speaker.local}] "
    data = (
        "Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels, subsequent GPU "
        "operations might run on corrupted/incomplete data."
    )
    down = "To avoid data inconsistency, we are taking the entire process down."
    thread = (
        "Process group watchdog thread"
        if speaker.era.name >= "2.3" and speaker.era.name[0] == "2"
        else "NCCL watchdog thread"
    )
    ended = f"{speaker.tag if speaker.era.tag else rank}{thread} terminated with exception: {reason}"
    klass = "std::runtime_error" if speaker.era.name == "1.13" else "c10::DistBackendError"
    is_old = speaker.era.name == "1.13"
    return [
        speaker.line(at, ("" if is_old else rank) + data, line=695),
        speaker.line(at, ("" if is_old else rank) + down, line=701),
        *([] if is_old else [speaker.line(at, ended, line=1895)]),
        f"terminate called after throwing an instance of '{klass}'\n  what():  {reason if is_old else ended}",
    ]


def terminating(speaker: Speaker, at: float, why: str) -> str:
    """The fatal line; its tag is doubled."""
    text = f"{speaker.tag}{speaker.tag}Terminating the process after attempting to dump debug info, due to {why}."
    return speaker.line(at, text, level="F", line=1557)


def stuck(speaker: Speaker, at: float, seconds: int) -> list[str]:
    """The heartbeat monitor finds that the watchdog makes no progress, and ends the process."""
    if speaker.era.name == "2.2":
        text = f"[Rank {speaker.local}] NCCL monitoring thread detects no heartbeat and will finally kill the process! terminatedTime: {seconds}"
        return [speaker.line(at, text, level="F", line=1023)]
    if speaker.era.name in ("2.3", "2.4"):
        text = f"{speaker.tag}Heartbeat monitor timed out! Process will be terminated after dumping debug info. workMetaList_.size()=3"
        fatal = (
            f"{speaker.tag}{speaker.tag}ProcessGroupNCCL's watchdog got stuck for {seconds} seconds without making progress in "
            "monitoring enqueued collectives. This typically indicates a NCCL/CUDA API hang blocking the watchdog, and could "
            "be triggered by another thread holding the GIL inside a CUDA api, or other deadlock-prone behaviors."
        )
        return [speaker.line(at, text, line=1282), speaker.line(at + 3, fatal, level="F", line=1316)]
    text = (
        f"{speaker.tag}ProcessGroupNCCL's watchdog got stuck for {seconds} seconds without making progress in monitoring "
        "enqueued collectives. This typically indicates a NCCL/CUDA API (e.g., CudaEventDestroy) hang blocking the watchdog, "
        "and could be triggered by another thread holding the GIL inside a CUDA api (for example, CudaEventDestroy), or other "
        "deadlock-prone behaviors.If you suspect the watchdog is not actually stuck and a longer timeout would help, you can "
        "either increase the timeout (TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC) to a larger value or disable the heartbeat monitor "
        "(TORCH_NCCL_ENABLE_MONITORING=0).If either of aforementioned helps, feel free to file an issue to PyTorch about the "
        "short timeout or false positive abort; otherwise, please attempt to debug the hang. "
    )
    return [speaker.line(at, text, line=1484), terminating(speaker, at + 3, "ProcessGroupNCCL watchdog hang")]


def desync_report(own: int, lagging: tuple[int, ...], present: tuple[int, ...], number: int, op: str) -> str:
    """What TORCH_NCCL_DESYNC_DEBUG adds to the reason; collectives are counted from 1."""
    there, late = (", ".join(map(str, ranks)) for ranks in (present, lagging))
    if number <= 1:
        return f"\n\t - To our best knowledge, ranks [{late}] are the lagging ranks that caused this timeout. They never joined any collectives"
    return (
        f"\n\t - [{own}] Timeout at collective: {op}, #{number}"
        "\n\t - To our best knowledge, the lagging/dead/mismatched ranks that caused the desync are:"
        f"\n\t   - [{there}] joined but didn't finish collective #{number} (count from 1)"
        f"\n\t     [{late}] finished collective #{number - 1}, but didn't join collective #{number} (count from 1)"
        "\n\t - Snapshot of ranks' latest states:"
        f"\n\t   #{number} started ranks:\n\t     [{there}] started {op}"
        f"\n\t   #{number - 1} finished ranks:\n\t     [{late}] finished {op}"
    )
