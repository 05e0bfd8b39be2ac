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

    @property
    def failures(self) -> tuple[Result, ...]:
        return tuple(result for result in self.results if result.failure)

    def text(self) -> str:
        """The failures, then one line that counts."""
        blocks = [f"{r.at.file}:{r.at.line}: {r.name}\n{_indented(r.failure)}" for r in self.failures]
        passed = len(self.results) - len(blocks)
        return "\n\n".join([*blocks, f"{passed} passed, {len(blocks)} failed"])


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())
