"""Which conditions of a rule can be asked before all others? Those that ask for whole series and for sets only.

Where one of them denies the rule it has no case, whatever the dearer ones would have named.
"""

from collections.abc import Container
from typing import NamedTuple

from logsleuth.language import syntax as s
from logsleuth.language.substitute import SCOPE_NAMES
from logsleuth.language.walk import walk
from logsleuth.model.analysis import Severity

_FREE = s.Clause | s.AllOf | s.AnyOf | s.Not | s.Operation | s.Value | s.Values | s.Call | s.SeriesName
"""What asks for nothing that a rule has named, nor for single lines."""


def may_be_open(rule: s.Rule) -> bool:
    """Whether a case of the rule is kept where it cannot be told if its conditions hold.

    Whether something small, or an effect, is the case and cannot be told is nothing to read about.
    """
    return rule.role != "symptom" and Severity(rule.severity).fails


class Ahead(NamedTuple):
    """What can be asked of a rule at once."""

    lets: dict[str, s.Let]
    """The names that it needs for that."""
    needed: tuple[s.Node, ...]
    """The rule has no case where one of these is false..."""
    excluded: tuple[s.Node, ...]
    """... or one of these holds."""


def ahead(rule: s.Rule, known: Container[str] = ()) -> Ahead:
    """What can be asked of the rule before anything else; ``known`` are names that have been worked out."""
    lets: dict[str, s.Let] = {}
    # A let may take the name of a set that every scope has.
    of_scope = SCOPE_NAMES - {clause.name for clause in rule.when if isinstance(clause, s.Let)}

    def is_free(node: s.Node) -> bool:
        return all(
            isinstance(n, _FREE)
            or (isinstance(n, s.Field) and (n.name in lets or n.name in known or n.name in of_scope))
            for n in walk(node)
        )

    for clause in rule.when:
        if isinstance(clause, s.Let) and clause.name not in known and is_free(clause.value):
            lets[clause.name] = clause
    needed = (clause for clause in (*rule.when, *rule.needs) if not isinstance(clause, s.Let))
    return Ahead(
        lets,
        tuple(clause for clause in needed if is_free(clause)),
        tuple(clause for clause in rule.unless if is_free(clause)),
    )
