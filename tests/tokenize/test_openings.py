"""What a message opens with: exception classes, ``what()``, ``terminate called``."""

import pytest

from logsleuth.model.origin import Group
from logsleuth.tokenize.framing import frame


def opened(line: bytes) -> tuple[str | None, bytes]:
    peeled = frame(line)
    return peeled.exception, line[peeled.body :]


@pytest.mark.parametrize(
    ("line", "exception", "body"),
    [
        (b"RuntimeError: boo", "RuntimeError", b"boo"),
        (b"[rank1]: RuntimeError: boo", "RuntimeError", b"boo"),
        (b"    ValueError: boo", "ValueError", b"boo"),
        (b"torch.OutOfMemoryError: CUDA out of memory.", "torch.OutOfMemoryError", b"CUDA out of memory."),
        (b"torch._dynamo.exc.Unsupported: call", "torch._dynamo.exc.Unsupported", b"call"),
        (b"subprocess.TimeoutExpired: x", "subprocess.TimeoutExpired", b"x"),
        (b"ray.exceptions.RayTaskError(ValueError): ray::f", "ray.exceptions.RayTaskError(ValueError)", b"ray::f"),
        (b"ncclRemoteError: A call failed", "ncclRemoteError", b"A call failed"),
        (b"SystemExit: 2", "SystemExit", b"2"),
        (b"Exception: ", "Exception", b""),
        (b"[W105 10:00:00.500000000 reducer.cpp:9] Warning: unused", "Warning", b"unused"),
        (b"UserWarning: old", "UserWarning", b"old"),
        (b"KeyboardInterrupt", "KeyboardInterrupt", b""),
        (b"MemoryError", "MemoryError", b""),
        (b"EOFError  \r", "EOFError", b""),
        (b"x.errors.ChildFailedError: ", "x.errors.ChildFailedError", b""),
        (b"x.errors.ChildFailedError:", "x.errors.ChildFailedError", b""),
        (b"x.rendezvous.api.RendezvousTimeoutError", "x.rendezvous.api.RendezvousTimeoutError", b""),
        (b"  what():  CUDA error: boo", None, b"CUDA error: boo"),
        (b"  what():  RuntimeError: boo", "RuntimeError", b"boo"),
        (b"[default1]:  what():  boo", None, b"boo"),
        (b"terminate called after throwing an instance of 'c10::DistBackendError'", "c10::DistBackendError", b""),
        (b"terminate called without an active exception", None, b""),
    ],
)
def test_peels(line: bytes, exception: str | None, body: bytes) -> None:
    assert opened(line) == (exception, body)


@pytest.mark.parametrize(
    "line",
    [
        b"Loss: 3",
        b"Epoch: 1",
        b"Timeout: 30",
        b"Exit: 0",
        b"NcclTimeout: 600",
        b"error: x",
        b"ERROR: x",
        b"val_error: 0.3",
        b"lastError: none",
        b"Model.Layer: 3",
        b"node-3.Cluster: x",
        b"train.py: done",
        b"Error",
        b"Exception",
        b"Warnings: 3",
        b"Exception raised from checkTimeout at x.cpp:1 (most recent call first):",
        b"raise ValueError",
        b"what is this",
        b"terminate it",
        b"The error was RuntimeError: boo",
    ],
)
def test_what_is_no_exception_stays(line: bytes) -> None:
    peeled = frame(line)
    assert (peeled.exception, peeled.body) == (None, peeled.start)


def test_tags_behind_an_opening_tell_the_group() -> None:
    line = b"  what():  [PG ID 0 PG GUID 0 Rank 1] Process group watchdog thread terminated with exception: [Rank 1] x"
    assert frame(line).group == Group("0", "0", None, 1)
    assert opened(line)[1].startswith(b"Process group watchdog")
    line = b"RuntimeError: [Rank 1] Caught collective operation timeout"
    assert frame(line).group == Group(None, None, None, 1)
    assert opened(line) == ("RuntimeError", b"Caught collective operation timeout")
