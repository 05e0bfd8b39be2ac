"""Real jobs that are followed while they run: one that hangs on a rank, and a healthy one with pauses.

Each is followed twice at a time: by ``logsleuth run --follow``, which sees its output, and by ``logsleuth analyze
--follow``, which sees the logs of its workers.
"""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.test_real_jobs import TORCHRUN, environment

pytestmark = pytest.mark.e2e

PACED = Path(__file__).with_name("paced.py")
RANKS = 4
GUILTY = 2
TIMEOUT = 45
"""Seconds that a collective waits; a hang is to be named long before."""
DEADLINE = 180
"""Seconds after which something hangs that should not."""
LOGSLEUTH = [sys.executable, "-m", "logsleuth"]
WORSE = (" FATAL [", " ERROR [", " WARNING [")
"""How plain lines tell a verdict."""


class Watched:
    """A job, and what was told of it."""

    def __init__(self, folder: Path, job: subprocess.Popen[bytes], follower: subprocess.Popen[bytes]) -> None:
        self.folder = folder
        self.job, self.follower = job, follower

    @property
    def lines(self) -> list[str]:
        """What ``run --follow`` and the job itself wrote to stderr."""
        return (self.folder / "stderr").read_text(errors="replace").splitlines()

    @property
    def verdicts(self) -> list[str]:
        """Those lines of them that begin a verdict."""
        return [line for line in self.lines if line.startswith("logsleuth: ") and any(word in line for word in WORSE)]

    @property
    def documents(self) -> list[dict[str, Any]]:
        """What ``analyze --follow --format jsonl`` wrote."""
        whole = (self.folder / "told.jsonl").read_text().rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines()]

    @property
    def changes(self) -> list[dict[str, Any]]:
        return [document for document in self.documents if document["type"] == "verdict"]

    @property
    def has_timed_out(self) -> bool:
        return any("Timed out" in log.read_text() for log in (self.folder / "logs").rglob("stderr.log"))

    def end(self) -> None:
        """Waits for the job's end, and has its follower end too."""
        self.job.wait(DEADLINE)
        self.follower.send_signal(signal.SIGTERM)
        self.follower.wait(DEADLINE)

    def shown(self) -> str:
        """All that was told, for the message of an assertion that fails."""
        return "\n".join([*self.lines, *map(json.dumps, self.changes)])


@contextmanager
def watched(folder: Path, arguments: Sequence[str]) -> Iterator[Watched]:
    logs = folder / "logs"
    logs.mkdir()
    torchrun = [*TORCHRUN, "--nproc-per-node", str(RANKS), "--log-dir", str(logs), "--tee", "3", str(PACED), *arguments]
    commands = {
        "told.jsonl": ["analyze", "--follow", str(logs), "--format", "jsonl"],
        "stdout": ["run", "--follow", "--log-dir", str(folder / "copy"), "--", *torchrun],
    }
    processes = []
    with ExitStack() as stack:
        for name, words in commands.items():
            out = stack.enter_context((folder / name).open("wb"))
            err = stack.enter_context((folder / f"{name}.err" if name != "stdout" else folder / "stderr").open("wb"))
            process = subprocess.Popen([*LOGSLEUTH, *words], env=environment(), stdout=out, stderr=err)
            processes.append(process)
            stack.callback(_ended, process)
        follower, job = processes
        yield Watched(folder, job, follower)


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def test_a_rank_that_hangs_is_named_before_the_timeout(tmp_path: Path) -> None:
    arguments = ["--rank", str(GUILTY), "--hang-at", "20", "--timeout", str(TIMEOUT)]
    with watched(tmp_path, arguments) as seen:
        end = time.monotonic() + DEADLINE
        while not (seen.changes and seen.verdicts) and time.monotonic() < end and seen.job.poll() is None:
            time.sleep(0.1)
        first, line = seen.changes[:1], seen.verdicts[:1]
        assert first, seen.shown()
        assert line, seen.shown()
        assert not seen.has_timed_out
        assert seen.job.poll() is None
        seen.end()
    assert (first[0]["change"], first[0]["verdict"]["rule"]) == ("appeared", "hang.rank_behind")
    assert first[0]["verdict"]["culprits"]["ranks"] == [GUILTY]
    assert f"ank {GUILTY} has told of no step after 19" in line[0]
    assert seen.job.returncode == 1
    # What is told after the timeout is the same story: another sentence, and nobody else is blamed.
    blamed = {tuple(change["verdict"]["culprits"]["ranks"]) for change in seen.changes}
    assert blamed == {(GUILTY,)}, seen.shown()
    gone = [change for change in seen.changes if change["key"] == first[0]["key"] and change["change"] != "appeared"]
    assert gone[-1]["change"] == "taken over", seen.shown()
    final = seen.documents[-1]
    assert final["type"] == "ended"
    roots = [one for one in final["analysis"]["verdicts"] if one["role"] == "root" and one["status"] == "firm"]
    assert [one["culprits"]["ranks"] for one in roots] == [[GUILTY]], seen.shown()
    assert f"ank {GUILTY} never came to what all other ranks waited for" in seen.lines[-1] + "\n".join(seen.verdicts)


def test_of_a_healthy_job_with_pauses_nothing_is_told(tmp_path: Path) -> None:
    with watched(tmp_path, ["--steps", "60", "--pauses", "20", "40", "--pause", "8"]) as seen:
        seen.end()
    assert seen.job.returncode == 0
    assert (seen.changes, seen.verdicts) == ([], []), seen.shown()
    assert seen.documents[-1]["analysis"]["verdicts"] == []
    assert seen.follower.returncode == 0
    printed = (tmp_path / "stdout").read_text()
    assert printed.count("| loss") == 60 * RANKS
