"""Builds syntax trees from parse trees."""

from dataclasses import replace
from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from logsleuth.language import syntax as s
from logsleuth.language.build_about import AboutBuilder, Clause
from logsleuth.language.build_define import DefinitionBuilder
from logsleuth.language.build_site import SiteBuilder
from logsleuth.language.build_table import TableBuilder, table_of
from logsleuth.language.expectations import ExpectationBuilder
from logsleuth.language.expressions import ClauseError, ExpressionBuilder, Text, number
from logsleuth.language.messages import Message, did_you_mean


def builder(file: str, line: int, column: int, text: str) -> ExpressionBuilder:
    """A transformer for one declaration with this text, which starts at this (1-based) place of its file.

    Raises ClauseError where the declaration parses but cannot be built.
    """
    return _Builder(file, line, column, text)


_REPEATED = frozenset(
    ("wordings", "blocks", "tables", "series", "counts", "samples", "when", "needs", "unless", "explains", "see")
)
"""Clauses that may stand several times; their values are collected in order."""


class _Builder(DefinitionBuilder, ExpectationBuilder, TableBuilder, AboutBuilder, SiteBuilder):
    def __init__(self, file: str, line: int, column: int, text: str) -> None:
        super().__init__(file, line, column)
        self._text = text

    # Lists

    def list_of(self, items: list[Any]) -> s.ListOf:
        name, *rest = items
        values = tuple(item.value for item in rest if isinstance(item, s.Value))
        events = tuple(item for item in rest if isinstance(item, tuple))
        at = self.place(name)
        if values and events:
            raise ClauseError(Message("LS214", at, f"the list '{name}' mixes values and events", "Make two of it."))
        return s.ListOf(str(name), values, events, at)

    def list_item(self, items: list[Any]) -> Any:
        return items[0]

    def event_item(self, items: list[Token]) -> tuple[str, s.Place]:
        return str(items[0]), self.place(items[0])

    # Events

    def event(self, items: list[Any]) -> s.Event:
        name, doc, *clauses = items
        once = [clause for clause in clauses if clause.name not in _REPEATED]
        places = tuple((f"{clause.name}{part}", at) for clause in once for part, at in clause.places)
        fields = self._collect(clauses)
        return s.Event(str(name), doc.text if doc else "", self.place(name), places=places, **fields)

    def more_wordings(self, items: list[Any]) -> s.MoreWordings:
        name, *clauses = items
        return s.MoreWordings(str(name), self.place(name), **self._collect(clauses))

    def line(self, items: list[Any]) -> Clause:
        text, *also = items
        return Clause("wordings", s.Wording(text.text, False, (), text.at, tuple(also)), text.at)

    def regex(self, items: list[Any]) -> Clause:
        wording = self.also_regex([item for item in items if not isinstance(item, s.Wording)])
        also = tuple(item for item in items if isinstance(item, s.Wording))
        return Clause("wordings", replace(wording, also=also), wording.at)

    def also_line(self, items: list[Text]) -> s.Wording:
        return s.Wording(items[0].text, False, (), items[0].at)

    def also_regex(self, items: list[Any]) -> s.Wording:
        pattern, *types = items
        return s.Wording(str(pattern)[1:-1], True, tuple(t for t in types if t is not None), self.place(pattern))

    def typed(self, items: list[Token]) -> tuple[str, str]:
        return str(items[0]), str(items[1])

    def must(self, items: list[Clause]) -> s.BlockItem:
        return s.BlockItem(items[0].value, False)

    def maybe(self, items: list[Clause]) -> s.BlockItem:
        return s.BlockItem(items[0].value, True)

    def deeper(self, _: list[Any]) -> s.BlockItem:
        return s.BlockItem(None, True)

    def block(self, items: list[Any]) -> Clause:
        within, *steps = items
        at = self.place(within)
        return Clause("blocks", s.Block(int(str(within)), tuple(steps), at), at)

    def table(self, items: list[Any]) -> Clause:
        table = table_of(items, self._start)
        return Clause("tables", table, table.at)

    def witness(self, items: list[Token]) -> Clause:
        return self.word("witness", items[0])

    def group_from(self, items: list[Any]) -> Clause:
        return Clause("group_from", (str(items[0]), items[1]), self.place(items[0]))

    def begins_attempt(self, _: list[Any]) -> Clause:
        return Clause("begins_attempt", True, self._start)

    def begins_run(self, _: list[Any]) -> Clause:
        return Clause("begins_run", True, self._start)

    def ends_run(self, _: list[Any]) -> Clause:
        return Clause("ends_run", True, self._start)

    def fallback(self, _: list[Any]) -> Clause:
        return Clause("fallback", True, self._start)

    def frequent(self, _: list[Any]) -> Clause:
        return Clause("frequent", True, self._start)

    def series_of(self, items: list[Any]) -> Clause:
        field, step = items
        at = self.place(field)
        return Clause("series", s.SeriesOf(str(field), str(step) if step else "", at), at)

    def counts(self, items: list[Any]) -> Clause:
        field, inner, size, outer, start = items
        at = self.place(field)
        count = s.Count(str(field), str(inner), str(size), str(outer), int(str(start)) if start else 0, at)
        return Clause("counts", count, at)

    def give(self, items: list[Any]) -> tuple[str, object]:
        value = items[1]
        return str(items[0]), value.items if isinstance(value, s.Values) else value.value

    def sample(self, items: list[Any]) -> Clause:
        text, *gives = items
        sample = s.Sample(text.text, tuple(give for give in gives if give is not None), text.at)
        return Clause("samples", sample, text.at)

    # Rules

    def rule(self, items: list[Any]) -> s.Rule:
        name, doc, *clauses = items
        once = [clause for clause in clauses if clause.name not in _REPEATED]
        places = tuple((clause.name, at) for clause in once for at in clause.ats or (clause.at,))
        return s.Rule(str(name), doc.text if doc else "", self.place(name), **self._collect(clauses), places=places)

    def severity(self, items: list[Token]) -> Clause:
        return self.word("severity", items[0])

    def cause(self, items: list[Token]) -> Clause:
        return self.word("cause", items[0])

    def role(self, items: list[Token]) -> Clause:
        return self.word("role", items[0])

    def scope(self, items: list[Token]) -> Clause:
        return self.word("scope", items[0])

    @v_args(meta=True)
    def when(self, meta: Meta, items: list[s.Node]) -> Clause:
        return self._condition("when", meta, items[0])

    @v_args(meta=True)
    def needs(self, meta: Meta, items: list[s.Node]) -> Clause:
        return self._condition("needs", meta, items[0])

    @v_args(meta=True)
    def unless(self, meta: Meta, items: list[s.Node]) -> Clause:
        return self._condition("unless", meta, items[0])

    def _condition(self, clause: str, meta: Meta, condition: s.Node) -> Clause:
        return Clause(clause, s.Clause(condition, self.said(meta).removeprefix(clause).strip()), self._start)

    def let(self, items: list[Any]) -> Clause:
        at = self.place(items[0])
        return Clause("when", s.Let(str(items[0]), items[1], "", at), at)

    def culprit(self, items: list[Token]) -> Clause:
        name, _, field = str(items[0]).partition(".")
        at = self.place(items[0])
        if field not in ("", "rank", "host"):
            remedy = f"Write `culprit {name}`, or `culprit {name}.host`."
            raise ClauseError(Message("LS208", at, f"'{items[0]}' is nobody that could be a culprit", remedy))
        return Clause("culprit", s.Culprit(name, "host" in (name, field), at), at)

    def culprit_hosts(self, items: list[Token]) -> Clause:
        at = self.place(items[0])
        return Clause("culprit", s.Culprit(str(items[0]), True, at), at)

    def target(self, items: list[Any]) -> Any:
        item = items[0]
        return item if isinstance(item, s.Reference) else (str(item), self.place(item))

    def explains(self, items: list[Any]) -> Clause:
        *targets, on, within, later = items
        references = tuple(item for item in targets if isinstance(item, s.Reference))
        lists = tuple(item for item in targets if isinstance(item, tuple))
        at = self.place(on)
        first = targets[0].at if isinstance(targets[0], s.Reference) else targets[0][1]
        if on not in ("same", "other", "any"):
            remedy = did_you_mean(on, ("same", "other", "any")) or "Known are same, other and any."
            raise ClauseError(Message("LS208", at, f"'{on}' after 'on'", remedy))
        bound = replace(number(within), at=self.place(within)) if within else None
        return Clause("explains", s.Explains(references, lists, str(on), later is not None, bound, first), at)

    def level(self, items: list[Any]) -> tuple[s.Level, s.Place]:
        return s.Level(str(items[0]), items[1] if len(items) > 1 else None), self.place(items[0])

    def confidence(self, items: list[tuple[s.Level, s.Place]]) -> Clause:
        return Clause("confidence", tuple(level for level, _ in items), items[0][1], ats=tuple(at for _, at in items))

    def verdict(self, items: list[Text]) -> Clause:
        return Clause("verdict", items[0].text, items[0].at)

    def chain(self, items: list[Any]) -> Clause:
        steps = [item for item in items if isinstance(item, Text)]
        return Clause("chain", tuple(step.text for step in steps), steps[0].at, ats=tuple(step.at for step in steps))

    def alternatives(self, items: list[Token]) -> Clause:
        places = tuple(self.place(item) for item in items)
        return Clause("alternatives", tuple(str(item) for item in items), places[0], ats=places)

    def remedy(self, items: list[Text]) -> Clause:
        return Clause("remedy", items[0].text, items[0].at)

    def next(self, items: list[Text]) -> Clause:
        return Clause("next", items[0].text, items[0].at)

    def see(self, items: list[Text]) -> Clause:
        return Clause("see", items[0].text, items[0].at)

    # What a site makes of rules

    def adjust(self, items: list[Any]) -> s.Adjustment:
        name, *clauses = items
        settings = tuple(clause for clause in clauses if isinstance(clause, s.Setting))
        added = self._collect([clause for clause in clauses if isinstance(clause, Clause)])
        return s.Adjustment(str(name), self.place(name), settings, **added)

    # What events and rules share

    def _collect(self, clauses: list[Clause]) -> dict[str, Any]:
        """The clauses as keyword arguments of their node; a clause that may stand only once must."""
        fields: dict[str, Any] = {}
        for clause in clauses:
            if clause.name in _REPEATED:
                fields[clause.name] = (*fields.get(clause.name, ()), clause.value)
            elif clause.name in fields:
                remedy = "Keep one of them."
                raise ClauseError(Message("LS213", clause.at, f"'{clause.name}' is given a second time", remedy))
            else:
                fields[clause.name] = clause.value
        return fields
