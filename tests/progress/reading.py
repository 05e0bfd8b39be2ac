"""The series that come out of a log by the shipped rules, whether or not a rule reads them."""

from functools import cache
from pathlib import Path

from logsleuth.drivers.reading import read
from logsleuth.engine.plan import plan
from logsleuth.engine.roster import Roster
from logsleuth.engine.series_of_members import points
from logsleuth.language.cards import Shelf
from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from logsleuth.language.program import Program, series_of
from logsleuth.model.origin import Source

Values = list[tuple[int, float]]


@cache
def _program() -> Program:
    return compile_texts(read_rules([shipped_rules()]), tests=False)


def series_in(folder: Path, *logs: str) -> dict[str, list[Values]]:
    """What the logs of one job tell: of every series the (step, value) of each member that prints it."""
    checked = _program()
    every = frozenset(series_of(checked.events))
    names = tuple(f"part{number}.log" for number in range(len(logs)))
    for name, log in zip(names, logs, strict=True):
        (folder / name).write_text(log, encoding="utf-8")
    chosen = plan(checked)
    wanted = tuple(event for event in checked.events.values() if event in chosen.events or event.series)
    filters = {event.name: chosen.filters.get(event.name, ()) for event in wanted}
    whole = chosen._replace(events=Shelf.of(wanted), filters=filters, series=every)
    reading = read([Source(str(folder / name)) for name in names], checked, whole, "plain")
    job = Roster(checked, reading.state, reading.labels)
    found = {name: list(job.series(name, 0).values()) for name in sorted(every)}
    return {
        name: [[(p.step, p.value) for p in points(view)] for view in views] for name, views in found.items() if views
    }


def only(folder: Path, log: str) -> dict[str, Values]:
    """The series of a log that one process wrote, without the area in front of their names."""
    found = series_in(folder, log)
    assert all(len(members) == 1 for members in found.values())
    return {name.removeprefix("train."): members[0] for name, members in found.items()}
