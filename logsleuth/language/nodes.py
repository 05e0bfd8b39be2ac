"""Expressions and conditions: the nodes of the syntax tree that say what has to hold."""

from dataclasses import field

from logsleuth.model.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands in its file; ``line`` and ``column`` count from 1."""

    file: str
    line: int
    column: int
    width: int = 1


NOWHERE = Place("", 0, 0)
"""Of what was not read from a file."""


# Expressions


@dataclass(frozen=True, slots=True)
class Value:
    value: str | float | bool
    unit: str = ""
    """``bytes``, ``seconds``, ``percent``, ``steps`` or nothing; the value is in base units."""
    at: Place = field(default=NOWHERE, compare=False, repr=False)
    """For messages only: it is not kept with a compiled program."""


@dataclass(frozen=True, slots=True)
class Values:
    """A list of values, written out or named."""

    items: tuple[str | float | bool, ...]
    name: str
    at: Place


@dataclass(frozen=True, slots=True)
class Field:
    """A single name: a field of the event at hand in a filter, else what a ``let`` or an ``as`` has named."""

    name: str
    at: Place


@dataclass(frozen=True, slots=True)
class Attribute:
    """``death.signal``: a field of a binding, or what a per-member ``let`` gives for the members of a set."""

    binding: str
    field: str
    at: Place


@dataclass(frozen=True, slots=True)
class Mention:
    """A dotted name as it was read; the checker tells which of the nodes below it is."""

    name: str
    filter: "Node | None"
    at: Place


@dataclass(frozen=True, slots=True)
class Reference:
    """An event, or those of its occurrences that pass the filter."""

    event: str
    filter: "Node | None"
    at: Place
    job_wide: bool = False
    """``job.pg.timeout``: of the whole job where the rule is judged group by group."""


@dataclass(frozen=True, slots=True)
class EventField:
    """``pg.progress.enqueued``: a field of the occurrences of an event."""

    reference: Reference
    field: str


@dataclass(frozen=True, slots=True)
class SeriesName:
    """``train.loss``: a series that events feed."""

    name: str
    at: Place


@dataclass(frozen=True, slots=True)
class Members:
    """``ranks``, ``hosts``, ``seen ranks``, ``silent ranks``, ``job.ranks``, ``ranks where ...``, ``hosts of NAME``."""

    kind: str
    """``ranks`` or ``hosts``."""
    which: str
    """``seen`` for those that left a log, ``silent`` for those that did not, else all."""
    job_wide: bool
    where: "Node | None"
    of: str
    at: Place

    @property
    def is_all_ranks(self) -> bool:
        """Whether it stands for all ranks that there are, whatever is known of them."""
        return self.kind == "ranks" and not (self.which or self.where or self.of)


@dataclass(frozen=True, slots=True)
class Parameter:
    """What stands in a definition for its argument; a program has none."""

    name: str
    """Empty where a definition has errors, and anything may be meant."""
    field: str
    """``code`` in ``x.code``; empty for the argument itself."""
    at: Place


@dataclass(frozen=True, slots=True)
class Call:
    function: str
    arguments: tuple["Node", ...]
    options: tuple[tuple[str, "Node"], ...]
    at: Place


@dataclass(frozen=True, slots=True)
class Operation:
    """``==``, ``<``, ``in``, ``contains``, ``starts with``, ``matches``, ``is known``, ``+``, ``-``, ``*``,
    ``/`` or ``of`` (``25% of ranks``).

    ``right`` is None for ``is known`` and a Value holding the pattern for ``matches``.
    """

    operator: str
    left: "Node"
    right: "Node | None"
    at: Place = field(default=NOWHERE, compare=False, repr=False)
    """Of all of it, for messages only."""


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
class Step:
    kind: str
    """``then``, ``then no``, ``then never`` or ``without``."""
    reference: Reference
    binding: str
    within: Value | None = None
    """Seconds, or training steps; before it is checked it may be the name of a constant."""


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
    other: bool = False
    """Than those that earlier conditions of the rule have bound."""


@dataclass(frozen=True, slots=True)
class Together:
    """All occurrences of a binding began within so many seconds of each other."""

    binding: str
    within: Value
    at: Place


@dataclass(frozen=True, slots=True)
class Let:
    """A name for what an expression is worth; asks for nothing."""

    name: str
    value: "Node"
    unit: str
    """Of the value, for texts: ``bytes``, ``seconds``, ``time``, ``percent`` or nothing; the checker tells it."""
    at: Place


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition of a rule with its text, by which its truth is told."""

    condition: "Node"
    text: str
    defined: str = ""
    """What the definitions that it uses say, until it is checked: then it stands in the text."""


Node = (
    Value | Values | Field | Attribute | Mention | Reference | EventField | SeriesName | Members | Call | Operation
    | Parameter | Seen | Absent | Quantified | Together | Not | AllOf | AnyOf | Let | Clause
)  # fmt: skip
"""What may stand in a filter or a condition; the checker tells where what fits."""


def place_of(node: Node) -> Place:
    """Where a node stands in its file: its own place, or that of the first part of it that has one."""
    match node:
        case AllOf() | AnyOf():
            return place_of(node.items[0])
        case Not():
            return place_of(node.item)
        case Seen() | Quantified():
            return node.pattern.reference.at
        case Absent() | EventField():
            return node.reference.at
        case Clause():
            return place_of(node.condition)
        case _:
            return node.at
