"""What does a job consist of: hosts, ranks, process groups, and what every rank calls in a step?"""

import random
from typing import NamedTuple

from tests.simulation.eras import Era, draw_era


class Host(NamedTuple):
    node: int
    """Its number among the hosts."""
    name: str
    address: str


class Group(NamedTuple):
    """A process group."""

    guid: str
    """Unique in the job, equal on all members."""
    kind: str
    """``default``, ``tp``, ``dp`` or ``pp``."""
    description: str
    members: tuple[int, ...]


class Call(NamedTuple):
    """A collective that all members of a group call in every step."""

    kind: str
    """Of the group in which it is called."""
    op: str
    numel_in: int
    numel_out: int
    waits: bool
    """The CPU waits for the result before it goes on."""


class Shape(NamedTuple):
    """Bounds within which a job is drawn."""

    least_ranks: int = 4
    least_hosts: int = 1
    backends: tuple[str, ...] = ("nccl", "nccl", "nccl", "nccl", "gloo")
    eras: tuple[str, ...] = ()
    """Empty: any."""
    launchers: tuple[str, ...] = ("torchrun", "torchrun", "torchrun", "srun")
    has_groups: bool | None = None
    """Whether there are sub-groups; None: either."""


class Job(NamedTuple):
    era: Era
    backend: str
    launcher: str
    """``torchrun`` (an agent on every host) or ``srun`` (a task for every rank)."""
    hosts: tuple[Host, ...]
    per_host: int
    groups: tuple[Group, ...]
    calls: tuple[Call, ...]
    steps: int
    step_seconds: float
    stride: int
    """Steps that pass between two that are simulated and printed."""
    pause_every: int
    """Simulated steps between two that begin with an evaluation or a checkpoint."""
    timeout: float
    """Seconds that a collective may take."""
    dumps: bool
    """Ranks tell each other of a timeout through the store."""
    notices_loss: bool
    """NCCL notices that a peer is gone; otherwise its peers wait until their timeout."""
    port: int
    number: int
    """Of the scheduler."""
    script: str
    python: str

    @property
    def size(self) -> int:
        return len(self.hosts) * self.per_host

    def host_of(self, rank: int) -> Host:
        return self.hosts[rank // self.per_host]

    def local(self, rank: int) -> int:
        return rank % self.per_host

    def ranks_of(self, host: Host) -> range:
        return range(host.node * self.per_host, (host.node + 1) * self.per_host)

    def group(self, rank: int, kind: str) -> Group:
        """The group of that kind that a rank belongs to."""
        return next(group for group in self.groups if group.kind == kind and rank in group.members)

    def number_of(self, rank: int, group: Group) -> int:
        """The running number that a group has in the process of one of its members."""
        return [g.guid for g in self.groups if rank in g.members].index(group.guid)


_NAMES = (
    "node-{n}",
    "gpu-a{n:02d}",
    "node{n:03d}",
    "cn{n:04d}",
    "dgx-{n:02d}",
    "gpu-b{n:02d}.cluster.local",
    "train-worker-{n}",
)
_SMALL = ((1, 4), (1, 8), (2, 2), (2, 4), (2, 8), (3, 4), (4, 2), (4, 4))
_LARGE = ((4, 8), (8, 8), (16, 4), (32, 8))


def draw_job(chance: random.Random, shape: Shape) -> Job:
    """A job within the bounds; mostly a small one."""
    era = draw_era(chance)
    while shape.eras and era.name not in shape.eras:
        era = draw_era(chance)
    backend = chance.choice(shape.backends)
    sizes = _LARGE if chance.random() < 0.08 else _SMALL
    fitting = [size for size in sizes if size[0] >= shape.least_hosts and size[0] * size[1] >= shape.least_ranks]
    nodes, per_host = chance.choice(fitting)
    name, first = chance.choice(_NAMES), chance.choice((0, 1, 7, 11))
    subnet = f"10.{chance.randrange(1, 200)}.{chance.randrange(1, 200)}"
    hosts = tuple(Host(i, name.format(n=first + i), f"{subnet}.{10 + first + i}") for i in range(nodes))
    wants = chance.random() < 0.45 if shape.has_groups is None else shape.has_groups
    groups = _groups(chance, nodes * per_host, per_host, wants and backend == "nccl")
    runs_ahead = chance.random() < 0.5 and backend == "nccl"
    return Job(
        era=era,
        backend=backend,
        launcher=chance.choice(shape.launchers),
        hosts=hosts,
        per_host=per_host,
        groups=groups,
        calls=_calls(chance, groups, runs_ahead),
        steps=chance.randrange(6, 13),
        step_seconds=chance.choice((0.4, 1.5, 4.0, 11.0)),
        stride=chance.choice((1, 1, 10, 50)),
        pause_every=chance.choice((3, 4, 5, 50)),
        timeout=chance.choice((600.0, 600.0, 1800.0, 1800.0, 300.0)),
        dumps=bool(era.signals) and chance.random() < 0.6,
        notices_loss=backend == "gloo" or chance.random() < 0.6,
        port=chance.choice((29500, 29400, 23456, chance.randrange(20000, 60000))),
        number=chance.randrange(10_000, 9_000_000),
        script=chance.choice(("train.py", "/srv/job/train.py", "pretrain_gpt.py", "/home/ml/finetune/run.py")),
        python=chance.choice(("/usr/bin/python3", "/opt/venv/bin/python3", "/opt/conda/bin/python")),
    )


def _groups(chance: random.Random, size: int, per_host: int, wants: bool) -> tuple[Group, ...]:
    """The default group and, where wanted, contiguous tensor-parallel and strided data-parallel or pipeline ones."""
    groups = [Group("0", "default", "default_pg", tuple(range(size)))]
    widths = [width for width in (2, 4, 8) if width <= per_host and size // width >= 2]
    if not wants or not widths:
        return tuple(groups)
    width = chance.choice(widths)
    described = chance.random() < 0.5
    number = 1
    for start in range(0, size, width):
        members = tuple(range(start, start + width))
        groups.append(Group(str(number), "tp", "mesh_tp" if described else "", members))
        number += 1
    other = chance.choice(("dp", "dp", "pp"))
    for start in range(width):
        groups.append(Group(str(number), other, f"mesh_{other}" if described else "", tuple(range(start, size, width))))
        number += 1
    return tuple(groups)


def _calls(chance: random.Random, groups: tuple[Group, ...], runs_ahead: bool) -> tuple[Call, ...]:
    kinds = list(dict.fromkeys(group.kind for group in groups))
    size = len(groups[0].members)
    numel = chance.choice((4096, 1_048_576, 25_165_824, 6_553_600))
    if len(kinds) > 1:
        other, width, degree = kinds[2], len(groups[1].members), len(groups[-1].members)
        first = chance.choice((Call("tp", "ALLREDUCE", numel, numel, False), _gather("tp", numel, width)))
        second = _scatter("dp", numel, degree) if other == "dp" else Call("pp", "BROADCAST", numel, numel, False)
        calls = [first, Call("tp", "ALLREDUCE", numel, numel, False), second]
    elif chance.random() < 0.4:
        calls = [
            _gather("default", numel, size),
            _gather("default", numel // 2, size),
            _scatter("default", numel, size),
        ]
    else:
        calls = [Call("default", "ALLREDUCE", n, n, False) for n in (numel, numel // 2 + 17, 513)][
            : chance.randrange(1, 4)
        ]
    if chance.random() < 0.6 or len(kinds) > 1:
        calls.append(Call("default", "ALLREDUCE", 1, 1, True))
    if not runs_ahead:
        return tuple(call._replace(waits=True) for call in calls)
    # Losses are printed, so a CPU waits at the end of each step.
    return (*calls[:-1], calls[-1]._replace(waits=True))


def _gather(kind: str, numel: int, size: int) -> Call:
    return Call(kind, "_ALLGATHER_BASE", numel, numel * size, False)


def _scatter(kind: str, numel: int, size: int) -> Call:
    return Call(kind, "_REDUCE_SCATTER_BASE", numel * size, numel, False)
