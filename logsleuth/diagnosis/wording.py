"""Puts names and values into the sentences of rules."""

import re
from collections import defaultdict
from collections.abc import Iterable

from logsleuth.engine.case import Bindings, Told
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.shown import shown_value
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.engine.truth import Between
from logsleuth.engine.values import sighting_values
from logsleuth.language.program import fields_of
from logsleuth.language.steps import steps_of
from logsleuth.language.text_holes import HOLE_CONTENT, TEXT_HOLE
from logsleuth.model.ranks import format_ranks

_SHOWN = 2
"""Different values of one field that are written out; the rest is counted."""


class Wording:
    """Fills the holes of texts from what one finding has bound."""

    def __init__(
        self, bindings: Bindings, lets: dict[str, Told], culprits: list[Member], roster: Roster, sources: list[str]
    ) -> None:
        self._bindings, self._lets, self._culprits = bindings, lets, culprits
        self._roster, self._sources = roster, sources

    def fill(self, text: str) -> str:
        """The text with its holes filled; a field that no line told is said to be unknown.

        Several fields of one binding come from one occurrence where occurrences differ, lest the text join what no line
        says together; how many others there are is counted behind the last of them.
        """
        told: dict[str, list[str]] = defaultdict(list)
        ends: dict[str, int] = {}
        for hole in TEXT_HOLE.finditer(text):
            content = HOLE_CONTENT.fullmatch(hole[1] or "")
            if content is not None and content[2]:
                told[content[1]].append(content[2])
                ends[content[1]] = hole.end()
        shown = {name: self._chosen(name, fields) for name, fields in told.items() if len(set(fields)) > 1}
        counted = {ends[name]: more for name, (_, more) in shown.items()}

        def filled(hole: re.Match[str]) -> str:
            return self._hole(hole, {name: chosen for name, (chosen, _) in shown.items()}) + counted.get(hole.end(), "")

        return TEXT_HOLE.sub(filled, text)

    def sentence(self, text: str) -> str:
        """Filled, on one line, with a capital at its start, unless it starts with what a log has written."""
        filled = " ".join(self.fill(text).split())
        is_value = self._starts_with_value(text) and not filled.startswith("unknown ")
        return filled if is_value else filled[:1].upper() + filled[1:]

    def _starts_with_value(self, text: str) -> bool:
        hole = TEXT_HOLE.match(text.lstrip())
        content = HOLE_CONTENT.fullmatch(hole[1] or "") if hole else None
        if content is None:
            return False
        told = self._lets.get(content[1])
        return bool(content[2]) or (told is not None and told.members is None)

    def steps(self, text: str) -> tuple[str, ...]:
        """The steps of a remedy: lines that start with ``- ``, or the whole where none does."""
        # Cut before it is filled: a value from a log must not begin a step.
        return tuple(joined for step in steps_of(text) if (joined := " ".join(self.fill(step).split())))

    def _chosen(self, name: str, fields: list[str]) -> tuple[list[Sighting], str]:
        """The occurrences whose fields a text may join: all where they agree, else the one that tells most."""
        sightings = self._bindings.get(name, [])
        rows: dict[tuple[tuple[str, ...], ...], Sighting] = {}
        for sighting in sightings:
            rows.setdefault(tuple(tuple(self._texts([sighting], field)) for field in fields), sighting)
        if all(len({cell for cell in column if cell}) < 2 for column in zip(*rows, strict=True)):
            return sightings, ""
        best = max(rows, key=lambda row: sum(map(bool, row)))
        return [rows[best]], f" (+{len(rows) - 1})"

    def _hole(self, match: re.Match[str], shown: Bindings) -> str:
        if match[1] is None:
            return match[0][0]
        content = HOLE_CONTENT.fullmatch(match[1])
        if content is None:
            return match[0]
        binding, field, otherwise, counted = content.groups()
        if counted:
            return str(self._count(counted))
        if binding in self._lets:
            return self._let(binding, field, otherwise)
        if binding in ("rank", "host") and binding not in self._bindings and not field:
            return self.members(set(self._culprits))
        sightings = self._bindings.get(binding, [])
        return self._value(shown.get(binding, sightings), field, otherwise) if field else self.whom(sightings)

    def _let(self, name: str, field: str | None, otherwise: str | None) -> str:
        """A set or a value that the rule has named; behind a set, what a ``let`` gives for its members."""
        told = self._lets[name]
        if field:
            of_members = self._lets.get(field)
            chosen = told.members.members if told.members else ()
            values = [of_members.by_member[m] for m in chosen if m in of_members.by_member] if of_members else []
            texts = dict.fromkeys(self._shown(value, of_members.unit) for value in values) if of_members else {}
        elif told.members is not None:
            chosen = told.members.members
            perhaps = self.members(set(told.members.maybe)) if told.members.maybe and not chosen else ""
            return self.members(set(chosen)) if chosen else f"perhaps {perhaps}" if perhaps else "nobody"
        else:
            texts = dict.fromkeys(self._shown(value, told.unit) for value in told.values)
        return _few(list(texts)) if texts else otherwise or f"unknown {(field or name).replace('_', ' ')}"

    def _shown(self, value: object, unit: str) -> str:
        if isinstance(value, Between):
            return (
                f"at least {shown_value(value.low, unit)}" if value.low != value.high else shown_value(value.low, unit)
            )
        if unit == "time" and isinstance(value, int | float):
            return self._roster.calendar.text(value) or "an unknown time"
        return shown_value(value, unit)

    def _count(self, name: str) -> int:
        if name == "ranks" and name not in self._bindings:
            return self._roster.size
        if name == "gpus" and name not in self._bindings:
            return len(self._roster.gpus(self._roster.last_attempt))
        if name == "hosts" and name not in self._bindings:
            return len(self._roster.hosts)
        if told := self._lets.get(name):
            return len(told.members.members) if told.members is not None else len(told.values)
        return len({member for s in self._bindings.get(name, []) for member in s.subject.members})

    def whom(self, sightings: Iterable[Sighting]) -> str:
        """Those whom occurrences concern, in words."""
        return self.members({member for sighting in sightings for member in sighting.subject.members})

    def members(self, members: set[Member]) -> str:
        """Members in words: ``ranks 0-3``, ``local rank 2 on node-7``, ``a process``."""
        parts = []
        if ranks := [m.rank for m in members if m.rank is not None]:
            parts.append(_plural("rank", format_ranks(ranks), len(set(ranks))))
        local_ranks: dict[object, set[int]] = defaultdict(set)
        for member in members:
            if member.local_rank is not None:
                local_ranks[member.key[0]].add(member.local_rank)
        for host, local in sorted(local_ranks.items(), key=lambda item: str(item[0])):
            where = f" on {host}" if host else ""
            parts.append(_plural("local rank", format_ranks(local), len(local)) + where)
        parts += self._gpus([m for m in members if m.kind is MemberKind.GPU])
        if hosts := sorted(str(m.key[0]) for m in members if m.kind is MemberKind.HOST):
            parts.append(_plural("host", _few(hosts), len(hosts)))
        processes = [m for m in members if m.kind is MemberKind.PROCESS]
        if processes and not parts:
            parts.append(self._processes(processes))
        return " and ".join(parts) or "the job"

    def _gpus(self, gpus: list[Member]) -> list[str]:
        """``GPU 3 of node-7``, ``GPUs 0-7 of node-8``."""
        numbers: dict[str, set[object]] = defaultdict(set)
        for member in gpus:
            host, number, source = member.key
            where = host or (self._sources[source] if isinstance(source, int) and self._is_plural(gpus) else "")
            numbers[str(where or "")].add(number)
        parts = []
        for where, found in sorted(numbers.items()):
            counted = [number for number in found if isinstance(number, int)]
            named = [str(number) for number in found if isinstance(number, str)]
            names = ", ".join([*([format_ranks(counted)] if counted else []), *sorted(named)])
            told = _plural("GPU", names, len(found)) if names else "a GPU"
            parts.append(f"{told} of {where}" if where else told)
        return parts

    def _is_plural(self, gpus: list[Member]) -> bool:
        """Whether GPUs of several logs without a host are meant, that only the logs tell apart."""
        return len({member.key[2] for member in gpus}) > 1

    def _processes(self, processes: list[Member]) -> str:
        if len(processes) > 1:
            return f"{len(processes)} processes"
        _, host, pid = processes[0].key
        named = f"process {pid}" if pid is not None else "a process"
        return f"{named} on {host}" if host else named

    def _value(self, sightings: list[Sighting], field: str, otherwise: str | None) -> str:
        texts = self._texts(sightings, field)
        return _few(texts) if texts else otherwise or f"unknown {field.replace('_', ' ')}"

    def _texts(self, sightings: list[Sighting], field: str) -> list[str]:
        """The different values of a field, in the order in which they were seen."""
        texts: dict[str, None] = {}
        for sighting in sightings:
            kind = fields_of(sighting.event).get(field, "")
            for value in sighting_values(sighting, field):
                text = (None if kind else self._origin(value, field, sighting)) or shown_value(value, kind)
                texts[text] = None
        return list(texts)

    def _origin(self, value: object, field: str, sighting: Sighting) -> str | None:
        """The name of a source or a time, which are numbers until they are told."""
        if field == "source" and isinstance(value, int):
            return self._sources[value]
        if field in ("time", "began") and isinstance(value, float):
            return self._roster.calendar.text(sighting.began.as_written[1])
        return None


def _few(texts: list[str]) -> str:
    more = len(texts) - _SHOWN
    return ", ".join(texts[:_SHOWN]) + (f" (+{more})" if more > 0 else "")


def _plural(word: str, names: str, count: int) -> str:
    return f"{word if count == 1 else word + 's'} {names}"
