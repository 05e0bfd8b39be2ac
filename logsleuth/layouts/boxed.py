"""Lines in a box: a panel of rich's, a cell of a table that was drawn with characters."""

import re
from collections.abc import Callable

from logsleuth.layouts.folds import Unfolded
from logsleuth.layouts.steps import Each, Step, share, without

_SIDES = "│|┃║"
_EDGE = re.compile(r"[ \t]*(?:[+╭┌┏╔╰└┗╚|│┃║├┠╠]([-─━═=]{10,}.*)[+╮┐┓╗╯┘┛╝|│┃║┤┨╣])\s*")
_CROSSING = re.compile(r"[+┬┼┴╤╪╧╦╬╩|│]")
_LONGEST = 4096
"""Bytes of a line in a box."""
_MOST_OF = 0.9
_FEWEST = 3


def recognised(lines: list[Unfolded]) -> Callable[[], Step] | None:
    """Makes what takes the box off, where the lines stand in one and it has one cell: rows of tables are none."""
    shown = [line.text.decode("utf-8", "replace") for line in lines if line.text.strip()]
    edges = [match for text in shown if (match := _EDGE.fullmatch(text))]
    if not edges or any(_CROSSING.search(match[1]) for match in edges):
        return None
    inner = len(shown) - len(edges)
    if inner < _FEWEST or share(lines, _is_of_box) < _MOST_OF:
        return None
    return lambda: Each(_without_box)


def _is_of_box(text: bytes) -> bool:
    shown = text.decode("utf-8", "replace").strip()
    return bool(_EDGE.fullmatch(shown)) or (shown[0] in _SIDES and shown[-1] in _SIDES and len(shown) > 1)


def _without_box(line: Unfolded) -> Unfolded | None:
    if len(line.text) > _LONGEST:
        return line
    shown = line.text.decode("utf-8", "replace").rstrip()
    if _EDGE.fullmatch(shown):
        return None
    start = len(shown) - len(shown.lstrip())
    if not shown.strip() or shown[start] not in _SIDES:
        return line
    front = len(shown[: start + 1].encode())
    front += line.text.startswith(b" ", front)
    end = len(shown[:-1].encode()) if shown[-1] in _SIDES and len(shown) > start + 1 else len(line.text)
    end -= line.text[front:end].endswith(b" ")
    return without(line, front, line.text[front:end])
