"""Collectors and launchers that label what was written at once, not each line of it: tracebacks keep their writer."""

from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.model.analysis import Culprits
from tests.healthy.alarms import program

LABELS = {
    "torch": "[rank{r}]: ",
    "torchrun --tee": "[default{r}]:",
    "srun --label": "{r}: ",
    "kubectl logs --prefix": "[pod/llama-worker-{r}/pytorch] ",
    "stern": "llama-worker-{r} pytorch ",
    "mpirun --tag-output": "[1,{r}]<stderr>:",
    "syslog": "Mar  5 10:00:0{s} node-{r} trainer[400{r}]: ",
    "pdsh": "node-{r}: ",
    "Ray": "(RayTrainWorker pid=400{r}, ip=10.20.0.{r}) ",
    "a stamp and torch": "2026-03-05T10:00:0{s}.123456789Z [rank{r}]: ",
}
BODY = """\
Traceback (most recent call last):
  File "/srv/job/train.py", line 91, in <module>
    main()
  File "/srv/job/train.py", line 70, in main
    batch = tokenizer(text)
            ^^^^^^^^^^^^^^^
"""
OWN = BODY + "TypeError: 'NoneType' object is not callable"
OF_PEERS = (
    BODY
    + "torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:77, remote"
    " process exited or there was a network error, NCCL version 2.25.1\nncclRemoteError: A call failed possibly due to a"
    " network error or a remote process exiting prematurely.\nLast error:\nsocketProgress: Connection closed by remote"
    " peer node-2<41234>"
)


def _written(label: str, *, on_every_line: bool) -> str:
    """A job of four of which the third raises, and the others lose the connection to it."""
    writes = [(rank, step, f"step {step} | loss {3 - step / 10:.3f}") for step in range(5) for rank in range(4)]
    writes += [(2, 6, OWN), (0, 7, OF_PEERS), (3, 7, OF_PEERS), (1, 7, OF_PEERS)]
    text = ""
    for rank, second, said in writes:
        prefix = label.format(r=rank, s=second)
        text += prefix + said.replace("\n", "\n" + prefix * on_every_line) + "\n"
    return text


def _culprits(log: Path, text: str) -> list[tuple[str | None, Culprits]]:
    log.write_text(text)
    return [(verdict.rule, verdict.culprits) for verdict in analyze_with(program(), [str(log)]).verdicts]


@pytest.mark.parametrize("name", LABELS)
def test_the_culprit_is_that_of_lines_that_are_all_labelled(name: str, tmp_path: Path) -> None:
    (told,) = _culprits(tmp_path / "all.log", _written(LABELS[name], on_every_line=True))
    assert told[0] == "process.uncaught_exception"
    assert "2" in repr(told[1])
    assert _culprits(tmp_path / "all.log", _written(LABELS[name], on_every_line=False)) == [told]
