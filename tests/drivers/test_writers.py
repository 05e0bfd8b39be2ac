"""Who wrote a line, from outside: the culprit, its host and its attempt in the report on logs of every launcher.

Each job is the same one: processes that print steps, one of which runs out of memory of its GPU.
"""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from logsleuth.cli.analyze import analyze

ORDER = [2, 0, 1, 3, 1, 0, 0, 3, 2, 1, 3, 0, 2, 2, 1, 3]
"""In which four processes print their steps."""
FAILURE = """\
Traceback (most recent call last):
  File "/app/train.py", line 88, in <module>
    main()
  File "/app/train.py", line 61, in main
    loss = model(batch)
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 3 has a total capacity of 79.11 GiB
"""
STEPS = "".join(f"step {number} loss 2.{number}\n" for number in range(4))


class Told(NamedTuple):
    """What the report tells of the failure."""

    ranks: list[int]
    local_ranks: list[Any]
    hosts: list[str]
    rank: int | None
    """Of the line that decides."""
    host: str | None
    text: str


def report(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(analyze, [*arguments, "--format", "json"], standalone_mode=False)
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def told(*arguments: str) -> Told:
    verdict = report(*arguments)["verdicts"][0]
    assert verdict["cause"] == "gpu-oom"
    evidence = next(one for one in verdict["evidence"] if "OutOfMemoryError" in one["text"])
    culprits = verdict["culprits"]
    return Told(
        culprits["ranks"],
        culprits["local_ranks"],
        culprits["hosts"],
        evidence["rank"],
        evidence["host"],
        evidence["text"],
    )


def prefixed(prefix: str, text: str) -> str:
    return "".join(f"{prefix}{line}\n" for line in text.splitlines())


def merged(folder: Path, form: Callable[[int], str]) -> str:
    """One log of four processes, of which process 3 fails, under the prefix that each has."""
    steps = "".join(prefixed(form(k), f"step {number} loss 2.{k}") for number, k in enumerate(ORDER))
    path = folder / "job.log"
    path.write_text(steps + prefixed(form(3), FAILURE), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("form", "rank", "host"),
    [
        ("{k}: ", 3, None),  # srun --label
        ("[{k}] ", 3, None),  # MPICH's hydra, Intel MPI -prepend-rank
        ("[1,{k}]<stderr>:", 3, None),  # mpirun --tag-output
        ("Mon Nov 30 10:00:00 2026[1,{k}]<stderr>:", 3, None),  # and --timestamp-output
        ("[prterun-node-7-123@1,{k}]<stderr>: ", 3, None),
        ("[prterun-node-7-123@1,{k}][node-{k}:471{k}]<stderr>: ", 3, "node-3"),
        ("[{k}]<stderr>:", 3, None),  # horovodrun
        ("[1,mpirank:{k},algo-{k}]<stderr>:", 3, "algo-3"),
        ("[2026-11-30T10:00:00.12345{k}Z] 5c90273{k} [rank={k}] || ", 3, None),
        ("[rank: {k}] ", 3, None),
        ("[Rank {k}] ", 3, None),
        ("Rank {k}: ", 3, None),
        ("(rank {k}) ", 3, None),
        ("node-{k}: ", None, "node-3"),  # pdsh, clush, DeepSpeed
        ("node-{k}: [rank{k}]: ", 3, "node-3"),
        ("trainer-{k}  | ", None, "trainer-3"),
        ("[pod/llama-worker-{k}/pytorch] ", None, "llama-worker-3"),
        ("[pod/llama-worker-{k}/pytorch] 2026-11-30T10:00:00.12345678{k}Z ", None, "llama-worker-3"),
        ("llama-worker-{k} pytorch ", None, "llama-worker-3"),  # stern
        ("llama-worker-{k} pytorch 2026-11-30T10:00:00.12345678{k}Z ", None, "llama-worker-3"),
        ("\x1b[38;5;4{k}mllama-worker-{k}\x1b[0m \x1b[38;5;4{k}mpytorch\x1b[0m ", None, "llama-worker-3"),
        ("(RayTrainWorker pid=470{k}, ip=10.20.0.{k}) ", None, "10.20.0.3"),
        ("\x1b[36m(RayTrainWorker pid=470{k}, ip=10.20.0.{k})\x1b[0m ", None, "10.20.0.3"),
        ("[36m(RayTrainWorker pid=470{k}, ip=10.20.0.{k})[0m ", None, "10.20.0.3"),
        ("Nov 30 10:00:00 node-{k} train[471{k}]: ", None, "node-3"),  # systemd-cat, logger
    ],
)
def test_prefixes(tmp_path: Path, form: str, rank: int | None, host: str | None) -> None:
    found = told(merged(tmp_path, lambda k: form.replace("{k}", str(k))))
    assert (found.rank, found.host) == (rank, host)
    assert found.ranks == ([] if rank is None else [rank])
    assert found.hosts == ([] if host is None else [host])
    assert found.text.endswith("79.11 GiB")


@pytest.mark.parametrize(
    "form",
    [
        "[{n}] ",  # steps
        "{n}: ",
        "step-{n}: ",
        "[info] ",
        "[epoch {k}] ",
        "worker {k} says ",
        "[R{k}] ",
        "[gpu{k}] ",
        "{k}/8 ",
    ],
)
def test_what_is_no_prefix_of_a_writer(tmp_path: Path, form: str) -> None:
    lines = [form.format(n=number, k=k) + f"step {number} loss 2.{k}" for number, k in enumerate(ORDER)]
    path = tmp_path / "job.log"
    path.write_text("\n".join([*lines, *FAILURE.splitlines(), ""]), encoding="utf-8")
    found = told(str(path))
    assert (found.ranks, found.hosts, found.rank, found.host) == ([], [], None, None)


def test_all_writers_of_a_long_log_are_seen(tmp_path: Path) -> None:
    """Not only those at its ends: who is not seen would be taken for silent."""
    order = [number * 37 % 64 for number in range(640)]
    for form in ("[rank: {}] ", "[{}] ", "rank {}: ", "2026-11-30T10:00:00.123456789Z [rank: {}] "):
        path = tmp_path / "job.log"
        path.write_text("".join(form.format(k) + "step loss\n" for k in [*order, *([0] * 9)]), encoding="utf-8")
        assert report(str(path))["jobs"][0]["seen_ranks"] == list(range(64)), form


def written(folder: Path, files: Mapping[str, str]) -> str:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return str(folder)


def of_four(form: str, last: str = FAILURE) -> dict[str, str]:
    """A log for each of four processes, of which that of process 3 fails and says nowhere who it is."""
    return {form.format(k): STEPS + (last if k == 3 else "") for k in range(4)}


CONTAINER = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("form", "rank", "host"),
    [
        ("rank_{}.log", 3, None),
        ("20261130101500_rank{}.log", 3, None),  # deepspeed --enable_each_rank_log
        ("out/1/rank.{}/stderr", 3, None),  # mpirun --output-filename
        ("out/prterun-node-7-123@1/rank.{}/stderr", 3, None),
        ("user_logs/std_log_process_0{}.txt", 3, None),  # Azure ML
        ("node-{}/train.log", None, "node-3"),
        ("4711-node0{0}-{0}.out", None, "node03"),
        ("algo-{}-1700000000", None, "algo-3"),  # SageMaker's streams
        ("gpu-a1{}/train.log", None, "gpu-a13"),
        (f"containers/llama-worker-{{}}_default_pytorch-{CONTAINER}.log", None, "llama-worker-3"),
        ("pods/default_llama-worker-{}_0a1b2c3d-1111-2222-3333-444455556666/pytorch/0.log", None, "llama-worker-3"),
        ("llama-workers-0-{}-x7k2p.log", None, "llama-workers-0-3-x7k2p"),
        # Numbers that nothing proves to be those of ranks.
        ("log_4711_{}.txt", None, None),
        ("worker-{}.log", None, None),
        ("r{}.log", None, None),
        ("run_{}/train.log", None, None),
    ],
)
def test_names(tmp_path: Path, form: str, rank: int | None, host: str | None) -> None:
    found = told(written(tmp_path / "logs", of_four(form)))
    assert (found.ranks, found.hosts) == ([] if rank is None else [rank], [] if host is None else [host])
    assert (found.rank, found.host) == (rank, host)


TASK_NAMES = ["log_4711_{}.txt", "4711.0.{}.out", "resnet-98765-{}.err", "worker-{}.log", "r{}.log", "log.{}"]


@pytest.mark.parametrize("form", TASK_NAMES)
def test_numbers_in_names_are_ranks_where_lines_prove_it(tmp_path: Path, form: str) -> None:
    files = of_four(form)
    files[form.format(2)] += "[rank2]:[W1130 10:00:00.123456789 ProcessGroupNCCL.cpp:1250] Warning: hello\n"
    assert told(written(tmp_path / "logs", files)).ranks == [3]


@pytest.mark.parametrize("form", TASK_NAMES)
def test_numbers_in_names_are_none_where_lines_belie_it(tmp_path: Path, form: str) -> None:
    """As in an array of jobs, each of which has a rank 0."""
    files = of_four(form)
    for number in (1, 2):
        files[form.format(number)] += "[rank0]:[W1130 10:00:00.123456789 ProcessGroupNCCL.cpp:1250] Warning: hello\n"
    assert told(written(tmp_path / "logs", files)).ranks == []


@pytest.mark.parametrize("form", ["rank_{}.log", "out/1/rank.{}/stderr", "log_rank{}.txt"])
def test_a_log_of_several_is_not_that_of_the_rank_in_its_name(tmp_path: Path, form: str) -> None:
    """A file for each node, called by the node's rank."""
    tee = "".join(f"[default{local}]:step {step}\n" for step in range(3) for local in range(4))
    files = {form.format(node): tee + (FAILURE if node == 3 else "") for node in range(4)}
    found = told(written(tmp_path / "logs", files))
    assert (found.ranks, found.rank) == ([], None)


def test_the_log_of_an_agent_is_not_that_of_the_rank_in_its_name(tmp_path: Path) -> None:
    """``torchrun ... > rank_1.log`` on every node; only the agent shows that it has started several."""
    agent = (
        "E1130 10:00:01.715000 15827 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: 1) "
        "local_rank: 2 (pid: 15877) of binary: /opt/venv/bin/python3\n"
    )
    files = {f"rank_{node}.log": STEPS + (FAILURE + agent if node == 1 else "") for node in range(2)}
    found = told(written(tmp_path / "logs", files))
    assert (found.ranks, found.rank) == ([], None)


def test_trees_of_torchrun_side_by_side(tmp_path: Path) -> None:
    """Two nodes, two attempts; the rank of a process that says nothing of itself is known from those beside it."""
    files = {}
    for node in (0, 1):
        for attempt in (0, 1):
            for local in range(4):
                folder = f"server{node}/none_{node}bcdefgh/attempt_{attempt}/{local}"
                is_it = (node, attempt, local) == (1, 1, 3)
                own = f"[rank{node * 4 + local}]:[W1130 10:0{attempt}:00.123456789 ProcessGroupNCCL.cpp:1250] hello\n"
                files[f"{folder}/stderr.log"] = FAILURE if is_it else own
                files[f"{folder}/stdout.log"] = STEPS
    document = report(written(tmp_path / "logs", files))
    verdict = document["verdicts"][0]
    assert (verdict["culprits"]["ranks"], verdict["culprits"]["hosts"]) == ([7], ["server1"])
    assert (verdict["attempt"], document["jobs"][0]["attempts"]) == (1, 2)


def test_machines_whose_files_count_local_ranks(tmp_path: Path) -> None:
    files = {f"server{node}/rank_{rank}.log": STEPS for node in (3, 4) for rank in range(4)}
    files["server4/rank_2.log"] += FAILURE
    found = told(written(tmp_path / "logs", files))
    assert (found.ranks, found.hosts, found.rank) == ([], ["server4"], None)


def test_a_retry_of_azure_is_an_attempt(tmp_path: Path) -> None:
    first = {f"user_logs/std_log_process_{k}.txt": STEPS for k in range(4)}
    again = of_four("user_logs/retry_001/std_log_process_{}.txt")
    verdict = report(written(tmp_path / "logs", {**first, **again}))["verdicts"][0]
    assert (verdict["culprits"]["ranks"], verdict["attempt"]) == ([3], 1)


def test_a_session_of_ray_is_joined_with_its_driver(tmp_path: Path) -> None:
    """The driver's log tells the rank of a process, whose own log is known by its process id."""
    session = "session_latest/logs"
    files = {
        f"{session}/worker-{CONTAINER[:55]}{k}-01000000-470{k}.err": STEPS + (FAILURE if k == 3 else "")
        for k in range(4)
    }
    files["driver.log"] = "".join(f"(PolicyWorker[rank={k}] pid=470{k}) step 1 loss 2.{k}\n" for k in range(4))
    assert told(written(tmp_path / "logs", files)).ranks == [3]


def test_ray_train_tells_which_process_is_which_rank(tmp_path: Path) -> None:
    """Ranks do not count as processes do, and stand in the driver's log alone."""
    driver = "(TorchTrainer pid=4690, ip=10.20.0.7) Started distributed worker processes:\n" + "".join(
        f"(TorchTrainer pid=4690, ip=10.20.0.7) - (node_id=4c93, ip=10.20.0.{7 + rank // 2}, pid={4720 - rank}) "
        f"world_rank={rank}, local_rank={rank % 2}, node_rank={rank // 2}\n"
        for rank in range(4)
    )
    failed = prefixed("(RayTrainWorker pid=4717, ip=10.20.0.8) ", FAILURE)
    found = told(written(tmp_path / "merged", {"driver.log": driver + failed}))
    assert (found.ranks, found.rank, found.host) == ([3], 3, "10.20.0.8")
    own = {f"session_latest/logs/worker-{CONTAINER[:56]}-01000000-4717.err": STEPS + FAILURE}
    assert told(written(tmp_path / "apart", {"driver.log": driver, **own})).ranks == [3]


def test_hosts_in_a_list_are_told_one_by_one(tmp_path: Path) -> None:
    path = written(tmp_path / "logs", {"slurm-4711.out": "srun: error: node-[3-5]: tasks 3-5: Killed\n"})
    culprits = report(path)["verdicts"][0]["culprits"]
    # A task on each node may well be an agent: its number is no rank.
    assert (culprits["ranks"], culprits["hosts"]) == ([], ["node-3", "node-4", "node-5"])
    path = written(tmp_path / "logs", {"slurm-4711.out": "srun: error: node-[3-5]: tasks 24-47: Killed\n"})
    assert report(path)["verdicts"][0]["culprits"]["ranks"] == list(range(24, 48))


def test_rank_from_names_what_nothing_else_does(tmp_path: Path) -> None:
    folder = written(tmp_path / "logs", of_four("alpha/w{}of8.log"))
    assert told(folder).ranks == []
    found = told(folder, "--rank-from", r"(?P<host>\w+)/w(?P<rank>\d+)of")
    assert (found.ranks, found.rank, found.host) == ([3], 3, "alpha")
    document = report(folder, "--rank-from", r"worker(?P<rank>\d+)")
    assert any("was found in no path" in note for note in document["notes"])


def test_rank_from_tells_files_apart_that_would_be_pieces_of_one(tmp_path: Path) -> None:
    folder = written(tmp_path / "logs", of_four("train.log.{}"))
    assert told(folder, "--rank-from", r"\.(?P<rank>\d+)$").ranks == [3]


@pytest.mark.parametrize("expression", ["(?P<rank>", "rank", r"(?P<node>\d+)"])
def test_a_bad_expression_is_told_in_a_sentence(tmp_path: Path, expression: str) -> None:
    done = CliRunner().invoke(analyze, [str(tmp_path), "--rank-from", expression])
    assert done.exit_code == 2
    assert re.search(r"Invalid value for '--rank-from': '.+' (is no|has)", done.stderr)
    assert "Traceback" not in done.stderr
