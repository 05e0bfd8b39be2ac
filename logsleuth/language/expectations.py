"""Builds tests: logs in place, and what is expected of them."""

from datetime import UTC, datetime
from typing import Any

from lark import Token

from logsleuth.language import syntax as s
from logsleuth.language.conditions import ConditionBuilder
from logsleuth.language.expressions import Text


class ExpectationBuilder(ConditionBuilder):
    """Adds tests to conditions."""

    def test(self, items: list[Any]) -> s.Test:
        name, *clauses = items
        logs = tuple(item for item in clauses if isinstance(item, s.Log))
        expected = tuple(item for item in clauses if isinstance(item, s.Expectation))
        now = next((item for item in clauses if isinstance(item, float)), None)
        return s.Test(name.text, logs, expected, name.at, now)

    def now(self, items: list[Token]) -> float:
        return datetime.fromisoformat(str(items[0])).replace(tzinfo=UTC).timestamp()

    def log_host(self, items: list[Token]) -> tuple[str, str]:
        return "host", str(items[0])

    def log_rank(self, items: list[Token]) -> tuple[str, str]:
        return "rank", str(items[0])

    def log_path(self, items: list[Token]) -> tuple[str, str]:
        return "path", str(items[0])[1:-1]

    def log(self, items: list[Any]) -> s.Log:
        *labels, content = items
        told = dict(labels)
        rank = int(told["rank"]) if "rank" in told else None
        return s.Log(self.unescape(content, content[3:-3]), told.get("path", ""), told.get("host", ""), rank)

    def logs(self, items: list[Text]) -> s.Log:
        return s.Log("", items[0].text, "", None)

    def expect_nothing(self, _: list[Any]) -> s.Expectation:
        return s.Expectation("nothing", "", "", (), self._start)

    def expect_absent(self, items: list[Token]) -> s.Expectation:
        return s.Expectation("no rule", str(items[0]), "", (), self.place(items[0]))

    def expect_cause(self, items: list[Token]) -> s.Expectation:
        return s.Expectation("cause", str(items[0]), "", (), self.place(items[0]))

    def expect_open(self, items: list[Token]) -> s.Expectation:
        return s.Expectation("open rule", str(items[0]), "", (), self.place(items[0]))

    def expect_rule(self, items: list[Any]) -> s.Expectation:
        name, who = items
        kind, members = who or ("", ())
        return s.Expectation("rule", str(name), kind, members, self.place(name))

    def nobody(self, _: list[Any]) -> tuple[str, tuple[str, ...]]:
        return "nobody", ()

    def who_ranks(self, items: list[Token]) -> tuple[str, tuple[str, ...]]:
        return "ranks", tuple(str(item) for item in items)

    def who_local_ranks(self, items: list[Token]) -> tuple[str, tuple[str, ...]]:
        return "local_ranks", tuple(str(item) for item in items)

    def who_hosts(self, items: list[Token]) -> tuple[str, tuple[str, ...]]:
        return "hosts", tuple(str(item) for item in items)
