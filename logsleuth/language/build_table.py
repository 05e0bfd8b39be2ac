"""Builds the tables of events."""

from typing import Any

from lark import Token

from logsleuth.language import syntax as s
from logsleuth.language.expressions import ExpressionBuilder, Text


def table_of(items: list[Any], start: s.Place) -> s.Table:
    """A table of its separator and of what stands in its braces."""
    separator, *rest = items
    said: dict[str, tuple[str, ...]] = {"headers": (), "needs": ()}
    for kind, texts in (item for item in rest if isinstance(item, tuple)):
        said[kind] += texts
    columns = tuple(item for item in rest if isinstance(item, s.Column))
    at = columns[0].at if columns else start
    return s.Table(separator.text if separator else "", said["headers"], said["needs"], columns, at)


class TableBuilder(ExpressionBuilder):
    """Adds the clauses of tables to expressions."""

    def header(self, items: list[Text]) -> tuple[str, tuple[str, ...]]:
        return "headers", tuple(item.text for item in items)

    def needed(self, items: list[Text]) -> tuple[str, tuple[str, ...]]:
        return "needs", tuple(item.text for item in items)

    def cell_type(self, items: list[Token]) -> str:
        return f"{{{items[0]}:{items[1]}}}"

    def cell_stamp(self, _: list[Any]) -> str:
        return "stamp"

    def cell_template(self, items: list[Text]) -> str:
        return items[0].text

    def column(self, items: list[Any]) -> s.Column:
        *names, cell = items
        return s.Column(tuple(name.text for name in names), cell, names[0].at)
