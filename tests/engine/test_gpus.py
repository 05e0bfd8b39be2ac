"""GPUs as members of their own: never mixed, never ranks."""

from pathlib import Path

import pytest

from logsleuth.model.analysis import Culprits
from tests.small_jobs import only, rule, verdicts

MONITOR = """
event g.sample "A monitor told of a GPU." {
  frequent
  about gpu {uuid}, gpu {index}
  series load
  table separated by "," {
    header "load.gpu"
    column "timestamp" as stamp
    column "index" as index:int
    column "uuid" as uuid:word
    column "load.gpu" as load:percent
  }
}
event g.metric "An exporter told of a GPU." {
  about gpu {index}, host {host}
  line "load of gpu {index:int} at {host}: {load:percent}"
  series load
}
"""
LOW = MONITOR + rule(
    "r.low",
    "when seen g.load[value < 50%] as x let load = mean(g.load) let low = gpus where load < 50% when count(low) >= 1 culprit low",
    verdict="{low} of {count(gpus)} at {low.load}",
)


def samples(*loads: int, rows: int = 3) -> str:
    """Rows of GPUs 0, 1, ... with these loads."""
    return "index, load.gpu [%]\n" + "".join(f"{n}, {load} %\n" for _ in range(rows) for n, load in enumerate(loads))


def test_each_gpu_has_its_own_numbers_and_a_set_names_the_host(tmp_path: Path) -> None:
    verdict = only(tmp_path, LOW, {"node-7.csv": samples(97, 30, 97, 30)})
    assert verdict.summary == "GPUs 1, 3 of node-7 of 4 at 30%"
    assert verdict.culprits == Culprits(hosts=("node-7",))
    assert {evidence.text for evidence in verdict.evidence} == {"1, 30 %", "3, 30 %"}


def test_equal_numbers_on_other_hosts_are_other_gpus(tmp_path: Path) -> None:
    verdict = only(tmp_path, LOW, {"node-7.csv": samples(97, 30), "node-8.csv": samples(20, 97)})
    assert verdict.summary == "GPU 1 of node-7 and GPU 0 of node-8 of 4 at 30%, 20%"
    assert verdict.culprits == Culprits(hosts=("node-7", "node-8"))


def test_logs_of_unknown_hosts_are_kept_apart(tmp_path: Path) -> None:
    verdict = only(tmp_path, LOW, {"a.csv": samples(97, 30), "b.csv": samples(97, 99)})
    assert verdict.summary == "GPU 1 of 4 at 30%"
    assert not verdict.culprits


def test_two_monitors_of_one_host_tell_of_the_same_gpus(tmp_path: Path) -> None:
    logs = {"node-7.csv": samples(97, 10, rows=1), "x.log": "load of gpu 1 at node-7: 30%\n"}
    assert only(tmp_path, LOW, logs).summary == "GPU 1 of node-7 of 2 at 20%"


def test_one_gpu_is_its_own(tmp_path: Path) -> None:
    assert only(tmp_path, LOW, {"node-7.csv": samples(30)}).summary == "GPU 0 of node-7 of 1 at 30%"


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("uuid, load.gpu [%]\nGPU-1f, 30 %\nGPU-2f, 97 %\n", "GPU GPU-1f of node-7 of 2 at 30%"),
        ("uuid, load.gpu [%], index\nGPU-1f, 30 %, 4\nGPU-2f, 97 %, 5\n", "GPU 4 of node-7 of 2 at 30%"),
        ("load.gpu [%]\n30 %\n40 %\n", "a GPU of node-7 of 1 at 35%"),
    ],
)
def test_by_what_a_gpu_is_known(tmp_path: Path, text: str, summary: str) -> None:
    assert only(tmp_path, LOW, {"node-7.csv": text}).summary.lower() == summary.lower()


def test_a_gpu_is_no_rank(tmp_path: Path) -> None:
    rules = MONITOR + rule("r.all", "when every rank has a.fall as x", "culprit x", verdict="{x} of {count(ranks)}")
    logs = {"node-7.csv": samples(30, 30), "r.log": "the job has 1 ranks\n[rank0]: fell with code 1\n"}
    assert only(tmp_path, rules + rule("r.b", "when seen g.load[value > 2]"), logs).summary == "Rank 0 of 1"


def test_peers_of_a_gpu_are_gpus(tmp_path: Path) -> None:
    rules = MONITOR + rule(
        "r.behind",
        "when seen g.load as x let load = mean(g.load) let usual = peers.median(load)"
        " let low = gpus where load < 50% of usual when count(low) >= 1 culprit low",
        verdict="{low} at {low.load}, not {low.usual}",
    )
    logs = {"node-7.csv": samples(97, 90), "node-8.csv": samples(98, 40), "r.log": "[rank0]: fell with code 1\n"}
    assert only(tmp_path, rules, logs).summary == "GPU 1 of node-8 at 40%, not 97%"


def test_a_verdict_on_a_gpu_may_explain_what_happened_to_any_process(tmp_path: Path) -> None:
    rules = LOW.replace("culprit low", "culprit low explains a.fall on same ranks")
    rules += rule("r.fell", "when some rank has a.fall as x", "culprit x", verdict="{x}")
    logs = {"node-7.csv": samples(97, 30), "r.log": "[rank0]: fell with code 1\n"}
    assert [verdict.rule for verdict in verdicts(tmp_path, rules, logs)] == ["r.low"]
