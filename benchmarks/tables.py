"""Tables of a document, and the machine on which they were measured."""

import os
import platform
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

_MARKED = re.compile(r"(<!-- (?P<name>[\w-]+): measured -->\n).*?(<!-- end of (?P=name) -->)", re.DOTALL)


class Table(NamedTuple):
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def markdown(self) -> str:
        """The first column is words, all others are numbers."""
        line = "| --- |" + " ---: |" * (len(self.heads) - 1)
        return "\n".join([_row(self.heads), line, *map(_row, self.rows)])


def with_measured(text: str, measured: dict[str, str]) -> str:
    """A document with what was measured between its markers; what was not measured stays as it is.

    A marker is ``<!-- NAME: measured -->``, and ``<!-- end of NAME -->`` stands behind it. Raises ValueError where
    there is none for something that was measured.
    """
    there = {found["name"] for found in _MARKED.finditer(text)}
    if unknown := sorted(set(measured) - there):
        raise ValueError(f"the document has no place for {', '.join(unknown)}")

    def replaced(found: re.Match[str]) -> str:
        body = measured.get(found["name"])
        return found[0] if body is None else f"{found[1]}\n{body}\n\n{found[3]}"

    return _MARKED.sub(replaced, text)


def machine() -> str:
    """The processor, the cores, the memory and the system."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{_processor()}, {len(os.sched_getaffinity(0))} cores, {memory:.0f} GiB; {platform.system()} "
        f"{platform.release()}; Python {platform.python_version()}"
    )


def plain(text: str) -> str:
    """What a program printed, as a block of a document."""
    return f"```text\n{text.strip()}\n```"


def numbers(values: Iterable[float | None], digits: int = 1) -> tuple[str, ...]:
    """Numbers as they stand in a table; those below 1 with two digits that say something."""
    return tuple("" if value is None else f"{value:.{digits if value >= 1 else 2}f}" for value in values)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _processor() -> str:
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    name = re.search(r"^model name\s*: (.*)$", told, re.MULTILINE)
    model = re.search(r"^model\s*: (.*)$", told, re.MULTILINE)
    return f"{name[1]}, model {model[1]}" if name and model else platform.machine()
