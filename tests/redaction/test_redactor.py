"""What is renamed, what stays, and that one thing has one name."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.redaction.redactor import Redactor

LOG = b"""\
gpu-a12:4711:4720 [0] NCCL INFO Bootstrap : Using eth0:10.20.3.4<0>
gpu-a13:4711:4720 [0] NCCL INFO Bootstrap : Using eth0:10.20.3.5<0>
[rank3]:   File "/home/alice/hummingbird/train.py", line 3, in main
[rank3]:   File "/opt/venv/lib/python3.11/site-packages/torch/distributed/c10d.py", line 3
RuntimeError: connect to [gpu-a13.hpc.birdhouse.com]:29500 failed, 192.168.1.7:30000
NodeList=gpu-a[12-13] UserId=alice(1041) alice@gpu-a12:~$ scontrol
s3://birdhouse-logs/ckpt/step_1000/model.pt https://wiki.birdhouse.com/page mail carol@birdhouse.com
export HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz1234 WANDB_API_KEY=0123456789abcdef
Link 5c:25:73:aa:bb:01, guid b8ce:f603:00a1:b2c4, GPU-1f0c8a2e-1111-2222-3333-0123456789ab
"""


def redacted(text: bytes, *, hosts: tuple[str, ...] = (), spared: tuple[bytes, ...] = ()) -> bytes:
    redactor = Redactor(spared)
    redactor.learn(text)
    redactor.settle(hosts)
    return redactor.text(text)


def test_names_paths_addresses_and_keys_are_gone() -> None:
    text = redacted(LOG).decode()
    for name in (
        "gpu-a", "alice", "hummingbird", "birdhouse", "carol", "10.20.3", "192.168.1.7", "hf_", "0123456789abcdef",
        "5c:25", "b8ce", "1f0c8a2e",
    ):  # fmt: skip
        assert name not in text
    assert text.count("\n") == LOG.count(b"\n")


def test_what_says_nothing_about_anybody_stays() -> None:
    text = redacted(LOG).decode()
    assert ":4711:4720 [0] NCCL INFO Bootstrap : Using eth0:10.1.1.1<0>" in text
    assert 'File "/opt/venv/lib/python3.11/site-packages/torch/distributed/c10d.py", line 3' in text
    assert re.search(r'File "/home/user-1/w\d+/train\.py", line 3, in main', text)
    assert re.search(r"s3://w\d+-logs/ckpt/step_1000/model\.pt", text)


def test_one_thing_has_one_name_and_lists_mean_what_they_meant() -> None:
    first, second, *_, listed = (line for line in redacted(LOG).decode().splitlines() if "host-" in line)
    assert (first[:9], second[:9]) == ("host-a12:", "host-a13:")
    assert listed.startswith("NodeList=host-a[12-13] UserId=user-1(1041) user-1@host-a12:~$")


@pytest.mark.parametrize(
    "text",
    [
        "NCCL version 2.21.5+cuda12.4, cudnn 9.1.0.70, driver 535.104.12.1",
        "connect to 127.0.0.1:29500, 0.0.0.0, 169.254.3.1<0>, 172.17.0.1 and ::1 failed",
        "17 it/s, 3.4 GB/s, tokens/s 8000, train/loss 2.1, and/or",
        "[0000:17:00.0] 00000000:3B:00.0 10:20:30 12:00:01.123",
        "tokens: 4096, pad_token=[PAD], num_tokens=123456",
        "c10d::ProcessGroupNCCL std::runtime_error a::b dead::beef",
        "Epoch 3/10 step 100/2000 at 2026-03-05T10:00:00",
        "https://huggingface.co/docs/x and https://github.com/pytorch/pytorch/issues/1",
        "/usr/lib/x86_64-linux-gnu/libnccl.so.2 /dev/shm /proc/meminfo /etc/hosts",
        "commId 0x7d5f1a2b3c4d5e6f nranks 8 busId 1b000",
        "torch.OutOfMemoryError: CUDA out of memory. GPU 0 has a total capacity of 79.10 GiB",
    ],
)
def test_numbers_versions_and_what_all_jobs_have_are_no_names(text: str) -> None:
    assert redacted(text.encode()).decode() == text


def test_two_addresses_share_a_network_as_before() -> None:
    text = redacted(b"10.1.2.3 10.1.2.9 10.1.7.3 10.9.2.3 192.168.4.5 192.168.4.6 100.66.1.1 52.10.3.4")
    assert text == b"10.1.1.1 10.1.1.2 10.1.2.1 10.2.1.1 192.168.1.1 192.168.1.2 100.64.0.2 100.64.0.1"


def test_hosts_that_only_an_analysis_knows_and_words_that_rules_look_for() -> None:
    text = b"alpha: RuntimeError on alpha, not alphabet, nor step-alpha\n/home/gradient/run/ gradient overflow /home/zoe/run/ zoe"
    assert redacted(text, hosts=("alpha",), spared=(b"gradient",)) == (
        b"host-a0: RuntimeError on host-a0, not alphabet, nor step-alpha\n/home/gradient/run/ gradient overflow /home/user-1/run/ user-1"
    )


@pytest.mark.parametrize(
    ("path", "renamed"),
    [
        ("logs/hummingbird/gpu-a12_rank3.log", r"logs/w\d+/host-[a-z]12_rank3\.log"),
        ("logs/none_ab12cd34/attempt_0/3/stderr.log", r"logs/none_ab12cd34/attempt_0/3/stderr\.log"),
        ("logs/bird_ab12cd34/attempt_1/3/stderr.log", r"logs/w\d+_ab12cd34/attempt_1/3/stderr\.log"),
        ("bird_gpu-a12_rank3.log", r"w\d+_host-[a-z]12_rank3\.log"),
        ("slurm-4711-gpu-a12-3.out", r"slurm-4711-host-[a-z]12-3\.out"),
        ("gpu-a12-dmesg.txt", r"host-[a-z]12-dmesg\.txt"),
        ("4711-node07-3.out", r"4711-host[a-z]07-3\.out"),
        ("bird-worker-3/train.log", r"job-1-worker-3/train\.log"),
    ],
)
def test_names_of_logs_keep_what_tells_ranks(path: str, renamed: str) -> None:
    redactor = Redactor()
    redactor.learn(LOG)
    redactor.learn_path(path)
    redactor.settle(["gpu-a12", "node07", "bird-worker-3"])
    assert re.fullmatch(renamed, redactor.path(path))
    assert "bird" not in redactor.path(path)


_WORDS = st.sampled_from(
    [
        b"gpu-a12",
        b"node-7",
        b"10.20.3.4",
        b"10.20.9.4",
        b"/home/bob/x1/run.py",
        b"error",
        b"[rank3]:",
        b"ip-10-0-0-7",
        b"%",
        b"\xff",
    ]
)
_LINES = st.lists(st.lists(_WORDS, max_size=6).map(b" ".join), max_size=8)


@given(_LINES)
def test_the_order_of_what_was_learned_changes_nothing(lines: list[bytes]) -> None:
    forth, back = Redactor(), Redactor()
    for line in lines:
        forth.learn(line)
    for line in reversed(lines):
        back.learn(line)
    forth.settle()
    back.settle()
    text = b"\n".join(lines)
    assert forth.text(text) == back.text(text) == b"\n".join(map(forth.text, lines))


@given(_LINES)
def test_different_things_stay_different(lines: list[bytes]) -> None:
    text = b"\n".join(lines)
    before, after = text.split(), redacted(text).split()
    assert len(before) == len(after)
    assert len(set(before)) == len(set(after))


@given(st.binary(max_size=200))
def test_any_bytes_keep_their_lines(data: bytes) -> None:
    assert redacted(data).count(b"\n") == data.count(b"\n")


def test_a_host_below_a_folder_that_is_called_like_a_library_has_its_new_name() -> None:
    redactor = Redactor()
    paths = ["logs/megatron/node-7/rank_3.log", "logs/node-7/rank_4.log"]
    for path in paths:
        redactor.learn_path(path)
    redactor.settle()
    assert [redactor.path(path).split("/")[-2] for path in paths] == ["host-a7", "host-a7"]
