"""What collectors and kernels write around a job: Kubernetes, Docker, dmesg and syslog of nodes that are well."""

import json

from tests.healthy import noise, quoted
from tests.healthy.log import Family, Log


def _progress(log: Log) -> list[str]:
    """A plain job, to be wrapped."""
    inner = Log(log.chance.randrange(1 << 30), max(20, log.wanted - 10))
    inner.now = log.now
    noise.start(inner)
    quoted.config(inner)
    while inner.has_room():
        inner.say(
            f"{{day}} {{clock}},{{ms}} INFO step {inner.step} loss {inner.loss:.4f} grad_norm {inner.norm:.3f} time {inner.seconds:.3f}s"
        )
        noise.on_the_way(inner)
        quoted.sample(inner)
    inner.say("training finished")
    noise.end(inner)
    return inner.files["train.log"]


def docker(log: Log) -> None:
    """json-file: each line in an object of its own."""
    for line in _progress(log):
        log.go_on(0.8)
        entry = json.dumps({"log": line + "\n", "stream": "stderr", "time": "TIME"})
        log.say(entry.replace('"TIME"', '"{iso}"'), "container-json.log")


def cri(log: Log) -> None:
    """The kubelet's own files."""
    for line in _progress(log):
        log.go_on(0.8)
        log.say(
            "{iso} stderr F " + line,
            "var/log/pods/ml_trainer-worker-0_1f0c2e3a-1111-2222-3333-444455556666/pytorch/0.log",
        )


def compose(log: Log) -> None:
    """docker compose: the service's name before a bar; what belongs together comes from one service."""
    label = ""
    for line in _progress(log):
        if not label or line[:4].isdigit():
            label = log.chance.choice(("trainer-1  | ", "trainer-2  | "))
        log.say(line, label=label)


def kernel(log: Log) -> None:
    """dmesg of a node whose jobs are well, beside the log of one."""
    clock = 12.0
    boot = (
        "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024",
        "nvidia: module license 'NVIDIA' taints kernel.",
        "nvidia-nvlink: Nvlink Core is being initialized, major device number 237",
        "nvidia-modeset: Loading NVIDIA Kernel Mode Setting Driver for UNIX platforms  550.54.15",
        "nvidia_uvm: module uses symbols nvUvmInterfaceDisableAccessCntr from proprietary module nvidia, inheriting taint.",
        "mlx5_core 0000:18:00.0: firmware version: 28.39.1002",
        "mlx5_core 0000:18:00.0: Port module event: module 0, Cable plugged",
        "mlx5_core 0000:18:00.0 ibs0: Link up",
        "mlx5_core 0000:18:00.0: E-Switch: Total vports 2, per vport: max uc(128) max mc(2048)",
        "EDAC MC0: Giving out device to module skx_edac",
        "mce: CPU supports 20 MCE banks",
        "pcieport 0000:15:01.0: AER: enabled with IRQ 41",
        "ACPI Error: No handler for Region [POWR] (20210730/evregion-130)",
        "pci 0000:00:1f.0: BAR 6: failed to assign [mem size 0x00000800 pref]",
        "nvme nvme0: 64/0/0 default/read/poll queues",
        "systemd[1]: Started NVIDIA Persistence Daemon.",
    )
    for text in boot:
        clock += 0.4
        log.say(f"[{clock:12.6f}] {text}", "dmesg-node-7.txt")
    routine = (
        "nfs: server fs-3 not responding, still trying",
        "nfs: server fs-3 OK",
        "NVRM: Persistence mode is deprecated and will be removed in a future release. Please use nvidia-persistenced instead.",
        "perf: interrupt took too long (2511 > 2500), lowering kernel.perf_event_max_sample_rate to 79500",
        "TCP: request_sock_TCP: Possible SYN flooding on port 29500. Sending cookies.  Check SNMP counters.",
        'audit: type=1400 audit(1740000000.123:41): apparmor="STATUS" operation="profile_load" name="docker-default"',
        "docker0: port 1(veth1f0c) entered disabled state",
        "EXT4-fs (nvme0n1p2): mounted filesystem with ordered data mode. Opts: errors=remount-ro",
        "mlx5_core 0000:18:00.0: Port module event: module 0, Cable unplugged",
        "mlx5_core 0000:18:00.0: Port module event: module 0, Cable plugged",
        "NVRM: Xid (PCI:0000:65:00): 43, pid=41111, name=python3, Ch 00000008",
    )
    job = _progress(log)
    place = 0
    while log.has_room() and place < len(job):
        clock += log.chance.uniform(20, 300)
        log.go_on(1)
        log.say(f"[{clock:12.6f}] {routine[log.step % len(routine)]}", "dmesg-node-7.txt")
        log.say("\n".join(job[place : place + 8]))
        place += 8
    log.say("\n".join(job[place:]))


def syslog(log: Log) -> None:
    units = (
        "systemd[1]: Starting Daily apt download activities...",
        "nvidia-persistenced: device 0000:19:00.0 - persistence mode enabled.",
        "slurmd[1811]: launch task StepId=81234.0 request from UID:1000 GID:1000 HOST:10.20.0.7 PORT:41822",
        "slurmd[1811]: debug:  _rpc_terminate_job: uid = 64030 StepId=81233.0",
        "kernel: [ 4121.101112] nvidia-fabricmanager: multicast team set up",
        "nv-fabricmanager[1400]: Successfully configured all the available NVSwitches to route GPU NVLink traffic. NVLink Peer-to-Peer support will be enabled once the GPUs are successfully registered with the NVLink fabric.",
        'kubelet[1500]: E0304 10:00:00.000000    1500 kubelet.go:2448] "Error getting node" err="node not found"',
        "ntpd[900]: kernel reports TIME_ERROR: 0x41: Clock Unsynchronized",
        "systemd[1]: user@1000.service: Killing process 4411 (dbus-daemon) with signal SIGKILL.",
        "kernel: [ 4122.101112] CIFS: VFS: \\\\fs-3 has not responded in 180 seconds. Reconnecting...",
        "kernel: [ 4123.101112] mlx5_core 0000:18:00.0: mlx5_pcie_event:301:(pid 812): PCIe slot advertised sufficient power (27W).",
        "dcgm[1300]: health: GPU 0 OK, 0 failures, 0 XIDs",
        "CRON[8812]: (root) CMD (test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; })",
    )
    while log.has_room():
        log.go_on(log.chance.uniform(5, 100))
        log.say(f"{{syslog}} node-7 {log.chance.choice(units)}", "syslog-node-7.log")


FAMILIES = (
    Family("docker", docker),
    Family("cri", cri),
    Family("compose", compose),
    Family("kernel", kernel),
    Family("syslog", syslog),
)
