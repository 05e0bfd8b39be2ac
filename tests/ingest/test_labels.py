"""What paths tell of a writer, and what they only seem to tell."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.ingest.labels import label
from logsleuth.model.origin import PathLabel, Tag

NOTHING = PathLabel()
CONTAINER = "0123456789abcdef" * 4
POD_FOLDER = "default_llama-worker-2_0a1b2c3d-1111-2222-3333-444455556666"


@pytest.mark.parametrize(
    ("path", "tag"),
    [
        ("rank_3.log", Tag(rank=3)),
        ("rank3.txt", Tag(rank=3)),
        ("rank-003.out", Tag(rank=3)),
        ("Rank3.log", Tag(rank=3)),
        ("RANK=3.log", Tag(rank=3)),
        ("log.rank12", Tag(rank=12)),
        ("train_rank_7_of_64.log", Tag(rank=7)),
        ("global_rank_7.log", Tag(rank=7)),
        ("job_12_rank_4.err", Tag(rank=4)),
        ("rank3-2024-01-05.log", Tag(rank=3)),
        ("rank_3_20240105.log", Tag(rank=3)),
        ("rank_3.log.2.gz", Tag(rank=3)),
        ("logs/rank_3/train.log", Tag(rank=3)),
        ("local_rank_3.log", Tag(local_rank=3)),
        ("localrank3.txt", Tag(local_rank=3)),
        ("local_rank_3/train.log", Tag(local_rank=3)),
        ("node-7/rank_0.log", Tag(rank=0, host="node-7")),
        ("node-7_rank_12.log", Tag(rank=12, host="node-7")),
        ("worker-3.log", Tag(task=3)),
        ("task_3.out", Tag(task=3)),
        ("node-1.log", Tag(host="node-1")),
        ("node07.err", Tag(host="node07")),
        ("gpu-a12.err", Tag(host="gpu-a12")),
        ("gpu012.log", Tag(host="gpu012")),
        ("10.0.0.7.log", Tag(host="10.0.0.7")),
        ("ip-10-0-0-7.log", Tag(host="ip-10-0-0-7")),
        ("node03.cluster.local.log", Tag(host="node03.cluster.local")),
        ("dmesg_gpu-a12.txt", Tag(host="gpu-a12")),
        ("gpu-a12.dmesg.log", Tag(host="gpu-a12")),
        ("dmesg-T-gpu-a12.txt", Tag(host="gpu-a12")),
        ("gpu-a12_nvidia-smi-q.txt", Tag(host="gpu-a12")),
        ("df-shm_3.txt", Tag()),
        ("logs-node-0/train.log", Tag(host="node-0")),
        ("node-0/logs/2024/train.log", Tag(host="node-0")),
        ("4711-node07-13.out", Tag(host="node07", task=13)),
        ("slurm-4711-node07-13.out", Tag(host="node07", task=13)),
        ("4711_gpu-a12_13.out", Tag(host="gpu-a12", task=13)),
        ("4711-node-7.out", Tag(host="node-7")),
        ("4711-ip-10-0-0-7.out", Tag(host="ip-10-0-0-7")),
        ("nccl.node03.48211.log", Tag(host="node03", pid=48211)),
        ("nccl_debug_gpu-a12_77.log", Tag(host="gpu-a12", pid=77)),
        ("nccl.r7i2n3.48211.log", Tag(host="r7i2n3", pid=48211)),
        ("trainer-worker-3.log", Tag(host="trainer-worker-3")),
        ("logs/llama-master-0/0.log", Tag(host="llama-master-0")),
        (f"/var/log/pods/{POD_FOLDER}/pytorch/0.log", Tag(host="llama-worker-2")),
        ("s3://bucket/job/node-3/rank_9.log", Tag(rank=9, host="node-3")),
        ("20261130101500_rank3.log", Tag(rank=3)),  # deepspeed --enable_each_rank_log
        ("log_4711_3.txt", Tag(task=3)),  # %j_%t
        ("4711-3.out", Tag(task=3)),
        ("4711.0.3.out", Tag(task=3)),  # %j.%s.%t
        ("resnet_98765_3.out", Tag(task=3)),  # %x_%j_%t
        ("resnet-98765-node07-3.out", Tag(host="node07", task=3)),
        ("resnet_98765_node07.out", Tag(host="node07")),
        ("node07_3.out", Tag(host="node07", task=3)),  # %N_%t
        (f"/var/log/containers/llama-worker-2_default_pytorch-{CONTAINER}.log", Tag(host="llama-worker-2")),
        ("llama-workers-0-3-x7k2p.log", Tag(host="llama-workers-0-3-x7k2p")),  # JobSet
        ("bert-launcher-x7k2p.log", Tag(host="bert-launcher-x7k2p")),  # MPIJob
        (f"session_latest/logs/worker-{CONTAINER[:56]}-01000000-4711.out", Tag(pid=4711)),
        (f"node-7/session_latest/logs/worker-{CONTAINER[:56]}-ffffffff-4711.err", Tag(host="node-7", pid=4711)),
        (f"session_latest/logs/python-core-worker-{CONTAINER[:56]}_4711.log", Tag(pid=4711)),
        ("out/1/rank.0/stdout", Tag(rank=0)),  # mpirun --output-filename
        ("out/prterun-node-7-123@1/rank.03/stderr", Tag(rank=3)),  # mpirun --output dir=out
        ("train-2026/algo-2-1700000000", Tag(host="algo-2")),  # a stream of SageMaker's
        ("algo-3.log", Tag(host="algo-3")),
        ("log/workerlog.3", Tag(local_rank=3)),  # Paddle
        ("log/default.abcdef.workerlog.3", Tag(local_rank=3)),
        ("user_logs/std_log_process_03.txt", Tag(rank=3)),  # Azure ML
        ("workerpool1-2.log", Tag(host="workerpool1-2")),  # Vertex AI
        ("nccl_debug.48211.node03.txt", Tag(host="node03", pid=48211)),
        ("node03-48211-nccl.log", Tag(host="node03", pid=48211)),
        ("nccl-debug-gpu-a12-4711.log", Tag(host="gpu-a12", pid=4711)),
        ("gpu-a12.4711.nccl.log", Tag(host="gpu-a12", pid=4711)),
        ("node-7.tar.gz!train.log", Tag(host="node-7")),
        ("all.tar!logs-node-7.zip!rank_3.log", Tag(rank=3, host="node-7")),
        ("trace_rank_3!entries", Tag(rank=3)),
        (r"C:\logs\node-3\rank_9.log", Tag(rank=9, host="node-3")),
    ],
)
def test_reads(path: str, tag: Tag) -> None:
    assert label(path) == PathLabel(tag)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("logs/none_abcd1234/attempt_0/3/stderr.log", PathLabel(Tag(local_rank=3), 0, "none_abcd1234", "stderr")),
        ("logs/job_42_ab_d1234/attempt_2/11/error.json", PathLabel(Tag(local_rank=11), 2, "job_42_ab_d1234")),
        ("attempt_1/0/filtered_stdout.log", PathLabel(Tag(local_rank=0), 1, None, "stdout")),
        (
            "node-0/none_abcd1234/attempt_0/3/stdout.log",
            PathLabel(Tag(local_rank=3, host="node-0"), 0, "none_abcd1234", "stdout"),
        ),
        ("attempt_2/rank_1.log", PathLabel(Tag(rank=1), 2)),
        ("train_attempt_1.log", PathLabel(Tag(), 1)),
        ("attempt_1/attempt_2.log", PathLabel()),
        ("user_logs/retry_001/std_log_process_0.txt", PathLabel(Tag(rank=0), 1)),
    ],
)
def test_reads_torchrun_s_folders(path: str, expected: PathLabel) -> None:
    assert label(path) == expected


@pytest.mark.parametrize(
    "path",
    [
        "",
        "-",
        "/",
        "train.log",
        "0.log",
        "3.out",
        "0/log.log",
        "slurm-12345.out",
        "slurm-12345_7.out",
        "4711-gpu-a12-13.out",
        "train-2024-01-05.log",
        "rank-2024-01-05.log",
        "rank0-7.log",
        "rank_0_to_7.log",
        "rank0_rank1.log",
        "rank_0,1.log",
        "ranks_0.log",
        "rank20240105.log",
        "node_rank_1.log",
        "tp_rank_03.log",
        "pipeline_parallel_rank_3.log",
        "lora_rank_16.log",
        "lora-rank16.log",
        "pagerank3.log",
        "rerank_3.log",
        "llama-3.log",
        "resnet50-v1.5.log",
        "port-29500.log",
        "gpu-8.log",
        "gpu8.txt",
        "8gpu.log",
        "gpu-a100.log",
        "h100.log",
        "dgx1.log",
        "nodes-16.log",
        "multi-node-8.log",
        "nccl-tests-8.log",
        "nccl.2.18.log",
        "nccl.h100.65536.log",
        "nccl_all_reduce_1024.log",
        "999.1.2.3.log",
        "v2.1.0.log",
        "results/lora_rank_16/train.log",
        "4711.0.out",
        "2026-11-30.log",
        "20261130_101500.log",
        "20261130-1015.log",
        "train_20261130_3.log",
        "llama_2_7.log",
        "multi-workers-8.log",
        "llama-worker-gpt2.log",
        "llama-3-1-8bsft.log",
        "lightning_logs/version_0/train.log",
        "session_latest/logs/raylet.out",
        "node-[3-5].log",
        "nccl_debug_node-[3-5].log",
        "trainer-0.log",
        "retry_001/train.log",
    ],
)
def test_what_only_seems_to_name_a_writer_tells_nothing(path: str) -> None:
    assert label(path) == NOTHING


@settings(deadline=None)
@given(rank=st.integers(0, 99_999), width=st.integers(1, 5), size=st.integers(1, 10**6))
def test_a_padded_rank_is_a_number(rank: int, width: int, size: int) -> None:
    assert label(f"logs/rank_{rank:0{width}}_of_{size}.log").tag == Tag(rank=rank)


@settings(deadline=None)
@given(path=st.text(max_size=60) | st.from_regex(r"(rank|node|attempt|nccl|slurm|worker|[_./-]|[0-9]){0,30}"))
def test_never_raises(path: str) -> None:
    assert isinstance(label(path), PathLabel)
