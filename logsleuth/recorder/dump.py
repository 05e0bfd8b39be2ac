"""What a dump of torch's flight recorder says: groups and calls of one rank, of all versions of the format.

Dumps are foreign data: what is not as it should be is left out or unknown, never the reason to fail.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logsleuth.recorder.group import Call, Group, is_exchange
from logsleuth.recorder.plain_pickle import NotPlainError, load

MOST_ENTRIES = 200_000
_MOST_TENSORS = 4096
_MOST_JSON = 64 << 20
"""Bytes: what is read of JSON takes many times the memory. 20,000 entries are some 12 MiB."""
_MOST_FRAMES = 64
_TOLD_FRAMES = 3
_MOST_MEMBERS = 1 << 17
_MOST_MEMBERSHIPS = 1 << 22
"""Members of all groups of a dump together: names are cheap, and each could name the same long list of ranks."""
_LIBRARY = re.compile(
    r"[/\\](?:site|dist)-packages[/\\](?:torch|functorch)[/\\]|^<frozen |[/\\]torch[/\\]distributed[/\\]"
)
"""Where frames are torch's own, so that the others are the callers."""
_UNSAFE = re.compile(r"[^\w./\\<>:+~@=,()\[\] -]")


@dataclass(slots=True)
class Dump:
    version: str
    entries: int
    rank: int | None
    """What the dump says itself; most say nothing."""
    groups: dict[tuple[str, str], Group]
    lost: bool
    """Whether the buffer was full, so that its oldest entries are gone."""
    oldest: int
    newest: int
    """Nanoseconds since 1970 of the first and the last sign of life in it; 0 where unknown."""
    has_stacks: bool


def read_dump(data: bytes) -> Dump:
    """Reads a dump, pickle or JSON. Raises NotPlainError with the reason, a part of a sentence."""
    value = plain_value(data)
    if isinstance(value, list):
        value = {"entries": value}
    if not isinstance(value, dict) or not isinstance(value.get("entries"), Sequence):
        raise NotPlainError("it holds no entries of a flight recorder")
    return _Builder(value).dump()


def plain_value(data: bytes) -> object:
    """What a pickle or JSON holds, as values and containers. Raises NotPlainError."""
    return load(data) if data[:1] == b"\x80" else _json(data)


def _json(data: bytes) -> object:
    if len(data) > _MOST_JSON:
        raise NotPlainError(f"it is JSON of more than {_MOST_JSON >> 20} MiB")
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise NotPlainError("it is damaged or ends in the middle") from None


def safe(value: object, most: int = 200) -> str:
    """A text of a dump for use in a line: without controls and brackets of markup, and not longer than ``most``."""
    return _UNSAFE.sub("_", str(value)[: 4 * most] if isinstance(value, str | int) else "")[:most]


class _Builder:
    def __init__(self, value: Mapping[str, object]) -> None:
        self._value = value
        self._groups: dict[tuple[str, str], Group] = {}
        self._config = _mapping(value.get("pg_config"))
        self._status = _mapping(value.get("pg_status"))
        self._sizes: dict[int, tuple[str, tuple[int, ...]]] = {}
        """By identity of the list: pickles share lists, and a hostile one shares a long one very often."""
        self._types: dict[int, tuple[str, ...]] = {}
        self._callers: dict[int, str] = {}
        self._lists: dict[int, tuple[int, ...] | None] = {}
        self._memberships = 0

    def dump(self) -> Dump:
        entries = self._value["entries"]
        found = [entry for entry in _sequence(entries)[:MOST_ENTRIES] if isinstance(entry, dict)]
        records = [number for entry in found if (number := _number(entry.get("record_id"))) is not None]
        found.sort(key=lambda entry: _number(entry.get("record_id")) or 0)
        calls = [self._add(entry) for entry in found]
        for group in self._groups.values():
            group.forget()
        self._add_unused()
        rank = _number(self._value.get("rank"))
        return Dump(
            safe(self._value.get("version"), 20) or "unknown",
            len(found),
            rank if rank is not None and 0 <= rank < _MOST_MEMBERS else None,
            self._groups,
            bool(records) and min(records) > 0,
            min((call.created for call in calls if call.created), default=0),
            max((call.newest for call in calls), default=0),
            any(self._callers.values()),
        )

    def _add(self, entry: Mapping[str, object]) -> Call:
        group = self._group(entry)
        op = safe(entry.get("profiling_name"), 80) or "unknown"
        is_p2p = is_exchange(op)
        keys = ("p2p_seq_id", "seq_id") if is_p2p else ("collective_seq_id", "seq_id")
        seq = next((number for key in keys if (number := _number(entry.get(key))) is not None), 0)
        inputs, outputs = self._shape(entry.get("input_sizes")), self._shape(entry.get("output_sizes"))
        times = [_time(entry, f"time_{name}") for name in ("created", "discovered_started", "discovered_completed")]
        state = safe(entry.get("state"), 20)
        is_done = state == "completed" or (entry.get("retired") is True and not op.startswith("gloo"))
        call = Call(
            seq,
            op,
            state or "unknown",
            is_done,
            (inputs[0], outputs[0]),
            (inputs[1], outputs[1]),
            self._dtypes(entry.get("input_dtypes")),
            times[0],
            max(times),
            _number(entry.get("timeout_ms")),
            self._caller(entry.get("frames")),
        )
        group.add(call, _number(entry.get("p2p_seq_id")) or 0)
        return call

    def _group(self, entry: Mapping[str, object]) -> Group:
        named = _sequence(entry.get("process_group"))
        number = _number(entry.get("pg_id"))
        name = safe(named[0], 100) if named else ("" if number is None else str(number))
        description = safe(named[1], 100) if len(named) > 1 else ""
        if (group := self._groups.get((name, description))) is None:
            group = Group(number, name, description, self._members(name, description))
            group.enqueued = None if self._is_gloo(entry) else self._last_enqueued(number)
            self._groups[name, description] = group
        return group

    @staticmethod
    def _is_gloo(entry: Mapping[str, object]) -> bool:
        return str(entry.get("profiling_name")).startswith("gloo")

    def _last_enqueued(self, number: int | None) -> int | None:
        return _number(_mapping(self._status.get(str(number))).get("last_enqueued_collective"))

    def _members(self, name: str, description: str) -> tuple[int, ...] | None:
        config = self._config.get(name)
        if config is None and description == "default_pg":
            config = self._config.get("")  # What gloo calls the default group.
        return self._ranks(_mapping(config).get("ranks"))

    def _ranks(self, value: object) -> tuple[int, ...] | None:
        if (key := id(value)) not in self._lists:
            self._lists[key] = _ranks(value)
        ranks = self._lists[key]
        self._memberships += len(ranks or ())
        return ranks if self._memberships <= _MOST_MEMBERSHIPS else None

    def _add_unused(self) -> None:
        """Groups of the configuration in which this rank has no call left."""
        names = {name for name, _ in self._groups}
        for name, config in list(self._config.items())[:_MOST_TENSORS]:
            if isinstance(name, str) and name and safe(name, 100) not in names:
                description = safe(_mapping(config).get("desc"), 100)
                key = safe(name, 100), description
                self._groups[key] = Group(None, *key, self._ranks(_mapping(config).get("ranks")))

    def _shape(self, value: object) -> tuple[str, tuple[int, ...]]:
        if (known := self._sizes.get(id(value))) is not None:
            return known
        shapes = [[_number(size) or 0 for size in _sequence(shape)[:16]] for shape in _sequence(value)[:_MOST_TENSORS]]
        counts = []
        for shape in shapes:
            count = 1
            for size in shape:
                count *= min(max(size, 0), 1 << 62)
            counts.append(count)
        text = str(shapes if len(shapes) <= 3 else [*shapes[:3]])
        told = text if len(shapes) <= 3 else f"{text[:-1]}, and {len(shapes) - 3} more]"
        self._sizes[id(value)] = told, tuple(counts)
        return told, tuple(counts)

    def _dtypes(self, value: object) -> tuple[str, ...]:
        if (known := self._types.get(id(value))) is None:
            known = tuple(sorted({safe(name, 30) for name in _sequence(value)[:_MOST_TENSORS]}))
            self._types[id(value)] = known
        return known

    def _caller(self, frames: object) -> str:
        if (known := self._callers.get(id(frames))) is not None:
            return known
        callers: list[str] = []
        for frame in _sequence(frames)[:_MOST_FRAMES]:
            told = _mapping(frame)
            file = told.get("filename")
            if isinstance(file, str) and file and not _LIBRARY.search(file):
                callers.append(f"{safe(file)}:{_number(told.get('line')) or 0} ({safe(told.get('name'), 80)})")
        caller = " < ".join(callers[:_TOLD_FRAMES])
        self._callers[id(frames)] = caller
        return caller


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _sequence(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _number(value: object) -> int | None:
    """Numbers are texts in the JSON form of a group's status."""
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,18}", value, re.ASCII):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63 else None


def _time(entry: Mapping[str, object], name: str) -> int:
    if (nanoseconds := _number(entry.get(f"{name}_ns"))) is not None:
        return max(nanoseconds, 0)
    return max(1000 * (_number(entry.get(f"{name}_us")) or 0), 0)


def _ranks(value: object) -> tuple[int, ...] | None:
    if isinstance(value, str) and len(value) <= 8 * _MOST_MEMBERS and re.fullmatch(r"\[?[\d, ]*\]?", value, re.ASCII):
        value = [int(digits[:18]) for digits in re.findall(r"\d+", value, re.ASCII)]
    ranks = tuple(
        rank for item in _sequence(value) if (rank := _number(item)) is not None and 0 <= rank < _MOST_MEMBERS
    )
    return ranks[:_MOST_MEMBERS] or None
