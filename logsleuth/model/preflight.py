"""The result of a preflight: of each node and question how it stands, and the analysis on which that rests."""

from dataclasses import dataclass
from enum import StrEnum

from logsleuth.model.analysis import Analysis


class Standing(StrEnum):
    """How a node stands to a question."""

    FINE = "fine"
    """An output that answers it was read, and no verdict speaks against it."""
    NOT_FINE = "not fine"
    UNSEEN = "not looked at"
    """There is no output that could answer it, or none of whose lines the rules know."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one tool told of a node."""

    probe: str
    source: str | None
    """The output as evidence cites it; None where there is none."""
    exit: str | None
    """The tool's exit status, or ``absent``, ``refused``, ``timeout``, ``endless``; None where nothing tells it."""
    at: str | None
    """When it was collected, ISO 8601 in UTC."""
    command: str | None
    standing: Standing
    why: str
    """Why it is not looked at; empty where it is."""
    lines: int
    events: int
    """Lines that the rules know."""

    @property
    def is_missing(self) -> bool:
        """Whether the tool is simply not there: nothing failed."""
        return self.source is None or self.exit == "absent"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a node, and its answer."""

    question: str
    title: str
    standing: Standing
    why: str
    """Why it could not be looked at; empty where it was."""
    verdicts: tuple[str, ...]
    """Ids of the verdicts that speak against it, in the order of the analysis."""
    told: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Node:
    host: str
    asked: tuple[Asked, ...]

    @property
    def standing(self) -> Standing:
        """The worst that is known of it; not looked at where nothing was."""
        standings = {one.standing for one in self.asked}
        return next(kind for kind in (Standing.NOT_FINE, Standing.FINE, Standing.UNSEEN) if kind in standings)


@dataclass(frozen=True, slots=True)
class Preflight:
    nodes: tuple[Node, ...]
    """In natural order of their names."""
    analysis: Analysis

    @property
    def standing(self) -> Standing:
        """Of all nodes together; a verdict against nobody in particular counts too."""
        standings = {node.standing for node in self.nodes}
        if any(verdict.status == "firm" and not verdict.is_note for verdict in self.analysis.verdicts):
            return Standing.NOT_FINE
        return next((kind for kind in (Standing.NOT_FINE, Standing.FINE) if kind in standings), Standing.UNSEEN)
