"""Lines that show what a model was given or wrote, and lines that only look as if."""

import pytest

from logsleuth.tokenize.framing import frame
from logsleuth.tokenize.quotation import is_quotation

QUOTED = (
    "Prompt: why does NCCL say Connection refused?",
    "prompt = 'CUDA error: an illegal memory access was encountered'",
    '{"step": 40, "prompt": "slurmstepd: error", "response": "ask for more time"}',
    "{'completion': 'CUDA error: unknown error'}",
    "[sample] <|user|> what is a bus error?",
    "<|assistant|> CUDA error: an illegal memory access was encountered",
    ">>> generation at this step: 'RuntimeError: CUDA error'",
    "| prompt | fix this | answer | find the rank |",
    "[rank3]: Generated text: Traceback (most recent call last):",
    "2025-03-04 10:00:00,000 INFO decoded: ValueError('loss is nan')",
)
SAID = (
    "RuntimeError: CUDA error: an illegal memory access was encountered",
    "prompting failed with CUDA error: an illegal memory access was encountered",
    "worker failed: response of rank 3: CUDA error: unknown error",
    "[rank0]: generation failed with CUDA error: unknown error",
    '{"message": {"message": "RuntimeError: CUDA error: unknown error"}}',
    "target job gpu-a12 CANCELLED AT 2025-03-04T03:12:55 DUE TO TIME LIMIT",
    "user defined signal 1",
)


@pytest.mark.parametrize("line", QUOTED)
def test_what_a_model_wrote_is_a_quotation(line: str) -> None:
    assert is_quotation(line.encode(), frame(line.encode()).start)


@pytest.mark.parametrize("line", SAID)
def test_what_a_program_says_is_none(line: str) -> None:
    assert not is_quotation(line.encode(), frame(line.encode()).start)


def test_docker_wraps_each_line_in_an_object() -> None:
    line = rb'{"log":"2 of 3\n","stream":"stderr","time":"2026-03-04T10:00:00.123456789Z"}'
    seen = frame(line)
    assert line[seen.start :].startswith(b"2 of 3")
    assert seen.stamp is not None
