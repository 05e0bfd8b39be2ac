"""A member of a list of records: an object, or a row whose columns the list's surroundings name."""

from collections.abc import Sequence
from typing import NamedTuple

from logsleuth.layouts.json_places import Path
from logsleuth.layouts.record import Record, decoded, record_in, record_of
from logsleuth.layouts.rows import Row
from logsleuth.layouts.writer import UNKNOWN, Writer, stream_host, writer


class Context(NamedTuple):
    """What stands beside a list and tells of all its members."""

    writer: Writer = UNKNOWN
    columns: tuple[str, ...] = ()
    """Names of the members of its rows."""

    def with_(self, name: str, value: object) -> "Context":
        """With what a member of the object around the list tells."""
        if name == "stream" and isinstance(value, dict):
            labels = {f"stream.{key.lower()}": item for key, item in value.items() if isinstance(item, str)}
            return Context(writer({**labels, **{key[7:]: item for key, item in labels.items()}}), ("tsns", "line"))
        if name == "columns" and isinstance(value, list):
            return Context(columns=tuple(_column(column) for column in value))
        if name == "logStream" and isinstance(value, str):
            return Context(Writer(host=stream_host(value)))
        return self


BARE = Context()


def entry_in(raw: bytes, offset: int, number: int, context: Context, *, is_sure: bool = True) -> Sequence[Row] | None:
    """The lines of a member; None where it is no record (``is_sure``: see ``record_in``)."""
    if raw[:1] == b"{":
        record = record_in(raw, offset, number, is_sure=is_sure)
    elif raw[:1] == b"[":
        record = _of_row(raw, offset, number, context)
    else:
        record = None
    return None if record is None else record.rows(context.writer)


def _of_row(raw: bytes, offset: int, number: int, context: Context) -> Record | None:
    row = decoded(raw)
    if not isinstance(row, list):
        return None
    named: list[tuple[str, Path, object]]
    if all(isinstance(cell, dict) and "field" in cell and "value" in cell for cell in row):
        # CloudWatch's Logs Insights: ``[{"field": "@message", "value": "..."}, ...]``.
        named = [(str(cell["field"]).lower(), (at, "value"), cell["value"]) for at, cell in enumerate(row)]
    else:
        named = [(name, (at,), cell) for at, (name, cell) in enumerate(zip(context.columns, row, strict=False))]
    return record_of(raw, offset, number, named)


def _column(column: object) -> str:
    name = column.get("name") if isinstance(column, dict) else column
    return str(name).lower()
