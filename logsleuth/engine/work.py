"""How much work may one rule be? Counted in steps, so that it is the same on every machine."""

import math

MOST = 30_000_000
"""Steps of one rule on one job: what the dearest shipped rule takes on a job of thousands of ranks, many times over. A
step is a value that is worked out or an occurrence that is looked at; this many take a minute."""


class TooMuchWorkError(Exception):
    """A rule has had its steps."""


class Work:
    """Counts the steps of the rule at hand."""

    def __init__(self) -> None:
        self._left = math.inf

    def begin(self) -> None:
        """A rule begins, with all its steps before it."""
        self._left = MOST

    def end(self) -> None:
        """No rule is judged: nothing is counted."""
        self._left = math.inf

    def spend(self, steps: int) -> None:
        """Takes so many steps; raises TooMuchWorkError where the rule has no more."""
        self._left -= steps
        if self._left < 0:
            raise TooMuchWorkError
