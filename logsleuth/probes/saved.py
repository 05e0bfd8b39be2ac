"""Which probe a saved output is of, and which node: by its header, by its text, by its names."""

import re
from functools import cache
from typing import NamedTuple

from logsleuth.probes.kinds import Probe
from logsleuth.probes.output import ABSENT, REFUSED, Header, read_header
from logsleuth.probes.table import BY_NAME, PROBES

LOOKED_AT = 16 << 10
"""Bytes of an output's start by which it is recognised."""
_LINES = 60
_SHORT = 5
"""Lines of an output that may be nothing but a complaint."""
_MOST_WORDS = 160
_NOT_THERE = re.compile(r"(?:command )?not found\s*$|: No such file or directory\s*$", re.MULTILINE)
_REFUSED = re.compile(r"operation not permitted|permission denied", re.IGNORECASE)
_ARCHIVE = re.compile(r"\.(?:tar(?:\.(?:gz|bz2|xz|zst))?|t[gbx]z2?|zip|gz|bz2|xz|zst)$", re.IGNORECASE)
_COLLECTED = "logsleuth-"
"""How an archive that ``collect`` names begins; the host follows."""


class Saved(NamedTuple):
    """What is known of an output that was saved."""

    probe: Probe
    header: Header | None
    exit: str | None
    """As in the header; without one as far as its text tells."""


def recognised(name: str, head: bytes) -> Saved | None:
    """The output of a file of this name, whose text starts so; None where it is the output of no probe."""
    header = read_header(head)
    if header:
        probe = BY_NAME.get(header.probe)
        return Saved(probe, header, header.exit) if probe else None
    lines = head.decode("utf-8", "replace").splitlines()[:_LINES]
    named = _named(name)
    alike = [probe for probe in PROBES if probe.looks and any(_looks(probe).match(line) for line in lines)]
    if alike:
        return Saved(named if named in alike else alike[0], None, None)
    return Saved(named, None, _complaint(lines)) if named else None


def first_words(text: bytes) -> str:
    """The first line of an output that says something, the header apart; empty where there is none."""
    lines = (line.strip() for line in text.decode("utf-8", "replace").splitlines()[:_LINES])
    return next((line[:_MOST_WORDS] for line in lines if line and not line.startswith("### logsleuth ")), "")


def node_of(within: str, root: str) -> str | None:
    """The node that names tell, where the file's own text does not: the first folder, or archive, beneath the one that
    was given, or that one itself where the file lies right in it. None where nothing tells it.

    ``within`` is the path from what was given to the file, ``root`` the name of what was given; both may be archives
    (``node-7.tar.gz!df.txt``).
    """
    first, _, rest = within.replace("!", "/").partition("/")
    name = first if rest else root
    bare = _ARCHIVE.sub("", name).removeprefix(_COLLECTED)
    return bare if re.fullmatch(r"[A-Za-z0-9][\w.-]*", bare) else None


def _named(name: str) -> Probe | None:
    stem = re.sub(r"_", "-", name.lower())
    names = sorted(BY_NAME, key=lambda one: (-len(one), one))
    return next((BY_NAME[one] for one in names if re.search(rf"(?<![a-z0-9]){re.escape(one)}(?![a-z0-9])", stem)), None)


@cache
def _looks(probe: Probe) -> re.Pattern[str]:
    return re.compile(probe.looks)


def _complaint(lines: list[str]) -> str | None:
    text = "\n".join(lines)
    if len(lines) > _SHORT:
        return None
    if _NOT_THERE.search(text):
        return ABSENT
    return REFUSED if _REFUSED.search(text) else None
