"""How a checked program is kept, and how it comes back.

Rules are most of it, and of most of them a log holds nothing. So each stands in a line of its own, which is not even
looked into until somebody asks for it; what all rules together need from the logs is kept beside them.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from logsleuth.language import codec
from logsleuth.language.cards import Card
from logsleuth.language.program import Program
from logsleuth.language.uses import Sight, Uses

Kept = TypeVar("Kept")


def freeze(program: Program) -> bytes:
    """The program as lines of JSON, without tests and samples; the same program gives the same bytes."""
    from logsleuth.language.check import without_tests

    slim = without_tests(program)
    uses = slim.uses()
    head = {
        "cards": uses.cards,
        "rules": list(slim.rules),
        "filters": list(uses.filters),
        "series": sorted(uses.series),
        "needed": list(uses.needed.values()),
        "lists": [codec.encode(chosen) for chosen in slim.lists.values()],
        "causes": [codec.encode(cause) for cause in slim.causes.values()],
        "disabled": [[name, codec.encode(at)] for name, at in slim.disabled.items()],
    }
    nodes = (*slim.events.values(), *slim.rules.values(), *uses.filters.values())
    lines = [_line(head), *(_line(codec.encode(node)) for node in nodes)]
    text = b"\n".join(lines)
    return _sum(text) + b"\n" + text


def thaw(kept: bytes) -> Program:
    """The inverse; raises ValueError on bytes that ``freeze`` did not make, or not all of them."""
    told, _, text = kept.partition(b"\n")
    if told != _sum(text):
        raise ValueError("the compiled rules are damaged")
    first, *lines = text.split(b"\n")
    head = json.loads(first)
    cards = tuple(map(_card, head["cards"]))
    names = ([card.name for card in cards], head["rules"], head["filters"])
    nodes = iter(lines)
    events, rules, filters = ({name: next(nodes) for name in of} for of in names)
    needed = {name: _sights(groups) for name, groups in zip(head["rules"], head["needed"], strict=True)}
    uses = Uses(_Undecoded(filters), frozenset(head["series"]), cards, needed)
    disabled = {name: codec.decode(at) for name, at in head["disabled"]}
    lists, causes = _named(head["lists"]), _named(head["causes"])
    return Program(_Undecoded(events), _Undecoded(rules), lists, disabled=disabled, causes=causes, ready=uses)


def _card(fields: list[Any]) -> Card:
    name, lines, blocks, *others = fields
    return Card(name, tuple(map(tuple, lines)), tuple(map(tuple, blocks)), *others)


def _sights(groups: list[list[list[Any]]]) -> tuple[tuple[Sight, ...], ...]:
    return tuple(tuple((name, place) for name, place in group) for group in groups)


def _line(parts: Any) -> bytes:
    return json.dumps(parts, separators=(",", ":"), ensure_ascii=False).encode()


def _sum(text: bytes) -> bytes:
    return f'"{hashlib.sha256(text).hexdigest()}"'.encode()


def _named(items: list[Any]) -> dict[str, Any]:
    """Decoded declarations by their names."""
    return {item.name: item for item in map(codec.decode, items)}


class _Undecoded(Mapping[str, Kept]):
    """What is kept by name, each decoded when it is first asked for."""

    def __init__(self, kept: dict[str, bytes]) -> None:
        self._kept = kept
        self._decoded: dict[str, Kept] = {}

    def __getitem__(self, name: str) -> Kept:
        if name not in self._decoded:
            self._decoded[name] = codec.decode(json.loads(self._kept[name]))
        return self._decoded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, name: object) -> bool:
        return name in self._kept
