"""Which texts can a regular expression read in more ways than one? Where it can, backtracking tries them all.

A pattern becomes an automaton whose states are its characters (Glushkov's). Two different ways from a state back to
itself over one text are worth exponential work (``(a+)+``); two loops of which the second can take over wherever the
first stands (``a*a*``) are worth one more power of the length of a line. Look-arounds, back references and groups that
give nothing back only make less possible than is found here, so that what is found has to be tried
(``logsleuth.language.check_regex``), and where nothing is found there is nothing.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from logsleuth.language.regex_tree import (
    EVERY,
    Again,
    Atomic,
    Chars,
    Either,
    Group,
    Look,
    Repeat,
    Sequence,
    Tree,
)

LINE = EVERY & ~(1 << 10)
"""What lines are made of."""
_COPIES = 3
"""So many copies of what is repeated a counted number of times are told apart; more are taken as any number."""
_STATES = 400
"""States of a pattern that is looked at closely."""
_LOOKED_AT = 60_000
"""Pairs or triples of states that are looked at for one question."""


_Place = TypeVar("_Place", bound=tuple[object, ...])


class _State(NamedTuple):
    mask: int
    start: int
    end: int
    atomic: frozenset[int]
    """The groups that give nothing back around it."""
    is_possessive: bool
    """Whether it is repeated, and gives nothing back: it is left only where it cannot go on."""


class _Part(NamedTuple):
    first: tuple[int, ...]
    last: tuple[int, ...]
    is_empty: bool
    """Whether it may take up nothing."""


class TooLargeError(Exception):
    """The pattern has too many states to be looked at."""


class Automaton:
    """The characters of a pattern, and which may follow which."""

    def __init__(self, tree: Tree, is_searched: bool = False) -> None:
        """``is_searched`` where the pattern may begin anywhere in a line. Raises TooLargeError."""
        self.states = [_State(0, 0, 0, frozenset(), False)]
        self.edges: list[dict[int, int]] = [{}]
        """State 0 stands before the text; each state with those that follow it, and in how many ways (2 for more)."""
        self.inner: list[Tree] = []
        """Patterns within the pattern that are tried by themselves: of look-arounds."""
        self.is_exact = True
        """Whether nothing in the pattern can cost more than its automaton shows."""
        self._looped: set[int] = set()
        self._atomic: frozenset[int] = frozenset()
        before = _Part((0,), (0,), False)
        if is_searched:
            any_run = Repeat(Chars(EVERY, 0, 0), 0, None, True, 0, 0)
            before = self._behind(before, self._part(any_run))
        self._behind(before, self._part(tree))

    # From the tree

    def _part(self, tree: Tree) -> _Part:
        match tree:
            case Chars():
                return self._chars(tree)
            case Sequence(items):
                whole = _Part((), (), True)
                for item in items:
                    whole = self._behind(whole, self._part(item))
                return whole
            case Either(items):
                parts = [self._part(item) for item in items]
                first = tuple(state for part in parts for state in part.first)
                last = tuple(state for part in parts for state in part.last)
                return _Part(first, last, any(part.is_empty for part in parts))
            case Repeat():
                return self._repeat(tree, possessive=False)
            case Group(item):
                return self._part(item)
            case Atomic(item):
                return self._in_atomic(item)
            case Look(item):
                self.inner.append(item)
            case Again():
                self.is_exact = False
                return self._looped_part(Chars(EVERY, 0, 0), False)._replace(is_empty=True)
        return _Part((), (), True)

    def _chars(self, tree: Chars, possessive: bool = False) -> _Part:
        if len(self.states) >= _STATES:
            raise TooLargeError
        self.states.append(_State(tree.mask & LINE, tree.start, tree.end, self._atomic, possessive))
        self.edges.append({})
        return _Part((len(self.states) - 1,), (len(self.states) - 1,), False)

    def _in_atomic(self, item: Tree) -> _Part:
        if isinstance(item, Repeat) and isinstance(item.item, Chars):
            return self._repeat(item, possessive=True)
        before = self._atomic
        self._atomic = before | {len(self.states)}
        part = self._part(item)
        self._atomic = before
        return part

    def _repeat(self, tree: Repeat, possessive: bool) -> _Part:
        whole = _Part((), (), True)
        is_counted = tree.most is not None and tree.most - tree.least <= _COPIES
        least = min(tree.least, _COPIES)
        for _ in range(least if is_counted and tree.least <= _COPIES else least - 1):
            whole = self._behind(whole, self._part(tree.item))
        if is_counted and tree.least <= _COPIES and tree.most is not None:
            for _ in range(tree.most - tree.least):
                whole = self._behind(whole, self._part(tree.item)._replace(is_empty=True))
            return whole
        part = self._looped_part(tree.item, possessive)
        if part.is_empty and (tree.most is not None or tree.least > 1):
            # Which of so many copies stay empty is a choice of its own, which a loop does not have.
            self._loop(part)
            self.is_exact = False
        for state in {*part.first, *part.last}:
            self.states[state] = self.states[state]._replace(start=tree.start, end=tree.end)
        return self._behind(whole, part._replace(is_empty=part.is_empty or tree.least == 0))

    def _looped_part(self, item: Tree, possessive: bool) -> _Part:
        start, looks = len(self.states), len(self.inner)
        part = self._part(item) if not isinstance(item, Chars) else self._chars(item, possessive)
        self._loop(part)
        self._looped |= set(range(start, len(self.states)))
        self.is_exact &= looks == len(self.inner)
        return part

    def _loop(self, part: _Part) -> None:
        for last in part.last:
            for first in part.first:
                self._edge(last, first)

    def _behind(self, before: _Part, part: _Part) -> _Part:
        for last in before.last:
            for first in part.first:
                self._edge(last, first)
        first = (*before.first, *part.first) if before.is_empty else before.first
        last = (*part.last, *before.last) if part.is_empty else part.last
        return _Part(first, last, before.is_empty and part.is_empty)

    def _edge(self, early: int, late: int) -> None:
        self.edges[early][late] = min(self.edges[early].get(late, 0) + 1, 2)

    # What the automaton reads

    def follow(self, state: int) -> Iterator[tuple[int, int, int]]:
        """The states that follow, with the characters that lead there and in how many ways."""
        own = self.states[state]
        for other, ways in self.edges[state].items():
            mask = self.states[other].mask
            if own.is_possessive and other != state:
                mask &= ~own.mask
            if mask:
                yield other, mask, ways

    def ahead(self, state: int) -> frozenset[int]:
        """The states that can be reached."""
        seen: set[int] = set()
        todo = [state]
        while todo:
            for other in self.edges[todo.pop()]:
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return frozenset(seen)

    def components(self) -> list[tuple[int, ...]]:
        """States that lead to each other and back to themselves."""
        reached = {state: self.ahead(state) for state in sorted(self._looped)}
        parts = {
            tuple(other for other in sorted(ahead) if state in reached.get(other, ()))
            for state, ahead in reached.items()
            if state in ahead
        }
        return sorted(parts)

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

    def takes_over(self, early: int, late: int, ahead: frozenset[int]) -> bytes | None:
        """A text that leads from ``early`` back to it, from ``early`` to ``late``, and from ``late`` back to it.
        ``ahead`` are the states from which ``late`` can be reached."""
        return self._text(
            (early, early, late),
            lambda at: (
                ((a, b, c), mask & mask_of_c)
                for a, b, mask, _ in self._pairs(at[0], at[1])
                if b in ahead
                for c, mask_of_c, _ in self.follow(at[2])
                if mask & mask_of_c
            ),
            lambda at: at == (early, late, late),
        )

    @staticmethod
    def _text(
        start: _Place, steps: Callable[[_Place], Iterable[tuple[_Place, int]]], is_goal: Callable[[_Place], bool]
    ) -> bytes | None:
        """The shortest text that leads from a place to a goal; the steps tell which places follow on which characters."""
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
                    while other != start or not out:
                        other, char = came[other]
                        out.append(char)
                    return bytes(reversed(out))
                todo.append(other)
        return None


_LIKED = b"a0 -=x1.:/,_A"


def chosen(mask: int) -> int:
    """A character of a set: one that a person can read, where there is one."""
    for char in _LIKED:
        if mask >> char & 1:
            return char
    for char in (*range(33, 127), 32, 9, *range(256)):
        if mask >> char & 1:
            return char
    return 0
