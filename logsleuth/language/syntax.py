"""The syntax tree of the rule language: what the parser builds, the checker checks and the engine evaluates.

Every node is a frozen record of plain values, tuples and other nodes, so that a checked program can be kept as JSON
(``logsleuth.language.codec``). This module holds the declarations and gives the nodes of their conditions too.
"""

from dataclasses import dataclass

from logsleuth.language.nodes import (
    Absent,
    AllOf,
    AnyOf,
    Attribute,
    Call,
    Clause,
    EventField,
    Field,
    Let,
    Members,
    Mention,
    Node,
    Not,
    Operation,
    Pattern,
    Place,
    Quantified,
    Reference,
    Seen,
    SeriesName,
    Step,
    Together,
    Value,
    Values,
)  # fmt: skip

__all__ = (
    "Absent", "Adjustment", "AllOf", "AnyOf", "Attribute", "Block", "BlockItem", "Call", "Clause", "Column", "Count",
    "Culprit", "Declaration", "Disabling", "Event", "EventField", "Expectation", "Explains", "Field", "Let", "Level",
    "ListOf", "Log", "Members", "Mention", "MoreWordings", "Node", "Not", "Operation", "Pattern", "Place", "Quantified",
    "Reference", "Rule", "Sample", "Seen", "SeriesName", "SeriesOf", "Setting", "Step", "Table", "Test", "Together",
    "Value", "Values", "Wording",
)  # fmt: skip

# Events


@dataclass(frozen=True, slots=True)
class Wording:
    """One way in which a line says a fact: a template, or a regular expression with typed groups."""

    text: str
    is_regex: bool
    types: tuple[tuple[str, str], ...]
    """Types of a regular expression's groups; a template carries its own."""
    at: Place
    also: tuple["Wording", ...] = ()
    """What a line that matches may tell besides, anywhere in its message and in any order."""


@dataclass(frozen=True, slots=True)
class BlockItem:
    """One step of a block; without a wording it is ``lines deeper``."""

    wording: Wording | None
    optional: bool


@dataclass(frozen=True, slots=True)
class Block:
    within: int
    """How many lines of the writer the block may span."""
    items: tuple[BlockItem, ...]
    at: Place


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table that rules may speak of."""

    names: tuple[str, ...]
    """What a header may call it; a unit in brackets behind the name is not asked for."""
    cell: str
    """The template of its cells (``{utilization:percent}``); ``stamp`` where they are the row's time, or part of it."""
    at: Place

    @property
    def is_stamp(self) -> bool:
        """Whether its cells tell the time of the row."""
        return self.cell == "stamp"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that only a header makes readable: each is one occurrence of the event."""

    separator: str
    """A character; empty for blanks, and there no cell but one with a template holds any."""
    headers: tuple[str, ...]
    """A header holds one of these texts; the scanner looks for them."""
    needs: tuple[str, ...]
    """Columns without which a header is none of this table."""
    columns: tuple[Column, ...]
    at: Place


@dataclass(frozen=True, slots=True)
class Sample:
    text: str
    gives: tuple[tuple[str, object], ...]
    at: Place


@dataclass(frozen=True, slots=True)
class SeriesOf:
    """``series loss at step``: the values of a numeric field, in the order of another."""

    field: str
    step: str
    """The field that counts steps; empty where the order of the lines is all there is."""
    at: Place


@dataclass(frozen=True, slots=True)
class Count:
    """``counts step = batch of batches in epoch from 1``: a number that lines tell in parts."""

    field: str
    inner: str
    size: str
    outer: str
    start: int
    """The number of the first of the outer."""
    at: Place


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    doc: str
    at: Place
    wordings: tuple[Wording, ...] = ()
    blocks: tuple[Block, ...] = ()
    tables: tuple[Table, ...] = ()
    witness: str = "process"
    about: tuple[tuple[str, str], ...] = ()
    """Pairs of (key, field): whom the event concerns; empty for its writer."""
    about_job: bool = False
    belongs: tuple[tuple[str, str], ...] = ()
    """Pairs of (key, field): the communicator (``comm``) that the event concerns, the rank in it and its size."""
    group_from: tuple[str, Node] | None = None
    """The event of the same writer that tells the process group, and what it has in common with this one."""
    began: str = "said"
    """``said``, ``after life`` (after the last line of the process that it is about), or the name of a duration field
    by which it began before it was said."""
    states: tuple[tuple[str, str | int], ...] = ()
    begins_attempt: bool = False
    fallback: bool = False
    frequent: bool = False
    series: tuple[SeriesOf, ...] = ()
    counts: tuple[Count, ...] = ()
    confirmed: tuple[str, str] | None = None
    """A line that tells the first field counts once another of its writer, with the same second field, tells more."""
    samples: tuple[Sample, ...] = ()

    @property
    def marks_attempt(self) -> bool:
        """Whether the event says that an attempt begins, or which one it is."""
        return self.begins_attempt or any(key == "attempt" for key, _ in self.states)


@dataclass(frozen=True, slots=True)
class MoreWordings:
    """Wordings of an event that is declared elsewhere."""

    name: str
    at: Place
    wordings: tuple[Wording, ...] = ()
    samples: tuple[Sample, ...] = ()


# Rules


@dataclass(frozen=True, slots=True)
class Culprit:
    name: str
    """A binding, a set that a ``let`` has named, or ``rank`` or ``host`` in a rule for each of these."""
    hosts: bool
    at: Place


@dataclass(frozen=True, slots=True)
class Explains:
    references: tuple[Reference, ...]
    lists: tuple[tuple[str, Place], ...]
    """Names of lists of events, with their places."""
    on: str
    """``same``, ``other`` or ``any``."""
    later_attempts: bool
    within: Value | None = None
    """So many seconds after the case began, at most."""


@dataclass(frozen=True, slots=True)
class Level:
    confidence: str
    condition: Node | None


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    doc: str
    at: Place
    severity: str = ""
    cause: str = ""
    role: str = "root"
    scope: str = "attempt"
    when: tuple[Clause | Let, ...] = ()
    """Conditions and ``let``s, in their order."""
    needs: tuple[Clause, ...] = ()
    unless: tuple[Clause, ...] = ()
    culprit: Culprit | None = None
    explains: tuple[Explains, ...] = ()
    confidence: tuple[Level, ...] = ()
    verdict: str = ""
    chain: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    remedy: str = ""
    next: str = ""
    see: tuple[str, ...] = ()
    adjusted: tuple[Place, ...] = ()
    """Where a site has adjusted the rule."""
    added: int = 0
    """How many of the conditions a site has added."""


@dataclass(frozen=True, slots=True)
class ListOf:
    """A named list: of values, or of events."""

    name: str
    values: tuple[str | float | bool, ...]
    events: tuple[tuple[str, Place], ...]
    at: Place


# What a site makes of rules


@dataclass(frozen=True, slots=True)
class Setting:
    """What an adjustment puts in the place of something that the rule says."""

    clause: str
    """``let``, ``severity``, ``confidence``, ``remedy`` or ``next``."""
    let: str
    """The name of the ``let``; else empty."""
    value: Value
    at: Place

    @property
    def named(self) -> str:
        """``let floor``, ``severity``."""
        return f"{self.clause} {self.let}".strip()


@dataclass(frozen=True, slots=True)
class Adjustment:
    rule: str
    at: Place
    settings: tuple[Setting, ...] = ()
    needs: tuple[Clause, ...] = ()
    unless: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class Disabling:
    """Takes a rule out."""

    rule: str
    at: Place


# Tests


@dataclass(frozen=True, slots=True)
class Log:
    """A log in place (``text``), or one or more in files (``path`` alone)."""

    text: str
    path: str
    host: str
    rank: int | None


@dataclass(frozen=True, slots=True)
class Expectation:
    kind: str
    """``rule``, ``no rule``, ``open rule``, ``cause`` or ``nothing``."""
    name: str
    culprits: str
    """Empty (not asked), ``nobody``, ``ranks``, ``local_ranks`` or ``hosts``."""
    members: tuple[str, ...]
    at: Place


@dataclass(frozen=True, slots=True)
class Test:
    name: str
    logs: tuple[Log, ...]
    expectations: tuple[Expectation, ...]
    at: Place


Declaration = Event | MoreWordings | Rule | ListOf | Test | Adjustment | Disabling
