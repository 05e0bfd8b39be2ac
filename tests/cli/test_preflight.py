"""``logsleuth preflight`` from outside: what is asked of a node, what saved outputs tell, and how it is judged."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from socket import AF_INET, socket
from typing import Any

import pytest

from logsleuth.drivers.preflight import start_of
from logsleuth.probes import limits, running
from logsleuth.probes.kinds import Command
from logsleuth.probes.saved import LOOKED_AT
from logsleuth.probes.table import PROBES
from logsleuth.report import preflight_schema
from tests.cli.tools import DMESG, GPU_LOST, NVIDIA_SMI_Q, prints, runs

ROOT = Path(__file__).parents[2]
Logsleuth = Callable[..., int]
Captured = pytest.CaptureFixture[str]

RULES = """
event site.product "A GPU says what it is." {
  line "Product Name : {product}"
  line "Product Name                          : {product}"
  sample "Product Name : NVIDIA H100 80GB HBM3" gives product = "NVIDIA H100 80GB HBM3"
  sample "    Product Name                          : NVIDIA H100 80GB HBM3" gives product = "NVIDIA H100 80GB HBM3"
}
rule site.small_gpu "A GPU is not the one that was ordered." {
  severity warning
  cause    misleading-setting
  when     seen site.product[product contains "T4"] as gpu
  culprit  gpu.host
  verdict  "a T4 is here"
}
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("rules") / "nodes.sleuth"
    file.write_text(RULES, encoding="utf-8")
    return str(file)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which tools are looked for; there is none in it yet."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(running, "FURTHER", ())
    for name in [name for name in os.environ if name.startswith(("NCCL_", "MASTER_", "CUDA_", "TORCH"))]:
        monkeypatch.delenv(name)
    return folder


class Told:
    """What ``preflight --format json`` printed."""

    def __init__(self, text: str) -> None:
        self.document: dict[str, Any] = json.loads(text)
        preflight_schema.Document.model_validate(self.document)

    def of(self, host: str, question: str) -> dict[str, Any]:
        node = next(node for node in self.document["nodes"] if node["host"] == host)
        return next(one for one in node["questions"] if one["question"] == question)

    def tool(self, probe: str) -> dict[str, Any]:
        (node,) = self.document["nodes"]
        return next(told for one in node["questions"] for told in one["told"] if told["probe"] == probe)


def save(folder: Path, probe: str, text: str, host: str | None = None, exit_: str = "0") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    header = f'### logsleuth probe={probe} host={host} exit={exit_} at=2026-11-30T10:00:00Z command="x"\n'
    (folder / f"{probe}.txt").write_text((header if host else "") + text, encoding="utf-8")


def versions(driver: str) -> str:
    return f"version of kernel: 5.15.0-105-generic\nversion of driver: {driver}\nversion of torch: 2.5.1+cu124\n"


# Asking this node.


def test_a_node_without_gpus_and_tools_says_what_it_could_not_look_at(
    tools: Path, logsleuth: Logsleuth, capsys: Captured
) -> None:
    logsleuth("preflight", "--format", "json")
    told = Told(capsys.readouterr().out)
    assert told.document["verdicts"] == []
    (node,) = told.document["nodes"]
    gpus = told.of(node["host"], "gpus")
    assert gpus["standing"] == "not looked at"
    assert gpus["why"] == (
        "no NVIDIA driver is installed here, or its tools are not on the PATH; no ROCm tools are installed here"
    )
    assert {one["exit"] for one in gpus["told"]} == {"absent"}
    assert told.of(node["host"], "disk")["why"] == "there is no df here"
    assert list(tools.iterdir()) == []


def test_nothing_at_all_is_status_2(logsleuth: Logsleuth, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("logsleuth.probes.node.outputs", list)
    assert logsleuth("preflight") == 2
    out, err = capsys.readouterr()
    assert (out, "nothing can be said" in err) == ("", True)


def test_what_tools_print_is_judged(tools: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    prints(tools, "nvidia-smi", NVIDIA_SMI_Q)
    prints(tools, "dmesg", DMESG + GPU_LOST)
    assert logsleuth("preflight") == 1
    out = capsys.readouterr().out
    assert out.startswith("Not fine: ")
    assert "Kernel log          NOT FINE" in out
    assert "dmesg.txt:4  " in out  # The header is the first line.
    assert "GPU has fallen off the bus" in out
    assert "What to do" in out


def test_a_healthy_node_is_fine(tools: Path, rules: str, logsleuth: Logsleuth, capsys: Captured) -> None:
    prints(tools, "nvidia-smi", NVIDIA_SMI_Q)
    prints(tools, "dmesg", DMESG)
    assert logsleuth("preflight", "--rules", rules, "--format", "json") == 0
    told = Told(capsys.readouterr().out)
    (node,) = told.document["nodes"]
    assert told.of(node["host"], "gpus")["standing"] == "fine"
    assert told.of(node["host"], "kernel-log")["standing"] == "fine"
    assert told.of(node["host"], "ports")["standing"] == "fine"
    assert told.tool("nvidia-smi-q")["lines"] == 1 + NVIDIA_SMI_Q.count("\n")


def test_a_tool_that_hangs_is_ended_and_said_so(
    tools: Path, logsleuth: Logsleuth, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = tools / "pid"
    runs(tools, "ibstat", f"echo \"CA 'mlx5_0'\"\necho $$ > {pid}\n/bin/sleep 600 &\nwait")
    hasty = [p._replace(asks=Command(("ibstat",), "", seconds=1.0)) if p.name == "ibstat" else p for p in PROBES]
    monkeypatch.setattr("logsleuth.probes.node.PROBES", hasty)
    logsleuth("preflight", "--format", "json")
    told = Told(capsys.readouterr().out).tool("ibstat")
    assert (told["exit"], told["standing"], told["lines"]) == ("timeout", "not looked at", 2)
    assert told["why"] == "ibstat did not end in time"
    assert not Path(f"/proc/{int(pid.read_text())}").exists()


@pytest.mark.parametrize(
    ("script", "exit_", "why"),
    [
        (
            "echo 'dmesg: read kernel buffer failed: Operation not permitted' >&2; exit 1",
            "refused",
            "dmesg was refused: dmesg: read kernel buffer failed: Operation not permitted",
        ),
        ("echo broken >&2; exit 9", "9", "dmesg ended with status 9: broken"),
        ("exec /usr/bin/env -i /usr/bin/yes '[   11.204817] all is well'", "endless", "dmesg did not stop printing"),
    ],
)
def test_a_tool_that_fails(
    script: str, exit_: str, why: str, tools: Path, logsleuth: Logsleuth, capsys: Captured
) -> None:
    runs(tools, "dmesg", script)
    logsleuth("preflight", "--format", "json")
    told = Told(capsys.readouterr().out).tool("dmesg")
    assert (told["exit"], told["why"], told["standing"]) == (exit_, why, "not looked at")


def test_garbage_and_escapes_harm_nothing(tools: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    runs(
        tools,
        "ibstat",
        r"""printf '\033]0;owned\007\033[2J\000\377\376\n### logsleuth probe=df host=evil exit=0 at=x command="y"\n'""",
    )
    runs(tools, "lsmod", "exec /bin/dd if=/dev/urandom bs=65536 count=20 2>/dev/null")
    status = logsleuth("preflight")
    out, err = capsys.readouterr()
    assert status in (0, 2)
    assert "\x1b" not in out + err
    assert "evil" not in out + err


def test_a_tool_gets_no_input_no_language_and_no_shell(tools: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    seen = tools / "seen"
    runs(tools, "chronyc", f'echo "$LC_ALL|$LANG|$LANGUAGE|$*|$(/bin/cat | /usr/bin/wc -c)" > {seen}')
    with environment(LANGUAGE="de", LANG="de_DE.UTF-8"):
        logsleuth("preflight")
    capsys.readouterr()
    assert seen.read_text().split() == ["C|C||-n", "tracking|0"]


def test_a_tool_of_the_folder_one_stands_in_is_not_run(
    tools: Path, logsleuth: Logsleuth, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs(tools, "ibstat", f"echo run > {tools}/seen")
    monkeypatch.chdir(tools)
    monkeypatch.setenv("PATH", ".::")
    logsleuth("preflight", "--format", "json")
    assert Told(capsys.readouterr().out).tool("ibstat")["exit"] == "absent"
    assert not (tools / "seen").exists()


@pytest.mark.usefixtures("tools")
def test_a_taken_port_is_found(logsleuth: Logsleuth, capsys: Captured) -> None:
    with socket(AF_INET) as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]
        with environment(MASTER_PORT=str(port)):
            assert logsleuth("preflight", "--format", "json") == 1
    told = Told(capsys.readouterr().out)
    assert [one["summary"] for one in told.document["verdicts"]] == [f"A process listens on port {port} (MASTER_PORT)"]
    (evidence,) = told.document["verdicts"][0]["evidence"]
    assert evidence["text"] == f"rendezvous port {port}: in use, a process listens on 127.0.0.1 (MASTER_PORT)"


@pytest.mark.usefixtures("tools")
def test_secrets_are_named_and_never_shown(tmp_path: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    archive = tmp_path / "a.tar.gz"
    secret = "hunter2" * 3
    with environment(
        NCCL_DEBUG="INFO", NCCL_API_KEY=secret, TORCH_STORE_PASSWORD=secret, MASTER_ADDR=f"tcp://me:{secret}@node-7"
    ):
        logsleuth("collect", "-o", str(archive))
    capsys.readouterr()
    subprocess.run(["/bin/tar", "xf", str(archive), "-C", str(tmp_path)], check=True, env={"PATH": "/usr/bin:/bin"})
    (told,) = tmp_path.rglob("nccl-env.txt")
    _header, *lines = told.read_text().splitlines()
    assert lines == [
        "MASTER_ADDR=tcp://(not shown)@node-7",
        "NCCL_API_KEY=(not shown)",
        "NCCL_DEBUG=INFO",
        "TORCH_STORE_PASSWORD=(not shown)",
    ]
    assert not any(secret in path.read_text() for path in told.parent.iterdir())


def test_limits_are_those_that_the_shell_tells() -> None:
    asked = ["bash", "-c", "ulimit -a"]
    rows = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()
    ours = limits.ulimit().body.decode().splitlines()
    assert len(ours) >= 12
    assert [row for row in ours if row not in rows] == []


# Reading what was saved.


def four_nodes(folder: Path) -> None:
    for number in range(7, 11):
        node = folder / f"node-{number}"
        save(node, "versions", versions("535.104.05" if number == 9 else "550.54.15"), f"node-{number}")
        save(node, "dmesg", DMESG, f"node-{number}")


def test_one_node_of_four_is_unlike_the_others(tmp_path: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    four_nodes(tmp_path / "saved")
    arguments = ["preflight", "--from", str(tmp_path / "saved")]
    assert logsleuth(*arguments, "--format", "json") == 1
    told = Told(capsys.readouterr().out)
    standings = {node["host"]: node["standing"] for node in told.document["nodes"]}
    assert standings == {"node-7": "fine", "node-8": "fine", "node-9": "not fine", "node-10": "fine"}
    assert list(standings) == ["node-7", "node-8", "node-9", "node-10"]
    assert told.of("node-9", "versions")["verdicts"] == ["v1"]
    assert told.of("node-9", "kernel-log")["standing"] == "fine"
    assert told.of("node-8", "versions")["standing"] == "fine"
    assert logsleuth(*arguments) == 1
    out = capsys.readouterr().out
    assert out.startswith("Not fine: node-9. The others are fine, as far as could be looked at.\n")
    assert "                      node-9            node-7 +2\n" in out
    assert "  Versions            NOT FINE          fine\n" in out
    assert "1. Bring all nodes of a job to one driver" in out


def test_the_order_of_arguments_changes_nothing(tmp_path: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    four_nodes(tmp_path)
    given = [f"--from={tmp_path}/node-{number}" for number in range(7, 11)]
    logsleuth("preflight", *given)
    one = capsys.readouterr().out
    logsleuth("preflight", *reversed(given))
    assert capsys.readouterr().out == one
    assert "Not fine: node-9." in one


def test_names_tell_the_node_where_no_header_does(tmp_path: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    saved = tmp_path / "saved"
    for name, driver in (("alpha", "550.54.15"), ("beta", "535.104.05"), ("gamma", "550.54.15")):
        save(saved / name, "versions", versions(driver))
    (saved / "node-3_dmesg.txt").write_text(DMESG, encoding="utf-8")
    assert logsleuth("preflight", "--from", str(saved), "--format", "json") == 1
    told = Told(capsys.readouterr().out)
    assert {node["host"]: node["standing"] for node in told.document["nodes"]} == {
        "alpha": "fine",
        "beta": "not fine",
        "gamma": "fine",
        "node-3": "fine",
    }


def test_a_kernel_log_that_was_collected_as_a_log_is_no_output(
    tmp_path: Path, logsleuth: Logsleuth, capsys: Captured
) -> None:
    save(tmp_path / "node-7", "dmesg", DMESG, "node-7")
    save(tmp_path / "logs" / "job", "dmesg", DMESG + GPU_LOST)
    assert logsleuth("preflight", "--from", str(tmp_path)) == 0
    out = "".join(capsys.readouterr().out.split())
    assert out.startswith("node-7:fine")
    assert "logs/job/dmesg.txt:Itwascollectedasalogofajob" in out


def test_a_packed_output_is_read(tmp_path: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    (tmp_path / "node-7").mkdir()
    header = '### logsleuth probe=dmesg host=node-7 exit=0 at=2026-11-30T10:00:00Z command="dmesg"\n'
    packed = gzip.compress((header + DMESG + GPU_LOST).encode())
    (tmp_path / "node-7" / "output.txt.gz").write_bytes(packed)
    assert logsleuth("preflight", "--from", str(tmp_path), "--format", "json") == 1
    assert Told(capsys.readouterr().out).of("node-7", "kernel-log")["verdicts"] == ["v1"]


def test_a_start_that_comes_byte_by_byte_is_read() -> None:
    class Trickle(BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return super().read1(min(size or 1, 1))

    assert start_of(Trickle(b"### logsleuth")) == b"### logsleuth"
    assert len(start_of(Trickle(bytes(1 << 20)))) == LOOKED_AT


def test_a_failed_tool_that_was_saved_says_why(tmp_path: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    save(tmp_path / "node-7", "chrony", "", "node-7", "timeout")
    save(tmp_path / "node-7", "dmesg", "dmesg: read kernel buffer failed: Operation not permitted\n")
    save(tmp_path / "node-7", "ibstat", "bash: ibstat: command not found\n")
    assert logsleuth("preflight", "--from", str(tmp_path)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Clock: chrony did not end in time" in err
    assert "Kernel log: dmesg was refused: dmesg: read kernel buffer failed" in err
    assert "InfiniBand and RoCE: no InfiniBand or RoCE tools are installed here" in err


def test_a_tool_that_hangs_over_a_gpu_is_not_fine(tmp_path: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    save(tmp_path / "node-7", "nvidia-smi-q", "", "node-7", "timeout")
    assert logsleuth("preflight", "--from", str(tmp_path), "--format", "json") == 1
    gpus = Told(capsys.readouterr().out).of("node-7", "gpus")
    assert (gpus["standing"], gpus["verdicts"]) == ("not fine", ["v1"])


def test_the_trouble_of_one_node_does_not_hide_that_of_another(
    tmp_path: Path, logsleuth: Logsleuth, capsys: Captured
) -> None:
    unreachable = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n"
    save(tmp_path / "node-7", "dmesg", DMESG + GPU_LOST, "node-7")
    for host in ("node-8", "node-9"):
        save(tmp_path / host, "nvidia-smi-q", unreachable, host, "9")
    assert logsleuth("preflight", "--from", str(tmp_path), "--format", "json") == 1
    told = Told(capsys.readouterr().out)
    assert [(v["id"], v["rule"], v["culprits"]["hosts"]) for v in told.document["verdicts"]] == [
        ("v1", "cuda.gpu_lost", ["node-7"]),
        ("v2", "hardware.driver_unreachable", ["node-8", "node-9"]),
    ]
    assert told.of("node-9", "gpus")["verdicts"] == ["v2"]


def test_an_output_that_no_rule_speaks_of_is_not_fine_but_not_looked_at(
    tmp_path: Path, logsleuth: Logsleuth, capsys: Captured
) -> None:
    save(tmp_path / "node-7", "versions", "frobnicator: 3\n", "node-7")
    save(tmp_path / "node-7", "dmesg", DMESG, "node-7")
    assert logsleuth("preflight", "--from", str(tmp_path), "--format", "json") == 0
    told = Told(capsys.readouterr().out).of("node-7", "versions")
    assert (told["standing"], told["why"]) == ("not looked at", "no line of versions is of a kind that the rules know")


def test_what_is_no_output_is_left_out_and_named(tmp_path: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    save(tmp_path / "node-7", "dmesg", DMESG, "node-7")
    (tmp_path / "node-7" / "train.log").write_text("step 1 loss 2.3\n", encoding="utf-8")
    assert logsleuth("preflight", "--from", str(tmp_path)) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "train.log: It is not recognised as an output that is asked for here and was left out" in out


def test_a_list_of_all_disks_tells_of_shared_memory_too(tmp_path: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    head = "Filesystem      Size  Used Avail Use% Mounted on\n"
    for host, disk in (("node-7", "shm              64M     0   64M   0% /dev/shm\n"), ("node-8", "")):
        (tmp_path / host).mkdir()
        (tmp_path / host / "df.txt").write_text(f"{head}overlay         1.8T  0.7T  1.1T  39% /\n{disk}")
    assert logsleuth("preflight", "--from", str(tmp_path), "--format", "json") == 1
    told = Told(capsys.readouterr().out)
    standings = [told.of(host, of)["standing"] for host in ("node-7", "node-8") for of in ("shared-memory", "disk")]
    assert standings == ["not fine", "fine", "not looked at", "fine"]


def test_a_folder_that_cannot_be_read(tmp_path: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    assert logsleuth("preflight", "--from", str(tmp_path / "nowhere")) == 2
    assert "There is no such file or folder" in " ".join(capsys.readouterr().err.split())
    (tmp_path / "empty").mkdir()
    assert logsleuth("preflight", "--from", str(tmp_path / "empty")) == 2
    assert "Nothing in this folder could be read" in " ".join(capsys.readouterr().err.split())
    os.mkfifo(tmp_path / "pipe")
    for pipe in ("-", str(tmp_path / "pipe")):
        assert logsleuth("preflight", "--from", pipe) == 2
        assert f"{pipe}: outputs cannot come from a pipe" in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_folder_without_permission_loses_no_other(tmp_path: Path, logsleuth: Logsleuth, capsys: Captured) -> None:
    save(tmp_path / "node-7", "dmesg", DMESG, "node-7")
    closed = tmp_path / "node-8"
    closed.mkdir(mode=0)
    assert logsleuth("preflight", "--from", str(tmp_path)) == 0
    assert "node-8: The folder could not be searched: permission denied." in " ".join(capsys.readouterr().out.split())
    closed.chmod(0o755)


def test_the_same_outputs_judged_here_and_elsewhere(
    tools: Path, tmp_path: Path, logsleuth: Logsleuth, capsys: Captured
) -> None:
    prints(tools, "dmesg", DMESG + GPU_LOST)
    logsleuth("preflight", "--format", "json")
    here = Told(capsys.readouterr().out)
    archive, away = tmp_path / "node.tar.gz", tmp_path / "away"
    away.mkdir()
    assert logsleuth("collect", "-o", str(archive)) == 0
    subprocess.run(["/bin/tar", "xf", str(archive), "-C", str(away)], check=True, env={"PATH": "/usr/bin:/bin"})
    capsys.readouterr()
    assert logsleuth("preflight", "--from", str(away), "--format", "json") == 1
    there = Told(capsys.readouterr().out)

    def told(document: dict[str, Any]) -> list[tuple[str, str, str]]:
        return [
            (node["host"], one["question"], one["standing"]) for node in document["nodes"] for one in node["questions"]
        ]

    assert told(there.document) == told(here.document)
    assert [v["rule"] for v in there.document["verdicts"]] == [v["rule"] for v in here.document["verdicts"]]


def test_the_published_schema_is_not_stale(tmp_path: Path) -> None:
    fresh = tmp_path / "schema.json"
    subprocess.run([sys.executable, "-m", "logsleuth.report.preflight_schema", str(fresh)], check=True)
    published = ROOT / "docs" / "preflight.schema.json"
    again = "write it anew: python -m logsleuth.report.preflight_schema docs/preflight.schema.json"
    assert json.loads(published.read_text(encoding="utf-8")) == json.loads(fresh.read_text(encoding="utf-8")), again


@contextmanager
def environment(**variables: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        yield
