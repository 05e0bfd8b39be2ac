"""In which files do lines end up, and do they tell whose they are?"""

import random
from typing import NamedTuple

from tests.simulation.training.run import Run


class Said(NamedTuple):
    """Text that a rank writes at once; may be several lines."""

    at: float
    rank: int
    text: str

    @property
    def whole(self) -> str:
        """A progress bar ends no line: what comes next is glued to it."""
        return self.text if self.text.startswith("\r") and "\n" not in self.text else self.text + "\n"


def draw_layout(chance: random.Random, run: Run, speakers: tuple[int, ...], *, needs_ranks: bool) -> str:
    """``one`` file without labels, a file per rank (``files``), labels of srun (``srun``) or of torchrun (``tee``)."""
    if len(speakers) == 1:
        return chance.choice(("one", "one", "one", "srun", "files"))
    labelled: tuple[str, ...] = ("files", "srun", *(("tee",) if len(run.hosts) == 1 else ()))
    return chance.choice(labelled if needs_ranks else (*labelled, "one"))


def laid_out(layout: str, run: Run, speakers: tuple[int, ...], said: list[Said]) -> dict[str, str]:
    """Texts of files by path."""
    match layout:
        case "files":
            ranks = sorted({one.rank for one in said} if len(speakers) > 1 else speakers)
            return {f"logs/rank_{rank}.log": "".join(one.whole for one in said if one.rank == rank) for rank in ranks}
        case "srun":
            width = len(str(run.size - 1))
            texts = [_labelled(one.whole, f"{one.rank!s:>{width}}: ") for one in said]
            return {f"slurm-{run.number}.out": "".join(texts)}
        case "tee":
            return {"train.log": "".join(_labelled(one.whole, f"[default{one.rank % run.per_host}]:") for one in said)}
    return {"train.log": "".join(one.whole for one in said)}


def _labelled(text: str, label: str) -> str:
    """A label before every line; a launcher passes a bar on only when its line ends."""
    lines = text.removesuffix("\n").split("\n")
    return "".join(f"{label}{line}\n" for line in lines)
