"""A regular expression as an automaton whose states are its characters."""

from typing import NamedTuple

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
LONGEST = 16_384
"""Bytes of a line that patterns look at (``logsleuth.tokenize.patterns``)."""
_STATES = 600
"""States of a pattern that is looked at closely."""


class _State(NamedTuple):
    mask: int
    start: int
    end: int
    atomic: frozenset[int]
    """The groups that give nothing back around it."""
    is_possessive: bool
    """Whether it is repeated, and gives nothing back: it is left only where it cannot go on."""
    most: int = 0
    """How many characters the loop takes at most that it stands in; 0 outside of one."""


class _Part(NamedTuple):
    first: tuple[int, ...]
    last: tuple[int, ...]
    is_empty: bool
    """Whether it may take up nothing."""


class TooLargeError(Exception):
    """The pattern has too many states to be looked at."""


class States:
    """The characters of a pattern, and which may follow which: Glushkov's automaton."""

    def __init__(self, tree: Tree, is_searched: bool = False) -> None:
        """``is_searched`` where the pattern may begin anywhere in a line. Raises TooLargeError."""
        self.states = [_State(0, 0, 0, frozenset(), False)]
        self.edges: list[dict[int, int]] = [{}]
        """State 0 stands before the text; each state with those that follow it, and in how many ways (2 for more)."""
        self.inner: list[Tree] = []
        """Patterns within the pattern that are tried by themselves: of look-arounds."""
        self.is_exact = True
        """Whether nothing in the pattern can cost more than its automaton shows."""
        self.looped: set[int] = set()
        self._atomic: frozenset[int] = frozenset()
        before = _Part((0,), (0,), False)
        if is_searched:
            any_run = Repeat(Chars(EVERY, 0, 0), 0, None, True, 0, 0)
            before = self._behind(before, self._part(any_run))
        self.ends = self._behind(before, self._part(tree)).last

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
                starts = tuple(state for part in parts for state in part.first)
                ends = tuple(state for part in parts for state in part.last)
                return _Part(starts, ends, any(part.is_empty for part in parts))
            case Repeat():
                return self._repeat(tree, possessive=False)
            case Group(item):
                return self._part(item)
            case Atomic(item):
                return self._in_atomic(item)
            case Look(item):
                self.inner.append(item)
            case Again():
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
        before = len(self.states)
        part = self._looped_part(tree.item, possessive)
        if part.is_empty and (tree.most is not None or tree.least > 1):
            # Which of so many copies stay empty is a choice of its own, which a loop does not have.
            self._loop(part)
            self.is_exact = False
        most = LONGEST if tree.most is None else min(tree.most * (len(self.states) - before), LONGEST)
        for state in range(before, len(self.states)):
            own = self.states[state]
            self.states[state] = own._replace(start=tree.start, end=tree.end, most=max(most, own.most))
        return self._behind(whole, part._replace(is_empty=part.is_empty or tree.least == 0))

    def _looped_part(self, item: Tree, possessive: bool) -> _Part:
        start, looks = len(self.states), len(self.inner)
        part = self._part(item) if not isinstance(item, Chars) else self._chars(item, possessive)
        self._loop(part)
        self.looped |= set(range(start, len(self.states)))
        self.is_exact &= not any(map(_has_loop, self.inner[looks:]))
        return part

    def _loop(self, part: _Part) -> None:
        for last in part.last:
            for first in part.first:
                self._edge(last, first)

    def _behind(self, before: _Part, part: _Part) -> _Part:
        for last in before.last:
            for first in part.first:
                self._edge(last, first)
        starts = (*before.first, *part.first) if before.is_empty else before.first
        ends = (*part.last, *before.last) if part.is_empty else part.last
        return _Part(starts, ends, before.is_empty and part.is_empty)

    def _edge(self, early: int, late: int) -> None:
        self.edges[early][late] = min(self.edges[early].get(late, 0) + 1, 2)


def _has_loop(tree: Tree) -> bool:
    match tree:
        case Sequence(items) | Either(items):
            return any(map(_has_loop, items))
        case Repeat(item, _, most):
            return most is None or most > _COPIES or _has_loop(item)
        case Group(item) | Atomic(item) | Look(item):
            return _has_loop(item)
    return isinstance(tree, Again)
