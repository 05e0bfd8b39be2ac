"""What the survivors say when a peer or the store has gone."""

from tests.simulation.eras import Era

_GLHF = (
    ". This is typically caused by a remote worker crashing. Check the logs of the remote worker before reporting an error. "
    "GLHF! \U0001f3d6️"
)


def gloo_closed(era: Era, address: str, port: int, *, is_reset: bool) -> str:
    root = "/__w/pytorch/pytorch" if era.name >= "2.6" else ".."
    end = _GLHF if era.name == "2.9" else ""
    if is_reset:
        return f"RuntimeError: [{root}/third_party/gloo/gloo/transport/tcp/pair.cc:537] Read error [{address}]:{port}: Connection reset by peer{end}"
    return f"RuntimeError: [{root}/third_party/gloo/gloo/transport/tcp/pair.cc:553] Connection closed by peer [{address}]:{port}{end}"


def gloo_timeout(era: Era, seconds: float, *, receives: bool) -> str:
    root = "/__w/pytorch/pytorch" if era.name >= "2.6" else ".."
    place, what = ("78", "recv") if receives else ("129", "send")
    return (
        f"RuntimeError: [{root}/third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:{place}] Timed out waiting "
        f"{int(seconds * 1000)}ms for {what} operation to complete"
    )


def nccl_remote(era: Era, peer: str) -> str:
    klass = "torch.distributed.DistBackendError" if era.name[0] == "2" else "RuntimeError"
    return (
        f"{klass}: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1970, remote process exited or there "
        f"was a network error, NCCL version {era.nccl}\n"
        "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.\n"
        f"Last error:\nsocketProgress: Connection closed by remote peer {peer}"
    )


def nccl_async(local: int, work: str, version: str, era: Era) -> str:
    said = (
        "raised the following async exception"
        if era.name >= "2.5"
        else "found async exception when checking for NCCL errors"
    )
    subject = f"Collective {work} {said}" if era.name >= "2.5" else said
    return f"[Rank {local}] {subject}: NCCL error: remote process exited or there was a network error, NCCL version {version}"


def store_gone(era: Era, own: str, master: str, port: int) -> tuple[str, str]:
    """File and message of the warning that the store does not answer any more."""
    at = f"SocketImpl(fd=63, addr=[{own}]:41206, remote=[{master}]:{port})"
    if era.name >= "2.8":
        why = "Failed to recv, got 0 bytes. Connection was likely closed. Did the remote server shutdown or crash?"
        return "TCPStore.cpp:125", f"[c10d] recvValue failed on {at}: {why}"
    return "TCPStore.cpp:106", f"[c10d] recvValue failed on {at}: failed to recv, got 0 bytes"


def store_error(era: Era) -> str:
    """The exception of a rank that needed the store."""
    if era.name in ("1.13", "2.1"):
        return "RuntimeError: Connection reset by peer"
    if era.name >= "2.8":
        return (
            "torch.distributed.DistNetworkError: Failed to recv, got 0 bytes. Connection was likely closed. Did the remote "
            "server shutdown or crash?"
        )
    if era.name >= "2.5":
        return "torch.distributed.DistNetworkError: failed to recv, got 0 bytes"
    return "torch.distributed.DistNetworkError: Connection reset by peer"
