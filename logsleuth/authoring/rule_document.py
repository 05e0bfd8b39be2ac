"""What a rule means, how it is recognised, what to do about it: the whole of it in words."""

from collections.abc import Iterator, Sequence

from logsleuth.authoring.document import (
    Block,
    Code,
    Document,
    Name,
    Section,
    Topic,
    Verbatim,
    Words,
    document,
    items,
    joined,
    paragraph,
    topics,
)  # fmt: skip
from logsleuth.authoring.holes import Holes
from logsleuth.authoring.index import Index
from logsleuth.authoring.prose import Prose
from logsleuth.authoring.vocabulary import vocabulary
from logsleuth.language import syntax as s
from logsleuth.language.constants import written

SEVERITIES = {
    "fatal": "the job ended by it",
    "error": "a failure",
    "warning": "no failure, but worth a look",
    "info": "a note, never the answer",
}
_SCOPES = {
    "pg": "Judged once for each process group: “ranks” are those of the group.",
    "comm": "Judged once for each communicator: “ranks” are those of the communicator.",
    "rank": "Judged once for each rank.",
    "host": "Judged once for each host.",
}
_MOST_LINES = 12
"""Events of which a line is shown; a rule that reads more lists the rest."""
_MOST_RELATED = 12


def rule_document(rule: s.Rule, index: Index) -> Document:
    """All that a person may want to know of a rule; where it stands is told elsewhere."""
    holes = Holes(rule)
    return document(
        rule.name,
        _lead(rule, index),
        [
            Section(("What a report says",), _report(rule, holes)),
            Section(("The lines that it reads",), tuple(_lines(rule, index))),
            Section(("What to do",), items(holes.steps(rule.remedy), is_numbered=True)),
            Section(("What to look at or collect next",), items(holes.steps(rule.next))),
            Section(("How it is decided",), tuple(_decision(rule))),
            Section(("What it explains away",), tuple(_explained(rule))),
            Section(("Tuning",), tuple(_tuning(rule, index))),
            Section(("Sources",), items((url,) for url in rule.see)),
            Section(("Related",), items(_related(rule, index))),
            Section(("Tested on",), items(_tested(test, rule) for test in index.tests_of(rule))),
        ],
    )


def _lead(rule: s.Rule, index: Index) -> list[Block]:
    meaning = vocabulary(index.program)[rule.cause].meaning
    facts: list[Words] = [
        ("Severity: ", Code(rule.severity), f" ({SEVERITIES[rule.severity]})"),
        ("Cause: ", Topic(rule.cause), f" ({meaning})" if meaning else ""),
    ]
    if rule.role == "symptom":
        facts.append(("It only names an effect, and is the answer only where nothing tells the cause.",))
    return [paragraph(_one_line(rule.doc)), *items(facts)]


def _report(rule: s.Rule, holes: Holes) -> tuple[Block, ...]:
    """The verdict, the way from the cause to its effects, and the causes that the same lines allow."""
    told: list[Block] = [paragraph(*_capital(holes.text(rule.verdict)), ".")]
    if rule.chain:
        told.append(paragraph(*_capital(joined([holes.text(step) for step in rule.chain], " → ")), "."))
    if rule.alternatives:
        told.append(paragraph("Or else: ", *joined([(Topic(cause),) for cause in rule.alternatives]), "."))
    return tuple(told)


def _lines(rule: s.Rule, index: Index) -> Iterator[Block]:
    """A line of each event on which the rule decides, then the events that it asks about besides."""
    deciding = index.events_of(rule.when)
    for name in deciding[:_MOST_LINES]:
        event = index.program.events[name]
        yield paragraph(Topic(name), ": ", _one_line(event.doc))
        if sample := index.sample_for(rule, event):
            yield Verbatim(sample.text.strip("\n"))
    if more := deciding[_MOST_LINES:]:
        yield paragraph("As well as ", *topics(more), ".")
    besides = [name for name in index.events_of([*rule.needs, *rule.unless]) if name not in deciding]
    if besides:
        yield paragraph("It also asks about ", *topics(besides), ".")


def _decision(rule: s.Rule) -> Iterator[Block]:
    prose = Prose({item.name: item.value for item in rule.when if isinstance(item, s.Let)})
    if rule.scope in _SCOPES:
        yield paragraph(_SCOPES[rule.scope])
    asked = prose.each((item for item in rule.when if isinstance(item, s.Clause)), s.AllOf)
    yield from _list("All of this has to hold:" if len(asked) > 1 else "This has to hold:", asked)
    lets = [item for item in rule.when if isinstance(item, s.Let) and not isinstance(item.value, s.Value)]
    yield from _list("Where:", [prose.let(item) for item in lets])
    yield from _list("It applies only where:", prose.each(rule.needs, s.AllOf))
    unless = prose.each(rule.unless, s.AnyOf)
    yield from _list("It keeps quiet where any of this holds:" if len(unless) > 1 else "It keeps quiet where:", unless)
    yield paragraph(*_blamed(rule))
    if rule.confidence:
        yield paragraph(
            "Confidence: ",
            *joined(
                [_level(level, prose) for level in rule.confidence],
                ", ",
                ", " if rule.confidence[-1].condition else ", else ",
            ),
            ".",
        )


def _list(heading: str, told: Sequence[Words]) -> Iterator[Block]:
    if told:
        yield paragraph(heading)
        yield from items(told)


def _level(level: s.Level, prose: Prose) -> Words:
    if level.condition is None:
        return (level.confidence,)
    return (level.confidence, " when ", *prose.clause(s.Clause(level.condition, "its condition holds")))


def _blamed(rule: s.Rule) -> Words:
    if rule.culprit is None:
        return ("Nobody is named as the culprit.",)
    if rule.culprit.name in ("rank", "host") and rule.culprit.name == rule.scope:
        return (f"Named as the culprit: the {rule.culprit.name}.",)
    if any(isinstance(item, s.Let) and item.name == rule.culprit.name for item in rule.when):
        return ("Named as culprits: ", "the hosts of " if rule.culprit.hosts else "", Name(rule.culprit.name), ".")
    whom = "the host" if rule.culprit.hosts else "the rank"
    return ("Named as the culprit: ", whom, " that ", Name(rule.culprit.name), " concerns.")


def _explained(rule: s.Rule) -> Iterator[Block]:
    """What is told as an echo of the rule's cases, group by group."""
    prose = Prose()
    told: list[Words] = []
    for clause in rule.explains:
        if not clause.references:
            continue
        whom = {"same": "On the culprits", "other": "On all others", "any": "On anybody"}[clause.on]
        within = f", when it began within {written(clause.within)}" if clause.within else ""
        later = ", also in later attempts" if clause.later_attempts else ""
        echoes = joined([_reference(item, prose) for item in clause.references])
        told.append((f"{whom}{within}{later}: ", *echoes))
    if told:
        yield paragraph("These lines are told as echoes of it, not as causes:")
        yield from items(told)


def _reference(reference: s.Reference, prose: Prose) -> Words:
    if reference.filter is None:
        return (Code(reference.event),)
    try:
        return (Code(reference.event), " (where ", *prose.condition(reference.filter), ")")
    except LookupError:
        return (Code(reference.event), " (some of them)")


def _tuning(rule: s.Rule, index: Index) -> Iterator[Block]:
    """How a site sets the rule's thresholds, or takes the rule out; and where it has."""
    constants = list(index.constants(rule))
    if constants:
        yield paragraph("A rule file of your own sets its thresholds:")
        lets = "".join(f"  let {let.name} = {written(value)}\n" for let, value in constants)
        yield Verbatim(f"adjust {rule.name} {{\n{lets}}}", "sleuth")
    else:
        yield paragraph(
            "It has no threshold to set; a rule file of your own can add a ", Code("needs"), " or ", Code("unless"), "."
        )
    yield paragraph("To take it out: ", Code(f"disable {rule.name}"), ".")
    if rule.adjusted:
        places = ", ".join(f"{at.file}:{at.line}" for at in rule.adjusted)
        yield paragraph(f"What is told here is as adjusted at {places}.")


def _related(rule: s.Rule, index: Index) -> Iterator[Words]:
    decided = index.events_of(item for item in rule.when if isinstance(item, s.Clause))
    explainers = sorted({name for event in decided for name in index.explainers(event)} - {rule.name})
    groups = {
        "The same cause: ": index.same_cause(rule),
        "Other causes on the same lines: ": index.sharing(rule),
        "May explain its lines away: ": explainers,
    }
    for heading, names in groups.items():
        # What nearly every rule explains away says nothing of this one.
        if names and (names is not explainers or len(names) <= _MOST_RELATED):
            more = len(names) - _MOST_RELATED
            shown = joined([(Topic(name),) for name in names[:_MOST_RELATED]])
            yield (heading, *shown, f" and {more} more" if more > 0 else "")


def _tested(test: s.Test, rule: s.Rule) -> Words:
    """The name of a test, and what it expects of the rule."""
    kinds = {item.kind for item in test.expectations if item.name == rule.name}
    expected = "found" if "rule" in kinds else "open" if "open rule" in kinds else "not found"
    return (f"{test.name} ({expected})",)


def _capital(words: Words) -> Words:
    """With a capital at the start, as a report has it."""
    first, *rest = words
    match first:
        case str():
            return (first[:1].upper() + first[1:], *rest)
        case Name():
            return (Name(first.text[:1].upper() + first.text[1:]), *rest)
        case _:
            return words


def _one_line(text: str) -> str:
    return " ".join(text.split())
