"""Headers of glog, c10 and of the loggers of training frameworks."""

import pytest

from logsleuth.tokenize.framing import frame
from logsleuth.tokenize.stamps import read
from tests.tokenize.framed import told

DATED = b"2024-01-05 10:00:00"
NO_YEAR = b"01-05 10:00:00"


@pytest.mark.parametrize(
    ("header", "stamp", "expected"),
    [
        (b"[E ProcessGroupNCCL.cpp:828] ", None, {"level": "E"}),
        (b"[rank144]:[F ProcessGroupNCCL.cpp:1316] ", None, {"level": "F", "rank": 144}),
        (b"[rank3]:[W105 10:00:00.500000000 socket.cpp:469] ", NO_YEAR + b".5", {"level": "W", "rank": 3}),
        (b"[I105 10:00:00.500000000 debug.cpp:9] [c10d] ", NO_YEAR + b".5", {"level": "I"}),
        (b"[I105 10:00:00.500000000 debug.cpp:9] [c10d - debug] ", NO_YEAR + b".5", {"level": "I"}),
        (b"E0105 10:00:00.123456 12345 Net.cpp:12] ", NO_YEAR + b".123456", {"level": "E"}),
        (b"E20240105 10:00:00.123456 12345 Net.cpp:12] ", DATED + b".123456", {"level": "E"}),
        (b"W0105 10:00:00.104644 139999514572608 torch/distributed/run.py:851] ", NO_YEAR + b".104644", {"level": "W"}),
        (
            b"W0105 10:00:00.123000 12345 torch/distributed/run.py:874] ",
            NO_YEAR + b".123",
            {"level": "W", "pid": 12345},
        ),
        (
            b"[rank0]:V0105 10:00:00.123000 77 torch/_dynamo/x.py:8] [0/1_2] [__guards] ",
            NO_YEAR + b".123",
            {"level": "D", "pid": 77, "rank": 0},
        ),
        (b"C0105 10:00:00.123000 77 torch/x.py:8] ", NO_YEAR + b".123", {"level": "F", "pid": 77}),
        (b"WARNING:torch.distributed.run:", None, {"level": "W"}),
        (b"ERROR:torch.distributed.elastic.multiprocessing.api:", None, {"level": "E"}),
        (b"ERROR:    ", None, {"level": "E"}),
        (b"[2024-01-05 10:00:00,123] torch.distributed.run: [WARNING] ", DATED + b".123", {"level": "W"}),
        (
            b"[rank0]:[2024-01-05 10:00:00,123] [0/1] torch._dynamo.x: [INFO] ",
            DATED + b".123",
            {"level": "I", "rank": 0},
        ),
        (
            b"[2024-01-05 10:00:00,123] [INFO] [logging.py:107:log_dist] [Rank 4] ",
            DATED + b".123",
            {"level": "I", "rank": 4},
        ),
        (b"[2024-01-05 10:00:00,123] [INFO] [logging.py:107:log_dist] [Rank -1] ", DATED + b".123", {"level": "I"}),
        (b"[2024-01-05 10:00:00,123] [WARNING] [engine.py:7:<module>] ", DATED + b".123", {"level": "W"}),
        (b"[2024-01-05 10:00:00][I][ezpz/dist:12] ", DATED, {"level": "I"}),
        (b"[2024-01-05 10:00:00,123][train_inner][INFO] - ", DATED + b".123", {"level": "I"}),
        (b"[2024-01-05 10:00:00] INFO     [olmo.train:816, rank=7] ", DATED, {"level": "I", "rank": 7}),
        (
            b"[2024-01-05 10:00:00,123 E 4711 4712] (raylet) node_manager.cc:12: ",
            DATED + b".123",
            {"level": "E", "pid": 4711},
        ),
        (b"[2024-01-05 10:00:00 TP9] ", DATED, {}),
        (b"[2024-01-05T10:00:00+08:00] ", b"2024-01-05T10:00:00+08:00", {}),
        (b"[Jan 05 2024 10:00:00] [ERROR] [tid 123] ", DATED, {"level": "E"}),
        (b"[01/05 10:00:00 d2.utils.events]: ", NO_YEAR, {}),
        (b"[NeMo W 2024-01-05 10:00:00 nemo_logging:349] ", DATED, {"level": "W"}),
        (b"[NeMo I 2024-01-05 10:00:00 rank3:megatron_init:12] ", DATED, {"level": "I", "rank": 3}),
        (b"[titan] 2024-01-05 10:00:00,123 - root - INFO - ", DATED + b".123", {"level": "I"}),
        (b"01/05/2024 10:00:00 [INFO|DP=0|PP=0|TP=0]: ", DATED, {"level": "I"}),
        (b"01/05 10:00:00 [WARNING|DP=0|TP=1|node-7]: ", NO_YEAR, {"level": "W", "host": "node-7"}),
        (b"[INFO|trainer.py:2128] 2024-01-05 10:00:00,123 >> ", DATED + b".123", {"level": "I"}),
        (b"[INFO|2024-01-05 10:00:00] llamafactory.hparams.parser:143 >> ", DATED, {"level": "I"}),
        (b"[INFO:swift] ", None, {"level": "I"}),
        (b"[WARNING] ", None, {"level": "W"}),
        (b"01/05/2024 10:00:00 - INFO - __main__ - ", DATED, {"level": "I"}),
        (b"2024-01-05 10:00:00,123 - mmdet - ERROR - ", DATED + b".123", {"level": "E"}),
        (
            b"2024-01-05 10:00:00 - PID:77 - rank:(0, 0, 1) - microbatches.py:9 - INFO - ",
            DATED,
            {"level": "I", "pid": 77},
        ),
        (b"2024-01-05 10:00:00 | INFO | train_inner | ", DATED, {"level": "I"}),
        (b"2024-01-05 10:00:00.123 | WARNING  | x.core.trainer:before_train:130 - ", DATED + b".123", {"level": "W"}),
        (b"2024-01-05 10:00:00,123\tCRITICAL worker.py:99 -- ", DATED + b".123", {"level": "F"}),
        (b"2024-01-05 10:00:00.123456: E tensorflow/x/cuda_blas.cc:12] ", DATED + b".123456", {"level": "E"}),
        (b"2024-01-05 10:00:00 I [train.py:12] ", DATED, {"level": "I"}),
        (b"2024-01-05 10:00:00,123 [INFO] ", DATED + b".123", {"level": "I"}),
        (b"2024-01-05 10:00:00,123 DEBUG ", DATED + b".123", {"level": "D"}),
        (b"2024-01-05 10:00:00,123 ", DATED + b".123", {}),
        (b"INFO 01-05 10:00:00 [block_pool.py:378] ", NO_YEAR, {"level": "I"}),
        (b"INFO    24-01-05 10:00:00.5 - 0:00:54 - ", DATED + b".5", {"level": "I"}),
    ],
)
def test_peels(header: bytes, stamp: bytes | None, expected: dict[str, object]) -> None:
    line = header + b"Hello world"
    assert told(line) == {**expected, "message": b"Hello world"}
    peeled = frame(line).stamp
    if stamp is None:
        assert peeled is None
    else:
        wanted = read(stamp)
        assert peeled is not None
        assert wanted is not None
        assert peeled.seconds == pytest.approx(wanted.seconds, abs=1e-6)
        assert peeled[1:] == wanted[1:]


@pytest.mark.parametrize(
    "header", [b"WARNING:torch.distributed.run:", b"E0105 10:00:00.123000 77 torch/x.py:8]", b"[E x.cpp:1]"]
)
def test_a_header_alone_is_a_line_without_a_message(header: bytes) -> None:
    assert told(header)["message"] == b""


def test_a_web_server_s_level_is_no_logger() -> None:
    line = b'INFO:     127.0.0.1:8000 - "GET / HTTP/1.1" 200 OK'
    assert told(line) == {"message": line}
