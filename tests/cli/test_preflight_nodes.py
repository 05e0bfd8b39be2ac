"""``logsleuth preflight --from`` over the outputs of eight nodes: who is named, for what, and who is not."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.drivers.preflight import of_saved
from logsleuth.language.library import Library, load
from logsleuth.model.preflight import Preflight, Standing
from tests.cli.nodes import Change, host, save

NODES = 8
FIXTURES = Path(__file__).parents[2] / "fixtures/logs/tools"


@cache
def library() -> Library:
    return load((), False)


def judged(folder: Path, changes: tuple[Change, ...], odd: Iterable[int]) -> Preflight:
    return of_saved(library(), [str(save(folder, NODES, dict.fromkeys(odd, changes)))])


def said(found: Preflight, notes: bool = False) -> list[tuple[str, tuple[str, ...]]]:
    """What counts: the rules, and whom they name."""
    return sorted(
        (one.rule, one.culprits.hosts)
        for one in found.analysis.verdicts
        if one.status == "firm" and (notes or not one.is_note)
    )


def not_fine(found: Preflight) -> set[tuple[str, str]]:
    return {
        (node.host, asked.question)
        for node in found.nodes
        for asked in node.asked
        if asked.standing is Standing.NOT_FINE
    }


def unread(found: Preflight) -> set[str]:
    """Why outputs that are there answer nothing."""
    return {told.why for node in found.nodes for asked in node.asked for told in asked.told if told.source and told.why}


def test_healthy_nodes_are_fine_and_everything_is_read(tmp_path: Path) -> None:
    found = judged(tmp_path, (), ())
    assert (said(found, notes=True), not_fine(found), unread(found)) == ([], set(), set())
    assert found.standing is Standing.FINE


def test_healthy_nodes_of_many_kinds_are_fine_and_everything_is_read() -> None:
    found = of_saved(library(), [str(FIXTURES)])
    assert (said(found), unread(found)) == ([], set())
    # What people posted without the heads by which an output is known is read by `analyze` alone.
    assert {Path(one.source).parent.name for one in found.analysis.inputs if one.problems} <= {"healthy-roce-posted"}


FAULTS: dict[str, tuple[tuple[Change, ...], str, set[str]]] = {
    "driver": (
        (
            ("nvidia-smi-q", r"(Driver Version +: )560.35.03", r"\g<1>535.104.05"),
            ("versions", "driver: 560.35.03", "driver: 535.104.05"),
        ),
        "preflight.drivers_differ",
        {"gpus", "versions"},
    ),
    "GPUs": (
        (
            ("nvidia-smi-q", "(Attached GPUs +: )2", r"\g<1>1"),
            ("nvidia-smi-q", "GPU 00000000:3B:00.0.*", ""),
            ("nvidia-smi-nvlink", "GPU 1: .*", ""),
        ),
        "preflight.gpus_missing",
        {"gpus"},
    ),
    "power": (
        (("nvidia-smi-q", "(Current Power Limit +: )700", r"\g<1>400"),),
        "preflight.power_limits_differ",
        {"gpus"},
    ),
    "ECC": (
        (("nvidia-smi-q", "(ECC Mode\n +Current +: )Enabled", r"\g<1>Disabled"),),
        "preflight.ecc_differs",
        {"gpus"},
    ),
    "ports": (
        (
            ("ibstat", "State: Active\n\t\tPhysical state: LinkUp", "State: Down\n\t\tPhysical state: Polling"),
            ("ibdev2netdev", r"ib0 \(Up\)", "ib0 (Down)"),
        ),
        "preflight.ports_fewer",
        {"infiniband"},
    ),
    "MTU": ((("ip-address", "(eth0: <[A-Z_,]+> mtu )1500", r"\g<1>9000"),), "preflight.mtu_differs", {"network"}),
    "MTU of RDMA": (
        (("ibv-devinfo", r"(active_mtu:\s+)4096 \(5\)", r"\g<1>2048 (4)"),),
        "preflight.rdma_mtu_differs",
        {"infiniband"},
    ),
    "memory": ((("meminfo", "(MemTotal: +)2113568644", r"\g<1>1056784320"),), "preflight.memory_less", {"memory"}),
    "huge pages": ((("meminfo", "(HugePages_Total: +)0", r"\g<1>524288"),), "preflight.hugepages_differ", {"memory"}),
    "NCCL": ((("versions", "cu12: 2.26.2", "cu12: 2.21.5"),), "preflight.nccl_versions_differ", {"versions"}),
    "cards": ((("nccl-env", "HCA=mlx5_0,mlx5_1", "HCA=mlx5_0"),), "preflight.variables_differ", {"environment"}),
    "algorithm": ((("nccl-env", "", "NCCL_ALGO=Ring\n"),), "preflight.algorithms_differ", {"environment"}),
}
"""What makes a node unlike the others, the rule that says so, and the questions that it is about."""


@pytest.mark.parametrize("name", FAULTS)
def test_a_node_that_is_unlike_the_others_is_named(name: str, tmp_path: Path) -> None:
    changes, rule, questions = FAULTS[name]
    found = judged(tmp_path, changes, [3])
    assert said(found) == [(rule, (host(3),))]
    assert not_fine(found) <= {(host(3), question) for question in questions}
    assert not_fine(found)


@pytest.mark.parametrize("name", FAULTS)
def test_two_halves_that_differ_name_nobody(name: str, tmp_path: Path) -> None:
    changes, rule, _ = FAULTS[name]
    found = judged(tmp_path, changes, [1, 3, 5, 7])
    assert said(found) == [(rule, ())]


BROKEN: dict[str, tuple[tuple[Change, ...], str]] = {
    "uncorrectable": ((("nvidia-smi-q", "(DRAM Uncorrectable +: )0", r"\g<1>3"),), "preflight.memory_errors"),
    "row": (
        (("nvidia-smi-q", "(Remapping Failure Occurred +: )No", r"\g<1>Yes"),),
        "preflight.memory_past_repair",
    ),
    "heat": (
        (
            ("nvidia-smi-q", "( HW Slowdown +: )Not Active", r"\g<1>Active"),
            ("nvidia-smi-q", "(HW Thermal Slowdown +: )Not Active", r"\g<1>Active"),
        ),
        "preflight.gpu_slowed",
    ),
    "NVLink": ((("nvidia-smi-nvlink", "Link 4: 26.562 GB/s", "Link 4: <inactive>"),), "preflight.nvlink_inactive"),
    "PCIe": ((("nvidia-smi-q", "(Max +: 16x\n +Current +: )16x", r"\g<1>4x"),), "preflight.lanes_missing"),
    "fabric": (
        (("nvidia-smi-q", "(Fabric\n +State +: )Completed(\n +Status +: )Success", r"\g<1>In Progress\g<2>N/A"),),
        "preflight.fabric_not_ready",
    ),
    "no address": ((("ibstat", "State: Active", "State: Initializing"),), "preflight.port_initializing"),
    "rate": ((("ibstat", "Rate: 400", "Rate: 100"),), "preflight.port_slow"),
    "shared memory": (
        (("df-shm", r"1056784320 +0 1056784320", "65536 0 65536"),),
        "preflight.shared_memory_small",
    ),
    "locked memory": ((("ulimit", r"(kbytes, -l\)) unlimited", r"\1 8192"),), "preflight.locked_memory_limited"),
    "disk": ((("df", r"118342044   774558308  14% /$", "892900352 0 100% /"),), "preflight.disk_full"),
    "inodes": ((("df-inodes", r"1203311  116007825    2% /$", "117211136 0 100% /"),), "preflight.inodes_used_up"),
    "clock": ((("chrony", "0.000004709 seconds fast", "4.117300000 seconds slow"),), "preflight.clock_off"),
    "port": ((("ports", "free", "in use, a process listens on 0.0.0.0"),), "preflight.port_taken"),
    "interface": ((("nccl-env", "IFNAME=eth0", "IFNAME=eth1"),), "preflight.interface_missing"),
    "no InfiniBand": ((("nccl-env", "", "NCCL_IB_DISABLE=1\n"),), "preflight.infiniband_disabled"),
    "no NVLink": ((("nccl-env", "", "NCCL_P2P_DISABLE=1\n"),), "preflight.peer_access_disabled"),
}
"""What is wrong with a node whatever the others are like."""


@pytest.mark.parametrize("name", BROKEN)
def test_nodes_that_are_broken_are_named_and_the_others_are_not(name: str, tmp_path: Path) -> None:
    changes, rule = BROKEN[name]
    found = judged(tmp_path, changes, [3, 6])
    verdicts = [one for one in found.analysis.verdicts if one.status == "firm" and not one.is_note]
    assert {one.rule for one in verdicts} == {rule}
    assert {name for one in verdicts for name in one.culprits.hosts} == {host(3), host(6)}
    assert {node for node, _ in not_fine(found)} == {host(3), host(6)}
    assert all(one.remedies for one in verdicts)


def test_what_nodes_tell_never_hides_why_a_job_failed(tmp_path: Path) -> None:
    changes = (*FAULTS["NCCL"][0], *FAULTS["MTU"][0], *BROKEN["row"][0])
    save(tmp_path, 3, {3: changes})
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "train.log").write_text(
        "[rank0]: Traceback (most recent call last):\n"
        '[rank0]:   File "/srv/job/train.py", line 12, in <module>\n'
        "[rank0]: KeyError: 'labels'\n",
        encoding="utf-8",
    )
    first, *others = analyze_with(library().program, [str(tmp_path)]).verdicts
    assert (first.rule, first.culprits.ranks) == ("process.uncaught_exception", (0,))
    told = {one.rule: one for one in others if one.rule.startswith("preflight.")}
    assert set(told) >= {"preflight.nccl_versions_differ", "preflight.mtu_differs", "preflight.memory_past_repair"}
    assert {(one.severity, one.culprits.hosts) for one in told.values()} == {("warning", (host(3),))}
