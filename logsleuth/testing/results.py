"""What running samples and tests gives."""

from typing import NamedTuple

from logsleuth.language.syntax import Place


class Result(NamedTuple):
    """One sample or test."""

    name: str
    at: Place
    failure: str
    """Empty where it passed; else what was expected and what came, in a few lines."""


class Report(NamedTuple):
    results: tuple[Result, ...]
    left_out: int = 0
    """Shipped tests whose logs are not part of an installation."""

    @property
    def failures(self) -> tuple[Result, ...]:
        return tuple(result for result in self.results if result.failure)

    def text(self) -> str:
        """The failures, then one line that counts."""
        blocks = [told(failure) for failure in self.failures]
        passed = len(self.results) - len(blocks)
        left_out = f", {self.left_out} left out: their logs are not part of an installation" if self.left_out else ""
        return "\n\n".join([*blocks, f"{passed} passed, {len(blocks)} failed{left_out}"])


def told(failure: Result) -> str:
    """Where it stands, and what is wrong."""
    return f"{failure.at.file}:{failure.at.line}: {failure.name}\n{_indented(failure.failure)}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())
