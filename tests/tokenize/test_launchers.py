"""What launchers, container runtimes and kernels put in front of lines."""

import pytest

from logsleuth.model.origin import BOOT, Stamp
from logsleuth.tokenize.framing import frame
from logsleuth.tokenize.stamps import read
from tests.tokenize.framed import told


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        (b"3: ", {"task": 3}),
        (b"  3: ", {"task": 3}),
        (b"003: ", {"task": 3}),
        (b"worker-3: ", {"host": "worker-3"}),
        (b"node012: ", {"host": "node012"}),
        (b"node-3.cluster.local: ", {"host": "node-3.cluster.local"}),
        (b"10.1.2.3: ", {"host": "10.1.2.3"}),
        (b"[1,3]<stdout>:", {"task": 3}),
        (b"[1,3]<stderr>:", {"task": 3}),
        (b"[prterun-node-7-123@1,3]<stdout>: ", {"task": 3}),
        (b"[prterun-node-7-123@1,3][node-7:4711]<stdout>: ", {"task": 3, "host": "node-7", "pid": 4711}),
        (b"Fri Aug 11 12:31:45 2023[1,0]<stdout>:", {"task": 0}),
        (b"[1]<stdout>:", {"task": 1}),
        (b"Mon Nov 30 10:00:00 2026[1]<stderr>:", {"task": 1}),
        (b"[1,mpirank:10,algo-2]<stdout>:", {"task": 10, "host": "algo-2"}),
        (b"[1,mpirank:10,algo-2]:", {"task": 10, "host": "algo-2"}),
        (b"[2026-11-30T10:00:00.123456Z] 5c902731 [rank=4] || INFO: ", {"rank": 4, "level": "I"}),
        (b"[2026-11-30T10:00:00Z] 5c902731 || ERROR: ", {"level": "E"}),
        (b"[rank=4] || ", {"rank": 4}),
        (b"[rank: 3] ", {"rank": 3}),
        (b"[rank 3] ", {"rank": 3}),
        (b"[rank=3] ", {"rank": 3}),
        (b"[rank_3] ", {"rank": 3}),
        (b"[Rank: 3] ", {"rank": 3}),
        (b"[Rank 3]: ", {"rank": 3}),
        (b"[Rank 3] ", {"rank": 3}),
        (b"[RANK 3] ", {"rank": 3}),
        (b"2026-11-30 10:00:00,123 [Rank 3] ", {"rank": 3}),
        (b"[36m(RayTrainWorker pid=4711, ip=10.20.0.7)[0m ", {"pid": 4711, "host": "10.20.0.7"}),
        (b"^[[36m(RayTrainWorker pid=4711)^[[0m ", {"pid": 4711}),
        (b"#033[31m[rank3]: ", {"rank": 3}),
        (b"\\x1b[1;31m[rank3]: ", {"rank": 3}),
        (b"[0m[31m", {}),
        (b"[info] ", {"level": "I"}),
        (b"[error]: ", {"level": "E"}),
        ("\u30102026-11-30 10:00:00\u3011".encode(), {}),
        ("\uff3b2026-11-30 10:00:00\uff3d ".encode(), {}),
        ("\u3010ERROR\u3011".encode(), {"level": "E"}),
        (b"[default3]:", {"local_rank": 3}),
        (b"[gpu187:3]:", {"host": "gpu187", "local_rank": 3}),
        (b"[node-7.cluster:12]:", {"host": "node-7.cluster", "local_rank": 12}),
        (b"gpu003: ", {"host": "gpu003"}),
        (b"0|train llm  | (RayTrainWorker pid=4711, ip=10.20.0.7) ", {"pid": 4711, "host": "10.20.0.7"}),
        (b"stderr: [rank3]: ", {"rank": 3}),
        (b"<info>    [2026-11-30 10:00:00] 5c902731 || INFO: ", {"level": "I"}),
        (b"[2026-11-30 10:00:00.120000: W horovod/common/operations.cc:588] ", {"level": "W"}),
        (b"[trainer12]:", {"local_rank": 12}),
        (b"[my_role0]:", {"local_rank": 0}),
        (b"[rank144]: ", {"rank": 144}),
        (b"[rank144]:", {"rank": 144}),
        (b"(RayTrainWorker pid=1234, ip=10.0.0.1) ", {"pid": 1234, "host": "10.0.0.1"}),
        (b"(WorkerDict pid=3490362) ", {"pid": 3490362}),
        (b"(pid=1234) ", {"pid": 1234}),
        (b"(PolicyWorker[rank=31] pid=3264030, ip=10.1.2.3) ", {"rank": 31, "pid": 3264030, "host": "10.1.2.3"}),
        (b"(MapBatches(tokenize) pid=7) ", {"pid": 7}),
        (b"(raylet) ", {}),
        (b"(raylet, ip=10.0.0.1) ", {"host": "10.0.0.1"}),
        (b"(autoscaler +1m2s) ", {}),
        (b"[pod/trainer-worker-3/pytorch] ", {"host": "trainer-worker-3"}),
        (b"2024-01-05T10:00:00.123456789Z ", {}),
        (b"2024-01-05T10:00:00.123456789Z stdout F ", {}),
        (b"2024-01-05T10:00:00.123456789+01:00 stderr P ", {}),
        (b"Jan 05 10:00:00 node-7 kernel: ", {"host": "node-7"}),
        (b"Jan 05 10:00:00 node-7 kernel: [680111.646286] ", {"host": "node-7"}),
        (b"Jan  5 10:00:00 node-7 python3[4711]: ", {"host": "node-7", "pid": 4711}),
        (b"2026-10-05T08:08:16-05:00 node-7 kernel: ", {"host": "node-7"}),
        (b"[Tue Mar  3 04:11:09 2026] ", {}),
        (b"[81234.567890] ", {}),
        (b"[  130.456250] [ T1946] ", {}),
        (b"<6>[  130.456250] ", {}),
        (b"6,1234,130456250,-;", {}),
        (b"kernel: ", {}),
        (
            b"[1720000000.123456] [node-7:123:0]     ib_md.c:123  UCX  DEBUG ",
            {"host": "node-7", "pid": 123, "level": "D"},
        ),
    ],
)
def test_peels(prefix: bytes, expected: dict[str, object]) -> None:
    assert told(prefix + b"NVRM hello") == {**expected, "message": b"NVRM hello"}


def test_a_host_in_syslog_without_a_process_leaves_the_unit_in_the_message() -> None:
    line = b"Mar  3 04:11:12 gpu-a02 slurmstepd: error: Detected 1 oom-kill event"
    assert told(line) == {"host": "gpu-a02", "message": b"slurmstepd: error: Detected 1 oom-kill event"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"Jan  5 10:00:00 Starting job: foo", b"Starting job: foo"),
        (b"[Tue Mar  3 04:11:09 2026] Hardware name: Server", b"Hardware name: Server"),
        (b"2024-01-05T10:00:00Z epoch1 loss: 0.3", b"epoch1 loss: 0.3"),
    ],
)
def test_words_behind_a_stamp_are_no_host(line: bytes, message: bytes) -> None:
    assert told(line) == {"message": message}


def test_a_kernel_counts_from_its_start_and_others_from_1970() -> None:
    assert frame(b"[81234.567890] NVRM: x").stamp == Stamp(BOOT + 81234.56789, False, False)
    assert frame(b"[1704448800.500000] x").stamp == read(b"2024-01-05T10:00:00.5Z")


def test_a_tag_alone_is_a_line_without_a_message() -> None:
    assert told(b"[1,23]<stdout>:") == {"task": 23, "message": b""}
    assert told(b"3:") == {"task": 3, "message": b""}


def test_a_rank_that_rules_of_a_site_may_read_names_the_writer_and_stays() -> None:
    assert told(b"[rank3] saved shard 3") == {"rank": 3, "message": b"[rank3] saved shard 3"}
    assert told(b"12:00 [rank3] saved", labelled=False) == {"message": b"12:00 [rank3] saved"}


def test_a_stamp_in_wide_brackets_is_one() -> None:
    assert frame("\u30102026-11-30 10:00:00\u3011 x".encode()).stamp == read(b"2026-11-30 10:00:00")


@pytest.mark.parametrize(
    "line",
    [
        b"[rank=-1] not in the group",
        b"[rank 3 of 8] hello",
        b"[rank: 3, world: 8] hello",
        b"rank 3: 12.5 ms",
        b"[R3] hello",
        b"[5m] load average",
        b"[15min] load average",
        b"[2m/s] speed",
        b"[mpiexec@node-7] Sending Ctrl-C",
        b"[proxy:0:1@node-7] HYDU_create_process",
        b"[node-7:40801] *** Process received signal ***",
        b"[1,mpirank:x,algo-1]: hello",
        b"[1]<stdin>: hello",
        b"[localhost:29500]: connection refused",
        b"[gpu3:1]: 81 C",
        b"gpu3: 81 C",
        b"0|12|3| 4",
        b"<info> hello",
        b"cafebabe || hello || world",
        b"a || b",
        b"[information] hello",
        "\u3010hello\u3011".encode(),
        b"\\x1bcd",
    ],
)
def test_what_only_looks_like_a_writer_stays(line: bytes) -> None:
    assert told(line, labelled=False) == {"message": line}


@pytest.mark.parametrize(
    "message",
    [
        b"Watchdog caught collective operation timeout: WorkNCCL(SeqNum=57)",
        b"NCCL watchdog thread terminated with exception: CUDA error",
        b"Some NCCL operations have failed or timed out.",
        b"To avoid data inconsistency, we are taking the entire process down: Exception",
        b"Found key in store: NCCLABORTEDCOMM",
    ],
)
def test_a_rank_that_c10d_may_have_told_counts_in_its_group(message: bytes) -> None:
    """Its header may have been lost: of ``[rank97]:[E...] [Rank 6] Watchdog`` only the end is left."""
    seen = frame(b"[Rank 6] " + message)
    assert (seen.tag.rank, seen.group and seen.group.rank) == (None, 6)
