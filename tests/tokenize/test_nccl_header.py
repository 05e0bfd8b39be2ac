"""NCCL's header in all its versions."""

import pytest

from logsleuth.tokenize.framing import frame
from logsleuth.tokenize.spellings import read_clock
from logsleuth.tokenize.stamps import read
from tests.tokenize.framed import told

SIGNATURE = b"int cm_req_handle_error_entry(nccl_net_ofi_context_t*, fid_cq*, fi_cq_err_entry*, uint16_t):46"


@pytest.mark.parametrize(
    ("header", "level"),
    [
        (b"gpu-a01:4101:4188 [0] NCCL INFO ", "I"),
        (b"gpu_a01.x:4101:4188 [-1] NCCL INFO ", "I"),
        (b"gpu-a01:4101:4255 [0] transport/net_ib.cc:1296 NCCL WARN ", "W"),
        (b"gpu-a01:4101:4255 [7] transport/net_ib/p2p.cc:688 (ncclIbLogCompletionWithError) NCCL WARN ", "W"),
        (b"gpu-a01:4101:4255 [0] ib_plugin.c:1615 NCCL WARN ", "W"),
        (b"gpu-a01:4101:4255 [0] create_nccl_ofi_component:459 NCCL WARN ", "W"),
        (b"gpu-a01:4101:4255 [0] " + SIGNATURE + b" NCCL WARN ", "W"),
        (b"gpu-a01:4101:4255 [0] NCCL WARN ", "W"),
        (b"gpu-a01:4101:4255 [0] 123.456789 ncclAllReduce:12 NCCL TRACE ", "D"),
        (b"gpu-a01:4101:4255 NCCL CALL ", "D"),
    ],
)
def test_peels_every_version(header: bytes, level: str) -> None:
    host = header.split(b":")[0].decode()
    assert told(header + b"hello there") == {"host": host, "pid": 4101, "level": level, "message": b"hello there"}


@pytest.mark.parametrize("stamp", [b"", b"[2026-05-05 06:16:47] "])
def test_a_bare_number_in_brackets_before_the_header_is_a_launchers(stamp: bytes) -> None:
    line = b"[3] " + stamp + b"gpu-a01:4101:4255 [0] misc/socket.cc:58 NCCL WARN hello"
    assert told(line) == {"host": "gpu-a01", "pid": 4101, "level": "W", "message": b"hello"}


def test_a_bare_number_in_brackets_before_anything_else_is_text() -> None:
    assert told(b"[3] gpu-a01: hello") == {"message": b"[3] gpu-a01: hello"}


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        (b"[2026-05-05 06:16:47] ", b"2026-05-05 06:16:47"),
        (b"[2026-05-05 06:16:47.123] ", b"2026-05-05 06:16:47.123"),
        (b"2026-05-05 06:16:47 ", b"2026-05-05 06:16:47"),
        (b"<2026-05-05 06:16:47> ", b"2026-05-05 06:16:47"),
        (b"(Tue May  5 06:16:47 2026) ", b"2026-05-05 06:16:47"),
        (b"06:16:47.123456 ", b"06:16:47.123456"),
        (b"[06:16:47] ", b"06:16:47"),
        (b"Tuesday, May 05, 06:16 PM: ", None),
        (b"1777961807 ", None),
    ],
)
def test_the_user_may_choose_the_shape_of_the_stamp(stamp: bytes, expected: bytes | None) -> None:
    line = stamp + b"gpu-a01:4101:4255 [0] misc/socket.cc:58 NCCL WARN hello"
    assert told(line) == {"host": "gpu-a01", "pid": 4101, "level": "W", "message": b"hello"}
    assert frame(line).stamp == ((read(expected) or read_clock(expected)) if expected else None)


@pytest.mark.parametrize(
    "line",
    [
        b"     314.7   26.66   26.66      0 gpu-a01:4101:4255 [1] NCCL INFO hello",
        b"loss is 3 gpu-a01:4101:4255 [1] NCCL INFO hello",
        b"gpu-a01:4101:4255 [0] torn text gpu-a02:7:8 [0] init.cc:1 NCCL WARN hello",
        b"gpu-a01:4101:4255 [0] no place here NCCL WARN hello",
        b"vLLM is using NCCL INFO",
    ],
)
def test_text_before_a_header_is_no_stamp(line: bytes) -> None:
    assert told(line) == {"message": line}


def test_the_rank_in_front_of_an_init_line_counts_inside_the_communicator() -> None:
    line = b"gpu-a01:4101:4188 [0] NCCL INFO [Rank 5] ncclCommInitRankConfig comm 0x55 rank 5 nranks 16 - Init START"
    facts = told(line)
    assert facts["message"] == b"ncclCommInitRankConfig comm 0x55 rank 5 nranks 16 - Init START"
    assert facts["group"] == (None, None, None, 5)
    assert "rank" not in facts


def test_a_tagged_header_tells_task_and_host() -> None:
    line = b"[1,9]<stdout>:gpu-a02:991:1102 [1] bootstrap.cc:75 NCCL WARN Message truncated"
    assert told(line) == {"task": 9, "host": "gpu-a02", "pid": 991, "level": "W", "message": b"Message truncated"}


@pytest.mark.parametrize(
    "header",
    [
        b"transport/nvls.cc:251 NCCL WARN ",
        b"[3] include/shm.h:28 NCCL WARN ",
        b"gpu-a01.example.com:XXXXXX [5] ibvwrap.c:262 NCCL WARN ",
        b"...-48:4101:4188 [0] transport/net_ib.cc:93 NCCL WARN ",
        b"<name>:4101:4188 [1] misc/socket.cc:567 NCCL WARN ",
        b"node [0] /app/rccl/build/release/hipify/src/init.cc:213 NCCL WARN ",
        b"4101:4188 [0] misc/ibvwrap.cc:63 NCCL WARN ",
        b"> gpu-a01:4101:4188 [0] transport/net_ib.cc:101 NCCL WARN ",
        b"gpu-a01:4101:XXXX [0] transport/[net_ib.cc:101](http://net_ib.cc:101/) NCCL WARN ",
        b"[0] NCCL INFO ",
        b"init.cc:497 NCCL WARN ",
        b"[2026-05-05 06:16:47] [0] misc/ibvwrap.cc:262 NCCL WARN ",
    ],
)
def test_what_was_left_of_a_header_is_peeled(header: bytes) -> None:
    level = "I" if b"INFO" in header else "W"
    assert told(header + b"hello there") == {"level": level, "message": b"hello there"}


@pytest.mark.parametrize(
    "line",
    [
        b"grep NCCL WARN job.log",
        b"NCCL version 2.20.5+cuda12.4",
        b"NCCL WARN hello there",
        b"[0] NCCL version 2.18.3",
        b"[0] train.py:71 WARN hello",
        b"lines with NCCL WARN above it name the call",
        b"it [0] says NCCL INFO hello",
    ],
)
def test_words_around_the_level_are_no_header(line: bytes) -> None:
    assert told(line) == {"message": line}
