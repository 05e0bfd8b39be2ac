"""Builds syntax trees from parse trees."""

from dataclasses import replace
from typing import Any, NamedTuple

from lark import Token, v_args
from lark.tree import Meta

from logsleuth.language import syntax as s
from logsleuth.language.build_define import DefinitionBuilder
from logsleuth.language.build_site import SiteBuilder
from logsleuth.language.build_table import TableBuilder, table_of
from logsleuth.language.expectations import ExpectationBuilder
from logsleuth.language.expressions import ClauseError, ExpressionBuilder, Text, number
from logsleuth.language.messages import Message


def builder(file: str, line: int, column: int, text: str) -> ExpressionBuilder:
    """A transformer for one declaration with this text, which starts at this (1-based) place of its file.

    Raises ClauseError where the declaration parses but cannot be built.
    """
    return _Builder(file, line, column, text)


class _Clause(NamedTuple):
    """One clause on its way into its declaration."""

    name: str
    value: Any
    at: s.Place


_REPEATED = frozenset(
    ("wordings", "blocks", "tables", "series", "counts", "samples", "when", "needs", "unless", "explains", "see")
)
"""Clauses that may stand several times; their values are collected in order."""


class _Builder(DefinitionBuilder, ExpectationBuilder, TableBuilder, SiteBuilder):
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
            raise ClauseError(Message("LS214", at, f"the list '{name}' mixes values and events"))
        return s.ListOf(str(name), values, events, at)

    def list_item(self, items: list[Any]) -> Any:
        return items[0]

    def event_item(self, items: list[Token]) -> tuple[str, s.Place]:
        return str(items[0]), self.place(items[0])

    # Events

    def event(self, items: list[Any]) -> s.Event:
        name, doc, *clauses = items
        return s.Event(str(name), doc.text if doc else "", self.place(name), **self._collect(clauses))

    def more_wordings(self, items: list[Any]) -> s.MoreWordings:
        name, *clauses = items
        return s.MoreWordings(str(name), self.place(name), **self._collect(clauses))

    def line(self, items: list[Any]) -> _Clause:
        text, *also = items
        return _Clause("wordings", s.Wording(text.text, False, (), text.at, tuple(also)), text.at)

    def regex(self, items: list[Any]) -> _Clause:
        wording = self.also_regex([item for item in items if not isinstance(item, s.Wording)])
        also = tuple(item for item in items if isinstance(item, s.Wording))
        return _Clause("wordings", replace(wording, also=also), wording.at)

    def also_line(self, items: list[Text]) -> s.Wording:
        return s.Wording(items[0].text, False, (), items[0].at)

    def also_regex(self, items: list[Any]) -> s.Wording:
        pattern, *types = items
        return s.Wording(str(pattern)[1:-1], True, tuple(t for t in types if t is not None), self.place(pattern))

    def typed(self, items: list[Token]) -> tuple[str, str]:
        return str(items[0]), str(items[1])

    def must(self, items: list[_Clause]) -> s.BlockItem:
        return s.BlockItem(items[0].value, False)

    def maybe(self, items: list[_Clause]) -> s.BlockItem:
        return s.BlockItem(items[0].value, True)

    def deeper(self, _: list[Any]) -> s.BlockItem:
        return s.BlockItem(None, True)

    def block(self, items: list[Any]) -> _Clause:
        within, *steps = items
        at = self.place(within)
        return _Clause("blocks", s.Block(int(str(within)), tuple(steps), at), at)

    def table(self, items: list[Any]) -> _Clause:
        table = table_of(items, self._start)
        return _Clause("tables", table, table.at)

    def hole(self, items: list[Token]) -> str:
        return str(items[0])

    def pair(self, items: list[Any]) -> tuple[str, str, s.Place]:
        return str(items[0]), items[1], self.place(items[0])

    def about(self, items: list[tuple[str, str, s.Place]]) -> _Clause:
        return _Clause("about", tuple((key, field) for key, field, _ in items), items[0][2])

    def about_job(self, _: list[Any]) -> _Clause:
        return _Clause("about_job", True, self._start)

    def witness(self, items: list[Token]) -> _Clause:
        return self._word("witness", items[0])

    def began_earlier(self, items: list[str]) -> _Clause:
        return _Clause("began", items[0], self._start)

    def began_after_life(self, _: list[Any]) -> _Clause:
        return _Clause("began", "after life", self._start)

    def belongs(self, items: list[str | None]) -> _Clause:
        pairs = (("comm", items[0]), ("rank", items[1]), ("size", items[2]))
        return _Clause("belongs", tuple((key, field) for key, field in pairs if field is not None), self._start)

    def group_from(self, items: list[Any]) -> _Clause:
        return _Clause("group_from", (str(items[0]), items[1]), self.place(items[0]))

    def statement(self, items: list[Any]) -> tuple[str, str | int, s.Place]:
        key, value = items
        return str(key), int(str(value)) if isinstance(value, Token) else value, self.place(key)

    def states(self, items: list[tuple[str, str | int, s.Place]]) -> _Clause:
        return _Clause("states", tuple((key, value) for key, value, _ in items), items[0][2])

    def begins_attempt(self, _: list[Any]) -> _Clause:
        return _Clause("begins_attempt", True, self._start)

    def fallback(self, _: list[Any]) -> _Clause:
        return _Clause("fallback", True, self._start)

    def frequent(self, _: list[Any]) -> _Clause:
        return _Clause("frequent", True, self._start)

    def series_of(self, items: list[Any]) -> _Clause:
        field, step = items
        at = self.place(field)
        return _Clause("series", s.SeriesOf(str(field), str(step) if step else "", at), at)

    def counts(self, items: list[Any]) -> _Clause:
        field, inner, size, outer, start = items
        at = self.place(field)
        count = s.Count(str(field), str(inner), str(size), str(outer), int(str(start)) if start else 0, at)
        return _Clause("counts", count, at)

    def confirmed(self, items: list[Token]) -> _Clause:
        return _Clause("confirmed", (str(items[0]), str(items[1])), self.place(items[0]))

    def give(self, items: list[Any]) -> tuple[str, object]:
        value = items[1]
        return str(items[0]), value.items if isinstance(value, s.Values) else value.value

    def sample(self, items: list[Any]) -> _Clause:
        text, *gives = items
        sample = s.Sample(text.text, tuple(give for give in gives if give is not None), text.at)
        return _Clause("samples", sample, text.at)

    # Rules

    def rule(self, items: list[Any]) -> s.Rule:
        name, doc, *clauses = items
        return s.Rule(str(name), doc.text if doc else "", self.place(name), **self._collect(clauses))

    def severity(self, items: list[Token]) -> _Clause:
        return self._word("severity", items[0])

    def cause(self, items: list[Token]) -> _Clause:
        return self._word("cause", items[0])

    def role(self, items: list[Token]) -> _Clause:
        return self._word("role", items[0])

    def scope(self, items: list[Token]) -> _Clause:
        return self._word("scope", items[0])

    @v_args(meta=True)
    def when(self, meta: Meta, items: list[s.Node]) -> _Clause:
        return self._condition("when", meta, items[0])

    @v_args(meta=True)
    def needs(self, meta: Meta, items: list[s.Node]) -> _Clause:
        return self._condition("needs", meta, items[0])

    @v_args(meta=True)
    def unless(self, meta: Meta, items: list[s.Node]) -> _Clause:
        return self._condition("unless", meta, items[0])

    def _condition(self, clause: str, meta: Meta, condition: s.Node) -> _Clause:
        return _Clause(clause, s.Clause(condition, self.said(meta).removeprefix(clause).strip()), self._start)

    def let(self, items: list[Any]) -> _Clause:
        at = self.place(items[0])
        return _Clause("when", s.Let(str(items[0]), items[1], "", at), at)

    def culprit(self, items: list[Token]) -> _Clause:
        name, _, field = str(items[0]).partition(".")
        at = self.place(items[0])
        if field not in ("", "rank", "host"):
            raise ClauseError(Message("LS208", at, f"a culprit is a binding or its .rank or .host, not '.{field}'"))
        return _Clause("culprit", s.Culprit(name, "host" in (name, field), at), at)

    def culprit_hosts(self, items: list[Token]) -> _Clause:
        at = self.place(items[0])
        return _Clause("culprit", s.Culprit(str(items[0]), True, at), at)

    def target(self, items: list[Any]) -> Any:
        item = items[0]
        return item if isinstance(item, s.Reference) else (str(item), self.place(item))

    def explains(self, items: list[Any]) -> _Clause:
        *targets, on, within, later = items
        references = tuple(item for item in targets if isinstance(item, s.Reference))
        lists = tuple(item for item in targets if isinstance(item, tuple))
        at = self.place(on)
        if on not in ("same", "other", "any"):
            raise ClauseError(Message("LS208", at, f"'{on}' ranks? Known are same, other and any."))
        return _Clause(
            "explains",
            s.Explains(references, lists, str(on), later is not None, number(within) if within else None),
            at,
        )

    def level(self, items: list[Any]) -> s.Level:
        return s.Level(str(items[0]), items[1] if len(items) > 1 else None)

    def confidence(self, items: list[s.Level]) -> _Clause:
        return _Clause("confidence", tuple(items), self._start)

    def verdict(self, items: list[Text]) -> _Clause:
        return _Clause("verdict", items[0].text, items[0].at)

    def chain(self, items: list[Any]) -> _Clause:
        steps = [item for item in items if isinstance(item, Text)]
        return _Clause("chain", tuple(step.text for step in steps), steps[0].at)

    def alternatives(self, items: list[Token]) -> _Clause:
        return _Clause("alternatives", tuple(str(item) for item in items), self.place(items[0]))

    def remedy(self, items: list[Text]) -> _Clause:
        return _Clause("remedy", items[0].text, items[0].at)

    def next(self, items: list[Text]) -> _Clause:
        return _Clause("next", items[0].text, items[0].at)

    def see(self, items: list[Text]) -> _Clause:
        return _Clause("see", items[0].text, items[0].at)

    # What a site makes of rules

    def adjust(self, items: list[Any]) -> s.Adjustment:
        name, *clauses = items
        settings = tuple(clause for clause in clauses if isinstance(clause, s.Setting))
        added = self._collect([clause for clause in clauses if isinstance(clause, _Clause)])
        return s.Adjustment(str(name), self.place(name), settings, **added)

    # What events and rules share

    def _word(self, clause: str, token: Token) -> _Clause:
        return _Clause(clause, str(token), self.place(token))

    def _collect(self, clauses: list[_Clause]) -> dict[str, Any]:
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
