"""How a checked program is kept, and how it comes back.

Rules are most of it, and of most of them a log holds nothing. So each is a text that is not even looked into until
somebody asks for it; what they read is kept beside them.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from logsleuth.language import codec
from logsleuth.language.program import Program
from logsleuth.language.reads import Reads
from logsleuth.language.syntax import Rule


def freeze(program: Program) -> str:
    """The program as text, without tests and samples; the same program gives the same text."""
    from logsleuth.language.check import without_tests

    slim = without_tests(program)
    parts = {
        "events": [codec.encode(event) for event in slim.events.values()],
        "rules": {name: _text(codec.encode(rule)) for name, rule in slim.rules.items()},
        "reads": {name: [codec.encode(tuple(part)) for part in read] for name, read in slim.reads().items()},
        "lists": [codec.encode(chosen) for chosen in slim.lists.values()],
        "causes": [codec.encode(cause) for cause in slim.causes.values()],
        "disabled": [[name, codec.encode(at)] for name, at in slim.disabled.items()],
    }
    text = _text(parts)
    return f"{_sum(text)}\n{text}\n"


def thaw(kept: str) -> Program:
    """The inverse; raises ValueError on text that ``freeze`` did not make, or not all of it."""
    told, _, text = kept.partition("\n")
    if told != _sum(text.removesuffix("\n")):
        raise ValueError("the compiled rules are damaged")
    parts = json.loads(text)
    events, lists, causes = (_named(parts[key]) for key in ("events", "lists", "causes"))
    reads = {name: Reads(*map(codec.decode, read)) for name, read in parts["reads"].items()}
    disabled = {name: codec.decode(at) for name, at in parts["disabled"]}
    return Program(events, _Undecoded(parts["rules"]), lists, disabled=disabled, causes=causes, ready=reads)


def _text(parts: Any) -> str:
    return json.dumps(parts, separators=(",", ":"), ensure_ascii=False)


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _named(items: list[Any]) -> dict[str, Any]:
    """Decoded declarations by their names."""
    return {item.name: item for item in map(codec.decode, items)}


class _Undecoded(Mapping[str, Rule]):
    """Rules by name, each decoded when it is first asked for."""

    def __init__(self, kept: dict[str, str]) -> None:
        self._kept = kept
        self._decoded: dict[str, Rule] = {}

    def __getitem__(self, name: str) -> Rule:
        if name not in self._decoded:
            self._decoded[name] = codec.decode(json.loads(self._kept[name]))
        return self._decoded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, name: object) -> bool:
        return name in self._kept
