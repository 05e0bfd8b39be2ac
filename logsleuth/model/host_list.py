"""Lists of hosts as SLURM and pdsh write them: ``node-[3-5]``, ``rack[1-2]-n[07,09-11]``, ``node-3,node-7``."""

import re
from itertools import product

_MOST = 4096
"""Hosts of a list; more are nobody's answer to a question."""
_ITEM = re.compile(r"(?:[^,\[\]]|\[[^\[\]]*\])+")
_PART = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


def expanded(text: str) -> tuple[str, ...]:
    """The hosts of a list, in its order; the text itself where it is none, or names more than can be told."""
    if "[" not in text and "," not in text:
        return (text,)
    hosts: list[str] = []
    items = _ITEM.findall(text)
    if ",".join(items) != text:
        return (text,)
    for item in items:
        parts = _PART.split(item)
        choices = [_numbers(part) if place % 2 else [part] for place, part in enumerate(parts)]
        size = 1
        for choice in choices:
            size *= len(choice)
        if not size or len(hosts) + size > _MOST:
            return (text,)
        hosts += ["".join(chosen) for chosen in product(*choices)]
    return tuple(dict.fromkeys(hosts))


def _numbers(text: str) -> list[str]:
    """What stands between brackets, one by one; empty where it is no list of numbers or too long."""
    found: list[str] = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            return []
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or last - first >= _MOST:
            return []
        found += [str(number).zfill(len(match[1])) for number in range(first, last + 1)]
    return found
