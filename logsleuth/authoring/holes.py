"""Texts of rules with their holes told in words, for readers who have no case at hand."""

import re
from collections.abc import Mapping

from logsleuth.authoring.document import Code, Name, Word, Words
from logsleuth.language import syntax as s
from logsleuth.language.steps import steps_of
from logsleuth.language.text_holes import HOLE_CONTENT, TEXT_HOLE

_QUOTED = re.compile(r"`([^`]*)`")


class Holes:
    """Tells the texts of one rule."""

    def __init__(self, rule: s.Rule) -> None:
        self._lets: Mapping[str, s.Node] = {item.name: item.value for item in rule.when if isinstance(item, s.Let)}
        self._hosts = {rule.culprit.name} if rule.culprit and rule.culprit.hosts else set[str]()

    def text(self, text: str) -> Words:
        """A text on one line; what stands in back-quotes is code, and holes in it are written in capitals."""
        words: list[Word] = []
        at = 0
        text = " ".join(text.split())
        for quoted in _QUOTED.finditer(text):
            words += self._prose(text[at : quoted.start()])
            words.append(Code(TEXT_HOLE.sub(self._in_code, quoted[1])))
            at = quoted.end()
        return (*words, *self._prose(text[at:]))

    def steps(self, text: str) -> list[Words]:
        """The steps of a remedy or of what to look at next."""
        return [self.text(step) for step in steps_of(text) if step]

    def _prose(self, text: str) -> list[Word]:
        words: list[Word] = []
        at = 0
        for hole in TEXT_HOLE.finditer(text):
            words.append(text[at : hole.start()])
            words.append(hole[0][0] if hole[1] is None else Name(self._said(hole[1])))
            at = hole.end()
        return [word for word in [*words, text[at:]] if word]

    def _in_code(self, hole: re.Match[str]) -> str:
        if hole[1] is None:
            return hole[0][0]
        said = self._said(hole[1]).removeprefix("the ")
        return said.upper().replace(" ", "_")

    def _said(self, content: str) -> str:
        match = HOLE_CONTENT.fullmatch(content)
        if match is None:
            return content
        name, field, counted = match.group(1, 2, 4)
        if counted:
            return f"the number of {counted.replace('_', ' ')}"
        if field:
            return field.replace("_", " ")
        let = self._lets.get(name)
        if isinstance(let, s.Members):
            return {"ranks": "the ranks", "hosts": "the hosts"}.get(let.kind, "the GPUs")
        if let is not None:
            return name.replace("_", " ")
        return "the host" if name == "host" or name in self._hosts else "the rank"
