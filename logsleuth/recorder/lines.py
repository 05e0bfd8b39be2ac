"""What is told of each dump, as lines of a log: the rules reason about these, and evidence cites them.

A line opens as c10d's own do (``[rank3]: [PG ID 1 PG GUID 3(tp) Rank 1] recorder: ...``), so whose it is and of which
group needs no words of its own. Moments stand in the text only: the clock of a dump is UTC, that of a log its host's.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from logsleuth.model.ranks import format_ranks
from logsleuth.recorder.dump import Dump
from logsleuth.recorder.exchanges import Wait, waits
from logsleuth.recorder.group import Call, Group
from logsleuth.recorder.standing import Standing, signature, stand

MOST_GROUPS = 4096
_MOST_TOLD = 32
"""Sends and receives of one group that are told of."""
_DEFAULT = "default_pg"
_BRACKETS = re.compile(r"[\s()\[\]]+")

Lines = dict[int, list[str]]
"""By the rank whose dump tells them."""


class _Shared(NamedTuple):
    """A group as all dumps together know it."""

    number: int | None
    name: str
    description: str
    members: tuple[int, ...] | None
    of: Mapping[int, Group]
    """What each rank with a dump has called in it."""


def told(dumps: Mapping[int, Dump]) -> Lines:
    """The lines of every rank's dump. They do not depend on the order of the dumps."""
    lines: Lines = {rank: [_opening(rank, dump)] for rank, dump in sorted(dumps.items())}
    for rank in (stale := _of_earlier_runs(dumps)):
        lines[rank].append(
            f"[rank{rank}]: recorder: all of it is older than what most dumps hold, so it is of an earlier run"
        )
    dumps = {rank: dump for rank, dump in dumps.items() if rank not in stale}
    newest = max((dump.newest for dump in dumps.values()), default=0)
    for number, shared in enumerate(_shared(dumps)):
        if number >= MOST_GROUPS:
            break
        _tell_size(shared, lines)
        judged = {rank: group for rank, group in shared.of.items() if not _is_lost(group, dumps[rank])}
        if any(group.last for group in judged.values()):
            _tell_collectives(shared, judged, dumps, newest, lines)
        for wait in waits(shared.of, shared.members)[:_MOST_TOLD]:
            _tell_exchange(shared, wait, dumps, newest, lines)
    return lines


def _of_earlier_runs(dumps: Mapping[int, Dump]) -> list[int]:
    """Ranks of which only an old dump lies there: torch writes over it when the rank dumps again."""
    begun = sorted(dump.oldest for dump in dumps.values() if dump.oldest)
    limit = begun[(len(begun) - 1) // 2] if begun else 0
    return [rank for rank, dump in sorted(dumps.items()) if 0 < dump.newest < limit]


def _shared(dumps: Mapping[int, Dump]) -> list[_Shared]:
    found: dict[tuple[str, tuple[int, ...], int], dict[int, Group]] = {}
    for rank, dump in sorted(dumps.items()):
        for group in dump.groups.values():
            # A number is counted by each process for itself: without name and members it says nothing of others.
            is_shared = group.ranks or group.description or group.name != str(group.number) or group.name == "0"
            own = -1 if is_shared else rank
            found.setdefault((group.name, group.ranks or (), own), {})[rank] = group
    groups = []
    for (name, ranks, _), of in sorted(found.items()):
        first = next(iter(of.values()))
        numbers = {group.number for group in of.values()} - {None}
        number = numbers.pop() if len(numbers) == 1 else None
        groups.append(_Shared(number, name, first.description, ranks or None, of))
    return groups


def _is_lost(group: Group, dump: Dump) -> bool:
    """Whether a full buffer may have lost all that the rank called in the group."""
    return not group.last and dump.lost


def _opening(rank: int, dump: Dump) -> str:
    kept = f"{dump.entries:,} entries, the oldest are lost" if dump.lost else f"{dump.entries:,} entries"
    stacks = "" if dump.has_stacks else ", without stacks"
    return f"[rank{rank}]: recorder: dump of torch's flight recorder, format {dump.version}, {kept}{stacks}"


def _tell_size(shared: _Shared, lines: Lines) -> None:
    if shared.members and (shared.description == _DEFAULT or shared.name == _DEFAULT):
        for rank in sorted(shared.of):
            lines[rank].append(f"[rank{rank}]: recorder: the default group has {len(shared.members)} ranks")


def _tell_collectives(
    shared: _Shared, judged: Mapping[int, Group], dumps: Mapping[int, Dump], newest: int, lines: Lines
) -> None:
    standing = stand(judged, shared.members)
    for rank, group in sorted(judged.items()):
        head = _head(rank, shared)
        lines[rank] += [
            f"{head}{text}" for text in _of_rank(rank, group, standing, newest - dumps[rank].newest, newest)
        ]
    if standing.waiting:
        first = min(standing.waiting)
        call, head = standing.waiting[first], _head(first, shared)
        if standing.absent:
            absent = format_ranks(standing.absent)
            lines[first].append(
                f"{head}no dump of {len(standing.absent)} ranks [{absent}], others wait in #{call.seq} {call.op}"
            )
        if standing.all_inside:
            waited = min(_waited(one, newest) for one in standing.waiting.values())
            count = len(standing.waiting)
            lines[first].append(f"{head}all {count} ranks of the group are in #{call.seq} {call.op}, {_ago(waited)}")


def _of_rank(rank: int, group: Group, standing: Standing, older: int, newest: int) -> Iterator[str]:
    if rank in standing.older:
        yield f"older dump: last call #{group.last}, others came out of later ones"
    elif rank in standing.behind:
        entered = min(standing.waiting.values(), key=lambda call: (call.seq, call.op))
        yield (
            f"never called #{standing.place} ({entered.op}), in which {len(standing.waiting)} wait; "
            f"its last sign was {_ago(older)}; last call #{group.last} {_last(group)}"
        )
    elif call := standing.waiting.get(rank):
        yield f"waits in #{call.seq} {_described(call)}, {_ago(_waited(call, newest))}{_from(call)}"
    else:
        yield f"last call #{group.last} {_last(group)}"
    if standing.compared is not None and (calls := group.calls.get(standing.compared)):
        sizes = "+".join(f"{call.sizes[0]} -> {call.sizes[1]}" for call in calls[:4])[:200]
        alike = signature(group, standing.compared)
        yield f"calls differ at #{standing.compared}: {alike}, of sizes {sizes}{_from(calls[0])}"


def _tell_exchange(shared: _Shared, wait: Wait, dumps: Mapping[int, Dump], newest: int, lines: Lines) -> None:
    call, head = wait.call, _head(wait.rank, shared)
    waited = _ago(_waited(call, newest))
    told = lines[wait.rank]
    told.append(f"{head}waits in an exchange with rank {wait.peer}: {_described(call)}, {waited}{_from(call)}")
    if wait.answer is not None:
        if not wait.fits and wait.rank < wait.peer:
            other = _described(wait.answer)
            told.append(f"{head}exchange with rank {wait.peer} does not fit: {_described(call)} against {other}")
    elif wait.has_dump:
        last = _last(shared.of[wait.peer], with_sends=True)
        silent = _ago(newest - dumps[wait.peer].newest)
        lines[wait.peer].append(
            f"{_head(wait.peer, shared)}has nothing open for rank {wait.rank}, which waits in {call.op}; "
            f"its last sign was {silent}; last call {last}"
        )
    else:
        told.append(f"{head}no dump of 1 ranks [{wait.peer}], others wait in {call.op}")


def _head(rank: int, shared: _Shared) -> str:
    number = "" if shared.number is None else f"PG ID {shared.number} "
    name = _BRACKETS.sub("_", shared.name) or "_"
    description = _BRACKETS.sub("_", shared.description)
    places = shared.members or ()
    # Where the place is not known none is told: ``PG ID`` would need one.
    place = f" Rank {places.index(rank)}" if rank in places else ""
    number = number if place else ""
    return f"[rank{rank}]: [{number}PG GUID {name}({description}){place}] recorder: "


def _described(call: Call) -> str:
    types = "+".join(call.dtypes) or "unknown"
    limit = "" if call.limit is None else f", limit {call.limit} ms"
    since = f", since {_moment(call.created)}" if call.created else ""
    return f"{call.op} {call.sizes[0]} -> {call.sizes[1]} of {types}, {call.state}{since}{limit}"


def _last(group: Group, *, with_sends: bool = False) -> str:
    """The last call that is kept, and where it was made."""
    calls = [call for seq in sorted(group.calls)[-1:] for call in group.calls[seq]]
    if with_sends:
        calls += group.sends[-1:]
    if not calls:
        return "none that is kept"
    call = max(calls, key=lambda call: call.created)
    return f"{call.op}, {call.state}{_from(call)}"


def _from(call: Call) -> str:
    return f", called from {call.caller}" if call.caller else ""


def _waited(call: Call, newest: int) -> int:
    return newest - call.created if call.created else 0


def _ago(nanoseconds: int) -> str:
    """Dumps do not say when they were taken: what is known is how much older than the newest entry of all a sign is."""
    return f"{max(nanoseconds, 0) / 1e6:.3f} ms before the newest entry of all dumps"


def _moment(nanoseconds: int) -> str:
    try:
        return f"{datetime.fromtimestamp(nanoseconds / 1e9, UTC):%Y-%m-%d %H:%M:%S.%f} UTC"
    except (ValueError, OverflowError, OSError):
        return "an unknown moment"
