"""What the declarations of a program have to do with each other."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from logsleuth.authoring.samples import best_sample
from logsleuth.language import syntax as s
from logsleuth.language.program import Program, series_name
from logsleuth.language.reads import series_read
from logsleuth.language.walk import conditions, references, walk

RARE = 6
"""An event that more rules than this decide on says nothing of how two of them are related."""


class Index:
    """The declarations of a program that has its samples and tests, and who refers to whom."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._feeding: dict[str, list[str]] = defaultdict(list)
        for event in program.events.values():
            for clause in event.series:
                self._feeding[series_name(event, clause)].append(event.name)
        self._deciding = {rule.name: _named(rule.when) & program.events.keys() for rule in program.rules.values()}
        self._explained = {
            rule.name: frozenset(reference.event for clause in rule.explains for reference in clause.references)
            for rule in program.rules.values()
        }
        self._readers: dict[str, list[str]] = defaultdict(list)
        for rule in program.rules.values():
            for name in self.events_of(_all_conditions(rule)):
                self._readers[name].append(rule.name)

    def events_of(self, nodes: Iterable[s.Node]) -> list[str]:
        """The events of which the nodes speak, in their order; those that feed a series stand for it."""
        found: dict[str, None] = {}
        for node in nodes:
            for inner in walk(node):
                name = _name_of(inner)
                found |= dict.fromkeys(self._feeding.get(name, [name] if name in self.program.events else []))
        return list(found)

    def sample_for(self, rule: s.Rule, event: s.Event) -> s.Sample | None:
        """The sample that shows best what the rule asks of the event."""
        asked = next((found.filter for found in references(rule) if found.event == event.name), None)
        read = set(series_read(conditions(rule), self._feeding))
        fields = {clause.field for clause in event.series if series_name(event, clause) in read}
        return best_sample(event.samples, asked, fields)

    def readers(self, event: str) -> list[str]:
        """The rules whose conditions speak of the event."""
        return sorted(self._readers[event])

    def deciding_on(self, event: str) -> list[str]:
        """The rules whose cases rest on the event."""
        return sorted(rule for rule, events in self._deciding.items() if event in events)

    def explainers(self, event: str) -> list[str]:
        """The rules that explain the event away."""
        return sorted(rule for rule, events in self._explained.items() if event in events)

    def same_cause(self, rule: s.Rule) -> list[str]:
        """The other rules that find the same cause."""
        others = (other for other in self.program.rules.values() if other.cause == rule.cause)
        return _near(rule, (other.name for other in others))

    def sharing(self, rule: s.Rule) -> list[str]:
        """The rules that decide on an event of this one which few rules decide on, and find another cause."""
        found: set[str] = set()
        for event in self._deciding[rule.name]:
            others = {name for name, events in self._deciding.items() if event in events}
            found |= others if len(others) <= RARE else set()
        return _near(rule, (name for name in found if self.program.rules[name].cause != rule.cause))

    def tests_of(self, rule: s.Rule) -> list[s.Test]:
        """The tests that speak of the rule, and those beside it in which nothing must be found; its own file first."""
        tests = [test for test in self.program.tests if _speaks_of(test, rule)]
        return sorted(tests, key=lambda test: (test.at.file != rule.at.file, test.at.file, test.at.line))

    def constants(self, rule: s.Rule) -> Iterator[tuple[s.Let, s.Value]]:
        """The thresholds of the rule that a site can set."""
        for item in rule.when:
            if isinstance(item, s.Let) and isinstance(item.value, s.Value):
                yield item, item.value


def _speaks_of(test: s.Test, rule: s.Rule) -> bool:
    is_beside = test.at.file == rule.at.file
    return any(item.name == rule.name or (is_beside and item.kind == "nothing") for item in test.expectations)


def _all_conditions(rule: s.Rule) -> Sequence[s.Node]:
    levels = (level.condition for level in rule.confidence if level.condition)
    return (*rule.when, *rule.needs, *rule.unless, *levels)


def _named(nodes: Iterable[s.Node]) -> set[str]:
    return {_name_of(inner) for node in nodes if isinstance(node, s.Clause) for inner in walk(node)}


def _name_of(node: object) -> str:
    return node.event if isinstance(node, s.Reference) else node.name if isinstance(node, s.SeriesName) else ""


def _near(rule: s.Rule, names: Iterable[str]) -> list[str]:
    """Without the rule itself; those of its own area first."""
    area = rule.name.partition(".")[0]
    return sorted(set(names) - {rule.name}, key=lambda name: (name.partition(".")[0] != area, name))
