"""The syntax tree of the rule language: what the parser builds, the checker checks and the engine evaluates.

Every node is a frozen record of plain values, tuples and other nodes, so that a checked program can be kept as JSON
(``logsleuth.language.codec``). This module holds the declarations and gives the nodes of their conditions too.
"""

from dataclasses import field

from logsleuth.language.event_nodes import (
    Block,
    BlockItem,
    Column,
    Count,
    Event,
    MoreWordings,
    Sample,
    SeriesOf,
    Table,
    Wording,
)  # fmt: skip
from logsleuth.language.nodes import (
    NOWHERE,
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
    Parameter,
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
    place_of,
)  # fmt: skip
from logsleuth.model.dataclass import dataclass

__all__ = (
    "NOWHERE", "Absent", "Adjustment", "AllOf", "AnyOf", "Attribute", "Block", "BlockItem", "Call", "Clause", "Column",
    "Count", "Culprit", "Declaration", "Definition", "Disabling", "Event", "EventField", "Expectation", "Explains",
    "Field", "Let", "Level", "ListOf", "Log", "Members", "Mention", "MoreWordings", "Node", "Not", "Operation",
    "OwnCause", "Parameter", "Pattern", "Place", "Quantified", "Reference", "Rule", "Sample", "Seen", "SeriesName",
    "SeriesOf", "Setting", "Step", "Table", "Test", "Together", "Use", "Value", "Values", "Wording", "place_of",
)  # fmt: skip

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
    at: Place = field(default=NOWHERE, compare=False, repr=False)
    """Of the first that is named, for messages only."""


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
    kind: str = ""
    """The family of the cause (``logsleuth.model.cause.Kind``); the checker tells it."""
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
    places: tuple[tuple[str, Place], ...] = field(default=(), compare=False, repr=False)
    """Of the words, texts and levels of clauses, by the clause, in their order; for messages only."""

    def place(self, clause: str, number: int = 0) -> Place:
        """Where the clause says its word, text or level of this number; the rule's own place where that is unknown."""
        told = [at for name, at in self.places if name == clause]
        return told[number] if number < len(told) else self.at


@dataclass(frozen=True, slots=True)
class ListOf:
    """A named list: of values, or of events."""

    name: str
    values: tuple[str | float | bool, ...]
    events: tuple[tuple[str, Place], ...]
    at: Place


# What rules share


@dataclass(frozen=True, slots=True)
class Definition:
    """``define short(x) = last(x) < 5 min``: a name for an expression over its parameters."""

    name: str
    parameters: tuple[tuple[str, Place], ...]
    body: Node
    text: str
    """The body as it is written."""
    at: Place

    @property
    def told(self) -> str:
        """``short(x) = last(x) < 5 min``."""
        named = f"({', '.join(name for name, _ in self.parameters)})" if self.parameters else ""
        return f"{self.name}{named} = {self.text}"


@dataclass(frozen=True, slots=True)
class Use:
    """Another file whose declarations are wanted."""

    path: str
    at: Place


@dataclass(frozen=True, slots=True)
class OwnCause:
    """A cause that is not of the shipped vocabulary."""

    name: str
    kind: str
    doc: str
    at: Place


# What a site makes of rules


@dataclass(frozen=True, slots=True)
class Setting:
    """What an adjustment puts in the place of something that the rule says."""

    clause: str
    """``let``, ``severity``, ``cause``, ``confidence``, ``remedy`` or ``next``."""
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
    now: float | None = None
    """The moment at which its logs are looked at while they are written, as their stamps tell it, in seconds; None
    where they have ended."""


Declaration = Event | MoreWordings | Rule | ListOf | Definition | Use | OwnCause | Test | Adjustment | Disabling
