"""What has to be known of every event before anything is read: the texts by which its lines are found, in the main.

Kept with a compiled program, so that an event is not decoded before a line holds one of its texts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from logsleuth.language.literals import literals_of
from logsleuth.language.syntax import Event


class Card(NamedTuple):
    """An event in short."""

    name: str
    lines: tuple[tuple[str, ...], ...]
    """Of each of its wordings the literals: a line that it matches holds at least one of them."""
    blocks: tuple[tuple[str, ...], ...]
    """The same of the first line of each of its blocks."""
    is_frequent: bool
    is_fallback: bool
    is_looked_up: bool
    """Whether it has tables or series, which are looked at in any case."""
    tells_groups: bool
    """Whether it says what belongs to a process group."""


def card_of(event: Event) -> Card:
    openers = [block.items[0].wording for block in event.blocks]
    return Card(
        event.name,
        tuple(map(literals_of, event.wordings)),
        tuple(() if opener is None else literals_of(opener) for opener in openers),
        event.frequent,
        event.fallback,
        bool(event.tables or event.series),
        bool(event.group_from or event.belongs),
    )


class Shelf:
    """Some events of a program, each of them decoded when it is asked for, and their cards."""

    def __init__(self, events: Mapping[str, Event], cards: Iterable[Card]) -> None:
        self.cards = tuple(cards)
        self._events = events

    @classmethod
    def of(cls, events: "Iterable[Event] | Shelf") -> "Shelf":
        """Events that are there already, or a shelf as it is."""
        if isinstance(events, Shelf):
            return events
        named = {event.name: event for event in events}
        return cls(named, map(card_of, named.values()))

    def those(self, wanted: Callable[[Card], bool]) -> "Shelf":
        """The events whose cards are wanted."""
        return Shelf(self._events, filter(wanted, self.cards))

    def __getitem__(self, name: str) -> Event:
        return self._events[name]

    def __iter__(self) -> Iterator[Event]:
        return (self._events[card.name] for card in self.cards)

    def __len__(self) -> int:
        return len(self.cards)
