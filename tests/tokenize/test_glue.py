"""Where a physical line holds several records, and where it does not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.tokenize.framing import frame
from logsleuth.tokenize.glue import splits

C10 = b"[E709 17:05:38.162555850 ProcessGroupNCCL.cpp:632] "
AGENT = b"E1130 00:17:10.164000 14934 torch/distributed/elastic/multiprocessing/api.py:869] "
WARN = b"gpu-a02:990:1033 [0] misc/socket.cc:58 NCCL WARN "
GLUEABLE = [
    C10,
    b"[rank0]:" + C10,
    b"[default1]:[rank1]:" + C10,
    b"[rank0]:[E ProcessGroupNCCL.cpp:828] [Rank 0] ",
    b"[default1]:",
    b"[default1]:[rank1]: Traceback (most recent call last):",
    b"[rank2]: Traceback (most recent call last):",
    b'[rank2]:   File "train.py", line 3, in ',
    b"Traceback (most recent call last):",
    AGENT,
    b"I0527 15:16:57.219332 58624 ProcessGroupNCCL.cpp:2074] [PG 0 (default_pg) Rank 0] ",
    b"[1,3]<stdout>:gpu-a02:990:1033 [0] NCCL INFO ",
]
NCCL = [b"gpu-a02:990:1033 [0] NCCL INFO ", WARN, b"[2026-05-05 06:16:47] " + WARN, b"gpu-a02:990:1033 NCCL CALL "]
PREFIXES = [b"", b"[default0]:", b"2024-01-05T10:00:00Z ", b"3: ", b"(Worker pid=7) ", b"  "]
MESSAGES = st.from_regex(r"[a-z]{1,8}( [a-z]{1,8}| \d{1,4}|: [a-z]|, loss=\d\.\d\d){0,6}", fullmatch=True).map(
    str.encode
)


@pytest.mark.parametrize("header", [b"", *GLUEABLE, *NCCL])
@settings(deadline=None, max_examples=20)
@given(prefix=st.sampled_from(PREFIXES), message=MESSAGES)
def test_a_line_of_one_record_is_not_split(header: bytes, prefix: bytes, message: bytes) -> None:
    line = prefix + header + message
    assert splits(line) == []
    assert splits(line, frame(line).start) == []


@pytest.mark.parametrize("second", [*GLUEABLE, *(b" " + header for header in NCCL)])
@settings(deadline=None, max_examples=40)
@given(
    prefix=st.sampled_from(PREFIXES),
    header=st.sampled_from([b"", *GLUEABLE, *NCCL]),
    message=MESSAGES,
    text=MESSAGES,
)
def test_a_second_record_is_found_where_it_begins(
    second: bytes, prefix: bytes, header: bytes, message: bytes, text: bytes
) -> None:
    first = prefix + header + message
    line = first + second + text
    begin = len(line) - len((second + text).lstrip())
    assert splits(line) == [begin]
    assert splits(line, frame(line).start) == [begin]
    assert frame(line[begin:]).start > 0 or line.startswith(b"Traceback", begin)


def test_three_records() -> None:
    line = (
        b"240it [05:55,  1.47s/it, loss=5.46][rank0]:" + C10 + b"[Rank 0] Watchdog[rank1]:" + C10 + b"[Rank 1] Watchdog"
    )
    assert [line[at : at + 8] for at in splits(line)] == [b"[rank0]:", b"[rank1]:"]


@pytest.mark.parametrize(
    "line",
    [
        b"RuntimeError: [rank0]:[F1130 00:36:46.369840461 ProcessGroupGloo.cpp:1537] Check failed: shape",
        b"[rank0]: RuntimeError: [rank0]:[F1130 00:36:46.369840461 ProcessGroupGloo.cpp:1537] Check failed: shape",
        b"[rank0]:" + C10 + b"[Rank 0] Process group watchdog thread terminated with exception: [Rank 0] Watchdog",
        b"Original Traceback (most recent call last):",
        b"[rank0]: Original Traceback (most recent call last):",
        b"  traceback : Traceback (most recent call last):",
        b"  + Exception Group Traceback (most recent call last):",
        b'{"py_callstack": "Traceback (most recent call last):\\n  File',
        b'{"message": "x\\nTraceback (most recent call last):\\n  File',
        b"losses[rank1]: 0.3",
        b"layers[block3]: 0.3",
        b"Exception raised from checkTimeout at /src/ProcessGroupNCCL.cpp:632 (most recent call first):",
        b'  File "/opt/lib/torch/distributed/run.py", line 3',
        b"step 3 \xe2\x80\x94 NCCL INFO is on",
        b"  ",
        b"",
    ],
)
def test_quotes_are_not_split(line: bytes) -> None:
    assert splits(line) == []


@pytest.mark.parametrize(
    ("line", "second"),
    [
        (b"node1:1:1 [0] NCCL INFO Channode2:22:33 [1] NCCL INFO Trees", b"node2:22:33"),
        (b"node1:1:1 [0] NCCL INFO rank 0 cudaDev 0node1:22:33 [1] NCCL INFO Trees", b"node1:22:33"),
        (b"  1024   half      prod      -1blade0:501:502 [1] NCCL INFO Broadcast", b"blade0:501"),
        (b"12.5 4c2f3a7b9d1e:501:502 [1] NCCL INFO AllReduce", b"4c2f3a7b9d1e:501"),
        (b"node1:1:1 [0] NCCL INFO Chan gpu-b:22:33 [1] NCCL INFO Trees", b"gpu-b:22:33"),
        (b"node1:1:1 [0] NCCL INFO Chan node1:22:3node1:1:1 [0] NCCL INFO Trees", b"node1:1:1 [0] NCCL INFO Trees"),
    ],
)
def test_torn_text_is_cut_off_the_host(line: bytes, second: bytes) -> None:
    (at,) = splits(line)
    assert line.startswith(second, at)


def test_a_quoted_issue_loses_its_marks() -> None:
    assert splits(b">     [rank5]:[E ProcessGroupNCCL.cpp:828] [PG 0 Rank 5] Heartbeat") == [6]


def test_the_role_of_the_line_itself_may_follow() -> None:
    assert splits(b"[trainer0]:step 1[trainer1]:step 1") == [17]
    assert splits(b"step 1[trainer1]:step 1") == []


ATOMS = st.sampled_from(
    [*GLUEABLE, *NCCL, b"a", b" ", b":", b"[", b"]", b"1", b"]:", b".cpp:1]", b" torch/a:1] ", b":1:1 [0] "]
)


@settings(deadline=None, max_examples=50)
@given(atoms=st.lists(ATOMS, min_size=1, max_size=5), times=st.integers(1, 100_000))
def test_any_line_is_searched_soon_and_cut_within_its_bounds(atoms: list[bytes], times: int) -> None:
    piece = b"".join(atoms)
    line = piece * min(times, 100_000 // len(piece) + 1)
    found = splits(line)
    assert found == sorted(set(found))
    assert all(0 < at < len(line) for at in found)


@settings(deadline=None)
@given(line=st.binary(max_size=300))
def test_never_raises(line: bytes) -> None:
    assert all(0 < at < len(line) for at in splits(line))
