"""Finds absences without a bound: ``then no E`` that the end of a log makes true."""

from collections.abc import Container, Iterator, Mapping

from logsleuth.language import syntax as s
from logsleuth.language.messages import WARNING, Message
from logsleuth.language.walk import patterns
from logsleuth.model.analysis import Confidence


def check_absence(rule: s.Rule, events: Mapping[str, s.Event], series: Container[str]) -> Iterator[Message]:
    """A warning for each ``then no`` of the rule's ``when`` that holds only because a log ended too early.

    Three need no bound: what is written all the time (frequent events, series), whose absence tells at once; another
    word on the same matter (the same event with another filter); and those of a rule that says itself that it is
    ``likely`` or less, as ``then never`` would make it.
    """
    if rule.confidence and all(level.confidence != Confidence.CERTAIN for level in rule.confidence):
        return
    for clause in rule.when:
        for pattern in patterns(clause):
            for step in pattern.steps:
                name = step.reference.event
                is_steady = name in series or events[name].frequent or bool(events[name].series)
                if step.kind == "then no" and step.within is None and not is_steady and name != pattern.reference.event:
                    text = f"that no '{name}' came has no bound: it holds for every log that ends before one could come"
                    remedy = (
                        "Add a time, as in 'within 10 min', or write 'then never' to take the end of the logs for an "
                        "answer (likely at best)."
                    )
                    yield Message("LS235", step.reference.at, text, remedy, WARNING)
