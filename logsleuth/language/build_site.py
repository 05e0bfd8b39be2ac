"""Builds what a site sets of rules."""

from typing import Any

from lark import Token

from logsleuth.language import syntax as s
from logsleuth.language.expressions import ExpressionBuilder, Text


class SiteBuilder(ExpressionBuilder):
    """Adds the settings of ``adjust``, and ``disable``, to expressions."""

    def disable(self, items: list[Token]) -> s.Disabling:
        return s.Disabling(str(items[0]), self.place(items[0]))

    def set_let(self, items: list[Any]) -> s.Setting:
        return s.Setting("let", str(items[0]), items[1], self.place(items[0]))

    def set_severity(self, items: list[Token]) -> s.Setting:
        return self._set_word("severity", items[0])

    def set_confidence(self, items: list[Token]) -> s.Setting:
        return self._set_word("confidence", items[0])

    def set_remedy(self, items: list[Text]) -> s.Setting:
        return s.Setting("remedy", "", s.Value(items[0].text), items[0].at)

    def set_next(self, items: list[Text]) -> s.Setting:
        return s.Setting("next", "", s.Value(items[0].text), items[0].at)

    def _set_word(self, clause: str, token: Token) -> s.Setting:
        return s.Setting(clause, "", s.Value(str(token)), self.place(token))
