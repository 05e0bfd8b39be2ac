"""Builds conditions: what may stand behind ``when``, ``needs`` and ``unless``."""

from typing import Any

from lark import Token

from logsleuth.language import syntax as s
from logsleuth.language.expressions import ClauseError, ExpressionBuilder, number
from logsleuth.language.messages import Message

MEMBERS = ("ranks", "hosts", "gpus")


class ConditionBuilder(ExpressionBuilder):
    """Adds events, patterns, quantifiers and counts to expressions."""

    def reference(self, items: list[Any]) -> s.Reference:
        name, condition = items
        return s.Reference(str(name), condition, self.place(name))

    def then(self, items: list[Any]) -> s.Step:
        return s.Step("then", items[0], str(items[1] or ""), items[2])

    def then_no(self, items: list[Any]) -> s.Step:
        return s.Step("then no", items[0], "", items[1])

    def then_never(self, items: list[s.Reference]) -> s.Step:
        return s.Step("then never", items[0], "")

    def without(self, items: list[s.Reference]) -> s.Step:
        return s.Step("without", items[0], "")

    def pattern(self, items: list[Any]) -> s.Pattern:
        reference, binding, *steps = items
        return s.Pattern(reference, str(binding or ""), tuple(steps))

    def seen(self, items: list[Any]) -> s.Seen:
        return s.Seen(items[1])

    def absent(self, items: list[s.Reference]) -> s.Absent:
        return s.Absent(items[0])

    def every(self, _: list[Any]) -> tuple[str, float]:
        return "every", 0

    def some(self, _: list[Any]) -> tuple[str, float]:
        return "some", 0

    def none(self, _: list[Any]) -> tuple[str, float]:
        return "no", 0

    def most(self, _: list[Any]) -> tuple[str, float]:
        return "most", 0

    def exactly(self, items: list[Token]) -> tuple[str, float]:
        return "exactly", self._amount(items[0])

    def all_but(self, items: list[Token]) -> tuple[str, float]:
        return "all but", self._amount(items[0])

    def at_least(self, items: list[Token]) -> tuple[str, float]:
        amount = number(items[0])
        if amount.unit == "percent":
            return "at least percent", float(amount.value)
        return "at least", self._amount(items[0])

    def _amount(self, token: Token) -> float:
        value = number(token)
        if value.unit or not isinstance(value.value, int):
            raise ClauseError(Message("LS208", self.place(token), f"'{token}' is no number of members"))
        return value.value

    def rank_member(self, _: list[Any]) -> str:
        return "rank"

    def host_member(self, _: list[Any]) -> str:
        return "host"

    def quantified(self, items: list[Any]) -> s.Quantified:
        (quantifier, amount), seen_only, other, member, pattern = items
        return s.Quantified(quantifier, amount, member, seen_only is not None, pattern, other is not None)

    def together(self, items: list[Any]) -> s.Together:
        return s.Together(str(items[0]), items[1], self.place(items[0]))

    def seen_members(self, items: list[Token]) -> s.Node:
        return self._members(items[1], which=str(items[0]))

    def members(self, items: list[Any]) -> s.Members:
        return self._members(items[1], which=str(items[0] or ""), where=items[2])

    def members_of(self, items: list[Token]) -> s.Members:
        return self._members(items[0], of=str(items[2]))

    def _members(self, kind: Token, which: str = "", where: s.Node | None = None, of: str = "") -> s.Members:
        job, _, named = str(kind).rpartition(".")
        if named not in MEMBERS or job not in ("", "job"):
            remedy = "Known are ranks, hosts and gpus, and job.ranks in a rule for each group."
            raise ClauseError(Message("LS208", self.place(kind), f"'{kind}' are no members", remedy))
        return s.Members(named, which, job == "job", where, of, self.place(kind))
