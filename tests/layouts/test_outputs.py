"""Outputs of tools: which sources are such, what their lines say, and that nothing is lost or made up on the way."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import logsleuth
from logsleuth.ingest.chunks import cut
from logsleuth.layouts.folds import Physical
from logsleuth.layouts.layout import unfolded
from logsleuth.layouts.outputs import HEADER, Outputs, recognised
from logsleuth.layouts.tools import REPORTS
from logsleuth.model.label import CLOSES

TOOLS = Path(__file__).resolve().parents[2] / "fixtures" / "logs" / "tools"
OUTPUTS = sorted(path for path in TOOLS.rglob("*") if path.is_file())
RAW = {"all_reduce.txt", "nccl.log", "rocm-smi.txt", "rocm-memory.txt"}
"""Outputs whose lines are understood as they stand: they are read like any log."""
HEALTHY = sorted(path for path in TOOLS.iterdir() if path.is_dir())


def lines(text: str) -> list[str]:
    """The lines that are made of a text, without their labels."""
    outputs = Outputs()
    made = [
        line.text
        for number, physical in enumerate(text.encode().split(b"\n"))
        for line in outputs.feed(Physical(physical, 0, number))
    ]
    return [line.rpartition(CLOSES)[2].decode() for line in made]


@pytest.mark.parametrize("path", OUTPUTS, ids=lambda path: str(path.relative_to(TOOLS)))
def test_what_is_an_output_is_recognised(path: Path) -> None:
    (of_file,) = logsleuth.analyze(path).inputs
    assert of_file.layout == ("lines" if path.name in RAW else "tools")


@pytest.mark.parametrize("folder", HEALTHY, ids=lambda folder: folder.name)
def test_a_healthy_node_gives_no_verdict(folder: Path) -> None:
    command = [sys.executable, "-m", "logsleuth", "analyze", "--format", "json", str(folder)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verdicts"] == []


def test_there_are_healthy_nodes_of_many_kinds() -> None:
    assert len(HEALTHY) >= 6


def test_the_header_tells_the_host_and_no_time(tmp_path: Path) -> None:
    file = tmp_path / "saved.txt"
    file.write_text(
        '### logsleuth probe=nvidia-smi-q host=gpu-b17 exit=0 at=2026-11-26T09:14:02Z command="nvidia-smi -q"\n'
        "GPU 00000000:17:00.0\n    Remapped Rows\n        Pending                           : Yes\n"
    )
    (verdict,) = logsleuth.analyze(file).verdicts
    assert (verdict.rule, verdict.culprits.hosts) == ("hardware.memory_repair_pending", ("gpu-b17",))
    (evidence,) = verdict.evidence
    assert (evidence.line, evidence.text, evidence.time) == (
        4,
        "        Pending                           : Yes",
        None,
    )
    assert file.read_bytes()[evidence.offset :].startswith(b"        Pending")


IBSTAT = "CA 'mlx5_0'\n\tCA type: MT4129\n\tPort 1:\n\t\tState: Active\n\t\tRate: 400\n"
SMI = TOOLS / "healthy-a100" / "nvidia-smi-q.txt"
OOM = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB "
    "of which 1.31 GiB is free."
)
STEPS = "".join(f"[rank0]: step {number} loss {9 - number / 100:.2f}\n" for number in range(400))


@pytest.mark.parametrize("lead", ["", STEPS], ids=["first", "in the middle"])
def test_a_log_with_an_output_in_it_stays_a_log(lead: str, tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    log.write_text(f"{lead}{SMI.read_text()}{STEPS}[rank0]: {OOM}\n")
    analysis = logsleuth.analyze(log)
    assert [item.layout for item in analysis.inputs] == ["lines"]
    assert [(v.cause, v.culprits.ranks) for v in analysis.verdicts if v.role == "root"] == [("gpu-oom", (0,))]


def test_what_follows_an_output_is_read_as_ever(tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    log.write_text(f"{SMI.read_text()}[rank3]: {OOM}\n")
    analysis = logsleuth.analyze(log)
    assert [item.layout for item in analysis.inputs] == ["tools"]
    assert [(v.cause, v.culprits.ranks) for v in analysis.verdicts] == [("gpu-oom", (3,))]


ILL = {
    "nvidia-smi-q": "GPU 00000000:17:00.0\n    ECC Errors\n        Volatile\n            DRAM Uncorrectable : 2\n",
    "df-shm": "Filesystem 1024-blocks Used Available Capacity Mounted on\nshm 65536 0 65536 0% /dev/shm\n",
    "df": "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/md0 65536 65536 0 100% /scratch\n",
    "ibstat": IBSTAT.replace("Active", "Initializing") + "\t\tPhysical state: LinkUp\n\t\tLink layer: InfiniBand\n",
    "chrony": "Reference ID    : 0A140001 (10.20.0.1)\nSystem time     : 4.1 seconds slow of NTP time\n",
}


def test_the_state_of_a_node_does_not_hide_why_a_job_failed(tmp_path: Path) -> None:
    for probe, body in ILL.items():
        header = f'### logsleuth probe={probe} host=gpu-b17 exit=0 at=2026-11-26T09:14:02Z command="{probe}"\n'
        (tmp_path / f"{probe}.txt").write_text(header + body)
    assert {verdict.severity.name.lower() for verdict in logsleuth.analyze(tmp_path).verdicts} == {"warning"}
    (tmp_path / "rank_3.log").write_text(f"{STEPS.replace('rank0', 'rank3')}[rank3]: {OOM}\n")
    first = logsleuth.analyze(tmp_path).verdicts[0]
    assert (first.cause, first.culprits.ranks) == ("gpu-oom", (3,))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Process 0: loading shard 3\nProcess 1: loading shard 4\n" * 20,
        "epoch 1 train 2.5 valid 2.6 acc 91% time per epoch\n" * 20,
        "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-f7b02328-d6fe-5b1f-9683-15041689bb00)\n" + STEPS,
        "Model size : 7B\n    hidden : 4096\n" * 20,
    ],
)
def test_what_only_looks_like_an_output_is_none(text: str) -> None:
    assert not recognised(text.encode())


def test_no_output_is_looked_for_in_a_log_that_follows() -> None:
    after = lines(IBSTAT + "something else\n" * 150 + IBSTAT + "something else\n" * 250 + IBSTAT)
    assert after.count("ibstat: CA 'mlx5_0'") == 2
    assert after.count("CA 'mlx5_0'") == 1


def test_a_date_a_prompt_and_a_host_may_stand_in_front() -> None:
    assert recognised(b"Thu Nov 26 09:13:50 UTC 2026\ngpu-a12\n[ana@gpu-a12 ~]$ ibstat\n" + IBSTAT.encode())


def test_headings_stand_in_front() -> None:
    assert lines(IBSTAT)[1:5] == [
        "ibstat: mlx5_0 / CA type: MT4129",
        "ibstat: mlx5_0 / Port 1:",
        "ibstat: mlx5_0 / port 1 / State: Active",
        "ibstat: mlx5_0 / port 1 / Rate: 400",
    ]
    queried = lines(
        "=====NVSMI LOG=====\nGPU 00000000:17:00.0\n    ECC Errors\n        Volatile\n            DRAM Correctable : 2\n    Pending : No\n"
    )
    assert queried[4:6] == [
        "nvidia-smi -q: gpu 00000000:17:00.0 / ECC Errors / Volatile / DRAM Correctable: 2",
        "nvidia-smi -q: gpu 00000000:17:00.0 / Pending: No",
    ]


def test_a_gpu_that_is_not_reached_hides_no_other() -> None:
    lost = "Unable to determine the device handle for GPU0000:3B:00.0: Unknown Error"
    told = lines(f"=====NVSMI LOG=====\n{lost}\nGPU 00000000:5D:00.0\n    Remapped Rows\n        Pending : Yes\n")
    assert told[1] == lost
    assert told[4] == "nvidia-smi -q: gpu 00000000:5D:00.0 / Remapped Rows / Pending: Yes"


def test_a_matrix_tells_each_of_its_cells() -> None:
    matrix = "\tGPU0\tNIC0\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tSYS\t0-55,112-167\t0\n"
    tabs = lines(matrix)
    assert tabs[1:6] == [
        "nvidia-smi topo: row GPU0",
        "nvidia-smi topo: GPU0 to GPU0: X",
        "nvidia-smi topo: GPU0 to NIC0: SYS",
        "nvidia-smi topo: GPU0 beside: 0-55,112-167",
        "nvidia-smi topo: GPU0 beside: 0",
    ]
    assert lines(matrix.replace("\t", "        ").replace(" X ", " X")) == tabs


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("Filesystem      Size  Used Avail Use% Mounted on", "df -h"),
        ("Filesystem           1K-blocks      Used Available Use% Mounted on", "df in 1K"),
        ("Filesystem     1024-blocks      Used Available Capacity Mounted on", "df in 1K"),
        ("Filesystem        Inodes   IUsed      IFree IUse% Mounted on", "df -i"),
        ("Dateisystem    Größe Benutzt Verf. Verw% Eingehängt auf", "df -h"),
        ("Dateisystem     1K-Blöcke Benutzt Verfügbar Verw% Eingehängt auf", "df in 1K"),
        ("Sys. de fichiers Inœuds IUtil. ILibre IUti% Monté sur", "df -i"),
        ("S.ficheros      Tamaño Usados  Disp Uso% Montado en", "df -h"),
    ],
)
def test_file_systems_in_other_units_and_languages(header: str, name: str) -> None:
    assert lines(f"{header}\n/dev/md0  100 90 10 90% /scratch\n")[1] == f"{name}: /dev/md0 100 90 10 90% /scratch"


SHELLS = {
    "bash 5.2": (
        "real-time non-blocking time  (microseconds, -R) unlimited",
        "open files                          (-n) 20000",
    ),
    "bash 4.4": ("core file size          (blocks, -c) 0", "open files                      (-n) 20000"),
    "dash 0.5": ("time(seconds)        unlimited", "nofiles              20000"),
    "zsh 5.9": ("-t: cpu time (seconds)              unlimited", "-n: file descriptors                20000"),
    "mksh 59": ("-t: time(cpu-seconds)     unlimited", "-n: nofiles(descriptors)  20000"),
    "ksh93u+": (
        "address space limit (Kibytes)           (-M)  unlimited",
        "nofile                                  (-n)  20000",
    ),
    "busybox 1.35": ("core file size (blocks)         (-c) 0", "open files                      (-n) 20000"),
}
"""The first line that the shell prints, and the one about open files."""


@pytest.mark.parametrize("shell", SHELLS)
def test_limits_in_the_words_of_a_shell(shell: str) -> None:
    first, files = SHELLS[shell]
    assert recognised(f"{first}\n{files}\n".encode())
    assert lines(f"{first}\n{files}\n")[1] == "ulimit: " + " ".join(files.split())


def test_a_device_with_a_line_of_its_own() -> None:
    wrapped = (
        "Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/mapper/vg-a--long--name\n     100 90 10 90% /\n"
    )
    assert lines(wrapped)[1:3] == [
        "df in 1K: /dev/mapper/vg-a--long--name",
        "df in 1K: /dev/mapper/vg-a--long--name 100 90 10 90% /",
    ]


def test_stacks_tell_thread_and_depth(tmp_path: Path) -> None:
    dump = (
        "Process 4711: python3 train.py\nPython v3.11.7 (/usr/bin/python3.11)\n\n"
        'Thread 4711 (active+gil): "MainThread"\n    wait (threading.py:327)\n    main (train.py:9)\n'
    )
    assert lines(dump)[3:6] == [
        'py-spy: thread "MainThread" active',
        'py-spy: thread "MainThread" active / 0: wait (threading.py:327)',
        'py-spy: thread "MainThread" active / 1: main (train.py:9)',
    ]
    file = tmp_path / "dump.txt"
    file.write_text(dump)
    assert [item.layout for item in logsleuth.analyze(file).inputs] == ["tools"]


def test_a_header_names_the_output_whatever_it_begins_with() -> None:
    header = '### logsleuth probe=nvidia-smi-q host=a exit=9 at=2026-11-26T09:14:02Z command="nvidia-smi -q"'
    assert HEADER.match(header.encode())
    told = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
    assert lines(f"{header}\n{told}\n")[1] == told
    assert lines(header.replace("nvidia-smi-q", "no-such-probe") + "\n" + told)[1] == told


def test_every_output_has_a_name_of_its_own() -> None:
    names = [report.name for report in REPORTS]
    probes = [probe for report in REPORTS for probe in report.probes]
    assert len(names) == len(set(names))
    assert len(probes) == len(set(probes))


# What is promised of any text.

KNOWN = sorted({line for path in OUTPUTS for line in path.read_bytes().splitlines()})
OTHER = st.binary(max_size=40).map(lambda raw: raw.translate(None, b"\n\r\x1d\x1e\x1f"))
ANY = st.lists(st.sampled_from(KNOWN) | OTHER, max_size=40)
NAMES = (
    " ".join(report.name for report in REPORTS) + ' df -h in 1K -i row to beside columns gpu port thread "MainThread" /'
    " ibstat State Physical state Rate Link layer Active Down Initializing Armed"
)
"""What is said of lines besides what stands in them."""


def words(text: bytes) -> list[bytes]:
    return [word.rstrip(b":") for word in text.split()]


@given(ANY, st.integers(1, 50))
def test_chunks_change_nothing(taken: list[bytes], size: int) -> None:
    data = b"".join(line + b"\n" for line in taken)
    whole, pieces = (
        b"".join(chunk.data for chunk in unfolded(cut([data], n, 1 << 20), Outputs())) for n in (1 << 20, size)
    )
    assert whole == pieces


@given(ANY)
def test_nothing_is_lost_and_nothing_made_up(taken: list[bytes]) -> None:
    outputs = Outputs()
    seen: set[bytes] = set(words(NAMES.encode()))
    for number, line in enumerate(taken):
        made = list(outputs.feed(Physical(line, 0, number)))
        seen.update(words(line), line.replace(b"'", b" ").replace(b"=", b" ").split())
        own = b" ".join(piece.text.rpartition(CLOSES)[2] for piece in made)
        assert made, "every line is told"
        assert b"".join(b"".join(piece.cited.split()) for piece in made) == b"".join(line.split()), "and cited whole"
        for word in words(line):
            assert word in own or word.lower() in own or word.strip(b"'\x1b[0123456789m:()+,") in own
        for word in words(own):
            known = word in seen or word.isdigit() or any(word in other for other in seen)
            assert known, word
