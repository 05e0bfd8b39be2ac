"""One failure, however often it is told and however its text was treated: one verdict, one culprit, counted once."""

import json
import random
from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from tests.drivers.test_labelled_once import OF_PEERS, OWN
from tests.healthy.alarms import program
from tests.layouts.spliced import spliced
from tests.simulation.score import Outcome, score
from tests.simulation.simulate import simulate

Files = dict[str, str]


def _labelled(rank: int, text: str) -> str:
    return "".join(f"[rank{rank}]: {line}\n" for line in text.split("\n"))


def _steps(rank: int, steps: int = 30) -> str:
    return "".join(f"step {step} | loss {3 - step / 9000:.4f} | rank {rank}\n" for step in range(steps))


def _end(rank: int) -> str:
    return _labelled(rank, OWN if rank == 2 else OF_PEERS)


def _job(change: Callable[[str], str] = str, steps: int = 30) -> Files:
    """Four ranks of which the third raises; ``change`` is what happens to the end of each log."""
    return {f"rank_{rank}.log": _steps(rank, steps) + change(_end(rank)) for rank in range(4)}


_LOGGED = "2026-03-05 10:00:07,123 ERROR train.py:88 step failed\n"
_ERROR_FILE = json.dumps(
    {"message": {"message": OWN.split("\n")[-1], "extraInfo": {"py_callstack": OWN, "timestamp": "1772704807"}}}
)
_TREE = "logs/none_ab12cd34/attempt_0"
_OF_RAY = (
    'Traceback (most recent call last):\n  File "/srv/job/main.py", line 12, in <module>\n    trainer.fit()\n'
    "ray.exceptions.RayTaskError(TypeError): ray::_RayTrainWorker__execute.get_next() (pid=4702, ip=10.20.0.2)\n"
    + OWN.partition("\n")[2]
    + "\n"
)

TWICE: dict[str, Files] = {
    "in one file": _job() | {"rank_2.log": _steps(2) + _end(2) + _end(2)},
    "by a logger and by the interpreter": _job() | {"rank_2.log": _steps(2) + _LOGGED + OWN + "\n" + _end(2)},
    "on stderr and in a log file": {
        **{f"logs/rank_{rank}/stderr.log": _end(rank) for rank in range(4)},
        **{f"logs/rank_{rank}/train.log": _steps(rank) for rank in (0, 1, 3)},
        "logs/rank_2/train.log": _steps(2) + _LOGGED + OWN + "\n",
    },
    "without a label, and with one": {"console.log": "".join(map(_steps, range(4))) + OWN + "\n" + "".join(map(_end, (2, 0, 1, 3)))},
    "in the console, a rank's log and torchrun's error file": {
        "console.log": "".join(f"[default{rank}]:{line}\n" for rank in range(4) for line in (_steps(rank) + _end(rank)).splitlines()),
        **{f"{_TREE}/{rank}/stderr.log": _end(rank) for rank in range(4)},
        f"{_TREE}/2/error.json": _ERROR_FILE,
    },
    "in a copy of the folder": _job() | {f"copy/{path}": text for path, text in _job().items()},
    "by Ray again": {
        "driver.log": "".join(
            f"(RayTrainWorker pid=470{rank}, ip=10.20.0.{rank}) {line}\n" for rank in range(4) for line in (_steps(rank) + _end(rank)).splitlines()
        )
        + _OF_RAY
    },
}  # fmt: skip


def _colour(opens: str, closes: str) -> Callable[[str], str]:
    return lambda text: "".join(f"{opens}{line}{closes}\n" for line in text.splitlines())


TREATED: dict[str, Files] = {
    # Behind the head by which text that was passed on is recognised.
    "colours without an escape, late": _job(_colour("[31m", "[0m"), 4000),
    "colours with a caret, late": _job(_colour("^[[31m", "^[[0m"), 4000),
    "entities, late": _job(escape, 4000),
    "blank lines in the traceback": _job(lambda text: text.replace("\n", "\n\n")),
    "two blank lines in the traceback": _job(lambda text: text.replace("\n", "\n\n\n")),
    "blank lines that end otherwise": _job(lambda text: text.replace("\n", "\r\n\r\n")),
    "labelled blank lines": _job(lambda text: "".join(f"{line}\n{line[:9]}\n" for line in text.splitlines())),
}


@pytest.mark.parametrize("files", [*TWICE.values(), *TREATED.values()], ids=[*TWICE, *TREATED])
def test_one_verdict_and_one_culprit(files: Files, tmp_path: Path) -> None:
    for path, text in files.items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, newline="")
    (verdict,) = [one for one in analyze_with(program(), [str(tmp_path)]).verdicts if one.role == "root"]
    assert (verdict.rule, verdict.culprits.ranks) == ("process.uncaught_exception", (2,))
    assert len(verdict.evidence) <= 2


@pytest.mark.parametrize("seed", [45, 47, 96])
def test_torn_lines_accuse_nobody_else(seed: int, tmp_path: Path) -> None:
    """Ranks that write into one pipe tear each other's lines; of all such jobs these are near misses."""
    simulated = simulate(seed, tmp_path, None)
    chance = random.Random(seed)
    for path in sorted(path for path in tmp_path.rglob("*") if path.is_file()):
        path.write_bytes(spliced(path.read_bytes(), chance, 0.1))
    analysis = analyze_with(program(), [str(tmp_path)])
    named = {rank for verdict in analysis.verdicts for rank in verdict.culprits.ranks}
    assert score(simulated, analysis).outcome is not Outcome.FALSE_ACCUSATION
    assert named <= set(simulated.truth.culprit_ranks)
