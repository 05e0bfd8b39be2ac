"""The syntax tree of the rule language: what the parser builds, the checker checks and the engine evaluates.

Every node is a frozen record of plain values, tuples and other nodes, so that a checked program can be kept as JSON
(``logsleuth.language.codec``).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands in its file; ``line`` and ``column`` count from 1."""

    file: str
    line: int
    column: int
    width: int = 1


# Events


@dataclass(frozen=True, slots=True)
class Wording:
    """One way in which a line says a fact: a template, or a regular expression with typed groups."""

    text: str
    is_regex: bool
    types: tuple[tuple[str, str], ...]
    """Types of a regular expression's groups; a template carries its own."""
    at: Place


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
class Event:
    name: str
    doc: str
    at: Place
    wordings: tuple[Wording, ...] = ()
    blocks: tuple[Block, ...] = ()
    witness: str = "process"
    about: tuple[tuple[str, str], ...] = ()
    """Pairs of (key, field): whom the event concerns; empty for its writer."""
    about_job: bool = False
    began: str = "said"
    """``said``, ``after life`` (after the last line of the process that it is about), or the name of a duration field
    by which it began before it was said."""
    states: tuple[tuple[str, str | int], ...] = ()
    begins_attempt: bool = False
    fallback: bool = False
    frequent: bool = False
    series: tuple[SeriesOf, ...] = ()
    samples: tuple[Sample, ...] = ()

    @property
    def marks_attempt(self) -> bool:
        """Whether the event says that an attempt begins, or which one it is."""
        return self.begins_attempt or any(key == "attempt" for key, _ in self.states)


# Expressions of filters and comparisons


@dataclass(frozen=True, slots=True)
class Value:
    value: str | float | bool
    unit: str = ""
    """``bytes``, ``seconds``, ``percent`` or nothing; the value is in base units."""


@dataclass(frozen=True, slots=True)
class Values:
    """A list of values, written out or named."""

    items: tuple[str | float | bool, ...]
    name: str
    at: Place


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    at: Place


@dataclass(frozen=True, slots=True)
class Attribute:
    """A field of a binding: ``death.signal``."""

    binding: str
    field: str
    at: Place


@dataclass(frozen=True, slots=True)
class Operation:
    """``==``, ``<``, ``in``, ``contains``, ``starts with``, ``matches``, ``is known``, ``+``, ``-``, ``*``, ``/``, ...

    ``right`` is None for ``is known`` and a Value holding the pattern for ``matches``."""

    operator: str
    left: "Node"
    right: "Node | None"


@dataclass(frozen=True, slots=True)
class Not:
    item: "Node"


@dataclass(frozen=True, slots=True)
class AllOf:
    items: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    items: tuple["Node", ...]


# Conditions


@dataclass(frozen=True, slots=True)
class Reference:
    """An event, or those of its occurrences that pass the filter."""

    event: str
    filter: "Node | None"
    at: Place


@dataclass(frozen=True, slots=True)
class Step:
    kind: str
    """``then``, ``then no`` or ``without``."""
    reference: Reference
    binding: str


@dataclass(frozen=True, slots=True)
class Pattern:
    reference: Reference
    binding: str
    """Empty where the occurrences are not named."""
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Absent:
    reference: Reference


@dataclass(frozen=True, slots=True)
class Quantified:
    quantifier: str
    """``every``, ``some``, ``no``, ``most``, ``exactly``, ``all but``, ``at least`` or ``at least percent``."""
    number: float
    member: str
    """``rank`` or ``host``."""
    seen_only: bool
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Count:
    """A number of things: ``ranks``, ``seen ranks``, ``hosts``, members of a binding, occurrences of an event."""

    what: str
    reference: Reference | None
    binding: str
    at: Place


@dataclass(frozen=True, slots=True)
class Comparison:
    operator: str
    left: "Count | Attribute | Value"
    right: "Count | Attribute | Value"


Node = Value | Values | Field | Attribute | Operation | Seen | Absent | Quantified | Comparison | Not | AllOf | AnyOf
"""An expression of a filter or a condition of a rule; the grammar keeps the two apart."""


# Rules


@dataclass(frozen=True, slots=True)
class Culprit:
    binding: str
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
    when: tuple[Node, ...] = ()
    needs: tuple[Node, ...] = ()
    unless: tuple[Node, ...] = ()
    culprit: Culprit | None = None
    explains: tuple[Explains, ...] = ()
    confidence: tuple[Level, ...] = ()
    verdict: str = ""
    chain: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    remedy: str = ""
    next: str = ""
    see: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListOf:
    """A named list: of values, or of events."""

    name: str
    values: tuple[str | float | bool, ...]
    events: tuple[tuple[str, Place], ...]
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
    """``rule``, ``no rule``, ``cause`` or ``nothing``."""
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


Declaration = Event | Rule | ListOf | Test
