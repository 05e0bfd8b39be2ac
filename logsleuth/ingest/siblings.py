"""What names tell only together: of files and folders that stand side by side and differ in a number alone.

``gpu-a10`` by itself is a GPU; beside ``gpu-a11`` it is a host. ``server3`` is one where its siblings hold the logs of
the same several ranks each, and ``r3.log`` may be that of task 3 where ``r0.log`` to ``r7.log`` are all there.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from logsleuth.ingest.labels import bare_name, file_tag, folder_host, is_pod_folder, label, parts_of
from logsleuth.model.origin import BARE, PathLabel, Source, Tag

_NUMBER = re.compile(r"\d+")
_MACHINES = re.compile(
    r"(?:.*[^a-z])?(?:node|host|server|machine|worker|compute|box|vm|srv|instance|replica|pod|trainer|agent|gpu|dgx|hgx)"
    r"[_.-]?[a-z]?\d{1,4}",
    re.IGNORECASE,
)
"""Folders that may be called by the machines whose logs they hold."""
_COUNTED = re.compile(
    r"(?:.*[^a-z])?(?:attempt|retry|restart|try|run|trial|exp|experiment|job|version|v|seed|steps?|epoch|ckpt"
    r"|checkpoint|iter|part|phase|stage|round|day|size|nodes?|tp|pp|dp|bs|lr|fold|session|restarts)[_.-]?",
    re.IGNORECASE,
)
"""Words before the number in names of files that count anything but processes."""


class _Family(NamedTuple):
    """Where siblings stand, and what they have in common: the name with ``#`` for its only number."""

    above: tuple[str, ...]
    shape: str
    is_file: bool


def labels(sources: Sequence[Source]) -> list[PathLabel]:
    """Of each source what names tell of its writer, its own and those beside it; what is known beforehand counts."""
    paths = [tuple(parts_of(source.path)) for source in sources]
    own = [source.label or label(source.path) for source in sources]
    free = [place for place, source in enumerate(sources) if source.label is None and paths[place]]
    families = _families({place: paths[place] for place in free})
    for place, host in dict(_hosts(families, own)).items():
        own[place] = own[place]._replace(tag=own[place].tag._replace(host=host))
    for place, number in _numbered(families, own):
        own[place] = own[place]._replace(tag=own[place].tag._replace(task=number))
    return own


_Families = Mapping[_Family, Mapping[str, list[int]]]
"""Of each family its members by name, and the places of the sources beneath each."""


def _families(paths: Mapping[int, tuple[str, ...]]) -> _Families:
    """Those of two members or more."""
    found: dict[_Family, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place, parts in paths.items():
        for depth, part in enumerate(parts):
            is_file = depth == len(parts) - 1
            if len(_NUMBER.findall(part)) == 1:
                found[_Family(parts[:depth], _NUMBER.sub("#", part), is_file)][part].append(place)
    return {family: members for family, members in found.items() if len(members) > 1}


def _hosts(families: _Families, own: Sequence[PathLabel]) -> Iterator[tuple[int, str]]:
    """Sources whose own names tell no host, and that of the member of a family that they belong to."""
    for family, members in sorted(families.items()):
        is_proved = any(map(folder_host, members))
        if not family.is_file and not is_proved:
            is_proved = all(map(_MACHINES.fullmatch, members)) and _are_alike(members, own)
        if is_proved:
            for member, places in members.items():
                host = folder_host(member) or bare_name(member)
                yield from ((place, host) for place in places if own[place].tag.host is None)


def _are_alike(members: Mapping[str, list[int]], own: Sequence[PathLabel]) -> bool:
    """Whether each member holds the logs of the same ranks, and of several: those of the processes of one node."""
    held = {frozenset(filter(_is_number, (_number(own[at].tag) for at in places))) for places in members.values()}
    return len(held) == 1 and len(held.pop()) > 1


def _number(tag: Tag) -> int | None:
    return tag.local_rank if tag.rank is None else tag.rank


def _is_number(number: int | None) -> bool:
    return number is not None


def _numbered(families: _Families, own: Sequence[PathLabel]) -> Iterator[tuple[int, int]]:
    """Files to which no name gives the number of a process, and whose names count from 0 without a gap."""
    for family, members in sorted(families.items()):
        before = family.shape.partition("#")[0]
        if not family.is_file or _COUNTED.fullmatch(before) or any(map(is_pod_folder, family.above)):
            continue
        numbers = {member: int(_NUMBER.findall(member)[0]) for member in members}
        if sorted(numbers.values()) == list(range(len(members))):
            for member, places in members.items():
                if file_tag(member) == BARE and all(own[at].tag._replace(host=None) == BARE for at in places):
                    yield from ((place, numbers[member]) for place in places)
