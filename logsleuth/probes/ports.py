"""Whether the ports of the rendezvous are free: from the kernel's table of sockets, without opening one."""

import os
import re
from pathlib import Path

from logsleuth.probes.output import ABSENT, Answer

USUAL = 29500
"""The port that torchrun and torch.distributed take where nobody names one."""
_LISTEN = "0A"
"""TCP_LISTEN in include/net/tcp_states.h."""
_SOCKET = re.compile(r"\s*\d+: ([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4}) \S+ ([0-9A-F]{2}) ")


def rendezvous() -> Answer:
    """``rendezvous port 29500: free`` or ``...: in use, a process listens on 0.0.0.0``; and MASTER_PORT's."""
    listening: dict[int, list[str]] = {}
    is_told = False
    for table in ("tcp", "tcp6"):
        try:
            text = Path(f"/proc/net/{table}").read_text(encoding="ascii", errors="replace")
        except OSError:
            continue
        is_told = True
        for line in text.splitlines():
            match = _SOCKET.match(line)
            if match and match[3] == _LISTEN:
                listening.setdefault(int(match[2], 16), []).append(_address(match[1]))
    if not is_told:
        return Answer(ABSENT, b"")
    lines = [_said(port, why, listening) for port, why in _asked().items()]
    return Answer("0", "".join(f"{line}\n" for line in lines).encode())


def _asked() -> dict[int, str]:
    named = os.environ.get("MASTER_PORT", "")
    if re.fullmatch(r"\d{1,5}", named) and 0 < int(named) < 65536 and int(named) != USUAL:
        return {int(named): "MASTER_PORT", USUAL: "the usual one"}
    return {USUAL: "MASTER_PORT" if named == str(USUAL) else "the usual one"}


def _said(port: int, why: str, listening: dict[int, list[str]]) -> str:
    state = f"in use, a process listens on {', '.join(sorted(set(listening[port])))}" if port in listening else "free"
    return f"rendezvous port {port}: {state} ({why})"


def _address(digits: str) -> str:
    """The kernel writes addresses as words of 32 bits in the order of the machine."""
    import sys
    from ipaddress import ip_address

    words = [bytes.fromhex(digits[at : at + 8]) for at in range(0, len(digits), 8)]
    packed = b"".join(word[::-1] if sys.byteorder == "little" else word for word in words)
    return str(ip_address(packed))
