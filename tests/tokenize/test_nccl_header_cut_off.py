"""Headers of NCCL from which somebody took host and pid before showing the log."""

import pytest

from tests.tokenize.framed import told


@pytest.mark.parametrize(
    ("header", "level"),
    [
        (b"[0] misc/socket.cc:71 NCCL WARN ", "W"),
        (b"[7] os/linux.cc:200 (ncclOsSocketPollConnect) NCCL WARN ", "W"),
        (b"[0] include/socket.h:185 WARN ", "W"),
        (b"[0] NCCL INFO ", "I"),
        (b"init.cc:497 NCCL WARN ", "W"),
    ],
)
def test_a_header_may_have_lost_host_and_pid(header: bytes, level: str) -> None:
    assert told(header + b"hello there") == {"level": level, "message": b"hello there"}


@pytest.mark.parametrize("line", [b"[0] NCCL version 2.18.3", b"init.cc:497 failed", b"[0] train.py:71 WARN hello"])
def test_what_is_no_rest_of_a_header(line: bytes) -> None:
    assert told(line)["message"] == line


def test_a_host_may_have_been_blacked_out() -> None:
    line = b"<cluster_name>:922:1149 [3] misc/socket.cc:49 NCCL WARN hello there"
    assert told(line) == {"host": "<cluster_name>", "pid": 922, "level": "W", "message": b"hello there"}
