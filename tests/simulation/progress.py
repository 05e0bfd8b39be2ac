"""What do ranks write while all is well?"""

import random
from dataclasses import dataclass, field
from functools import partial

from tests.simulation.job import Job
from tests.simulation.wordings import nccl, python, watchdog
from tests.simulation.world import Meeting, Process, World
from tests.simulation.written import Fact

_STYLES = ("every", "every", "first", "hf", "megatron", "titan", "tqdm")

_WARNINGS = (
    "/opt/venv/lib/python3.11/site-packages/torch/utils/checkpoint.py:92: UserWarning: None of the inputs have requires_grad=True. Gradients will be None\n  warnings.warn(",
    "/srv/job/model.py:51: FutureWarning: `torch.cuda.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cuda', args...)` instead.\n  with torch.cuda.amp.autocast():",
    "The attention mask is not set and cannot be inferred from input because pad token is same as eos token.",
    "WARNING: fused kernels are not available, falling back to native ones; this may fail to reach full speed",
    "Retrying (Retry(total=4, connect=None, read=None)) after connection broken by 'ConnectionResetError(104)': /api/models/base",
    "download of shard 00012 failed (attempt 1 of 5), retrying in 2 s\ndownload of shard 00012 done",
)

_CONFIG = (
    "config: {'timeout': 1800, 'error_if_nonfinite': False, 'on_error': 'raise', 'max_restarts': 3, 'oom_retry': 0}",
    "  nccl_async_error_handling ................... 1\n  exit_on_missing_checkpoint .................. False\n  log_timers_to_tensorboard ................... True",
    "args: --batch-size 8 --fail-on-nan --kill-after 86400 --abort-on-error no",
)


@dataclass(slots=True)
class Voice:
    """Which ranks print what."""

    style: str
    shows_nccl: bool
    """NCCL_DEBUG=INFO."""
    states_size: bool
    chatter: float
    """Share of ranks that also write a warning."""
    leaves_group: bool
    """The script does not destroy its process group at the end, and torch says so."""
    losses: list[float] = field(default_factory=list)


def draw_voice(chance: random.Random, job: Job) -> Voice:
    losses = [round(9.0 / (1 + 0.21 * step) + chance.uniform(-0.05, 0.05), 4) for step in range(job.steps + 1)]
    shows = job.backend == "nccl" and chance.random() < 0.25
    return Voice(
        chance.choice(_STYLES),
        shows,
        chance.random() < 0.4,
        chance.choice((0.0, 0.3, 1.0)),
        chance.random() < 0.5,
        losses,
    )


class Progress:
    """Lines of a training script and of NCCL."""

    def __init__(self, world: World, voice: Voice) -> None:
        self.world = world
        self.voice = voice
        world.on_step.append(self._step)
        world.on_finish.append(self._finish)
        world.on_enter.append(self._entered)

    def _entered(self, process: Process, meeting: Meeting) -> None:
        """The first collective of a group sets up its communicator."""
        world, job, rank = self.world, self.world.job, process.rank
        if meeting.index == 0 and self.voice.shows_nccl:
            host, members = job.host_of(rank), meeting.group.members
            peer = nccl.Peer(
                host.name, host.address, process.pid, job.local(rank), members.index(rank), len(members), job.era.nccl
            )
            fact = Fact("size", len(members)) if meeting.group.kind == "default" else None
            for text in nccl.starting(peer, meeting.group.guid):
                world.say(rank, text, fact, is_error=False)
            world.after(world.chance.uniform(0.2, 0.4), partial(self._connected, process, peer, meeting))
        if meeting.index == 0 and meeting.group.kind == "default":
            self._introduce(process)

    def _connected(self, process: Process, peer: nccl.Peer, meeting: Meeting) -> None:
        is_reachable = "*" not in self.world.blocked
        if is_reachable and len(meeting.entered) == len(meeting.group.members) and self.world.is_current(process):
            for text in nccl.complete(peer, meeting.group.guid):
                self.world.say(process.rank, text, is_error=False)

    def _introduce(self, process: Process) -> None:
        world, job, rank = self.world, self.world.job, process.rank
        if self.voice.states_size:
            text = f"Initializing distributed: GLOBAL_RANK: {rank}, MEMBER: {rank + 1}/{job.size}"
            world.say(rank, text, Fact("size", job.size, names_rank=True))
        if rank == 0:
            world.say(rank, world.chance.choice(_CONFIG), is_error=False)
        if job.local(rank) and world.chance.random() < self.voice.chatter / 4:
            text = f"[c10d] The server socket on [{job.hosts[0].name}]:{job.port} is not yet listening (errno: 111 - Connection refused), will retry."
            clock = world.clock(rank)
            line = watchdog.cpp(
                job.era, clock, rank, world.now, text, level="W", place="socket.cpp:697", is_known=False
            )
            world.say(rank, line)
        if world.chance.random() < self.voice.chatter:
            world.say(rank, world.chance.choice(_WARNINGS))

    def _prints(self, rank: int) -> bool:
        if self.voice.style == "every":
            return True
        return rank == (self.world.job.size - 1 if self.voice.style == "megatron" else 0)

    def _step(self, process: Process) -> None:
        world, job, rank = self.world, self.world.job, process.rank
        if not self._prints(rank):
            return
        step, loss = process.step * job.stride, self.voice.losses[process.step]
        if rank == 0 and process.step % job.pause_every == 0:
            text = f"saving checkpoint at iteration {step:7d} to /ckpt/run in torch format"
            world.say(rank, text, is_error=False)
            world.after(min(1.0, job.step_seconds), partial(self._saved, process, step))
        text = self._words(step, job.steps * job.stride, loss, rank)
        world.say(rank, text, Fact("step", rank), is_error=self.voice.style == "tqdm")

    def _saved(self, process: Process, step: int) -> None:
        if self.world.can_act(process):
            text = f"  successfully saved checkpoint from iteration {step:7d} to /ckpt/run [ t 1/1, p 1/1 ]"
            self.world.say(process.rank, text, is_error=False)

    def _words(self, step: int, total: int, loss: float, rank: int) -> str:
        now = self.world.clock(rank).at(self.world.now)
        match self.voice.style:
            case "hf":
                return f"{{'loss': {loss:.4f}, 'grad_norm': 1.03, 'learning_rate': 5e-05, 'epoch': {step / total:.2f}}}"
            case "megatron":
                return (
                    f" [{now:%Y-%m-%d %H:%M:%S}] iteration {step:8d}/{total:8d} | consumed samples: {step * 512:12d} | elapsed "
                    f"time per iteration (ms): {self.world.job.step_seconds * 1000:.1f} | learning rate: 1.200000E-05 | lm loss: "
                    f"{loss:.6E} | number of skipped iterations:   0 | number of nan iterations:   0 |"
                )
            case "titan":
                stamp = f"{now:%Y-%m-%d %H:%M:%S},{now.microsecond // 1000:03d}"
                return f"[titan] {stamp} - root - INFO - step: {step:2d}  loss:  {loss:.5f}  grad_norm:  1.0345  memory: 40.11GiB(50.70%)  tps: 5,811"
            case "tqdm":
                return (
                    f"\r  {100 * step // total}%|####      | {step}/{total} [00:11<01:09,  2.11it/s, loss={loss:.3f}]"
                )
        return f"step {step} | loss {loss:.4f}"

    def _finish(self, process: Process) -> None:
        world, job = self.world, self.world.job
        if self.voice.leaves_group and job.backend == "nccl":
            text = python.leaving(job.era, process.rank, world.clock(process.rank).cpp(world.now))
            if text:
                world.say(process.rank, text)
        if process.rank == 0:
            self.world.say(0, "Training completed", Fact("finished", 0), is_error=False)
