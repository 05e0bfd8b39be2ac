"""How much work may one rule be? Counted in steps, so that it is the same on every machine."""

import math
from collections.abc import Collection, Iterator
from itertools import product
from typing import TypeVar

from logsleuth.language.syntax import Place, Rule

MOST = 10_000_000
"""Steps of one rule on one job: many times what the dearest shipped rule takes on a job of thousands of ranks (150 for
each), and a minute at most. A step is an expression that is worked out, an occurrence that is looked at, or two
values that are compared."""

_Left = TypeVar("_Left")
_Right = TypeVar("_Right")


class TooMuchWorkError(Exception):
    """A rule has had its steps."""


class Work:
    """Counts the steps of the rule at hand."""

    def __init__(self) -> None:
        self._left = math.inf
        self.asked = ""
        """The clause that is worked out, as it is written."""
        self.given_up: dict[str, tuple[Place, str]] = {}
        """The rules that were given up, each with its place and the clause that took the last of its steps."""

    def begin(self) -> None:
        """A rule begins, with all its steps before it."""
        self._left, self.asked = MOST, ""

    def end(self) -> None:
        """No rule is judged: nothing is counted."""
        self._left = math.inf

    def spend(self, steps: int) -> None:
        """Takes so many steps; raises TooMuchWorkError where the rule has no more."""
        self._left -= steps
        if self._left < 0:
            raise TooMuchWorkError

    def pairs(self, left: Collection[_Left], right: Collection[_Right]) -> Iterator[tuple[_Left, _Right]]:
        """Every value with every other, each pair a step."""
        self.spend(len(left) * len(right))
        return product(left, right)

    def give_up(self, rule: Rule) -> None:
        """The rule has had its steps."""
        self.given_up.setdefault(rule.name, (rule.at, self.asked or "explains"))
        self.end()

    def notes(self) -> list[str]:
        """What the reader of an analysis should know about rules that were given up."""
        return [
            f"The rule {name} ({at.file}:{at.line}) was given up: '{asked}' takes it beyond {MOST:,} steps on this "
            "job. Let it look at fewer: narrow its filters, and name a set with let instead of asking for it in each."
            for name, (at, asked) in sorted(self.given_up.items())
        ]
