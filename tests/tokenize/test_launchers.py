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
        (b"[default3]:", {"local_rank": 3}),
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
