"""Metrics as a table, parted by commas, semicolons or tabs: Lightning's ``metrics.csv``, exports of W&B and MLflow."""

import csv
import re
from collections.abc import Iterable

from logsleuth.layouts.folds import Physical, Unfolded
from logsleuth.layouts.metrics import is_metrics, lines_of, meaning
from logsleuth.model.label import told

_DELIMITERS = ",;\t"
_LONGEST = 1 << 16
"""Bytes of a row."""
_MOST = 4096
"""Columns."""
_RUN = re.compile(r"(?P<run>.+) - (?P<metric>.+)")
"""How W&B names a column of an export of several runs: ``gallant-sun-3 - train/loss``, beside which are its ``__MIN``
and ``__MAX``."""
_RANK = re.compile(r"(?<![a-z])rank[_ =.-]?(\d{1,6})(?!\d)", re.IGNORECASE)


class _Table:
    """The columns of a table, and whose they are."""

    def __init__(self, names: list[str], delimiter: str) -> None:
        self.delimiter = delimiter
        self.width = len(names)
        self.shared: dict[int, str] = {}
        """Columns that are about all runs, by their place."""
        self.runs: dict[str, dict[int, str]] = {}
        """Columns of each run."""
        for place, name in enumerate(names):
            run = _RUN.fullmatch(name)
            if not run:
                self.shared[place] = name
            elif not run["metric"].endswith(("__MIN", "__MAX")):
                self.runs.setdefault(run["run"], {})[place] = run["metric"]

    @property
    def ranks(self) -> list[int | None]:
        """Of each run, where its name tells it."""
        return [int(match[1]) if (match := _RANK.search(run)) else None for run in self.runs]

    @property
    def is_told(self) -> bool:
        """Whether these are metrics of one run, or of several that are told apart by rank."""
        if not self.runs:
            return is_metrics(list(self.shared.values()))
        ranks = self.ranks
        is_apart = len(self.runs) == 1 or (None not in ranks and len(set(ranks)) == len(ranks))
        return is_apart and all(is_metrics([*self.shared.values(), *run.values()]) for run in self.runs.values())

    def lines(self, values: list[str]) -> list[bytes]:
        """What a row says, for each run."""
        shared = {name: values[place] for place, name in self.shared.items()}
        if not self.runs:
            return lines_of(shared)
        found = []
        for columns, rank in zip(self.runs.values(), self.ranks, strict=True):
            row = {**shared, **{name: values[place] for place, name in columns.items()}}
            found += [told(rank=rank) + line for line in lines_of(row)]
        return found


def is_table(head: bytes) -> bool:
    """Whether the first line names columns of metrics, and the second is a row of them."""
    lines = head.split(b"\n", 2)
    if len(lines) < 2:
        return False
    table = _table(lines[0])
    if table is None:
        return False
    values = _values(lines[1], table)
    return values is not None and bool(table.lines(values) or not any(values))


def _table(line: bytes) -> _Table | None:
    text = line.removeprefix(b"\xef\xbb\xbf").strip()
    if not text or len(text) > _LONGEST or (b"loss" not in text.lower() and b"grad" not in text.lower()):
        return None
    delimiter = max(_DELIMITERS, key=lambda one: text.count(one.encode()))
    names = _split(text, delimiter)
    if not 2 <= len(names) <= _MOST or not all(name.strip() for name in names[1:]):
        return None
    table = _Table([name.strip() for name in names], delimiter)
    return table if table.is_told else None


def _split(text: bytes, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([text.decode("utf-8", "replace")], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return []


def _values(line: bytes, table: _Table) -> list[str] | None:
    if len(line) > _LONGEST:
        return None
    values = _split(line.strip(b"\r\n"), table.delimiter)
    return values if len(values) == table.width else None


def _is_word(value: str) -> bool:
    """Whether it is neither empty nor a number."""
    try:
        float(value or 0)
    except ValueError:
        return True
    return False


class MetricRows:
    """Lines of what each row says; a header that stands again is taken for the rows behind it."""

    def __init__(self) -> None:
        self._table: _Table | None = None

    def feed(self, line: Physical) -> Iterable[Unfolded]:
        values = _values(line.text, self._table) if self._table else None
        if self._table is None or values is None or sum(meaning(value) is not None for value in values) > 1:
            self._table = _table(line.text) or self._table
            return [Unfolded(line.text, line)]
        found = [Unfolded(text, line) for text in self._table.lines(values)]
        # A line of a log may have as many commas as a row has.
        return found if found or not any(map(_is_word, values)) else [Unfolded(line.text, line)]

    def finish(self) -> Iterable[Unfolded]:
        return ()
