"""Can a hostile line make a regular expression take for ever? What can be is tried, with steps counted, not seconds.

Work that doubles with every few characters has no end on a line of fifty; work that grows with the third power of a
line's length takes hours on the longest line that is looked at (16 KiB), the second power a second at most.
"""

from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple

from logsleuth.language.regex_paths import LINE, Automaton, TooLargeError, chosen
from logsleuth.language.regex_steps import StepCounter
from logsleuth.language.regex_tree import Chars, Repeat, Sequence, Tree, tree_of

_TRIES = 40
"""Lines that are tried, at most."""
_STEPS = 200_000
"""Steps of one try, at most."""
_FEW = 12
"""How often a line holds its pump at first, where work that doubles is looked for; then twice as often."""
_SOME = 24
"""The same for work that grows with a power."""
_DOUBLING, _CUBIC = 12, 5.5
"""How much more steps a line of twice the length takes: 4 for the second power, 8 for the third."""


class Attack(NamedTuple):
    """A line on which a pattern takes for ever."""

    parts: tuple[tuple[bytes, bytes], ...]
    """(text, pump) in their order; each pump stands there again and again."""
    is_exponential: bool
    start: int
    end: int
    """The part of the pattern that does it, in bytes."""
    tail: bytes = b""
    """What the line ends with, so that the pattern does not match after all."""

    def line(self, times: int) -> bytes:
        """The line, with every pump so many times."""
        return b"".join(text + pump * times for text, pump in self.parts) + self.tail


class Backtracking(NamedTuple):
    """What a pattern costs at worst."""

    attack: Attack | None
    """A line that proves it dear."""
    is_harmless: bool
    """Whether it is proved that no line can take more steps than the square of its length."""


@cache
def backtracking(pattern: bytes, is_searched: bool = False) -> Backtracking:
    """How a pattern that Python compiles behaves on hostile lines; ``is_searched`` where it may begin anywhere."""
    try:
        return _looked_at(tree_of(pattern), is_searched)
    except RecursionError:
        return Backtracking(None, False)


def _looked_at(tree: Tree, is_searched: bool) -> Backtracking:
    try:
        pattern = _Pattern(tree, is_searched)
        candidates = list(pattern.attacks())
    except TooLargeError:
        return Backtracking(None, False)
    attack = next((found for one in candidates[:_TRIES] if (found := pattern.proved(one))), None)
    is_harmless = not candidates and pattern.automaton.is_exact
    for inner in () if attack else pattern.automaton.inner:
        found = _looked_at(inner, False)
        attack, is_harmless = attack or found.attack, is_harmless and found.is_harmless
    return Backtracking(attack, is_harmless)


class _Link(NamedTuple):
    """Two loops: wherever the first stands, the second can take over."""

    early: int
    late: int
    """States of theirs."""
    pump: bytes


class _Pattern:
    def __init__(self, tree: Tree, is_searched: bool) -> None:
        self.automaton = Automaton(tree, is_searched)
        self._tree = Sequence((Repeat(Chars(LINE, 0, 0), 0, None, True, 0, 0), tree)) if is_searched else tree

    @cached_property
    def _counter(self) -> StepCounter:
        return StepCounter(self._tree)

    def attacks(self) -> Iterator[Attack]:
        """Lines that may be dear: all that the automaton gives reason to try. Raises TooLargeError."""
        automaton = self.automaton
        components = automaton.components()
        for component in components:
            if pump := automaton.two_ways(component):
                yield self._attack([(0, component[0])], [pump], True)
        if len(components) < 3:
            return
        links = list(self._links(components))
        home = {state: component for component in components for state in component}
        for first in links:
            for second in links:
                if home[second.early] == home[first.late]:
                    yield self._attack([(0, first.early), (first.late, second.early)], [first.pump, second.pump], False)

    def _links(self, components: list[tuple[int, ...]]) -> Iterator[_Link]:
        automaton = self.automaton
        masks = [self._mask(component) for component in components]
        for early, mask in zip(components, masks, strict=True):
            ahead = automaton.ahead(early[0])
            for late, other in zip(components, masks, strict=True):
                if late == early or late[0] not in ahead or not mask & other or self._gives_nothing_back(early, late):
                    continue
                found = self._link(early, late)
                if found:
                    yield found

    def _mask(self, component: tuple[int, ...]) -> int:
        mask = 0
        for state in component:
            mask |= self.automaton.states[state].mask
        return mask

    def _gives_nothing_back(self, early: tuple[int, ...], late: tuple[int, ...]) -> bool:
        """Whether the first loop stands in a group that is left in one way only before the second is reached."""
        states = self.automaton.states
        around = frozenset.intersection(*(states[state].atomic for state in early))
        return any(not around <= states[state].atomic for state in late)

    def _link(self, early: tuple[int, ...], late: tuple[int, ...]) -> _Link | None:
        automaton = self.automaton
        for goal in late:
            # All from which the second loop can be reached.
            ahead = frozenset(s for s in range(len(automaton.states)) if s == goal or goal in automaton.ahead(s))
            for start in early:
                if pump := automaton.takes_over(start, goal, ahead):
                    return _Link(start, goal, pump)
        return None

    def _attack(self, ways: list[tuple[int, int]], pumps: list[bytes], is_exponential: bool) -> Attack:
        states = self.automaton.states
        texts = [self.automaton.word(*way) or b"" for way in ways]
        named = next((states[goal] for _, goal in reversed(ways) if states[goal].end), states[ways[-1][1]])
        return Attack(tuple(zip(texts, pumps, strict=True)), is_exponential, named.start, named.end)

    def proved(self, attack: Attack) -> Attack | None:
        """The line with an end that makes it dear, where there is one."""
        times, growth = (_FEW, _DOUBLING) if attack.is_exponential else (_SOME, _CUBIC)
        last = attack.parts[-1][1]
        odd = chosen(LINE & ~self._mask_of_loops())
        for tail in dict.fromkeys((b"!", b"", bytes([odd]), b"\0", b" ", last[:1] + b"!")):
            tried = attack._replace(tail=tail)
            few = self._counter.steps(tried.line(times), _STEPS)
            if few > _STEPS or self._counter.steps(tried.line(2 * times), _STEPS) >= growth * few:
                return tried
            if few * growth > _STEPS:
                less = self._counter.steps(tried.line(times // 2), _STEPS)
                if few >= growth * less:
                    return tried
        return None

    def _mask_of_loops(self) -> int:
        mask = 0
        for component in self.automaton.components():
            mask |= self._mask(component)
        return mask
