"""The parts that documents of states are made of, as JSON knows them, and back.

Stamps, labels and groups stand in a document once, and are numbered. Reading looks at everything: what is not as it
was written raises ``DocumentError``, whatever it is.
"""

import math
import sys
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar, cast

from logsleuth.model.event import FieldValue
from logsleuth.model.origin import Group, Stamp, Tag

Json = None | bool | int | float | str | Sequence["Json"] | dict[str, "Json"]
T = TypeVar("T")
H = TypeVar("H", bound=Hashable)

_ODD = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class DocumentError(ValueError):
    """What was read is no document of this kind and version, or was damaged; ``str()`` says which, without a place."""

    def __init__(self, why: str = "it is damaged") -> None:
        super().__init__(why)


class Numbered(Generic[H]):
    """Things in the order in which they were mentioned first."""

    def __init__(self) -> None:
        self._numbers: dict[H, int] = {}

    def number(self, item: H) -> int:
        """Its number, from 0 on."""
        return self._numbers.setdefault(item, len(self._numbers))

    def items(self) -> list[H]:
        return list(self._numbers)


class Mentioned:
    """What a document mentions, while it is written."""

    def __init__(self) -> None:
        self.texts: Numbered[str] = Numbered()
        """Names of events, series and fields."""
        self.evidence: Numbered[str] = Numbered()
        """Lines of logs."""
        self.tags: Numbered[Tag] = Numbered()
        self.stamps: Numbered[Stamp] = Numbered()
        self.groups: Numbered[Group] = Numbered()

    def stamp(self, stamp: Stamp | None) -> int:
        """0 for none, else its number from 1 on."""
        return 0 if stamp is None else 1 + self.stamps.number(stamp)

    def document(self) -> dict[str, Json]:
        stamps = self.stamps.items()
        return {
            "texts": self.texts.items(),
            "evidence": self.evidence.items(),
            "tags": [list(tag) for tag in self.tags.items()],
            "stamps": [number_document(stamp.seconds) for stamp in stamps],
            "kinds": "".join(str(stamp.has_year + 2 * stamp.has_zone) for stamp in stamps),
            "groups": [list(group) for group in self.groups.items()],
        }


class Known:
    """What a document mentions, while it is read."""

    def __init__(self, document: object) -> None:
        # The same few names stand in the documents of all sources, and in the keys of all that is judged.
        self.texts = [sys.intern(text(item)) for item in part(document, "texts")]
        self.evidence = [text(item) for item in part(document, "evidence")]
        self.tags = [_tag(item) for item in part(document, "tags")]
        self.groups = [_group(item) for item in part(document, "groups")]
        seconds, kinds = part(document, "stamps"), text(entry(document, "kinds"))
        if len(kinds) != len(seconds) or not set(kinds) <= set("0123"):
            raise DocumentError
        self.stamps: list[Stamp | None] = [None]
        has_year, has_zone = ([kind in of for kind in kinds] for of in ("13", "23"))
        self.stamps += map(Stamp, numbers(seconds), has_year, has_zone)


def chosen(among: Sequence[T], at: object) -> T:
    """That of this number."""
    place = whole(at)
    if not 0 <= place < len(among):
        raise DocumentError
    return among[place]


def entry(document: object, name: str) -> object:
    """What stands under a name."""
    if not isinstance(document, dict) or name not in document:
        raise DocumentError
    return document[name]


def part(document: object, name: str) -> list[object]:
    """The list that stands under a name."""
    return items(entry(document, name))


def items(document: object, count: int | None = None) -> list[object]:
    """A list, of so many things where that is known."""
    if not isinstance(document, list) or (count is not None and len(document) != count):
        raise DocumentError
    return document


def whole(document: object) -> int:
    if type(document) is not int:
        raise DocumentError
    return document


def truth(document: object) -> bool:
    if not isinstance(document, bool):
        raise DocumentError
    return document


def text(document: object) -> str:
    if not isinstance(document, str):
        raise DocumentError
    return document


def number_document(value: float) -> Json:
    """A number of any kind; JSON itself has none for those that are not finite."""
    return value if math.isfinite(value) else str(float(value))


def number(document: object) -> float:
    if isinstance(document, str) and document in _ODD:
        return _ODD[document]
    if type(document) is not float:
        raise DocumentError
    return document


def wholes(document: object) -> list[int]:
    """Whole numbers, of which there may be many."""
    column = items(document)
    if set(map(type, column)) - {int}:
        raise DocumentError
    return cast(list[int], column)


def numbers(document: object) -> list[float]:
    """The same of numbers of any kind."""
    column = items(document)
    return [number(of) for of in column] if set(map(type, column)) - {float} else cast(list[float], column)


def all_chosen(among: Sequence[T], places: Sequence[int]) -> list[T]:
    """Those of these numbers."""
    if places and not (min(places) >= 0 and max(places) < len(among)):
        raise DocumentError
    return [among[place] for place in places]


def optional(read: Callable[[object], T], document: object) -> T | None:
    """What ``read`` makes of it, where it is not null."""
    return None if document is None else read(document)


def value_document(value: object) -> Json:
    """A field's value: a text in a list, ranks in a list of a list, all numbers as they are. Raises TypeError for what
    no field can be."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple):
        return [list(value)]
    if isinstance(value, float):
        return number_document(value)
    if value is None or isinstance(value, int):
        return value
    raise TypeError(type(value))


def value(document: object) -> FieldValue | None:
    if isinstance(document, list):
        (inside,) = items(document, 1)
        return tuple(map(whole, inside)) if isinstance(inside, list) else text(inside)
    return document if document is None or isinstance(document, int) else number(document)


def _tag(document: object) -> Tag:
    rank, local_rank, task, host, pid = items(document, 5)
    return Tag(
        optional(whole, rank),
        optional(whole, local_rank),
        optional(whole, task),
        optional(text, host),
        optional(whole, pid),
    )


def _group(document: object) -> Group:
    kind, guid, description, rank = items(document, 4)
    return Group(optional(text, kind), optional(text, guid), optional(text, description), optional(whole, rank))
