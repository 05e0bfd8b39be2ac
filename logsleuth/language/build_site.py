"""Builds what a site sets of rules and adds to them."""

from typing import Any

from lark import Token

from logsleuth.language import syntax as s
from logsleuth.language.expressions import ClauseError, ExpressionBuilder, Text
from logsleuth.language.messages import Message
from logsleuth.language.rule_files import fault_of


class SiteBuilder(ExpressionBuilder):
    """Adds the settings of ``adjust``, ``disable``, ``use`` and own causes to expressions."""

    def disable(self, items: list[Token]) -> s.Disabling:
        return s.Disabling(str(items[0]), self.place(items[0]))

    def set_let(self, items: list[Any]) -> s.Setting:
        return s.Setting("let", str(items[0]), items[1], self.place(items[0]))

    def use(self, items: list[Text]) -> s.Use:
        if fault := fault_of(items[0].text):
            remedy = "Name a .sleuth file beside this one or beneath its folder, with / between folders."
            raise ClauseError(Message("LS107", items[0].at, fault, remedy))
        return s.Use(items[0].text, items[0].at)

    def own_cause(self, items: list[Any]) -> s.OwnCause:
        name, kind, doc = items
        return s.OwnCause(str(name), str(kind), doc.text, self.place(name))

    def set_cause(self, items: list[Token]) -> s.Setting:
        return self._set_word("cause", items[0])

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
