"""Checks that an event's fields are of one kind: in all of its wordings, and in what its samples give."""

from collections.abc import Iterator

from logsleuth.language import syntax as s
from logsleuth.language.kinds import Kind, kind_of_origin, kind_of_type, kind_of_value
from logsleuth.language.messages import WARNING, Message
from logsleuth.language.program import own_types_of, types_of, types_of_column, wordings_of


def check_kinds(event: s.Event) -> Iterator[Message]:
    """A warning for each field that a wording gives as another kind than one before it."""
    first: dict[str, tuple[Kind, s.Wording]] = {}
    for wording in wordings_of(event):
        for part in (wording, *wording.also):
            for name, kind in own_types_of(part).items():
                told = kind_of_type(kind)
                before, where = first.setdefault(name, (told, part))
                # A plain number may be one in base units: `memory.current 8192` counts bytes.
                if told.what != before.what or (told.unit != before.unit and told.unit and before.unit):
                    text = f"'{name}' is {told.said} here and {before.said} in line {where.at.line}"
                    remedy = "Give it one kind of type in all wordings, or another name in one of them."
                    yield Message("LS244", part.at, text, remedy, WARNING)


def check_gives(event: s.Event) -> Iterator[Message]:
    """An error for each value that a sample gives and its field can never have."""
    kinds: dict[str, list[Kind]] = {}
    for name, told in _told(event):
        kinds.setdefault(name, []).append(told)
    for sample in event.samples:
        for name, value in sample.gives:
            own = kinds.get(name) or [kind for kind in (kind_of_origin(name),) if kind]
            given = Kind("numbers") if isinstance(value, tuple) else kind_of_value(value)
            if own and given.what not in map(_what, own):
                text = f"the sample gives {given.said} for '{name}', which is {own[0].said}"
                remedy = f"Write {_EXAMPLES.get(own[0].what, 'a value of that kind')}."
                yield Message("LS245", sample.at, text, remedy)


def _told(event: s.Event) -> Iterator[tuple[str, Kind]]:
    for wording in wordings_of(event):
        yield from ((name, kind_of_type(kind)) for name, kind in types_of(wording).items())
    for table in event.tables:
        for column in table.columns:
            yield from ((name, kind_of_type(kind)) for name, kind in types_of_column(column).items())
    yield from ((count.field, Kind("number")) for count in event.counts)


_EXAMPLES = {"number": "a number, without quotes", "text": 'a text in "..."', "numbers": "a list, as in [0, 1]"}


def _what(kind: Kind) -> str:
    """A moment is given as a number, the seconds since 1970."""
    return "number" if kind.what == "moment" else kind.what
