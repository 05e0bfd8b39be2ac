"""Troubles in which ranks call different collectives."""

import random
from functools import partial

from tests.simulation.faults import Fault
from tests.simulation.job import Call, Job, Shape
from tests.simulation.waits import WAITING
from tests.simulation.wordings import python
from tests.simulation.world import Process
from tests.simulation.written import Fact


class Mismatch(Fault):
    """One rank calls another operation or another size than the rest; NCCL then hangs for all."""

    kind = "mismatch"
    shape = Shape(backends=("nccl",), has_groups=False)
    causes: tuple[str, ...] = ("collective-mismatch",)
    also: tuple[str, ...] = ("collective-mismatch", *WAITING)
    proof = "mismatch"

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        self.is_size = chance.random() < 0.5

    def before(self, process: Process, call: Call) -> Call | None:
        if not self.is_here(process):
            return call
        if self.is_size:
            return call._replace(numel_in=call.numel_in + 64, numel_out=call.numel_out + 64, waits=True)
        return call._replace(
            op="BROADCAST" if call.op != "BROADCAST" else "ALLREDUCE", numel_out=call.numel_in, waits=True
        )


class Tie(Mismatch):
    """Half of the ranks differ from the other half: nobody can be named."""

    kind = "mismatch-tie"
    proof = "none"

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        self.ranks = tuple(range(0, job.size, 2)) if chance.random() < 0.5 else tuple(range(job.size // 2))

    @property
    def guilty(self) -> tuple[int, ...]:
        return ()


class Fingerprints(Fault):
    """TORCH_DISTRIBUTED_DEBUG=DETAIL: every rank tells what it called and with whom it does not agree."""

    kind = "fingerprints"
    shape = Shape(least_ranks=4, has_groups=False)
    causes: tuple[str, ...] = ("collective-mismatch",)
    also: tuple[str, ...] = ("collective-mismatch", "peer-exited", *WAITING)
    proof = "fingerprints"

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        self.what = chance.choice(("op", "size", "dtype"))
        self.came: list[Process] = []

    def before(self, process: Process, call: Call) -> Call | None:
        if process.step != self.step or process.place != self.place:
            return call
        self.came.append(process)
        process.is_stalled = True
        world = self.scene.world
        if len(self.came) == world.job.size:
            for one in self.came:
                world.after(self.chance.uniform(0.05, 0.4), partial(self._raise, one, call))
        return None

    def _raise(self, process: Process, call: Call) -> None:
        world, job, odd = self.scene.world, self.scene.world.job, self.ranks[0]
        if not world.is_current(process):
            return
        other = odd if process.rank != odd else (1 if odd == 0 else 0)
        own, theirs = (self._print(rank == odd, call) for rank in (process.rank, other))
        differ = (
            " Collectives differ in the following aspects: \t Op type: differvs differ" if job.era.name >= "2.1" else ""
        )
        error = (
            f"RuntimeError: Detected mismatch between collectives on ranks. Rank {process.rank} is running collective: {own}, "
            f"but Rank {other} is running collective: {theirs}.{differ}"
        )
        fact = Fact("fingerprint", process.rank, op=own, names_rank=True)
        world.say(process.rank, python.traceback(job.era, process.rank, job.script, "item", error), fact)
        world.after(self.chance.uniform(0.4, 2), partial(world.end, process, 1))

    def _print(self, is_odd: bool, call: Call) -> str:
        op, size, kind = call.op.strip("_"), call.numel_in, "Float"
        if is_odd:
            op = ("BROADCAST" if op != "BROADCAST" else "ALLREDUCE") if self.what == "op" else op
            size += 8 if self.what == "size" else 0
            kind = "Half" if self.what == "dtype" else kind
        return (
            f"CollectiveFingerPrint(SequenceNumber={self.step * 3 + self.place}, OpType={op}, TensorShape=[{size}], "
            f"TensorDtypes={kind}, TensorDeviceTypes=TensorOptions(dtype=float (default), device=cuda, layout=Strided (default), "
            "requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt)))"
        )
