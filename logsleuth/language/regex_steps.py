"""How much work is a regular expression on a line? A matcher that backtracks as Python's does, and counts.

It is slow, and only asked about attacking lines of a few dozen characters: steps are the same on every machine, which
seconds are not.
"""

from typing import NamedTuple

from logsleuth.language.regex_tree import (
    WORD,
    Again,
    Atomic,
    Chars,
    Edge,
    Either,
    Group,
    Look,
    Repeat,
    Sequence,
    Tree,
)

_LONGEST = 4000
"""Instructions of a program; beyond it a counted repetition is taken as one without a bound."""


class _Step(NamedTuple):
    op: str
    value: int = 0
    other: int = 0
    flag: bool = False
    kind: str = ""


class TooManyStepsError(Exception):
    """The bound on steps is reached."""


class StepCounter:
    """A pattern, ready to be matched with a bound on steps."""

    def __init__(self, tree: Tree) -> None:
        self._program: list[_Step] = []
        self._groups: dict[int, int] = {}
        self._registers = 0
        self._budget = 0
        self._emit(tree)
        self._program.append(_Step("done"))

    def steps(self, text: bytes, most: int, start: int = 0) -> int:
        """The steps of a match at ``start``; ``most`` + 1 where they are more than that."""
        self._budget = most
        try:
            self.end(text, start)
        except TooManyStepsError:
            return most + 1
        return most - self._budget

    def end(self, text: bytes, start: int = 0, most: int | None = None) -> int | None:
        """Where a match that begins at ``start`` ends; None without one. Raises TooManyStepsError."""
        if most is not None:
            self._budget = most
        found = self._run(0, text, start, (-1,) * self._registers)
        return None if found is None else found[0]

    # From the tree to a program

    def _add(self, step: _Step) -> int:
        self._program.append(step)
        return len(self._program) - 1

    def _emit(self, tree: Tree) -> None:
        match tree:
            case Chars(mask):
                self._add(_Step("char", mask))
            case Sequence(items):
                for item in items:
                    self._emit(item)
            case Either(items):
                self._emit_either(items)
            case Repeat():
                self._emit_repeat(tree)
            case Group(item, number):
                place = self._groups[number] = self._registers
                self._registers += 2
                self._add(_Step("save", place))
                self._emit(item)
                self._add(_Step("save", place + 1))
            case Atomic(item):
                self._emit_inner(item, _Step("atomic"))
            case Look(item, is_ahead, is_negative):
                width = 0 if is_ahead else width_of(item)
                self._emit_inner(item, _Step("look", other=width, flag=is_negative))
            case Edge(kind):
                self._add(_Step("edge", kind=kind))
            case Again(number):
                self._add(_Step("again", self._groups.get(number, -1)))

    def _emit_inner(self, item: Tree, step: _Step) -> None:
        at = self._add(step)
        self._emit(item)
        self._add(_Step("done"))
        self._program[at] = step._replace(value=len(self._program))

    def _emit_either(self, items: tuple[Tree, ...]) -> None:
        ends = []
        for item in items[:-1]:
            at = self._add(_Step("split"))
            self._emit(item)
            ends.append(self._add(_Step("jump")))
            self._program[at] = _Step("split", at + 1, len(self._program))
        self._emit(items[-1])
        for at in ends:
            self._program[at] = _Step("jump", len(self._program))

    def _emit_repeat(self, tree: Repeat) -> None:
        before = len(self._program)
        copies = tree.least
        for done in range(tree.least):
            self._emit(tree.item)
            if len(self._program) > _LONGEST:
                copies = done + 1
                break
        size = (len(self._program) - before) // max(copies, 1) if copies else _size(tree.item)
        if tree.most is not None and len(self._program) + size * (tree.most - tree.least) <= _LONGEST:
            splits = []
            for _ in range(tree.most - tree.least):
                splits.append(self._add(_Step("split")))
                self._emit(tree.item)
            for at in splits:
                self._program[at] = self._choice(tree, at + 1, len(self._program))
            return
        place = self._registers
        self._registers += 1
        at = self._add(_Step("split"))
        self._add(_Step("save", place))
        self._emit(tree.item)
        self._add(_Step("unless empty", place))
        self._add(_Step("jump", at))
        self._program[at] = self._choice(tree, at + 1, len(self._program))

    @staticmethod
    def _choice(tree: Repeat, more: int, out: int) -> _Step:
        return _Step("split", out, more) if tree.is_lazy else _Step("split", more, out)

    # Running it

    def _run(self, at: int, text: bytes, pos: int, registers: tuple[int, ...]) -> tuple[int, tuple[int, ...]] | None:
        stack: list[tuple[int, int, tuple[int, ...]]] = []
        program, size = self._program, len(text)
        while True:
            self._budget -= 1
            if self._budget < 0:
                raise TooManyStepsError
            op, value, other, flag, kind = program[at]
            held = True
            if op == "char":
                held = pos < size and bool(value >> text[pos] & 1)
                pos, at = pos + 1, at + 1
            elif op == "split":
                stack.append((other, pos, registers))
                at = value
            elif op == "jump":
                at = value
            elif op == "save":
                registers = (*registers[:value], pos, *registers[value + 1 :])
                at += 1
            elif op == "unless empty":
                at += 2 if registers[value] == pos else 1
            elif op == "done":
                return pos, registers
            elif op == "atomic":
                found = self._run(at + 1, text, pos, registers)
                held, at = found is not None, value
                pos, registers = found or (pos, registers)
            elif op == "look":
                found = self._run(at + 1, text, pos - other, registers) if pos >= other else None
                held, at = (found is None) is flag, value
                registers = found[1] if found and not flag else registers
            elif op == "edge":
                held, at = _is_at(kind, text, pos), at + 1
            else:  # again
                start, end = registers[value : value + 2] if value >= 0 else (-1, -1)
                held = end >= 0 and text.startswith(text[start:end], pos)
                pos, at = pos + end - start, at + 1
            if not held:
                if not stack:
                    return None
                at, pos, registers = stack.pop()


def _is_at(kind: str, text: bytes, pos: int) -> bool:
    size = len(text)
    match kind:
        case "^" | "A":
            return pos == 0
        case "m^":
            return pos == 0 or text[pos - 1] == 10
        case "Z":
            return pos == size
        case "$":
            return pos == size or (pos == size - 1 and text[pos] == 10)
        case "m$":
            return pos == size or text[pos] == 10
    before = pos > 0 and bool(WORD >> text[pos - 1] & 1)
    behind = pos < size and bool(WORD >> text[pos] & 1)
    return (before is not behind) is (kind == "b")


def _size(tree: Tree) -> int:
    """About how many instructions a tree takes."""
    match tree:
        case Sequence(items) | Either(items):
            return sum(map(_size, items)) + 2 * len(items)
        case Repeat(item, least, most):
            return (_size(item) + 1) * max(least, most or 1, 1) + 3
        case Group(item) | Atomic(item) | Look(item):
            return _size(item) + 2
    return 1


def width_of(tree: Tree) -> int:
    """How many characters a tree of fixed width takes, as what stands in a look-behind."""
    match tree:
        case Chars():
            return 1
        case Sequence(items):
            return sum(map(width_of, items))
        case Either(items):
            return width_of(items[0])
        case Repeat(item, least):
            return least * width_of(item)
        case Group(item) | Atomic(item):
            return width_of(item)
    return 0
