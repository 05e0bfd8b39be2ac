"""Which texts can a regular expression read in more ways than one? Where it can, backtracking tries them all.

A pattern becomes an automaton whose states are its characters (Glushkov's). Two different ways from a state back to
itself over one text are worth exponential work (``(a+)+``); two loops of which the second can take over wherever the
first stands (``a*a*``) are worth one more power of the length of a line. Look-arounds, back references and groups that
give nothing back only make less possible than is found here, so that what is found has to be tried
(``logsleuth.language.check_regex``), and where nothing is found there is nothing.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TypeVar

from logsleuth.language.regex_states import States, TooLargeError

_LOOKED_AT = 30_000
"""Pairs or triples of states that are looked at for one question."""

_Place = TypeVar("_Place", bound=tuple[object, ...])


class Automaton(States):
    """The texts that a pattern reads, look-arounds aside."""

    def follow(self, state: int) -> Iterator[tuple[int, int, int]]:
        """The states that follow, with the characters that lead there and in how many ways."""
        own = self.states[state]
        for other, ways in self.edges[state].items():
            mask = self.states[other].mask
            if own.is_possessive and other != state:
                mask &= ~own.mask
            if mask:
                yield other, mask, ways

    @cached_property
    def reach(self) -> list[int]:
        """For each state those that can be reached; bit ``n`` stands for state ``n``."""
        reach = [0] * len(self.states)
        grew = True
        while grew:
            grew = False
            for state in range(len(self.states) - 1, -1, -1):
                found = reach[state]
                for other in self.edges[state]:
                    found |= reach[other] | 1 << other
                if found != reach[state]:
                    reach[state], grew = found, True
        return reach

    @cached_property
    def components(self) -> list[tuple[int, ...]]:
        """States that lead to each other and back to themselves."""
        reach, parts = self.reach, dict[int, tuple[int, ...]]()
        for state in sorted(self.looped):
            if state not in parts and reach[state] >> state & 1:
                part = tuple(n for n in self.looped if reach[state] >> n & 1 and reach[n] >> state & 1)
                parts |= dict.fromkeys(part, tuple(sorted(part)))
        return list(dict.fromkeys(parts.values()))

    def word(self, start: int, goal: int, within: frozenset[int] | None = None) -> bytes | None:
        """The shortest text that leads from one state to another, past states of ``within`` only."""
        if start == goal:
            return b""
        came: dict[int, tuple[int, int]] = {}
        todo = deque([start])
        while todo:
            at = todo.popleft()
            for other, mask, _ in self.follow(at):
                if other not in came and (within is None or other in within):
                    came[other] = at, chosen(mask)
                    todo.append(other)
        if goal not in came:
            return None
        out = bytearray()
        while goal != start or not out:
            goal, char = came[goal]
            out.append(char)
        return bytes(reversed(out))

    def sample(self) -> bytes:
        """A short text that the pattern matches, look-arounds aside."""
        texts = [text for end in self.ends if (text := self.word(0, end)) is not None]
        return min(texts, key=len, default=b"")

    # Two ways for one text

    def two_ways(self, component: tuple[int, ...]) -> bytes | None:
        """A text that leads from the first state of a component back to it in two ways."""
        within = set(component)
        home = component[0]
        return self._text(
            (home, home, False),
            lambda at: (
                ((a, b, at[2] or a != b or ways > 1), mask)
                for a, b, mask, ways in self._pairs(at[0], at[1])
                if a in within and b in within
            ),
            lambda at: at == (home, home, True),
        )

    def _pairs(self, one: int, other: int) -> Iterator[tuple[int, int, int, int]]:
        for a, mask, ways in self.follow(one):
            for b, mask_of_b, ways_of_b in self.follow(other):
                if mask & mask_of_b:
                    yield a, b, mask & mask_of_b, max(ways, ways_of_b) if a == b and one == other else 1

    def takes_over(self, early: int, late: int) -> bytes | None:
        """A text that leads from ``early`` back to it, from ``early`` to ``late``, and from ``late`` back to it."""
        reach = self.reach
        return self._text(
            (early, early, late),
            lambda at: (
                ((a, b, c), mask & mask_of_c)
                for a, b, mask, _ in self._pairs(at[0], at[1])
                if reach[a] >> early & 1 and (b == late or reach[b] >> late & 1)
                for c, mask_of_c, _ in self.follow(at[2])
                if mask & mask_of_c and reach[c] >> late & 1
            ),
            lambda at: at == (early, late, late),
        )

    @staticmethod
    def _text(
        start: _Place, steps: Callable[[_Place], Iterable[tuple[_Place, int]]], is_goal: Callable[[_Place], bool]
    ) -> bytes | None:
        """The shortest text from a place to a goal; the steps tell which places follow, on which characters."""
        came: dict[_Place, tuple[_Place, int]] = {}
        todo = deque([start])
        looked_at = 0
        while todo:
            at = todo.popleft()
            for other, mask in steps(at):
                looked_at += 1
                if looked_at > _LOOKED_AT:
                    raise TooLargeError
                if other in came:
                    continue
                came[other] = at, chosen(mask)
                if is_goal(other):
                    out = bytearray()
                    back = other
                    while back != start or not out:
                        back, char = came[back]
                        out.append(char)
                    return bytes(reversed(out))
                todo.append(other)
        return None


_LIKED: tuple[int, ...] = (*b"a0 -=x1.:/,_A", *range(33, 127), 32, 9, *range(256))
"""Characters that a person can read come first."""


def chosen(mask: int) -> int:
    """A character of a set; 0 where it has none."""
    return next((char for char in _LIKED if mask >> char & 1), 0)
