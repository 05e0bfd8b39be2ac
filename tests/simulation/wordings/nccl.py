"""What NCCL writes with NCCL_DEBUG=INFO while a communicator comes to be."""

import zlib
from typing import NamedTuple


class Peer(NamedTuple):
    """A rank in a communicator."""

    host: str
    address: str
    pid: int
    device: int
    rank: int
    """Within the communicator."""
    size: int
    version: str

    @property
    def head(self) -> str:
        return f"{self.host.split('.')[0]}:{self.pid}:{self.pid + 211} [{self.device}] NCCL INFO "


def _communicator(peer: Peer, guid: str) -> str:
    number = zlib.crc32(f"{guid} {peer.size}".encode())
    return (
        f"comm 0x{0x55D0_0000 + peer.pid * 64:x} rank {peer.rank} nranks {peer.size} cudaDev {peer.device} nvmlDev {peer.device} "
        f"busId {(peer.device + 1) * 0x1B000:x} commId 0x{number * 0x9E3779B1 & (2**64 - 1):x}"
    )


def _minor(peer: Peer) -> int:
    return int(peer.version.split(".")[1])


def starting(peer: Peer, guid: str) -> list[str]:
    """Up to the exchange of addresses, which needs all ranks."""
    minor = _minor(peer)
    using = "Bootstrap: Using" if minor >= 24 else "Bootstrap : Using"
    function = "ncclCommInitRankConfig " if minor >= 23 else "ncclCommInitRank " if minor >= 21 else ""
    texts = [f"{using} eth0:{peer.address}<0>", f"NET/Socket : Using [0]eth0:{peer.address}<0>", "Using network Socket"]
    if minor >= 18:
        texts.append(f"{function}{_communicator(peer, guid)} - Init START")
    return [peer.head + text for text in texts]


def complete(peer: Peer, guid: str) -> list[str]:
    minor = _minor(peer)
    function = "ncclCommInitRankConfig " if minor >= 23 else "ncclCommInitRank " if minor >= 21 else ""
    rings = "Connected all rings, use ring PXN 0 GDR 1" if minor >= 24 else "Connected all rings"
    texts = [rings, "Connected all trees", f"{function}{_communicator(peer, guid)} - Init COMPLETE"]
    return [peer.head + text for text in texts]


def unreachable(peer: Peer, target: str, port: int) -> str:
    """The warning after all attempts to connect; NCCL begins it with an empty line."""
    minor = _minor(peer)
    head = peer.head.replace("NCCL INFO ", "misc/socket.cc:490 NCCL WARN ")
    if minor >= 27:
        return f"\n{head}socketPollConnect: connect to {target}<{port}> returned Connection timed out, exceeded error retry count after 34 attempts"
    if minor >= 24:
        return f"\n{head}socketPollConnect: connect returned Connection timed out, exceeded error retry count (34)"
    if minor >= 16:
        return f"\n{head}socketStartConnect: Connect to {target}<{port}> failed : Connection timed out"
    return f"\n{head}Net : Connect to {target}<{port}> failed : Connection timed out"
