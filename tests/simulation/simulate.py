"""What does a seed stand for? Draws a job and its trouble, lets it run, writes its logs and tells the truth."""

import random
from pathlib import Path
from typing import NamedTuple

from tests.simulation import ends, mismatches, waits
from tests.simulation.agents import Agents
from tests.simulation.clock import draw_clocks
from tests.simulation.faults import Fault, Healthy, Scene
from tests.simulation.job import Job, draw_job
from tests.simulation.layouts import LAYOUTS, Desk, draw_layout
from tests.simulation.losses import Kept, draw_losses, gathered
from tests.simulation.losses_of_peers import Peers
from tests.simulation.progress import Progress, draw_voice
from tests.simulation.tasks import Tasks
from tests.simulation.truth import Truth, tell
from tests.simulation.watchdogs import Watchdogs
from tests.simulation.world import World

_KINDS: tuple[type[Fault], ...] = (
    Healthy,
    waits.Straggler,
    ends.Raises,
    waits.StragglerInGroup,
    ends.Killed,
    ends.OutOfMemory,
    waits.Fabric,
    mismatches.Mismatch,
    ends.LeavesEarly,
    ends.OutOfHostMemory,
    ends.NodeLost,
    ends.Segfault,
    waits.Barrier,
    ends.StoreHostDies,
    mismatches.Tie,
    waits.Stuck,
    waits.Desync,
    ends.AllOutOfMemory,
    ends.Recovered,
    mismatches.Fingerprints,
    waits.Bootstrap,
    ends.Twice,
)
KINDS: dict[str, type[Fault]] = {fault.kind: fault for fault in _KINDS}
"""All kinds of trouble, in the order in which successive seeds have them."""


class Simulated(NamedTuple):
    """A job whose logs lie there, and the truth about it."""

    seed: int
    paths: tuple[Path, ...]
    truth: Truth
    job: Job
    kept: Kept
    description: str
    """For people."""


def simulate(seed: int, folder: Path, kind: str | None = None) -> Simulated:
    """Writes the logs of a seed under a folder; equal arguments write equal bytes."""
    chance = random.Random(seed)
    fault_class = KINDS[kind or list(KINDS)[seed % len(KINDS)]]
    job = fault_class.adapt(draw_job(chance, fault_class.shape))
    clocks = draw_clocks(chance, len(job.hosts))
    world = World(job, clocks, chance)
    fault = fault_class(job, chance)
    is_talkative = fault.kind in ("recovered", "twice") or chance.random() < 0.35
    _run(world, fault, is_talkative)
    layout = draw_layout(chance, job)
    kept = gathered(LAYOUTS[layout](Desk(job, clocks, chance, tuple(world.lines))))
    if fault.kind != "recovered":
        # With one log less, a fabric that hangs would look like a rank that stayed away.
        is_ambiguous = fault.kind in ("fabric", "bootstrap")
        kept = draw_losses(chance, kept, may_cut=not is_ambiguous, least=2 if is_ambiguous else 1)
    truth = tell(job, fault, kept)
    paths = _write(folder, kept)
    return Simulated(
        seed,
        paths,
        truth,
        job,
        kept,
        _described(
            seed,
            job,
            fault,
            layout,
            kept,
            truth,
            max(clock.skew for clock in clocks) - min(clock.skew for clock in clocks),
        ),
    )


def _run(world: World, fault: Fault, is_talkative: bool) -> None:
    dogs = Watchdogs(world, fault.report if isinstance(fault, waits.Desync) else None)
    peers = Peers(world)
    launcher = (
        Tasks(world, peers)
        if world.job.launcher == "srun"
        else Agents(world, peers, fault.restarts, is_talkative=is_talkative)
    )
    Progress(world, draw_voice(world.chance, world.job))
    fault.prepare(Scene(world, dogs, peers, launcher))
    launcher.start(0)
    world.run()


def _write(folder: Path, kept: Kept) -> tuple[Path, ...]:
    paths = []
    for name in sorted(kept.files):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # A progress bar ends no line: what comes next is glued to it.
        text = "".join(piece.text + ("" if piece.text.startswith("\r") else "\n") for piece in kept.files[name])
        path.write_bytes(text.encode())
        paths.append(path)
    return tuple(paths)


def _described(seed: int, job: Job, fault: Fault, layout: str, kept: Kept, truth: Truth, apart: float) -> str:
    groups = "+".join(dict.fromkeys(group.kind for group in job.groups))
    lost = [f"lost {', '.join(sorted(kept.lost))}"] if kept.lost else []
    lost += [f"cut {', '.join(sorted(kept.cut))}"] if kept.cut else []
    proof = f"{'determined' if truth.determined else 'not determined'} ({truth.why})"
    return "; ".join(
        [
            f"seed {seed}: {fault.describe()}",
            f"torch {job.era.name}, {job.backend}, {job.launcher}, {len(job.hosts)}x{job.per_host} ranks, groups {groups}",
            f"timeout {job.timeout:.0f} s, dumps {job.dumps}, notices losses {job.notices_loss}, layout {layout}, clocks {apart:.1f} s apart",
            *lost,
            f"true culprits {list(truth.culprit_ranks)} of {', '.join(truth.culprit_hosts) or 'no host'}, {proof}",
        ]
    )
