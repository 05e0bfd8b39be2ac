"""Outputs of the tools of several nodes, as ``collect`` saves them: healthy ones, and what is put in their place."""

import re
from collections.abc import Mapping
from pathlib import Path

HEALTHY = Path(__file__).parents[2] / "fixtures/logs/tools/collected/gpu-a01"
"""A node of two GPUs and two ports of InfiniBand."""
OF_THAT = "gpu-a01"

Change = tuple[str, str, str]
"""An output, a regular expression, and what stands in the place of its first match; an empty expression is the end of
the output."""


def host(number: int) -> str:
    return f"gpu-b{number:02}"


def save(folder: Path, count: int, changes: Mapping[int, tuple[Change, ...]]) -> Path:
    """Outputs of so many nodes, of which some are changed; they are numbered from 1."""
    for number in range(1, count + 1):
        node = folder / host(number)
        node.mkdir(parents=True)
        for path in sorted(HEALTHY.glob("*.txt")):
            text = path.read_text(encoding="utf-8").replace(OF_THAT, host(number))
            for probe, pattern, told in changes.get(number, ()):
                if probe == path.stem:
                    text = changed(text, pattern, told)
            (node / path.name).write_text(text, encoding="utf-8")
    return folder


def changed(text: str, pattern: str, told: str) -> str:
    """The text with the first match of the pattern replaced; there has to be one."""
    if not pattern:
        return text + told
    found, count = re.subn(pattern, lambda match: match.expand(told), text, count=1, flags=re.MULTILINE | re.DOTALL)
    assert count == 1, pattern
    return found
