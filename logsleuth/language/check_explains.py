"""Finds explanations that draw nothing away, and rules that explain each other away in a circle."""

from collections.abc import Container, Iterable, Iterator, Mapping

from logsleuth.language import syntax as s
from logsleuth.language.messages import WARNING, Message
from logsleuth.language.program import Program
from logsleuth.language.walk import walk


def check_explains(rule: s.Rule, lists: Container[s.Place]) -> Iterator[Message]:
    """Warnings about the explanations of one resolved rule; ``lists`` are the places of the items of lists."""
    own = set(_whole(rule))
    for clause in rule.explains:
        if not clause.references:
            remedy = "Name an event, or put some into the list."
            yield Message("LS236", clause.at, "this explains nothing: the list is empty", remedy, WARNING)
            continue
        if _stays_with_the_case(rule, clause) and all(reference.event in own for reference in clause.references):
            names = ", ".join(dict.fromkeys(reference.event for reference in clause.references))
            text = f"this explains nothing: every '{names}' is among the occurrences that decide the rule"
            remedy = "Name what follows from it, or remove the clause."
            yield Message("LS236", clause.references[0].at, text, remedy, WARNING)
        seen: set[tuple[str, bool]] = set()
        for reference in clause.references:
            if reference.filter is None and reference.at not in lists:
                if (reference.event, reference.job_wide) in seen:
                    text = f"'{reference.event}' is explained here already"
                    yield Message("LS243", reference.at, text, "Remove one of the two.", WARNING)
                seen.add((reference.event, reference.job_wide))


def _stays_with_the_case(rule: s.Rule, clause: s.Explains) -> bool:
    """Whether the clause reaches no occurrence of another member or attempt than the case's own."""
    return not clause.later_attempts and (clause.on == "same" or rule.culprit is None)


def _whole(rule: s.Rule) -> Iterator[str]:
    """The events of which each occurrence decides a case of the rule: asked for without a filter and without steps."""
    for item in rule.when:
        for part in _conjuncts(item):
            if isinstance(part, s.Seen) and part.pattern.reference.filter is None and not part.pattern.steps:
                yield part.pattern.reference.event


def _conjuncts(item: s.Node) -> Iterator[s.Node]:
    node = item.condition if isinstance(item, s.Clause) else item
    if isinstance(node, s.AllOf):
        yield from node.items
    else:
        yield node


# Circles


_IN_ONE_LOG = frozenset(("launcher", "scheduler"))
"""Witnesses whose lines stand in one log, so that their order is known."""


def check_circles(program: Program, lists: Container[s.Place]) -> Iterator[Message]:
    """A warning for each circle of rules of which each explains whatever decides the next, whenever and of whomever.

    Whichever began first explains the others, and where no clock says which that was, all of them are told as causes.
    Lists say so on purpose (all that may follow from whatever came first), so only events that a rule names itself
    make a circle. A clause that looks at the ranks of others only, at filtered occurrences or at those that began soon
    after leaves a way out; so does a rule that is decided by something besides, or by the same event. A symptom is an
    answer only where nothing else is, and the lines of launchers and schedulers have an order.
    """
    rules = {name: rule for name, rule in program.rules.items() if rule.role == "root"}
    deciding = {name: _deciding(rule) for name, rule in rules.items()}
    by_event: dict[str, list[str]] = {}
    for name, events in deciding.items():
        if not all(e in program.events and program.events[e].witness in _IN_ONE_LOG for e in events):
            for event in sorted(events):
                by_event.setdefault(event, []).append(name)
    explained = {name: _explained(rule, lists) for name, rule in rules.items()}
    after = {
        name: [
            other
            for other in dict.fromkeys(other for event in explained[name] for other in by_event.get(event, ()))
            if deciding[other] <= explained[name].keys() and not deciding[other] & deciding[name]
        ]
        for name in rules
    }
    told: set[frozenset[str]] = set()
    for name in sorted(rules):
        circle = _circle(name, after)
        if circle and frozenset(circle) not in told:
            told.add(frozenset(circle))
            at = next(at for event, at in explained[name].items() if event in deciding[circle[1 % len(circle)]])
            way = " explains ".join(f"'{x}'" for x in (*circle, name))
            text = f"{way}: without a clock none of them is found to be the effect"
            remedy = (
                "Let only the cause explain: drop one clause, or narrow it by a filter, 'began within' or 'on other'."
            )
            yield Message("LS237", at, text, remedy, WARNING)


def _deciding(rule: s.Rule) -> frozenset[str]:
    """The events whose occurrences decide a case of the rule."""
    found: set[str] = set()
    for item in rule.when:
        for node in walk(item) if isinstance(item, s.Clause) else ():
            if isinstance(node, s.Seen | s.Quantified):
                found.add(node.pattern.reference.event)
                found |= {step.reference.event for step in node.pattern.steps if step.kind == "then"}
    return frozenset(found)


def _explained(rule: s.Rule, lists: Container[s.Place]) -> dict[str, s.Place]:
    """The events of which the rule itself says that it explains every occurrence, with the places."""
    found: dict[str, s.Place] = {}
    for clause in rule.explains:
        if clause.within is None and (clause.on == "any" or (clause.on == "other" and rule.culprit is None)):
            for reference in clause.references:
                if reference.filter is None and reference.at not in lists:
                    found.setdefault(reference.event, reference.at)
    return found


def _circle(start: str, after: Mapping[str, Iterable[str]]) -> list[str]:
    """The shortest way from a rule back to itself; nothing where there is none."""
    came: dict[str, str] = {}
    waiting = [start]
    for name in waiting:
        for other in after[name]:
            if other == start:
                way = [name]
                while way[-1] != start:
                    way.append(came[way[-1]])
                return way[::-1]
            if other not in came:
                came[other] = name
                waiting.append(other)
    return []
