"""Stands a made-up analysis in the place of the real one."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import ModuleType

import pytest

from logsleuth.cli.main import main
from logsleuth.model.analysis import Analysis


@dataclass
class FakeAnalysis:
    """What ``logsleuth.drivers.batch.analyze`` is in a test, and how it was called."""

    gives: Analysis | BaseException = field(default_factory=lambda: Analysis((), (), ()))
    calls: list[tuple[tuple[str, ...], tuple[str, ...], bool]] = field(default_factory=list)
    """Paths, rules and local_rules of each call."""

    def __call__(
        self, paths: Sequence[str], *, rules: Sequence[str] = (), local_rules: bool = True, **_others: object
    ) -> Analysis:
        self.calls.append((tuple(paths), tuple(rules), local_rules))
        if isinstance(self.gives, BaseException):
            raise self.gives
        return self.gives


@pytest.fixture
def analysis(monkeypatch: pytest.MonkeyPatch) -> FakeAnalysis:
    fake = FakeAnalysis()
    batch = ModuleType("logsleuth.drivers.batch")
    batch.__dict__["analyze"] = fake
    monkeypatch.setitem(sys.modules, "logsleuth.drivers.batch", batch)
    monkeypatch.setenv("COLUMNS", "80")
    return fake


@pytest.fixture
def logsleuth() -> Callable[..., int]:
    """Runs the command line in this process and gives its exit status."""

    def run(*arguments: str) -> int:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert isinstance(ended.value.code, int)
        return ended.value.code

    return run
