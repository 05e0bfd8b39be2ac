"""The causes that rules may find: those that are shipped, and those that sites declare."""

from collections.abc import Iterable
from typing import NamedTuple

from logsleuth.authoring.cause_meanings import CAUSE_MEANINGS
from logsleuth.language.messages import did_you_mean
from logsleuth.language.program import Program
from logsleuth.model.cause import CAUSES


class Known(NamedTuple):
    kind: str
    meaning: str
    """When it is the answer, in one line."""


def vocabulary(program: Program) -> dict[str, Known]:
    """Every cause by its name: the shipped ones in their order, then those of sites."""
    shipped = {name: Known(kind.value, CAUSE_MEANINGS.get(name, "")) for name, kind in CAUSES.items()}
    own = {name: Known(cause.kind, " ".join(cause.doc.split())) for name, cause in sorted(program.causes.items())}
    return shipped | own


def no_cause(name: str, known: Iterable[str]) -> str:
    """That nothing is called so, and what may be meant."""
    remedy = did_you_mean(name, known) or "`logsleuth rules list --causes` prints them all."
    return f"there is no cause '{name}'. {remedy}"
