"""Nodes of the syntax tree: what an event declares."""

from dataclasses import field

from logsleuth.language.nodes import Node, Place
from logsleuth.model.dataclass import dataclass

WITNESSES = ("device", "kernel", "scheduler", "launcher", "process", "peer", "watchdog")
"""Who may testify to an event, strongest first."""


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
    is_guarded: bool = False
    """Whether it is not proved that every line is matched in reasonable time, so that it has to be watched."""
    literals: tuple[str, ...] = ()
    """The texts of which a line that matches holds at least one, where that was worked out; else none."""


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

    @property
    def parts(self) -> tuple[str, str, str]:
        """The fields of which it is made."""
        return self.inner, self.size, self.outer

    def number(self, inner: object, size: object, outer: object) -> float | None:
        """How many of the inner came, were each outer of this size; None where a part is no number."""
        if isinstance(inner, int | float) and isinstance(size, int | float) and isinstance(outer, int | float):
            return inner + size * (outer - self.start)
        return None


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
    begins_run: bool = False
    """Where the run before it in its source has ended, it begins an attempt."""
    ends_run: bool = False
    fallback: bool = False
    frequent: bool = False
    series: tuple[SeriesOf, ...] = ()
    counts: tuple[Count, ...] = ()
    confirmed: tuple[str, str] | None = None
    """A line that tells the first field counts once another of its writer, with the same second field, tells more."""
    samples: tuple[Sample, ...] = ()
    places: tuple[tuple[str, Place], ...] = field(default=(), compare=False, repr=False)
    """Where the clauses that may stand once are (``witness``), and what they name (``about rank``, ``about {r}``); for
    messages only."""

    def place_of(self, *parts: str) -> Place:
        """Where a clause stands, or the finest part of it whose place is known; else the event itself."""
        known = dict(self.places)
        return next((at for part in parts if (at := known.get(part))), self.at)

    @property
    def marks_attempt(self) -> bool:
        """Whether the event says that an attempt begins, or which one it is."""
        return self.begins_attempt or self.begins_run or any(key == "attempt" for key, _ in self.states)


@dataclass(frozen=True, slots=True)
class MoreWordings:
    """Wordings of an event that is declared elsewhere."""

    name: str
    at: Place
    wordings: tuple[Wording, ...] = ()
    samples: tuple[Sample, ...] = ()
