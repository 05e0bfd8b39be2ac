"""Framing as a whole: layers in any nesting, labels, stamps of several layers, hostile lines."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.model.origin import BARE, Frame
from logsleuth.tokenize.framing import REACH, frame, is_labelled
from logsleuth.tokenize.stamps import read
from tests.tokenize.framed import told

OUTER = [
    b"",
    b"2024-01-05T10:00:00.123456789Z ",
    b"2024-01-05T10:00:00.123456789Z stderr F ",
    b"[pod/trainer-worker-3/pytorch] ",
    b"3: ",
    b"  3: ",
    b"node-7: ",
    b"[1,3]<stderr>:",
    b"(WorkerDict pid=3490, ip=10.1.2.3) ",
    b"[3]<stderr>:",
    b"[1,mpirank:3,algo-2]<stderr>:",
    b"[2026-11-30T10:00:00.123456Z] 5c902731 [rank=4] || INFO: ",
    b"[36m(WorkerDict pid=3490, ip=10.1.2.3)[0m ",
    b"#033[31m",
]
TAGS = [b"", b"[default1]:", b"[rank1]:", b"[default1]:[rank1]:"]
HEADERS = [
    b"[E1130 12:00:00.123456789 ProcessGroupNCCL.cpp:629] [Rank 6] ",
    b"[E ProcessGroupNCCL.cpp:828] [PG 0 Rank 6] ",
    b"E1130 00:17:10.164000 14934 torch/distributed/elastic/multiprocessing/api.py:869] ",
    b"[2024-01-05 10:00:00,123] torch.distributed.run: [WARNING] ",
    b"WARNING:torch.distributed.run:",
    b"[NeMo I 2024-07-22 12:05:15 lr_scheduler:948] ",
    b"[titan] 2024-07-22 12:05:15,123 - root - INFO - ",
    b"gpu-a01:4101:4188 [0] NCCL INFO ",
    b"[2026-05-05 06:16:47] gpu-a01:4101:4255 [0] transport/net_ib.cc:688 (ncclIbTest) NCCL WARN ",
]
MESSAGES = st.from_regex(r"[a-z]{1,8}( [a-z]{1,8}| \d{1,4}){0,6}", fullmatch=True).map(str.encode)


@pytest.mark.parametrize(("outer", "tags", "header"), list(product(OUTER, TAGS, HEADERS)))
def test_layers_nest_in_any_order(outer: bytes, tags: bytes, header: bytes) -> None:
    line = outer + tags + header + b"Watchdog caught"
    assert line[frame(line).start :] == b"Watchdog caught"
    told_by_tags = {name: value for name, value in told(tags + b"x").items() if name != "message"}
    assert told_by_tags.items() <= told(line).items()


@settings(deadline=None)
@given(message=MESSAGES)
def test_a_plain_line_is_all_message(message: bytes) -> None:
    assert frame(message) == Frame(0, 0, BARE, None, None, None, None)
    assert frame(b"    " + message).start == 0


@pytest.mark.parametrize(
    "line",
    [
        b"Loss: 3",
        b"Note: x",
        b"Epoch: 1",
        b"step1: hello",
        b"top-5: 0.93",
        b"fp16: True",
        b"gpu0: 45C",
        b"libnccl.so.2: cannot open shared object file",
        b"12:30 lunch",
        b"[3] hello",
        b"[step3]: hello",
        b"[1]:",
        b"  time      : 2026-11-30_00:17:47",
        b"  rank      : 0 (local_rank: 0)",
        b"frame #3: c10d::ProcessGroupNCCL::WorkNCCL::isCompleted() + 0x10 (0x7f0000000010 in /usr/lib/libtorch.so)",
        b"srun: error: node-7: task 3: Killed",
        b"Process group watchdog thread terminated with exception: [Rank 0] Watchdog caught",
        b"10.1.2: x",
        b"(after 100 iterations) memory",
        b"NCCL version 2.18.3+cuda12.1",
        b"NCCL WARN this has no header",
        b"I1130 is a road",
        b"{'loss': 2.3, 'epoch': 0.1}",
        b"Sunday 5 May",
        b"[0.5] [0.25]",
    ],
)
def test_text_that_looks_like_framing_stays(line: bytes) -> None:
    peeled = frame(line)
    assert (peeled.start, peeled.tag, peeled.exception) == (0, BARE, None)


def test_indentation_behind_a_tag_is_part_of_the_message() -> None:
    assert told(b"[rank1]:     raise X") == {"rank": 1, "message": b"    raise X"}
    assert told(b'[rank1]:   File "train.py", line 3') == {"rank": 1, "message": b'  File "train.py", line 3'}
    assert told(b"[default0]: iteration 3") == {"local_rank": 0, "message": b" iteration 3"}
    assert told(b"0:       Train loss: 3.6") == {"task": 0, "message": b"      Train loss: 3.6"}


def test_the_innermost_stamp_counts_and_takes_year_and_zone_of_the_collector() -> None:
    line = b"2024-01-05T10:00:00.5Z [rank1]:[E105 09:59:58.250000000 ProcessGroupNCCL.cpp:629] [Rank 1] x"
    assert frame(line).stamp == read(b"2024-01-05 09:59:58.25Z")
    assert frame(b"2024-01-05T10:00:00.5Z [rank1]: x").stamp == read(b"2024-01-05T10:00:00.5Z")
    assert frame(b"[rank1]:[E105 09:59:58.250000000 ProcessGroupNCCL.cpp:629] x").stamp == read(b"01-05 09:59:58.25")


def test_an_impossible_stamp_is_peeled_and_told_as_none() -> None:
    peeled = frame(b"[E1399 25:05:38.162555850 x.cpp:632] bad date")
    assert (peeled.start, peeled.stamp, peeled.level) == (37, None, "E")
    collected = frame(b"2024-01-05T10:00:00Z [E1399 25:05:38.162555850 x.cpp:632] bad date")
    assert collected.stamp == read(b"2024-01-05T10:00:00Z")


@pytest.mark.parametrize(
    "label", [b"3: ", b"  3: ", b"node-7: ", b"10.1.2.3: ", b"node-b: ", b"trainer-2  | ", b"[node-b] "]
)
def test_labels_are_peeled_only_where_the_source_carries_them(label: bytes) -> None:
    line = label + b"[rank1]: hello"
    assert told(line)["message"] == b"hello"
    assert told(line, labelled=False) == {"message": line}


def test_a_device_of_a_kernels_line_is_no_host() -> None:
    line = b"nvidia-nvswitch3: SXid (PCI:0000:04:00.0): 20034, Fatal, Link 44 LTSSM Fault Up"
    assert told(line) == {"message": line}


def test_a_label_stands_outside_of_what_the_program_writes() -> None:
    assert told(b"[rank1]: 3: hello") == {"rank": 1, "message": b"3: hello"}
    assert told(b"3: 4: hello") == {"task": 3, "message": b"4: hello"}
    assert told(b"gpu-a01:4101:4188 [0] NCCL INFO 12: hello")["message"] == b"12: hello"
    assert told(b"2024-01-05T10:00:00Z 3: hello") == {"task": 3, "message": b"hello"}


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        (b"0: a\n1: a\n0: b\n1: b\n\n", True),
        (b" 0: a\n 1: \n10: a\n11: a\n 0: b\n", True),
        (b"node-1: a\nnode-2: a\nnode-1: b\nnode-2: b\n", True),
        (b"\x1b[36m0: a\x1b[0m\n\x1b[36m0: b\x1b[0m\n", True),
        (b"0: 10%\r20%\r30%\n0: 40%\r50%\r60%\n", True),
        (b"2024-01-05T10:00:00Z 1: a\n2024-01-05T10:00:00Z 0: a\n2024-01-05T10:00:00Z 1: b\n", True),
        (b"0: a\n1: b\n2: c\n3: d\n", False),
        (b"node-1: a\nnode-2: a\n", False),
        (b"0: a\n0: b\n0: c\nd\ne\n", False),
        (b"0: a\n0: b\n0: c\n0: d\ne\n", True),
        (b"node-1: a\nb\nnode-1: c\nd\nnode-1: e\nf\nnode-1: g\nh\n", True),
        (b"node-1: a\nb\nnode-1: c\nd\nnode-1: e\nf\n", False),
        (b"worker-1: a\nb\nworker-1: c\nd\nworker-1: e\nf\nworker-1: g\nh\n", False),
        (b"node-a: a\nnode-b: a\nnode-b: b\nnode-a: b\n", True),
        (b"trainer-1  | a\ntrainer-1  | \ntrainer-12 | b\ntrainer-12 | c\n", True),
        (b"[node-a] a\n[node-b] a\n[node-b] b\n[node-a] b\n", True),
        (b"step | loss\n1 | 0.5\n2 | 0.25\n3 | 0.2\n", False),
        (b"epoch-1 | a\nepoch-2 | b\nepoch-2 | b\nepoch-1 | b\n", False),
        (b"[rank1] a\n[rank1] b\n[rank2] c\n[rank2] d\n", False),
        (b"a\nb\n", False),
        (b"\n\n", False),
        (b"", False),
    ],
)
def test_a_source_is_labelled_where_its_lines_agree(sample: bytes, expected: bool) -> None:
    assert bool(is_labelled(sample)) is expected


def test_equal_tags_are_one_object() -> None:
    assert frame(b"[rank3]: a").tag is frame(b"[rank3]: b").tag


def test_framing_is_looked_for_at_the_start_only() -> None:
    line = b" " * REACH + b"[rank1]: x"
    assert frame(line).start == 0
    assert frame(b"[rank0]:" * REACH).start <= REACH


ATOMS = st.sampled_from(
    [
        *(bytes([byte]) for byte in b"[](){}<>:;,.|/-_= \t\"'aAz059"),
        *OUTER,
        *TAGS,
        *HEADERS,
        b"a1:1:1 [0] ",
        b" NCCL INFO ",
        b"[PG ",
        b"[Rank ",
        b"what():  ",
        b"a.b.C: ",
        b"Error: ",
        b" - ",
        b"PID:1 - ",
        b"INFO ",
        b"[INFO] ",
        b"\xff",
        b"\x00",
    ]
)


@settings(deadline=None)
@given(atoms=st.lists(ATOMS, min_size=1, max_size=6), times=st.integers(1, 100_000))
def test_any_line_is_framed_soon_and_within_its_bounds(atoms: list[bytes], times: int) -> None:
    piece = b"".join(atoms) or b"x"
    line = piece * min(times, 100_000 // len(piece) + 1)
    for labelled in (True, False):
        peeled = frame(line, labelled)
        assert 0 <= peeled.start <= peeled.body <= len(line)


@settings(deadline=None)
@given(line=st.binary(max_size=300))
def test_never_raises(line: bytes) -> None:
    peeled = frame(line)
    assert 0 <= peeled.start <= peeled.body <= len(line)
    is_labelled(line)
