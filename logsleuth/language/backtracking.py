"""Can a hostile line make a regular expression take for ever? What can be is tried, with steps counted, not seconds.

Work that doubles with every few characters has no end on a line of fifty; work that grows with the third power of a
line's length takes hours on the longest line that is looked at (16 KiB), the second power seconds.
"""

from collections.abc import Iterator
from functools import cache, cached_property
from itertools import islice
from math import prod
from typing import NamedTuple

from logsleuth.language.regex_paths import Automaton, chosen
from logsleuth.language.regex_states import LINE, LONGEST, TooLargeError
from logsleuth.language.regex_steps import StepCounter
from logsleuth.language.regex_tree import Chars, Group, Look, Repeat, Sequence, Tree, tree_of

_WORTH = 4 * LONGEST**2
"""Steps on the longest line that are harmless: seconds, for a loop with a dear body."""
_CHAINS = 2000
"""Chains of loops that are looked at."""
_TRIES = 12
"""Lines that are tried, at most."""
_STEPS = 60_000
"""Steps of one try, at most."""
_FEW = 12
"""How often a line holds its pump at first, where work that doubles is looked for; then twice as often."""
_SOME = 16
"""The same for work that grows with a power."""
_DOUBLING, _CUBIC = 12, 5
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
        candidates = list(islice(pattern.attacks(), _TRIES))
    except TooLargeError:
        return Backtracking(None, False)
    attack = next((found for one in candidates if (found := pattern.proved(one))), None)
    is_harmless = not candidates and pattern.automaton.is_exact
    for inner in () if attack else pattern.automaton.inner:
        within = _looked_at(inner, False)
        attack, is_harmless = attack or within.attack, is_harmless and within.is_harmless
    return Backtracking(attack, is_harmless)


def _unwrapped(tree: Tree) -> tuple[Tree, ...]:
    """The parts of a sequence that a group or nothing stands around, with what is in front of it."""
    items = tree.items if isinstance(tree, Sequence) else (tree,)
    inner = items[-1] if items else tree
    inner = inner.item if isinstance(inner, Group) else inner
    return (*items[:-1], *inner.items) if isinstance(inner, Sequence) else items


class _Link(NamedTuple):
    """Two loops, by their numbers: wherever the first stands, the second can take over."""

    before: int
    behind: int
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

    @cached_property
    def _lead(self) -> bytes:
        """What a line has to hold so that the look-aheads at the start of the pattern let it pass."""
        items = _unwrapped(self._tree)
        looks = [item for item in items if isinstance(item, Look) and item.is_ahead and not item.is_negative]
        return b" ".join(Automaton(look.item).sample() for look in looks)

    def attacks(self) -> Iterator[Attack]:
        """Lines that may be dear: all that the automaton gives reason to try. Raises TooLargeError."""
        automaton = self.automaton
        for component in automaton.components:
            if pump := automaton.two_ways(component):
                yield self._attack([(0, component[0])], [pump], True)
        sizes = [self._size(component) for component in automaton.components]
        if prod(sizes) <= _WORTH:
            return
        links = self._links()
        for chain in self._chains(links, sizes):
            ways, at = [], 0
            for number in chain:
                ways.append((at, links[number].early))
                at = links[number].late
            yield self._attack(ways, [links[number].pump for number in chain], False)

    def _chains(self, links: list[_Link], sizes: list[int]) -> Iterator[list[int]]:
        """Links that follow each other and together take too many steps on the longest line: every link can be taken
        behind each of its pumps, and each time the rest of the line is read."""
        ways = [max(sizes[link.before] // len(link.pump), 1) for link in links]
        todo = [([number], ways[number]) for number in range(len(links))]
        for chain, worth in todo:
            if worth * LONGEST // 2 > _WORTH:
                yield chain
            elif len(todo) < _CHAINS:
                last = links[chain[-1]]
                todo += [
                    ([*chain, number], worth * ways[number])
                    for number, link in enumerate(links)
                    if self._follow(last, link)
                ]

    def _follow(self, first: _Link, second: _Link) -> bool:
        """Whether the second link is tried anew for every way of the first."""
        components = self.automaton.components
        here, there = components[first.behind], components[second.before]
        if first.behind != second.before and not self.automaton.reach[here[0]] >> there[0] & 1:
            return False
        return not self._gives_nothing_back(components[first.before], there)

    def _size(self, component: tuple[int, ...]) -> int:
        """How many characters a loop takes at most."""
        return max(self.automaton.states[state].most for state in component) or LONGEST

    def _links(self) -> list["_Link"]:
        automaton, found = self.automaton, []
        components = automaton.components
        masks = [self._mask(component) for component in components]
        for here, early in enumerate(components):
            for there, late in enumerate(components):
                if here == there or not automaton.reach[early[0]] >> late[0] & 1 or not masks[here] & masks[there]:
                    continue
                if self._gives_nothing_back(early, late):
                    continue
                pairs = ((start, goal) for goal in late for start in early)
                told = next(((*pair, pump) for pair in pairs if (pump := automaton.takes_over(*pair))), None)
                if told:
                    found.append(_Link(here, there, *told))
        return found

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
        lead = self._lead
        for tail in dict.fromkeys((b"!", *([b" " + lead + b" !"] if lead else []), b"", bytes([odd]), last[:1] + b"!")):
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
        for component in self.automaton.components:
            mask |= self._mask(component)
        return mask
