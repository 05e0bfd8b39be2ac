"""Colours rules wherever Pygments does: ``pygmentize -l sleuth``, Sphinx, ``rich``."""

from collections.abc import Iterable
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from logsleuth.authoring import colouring
from logsleuth.authoring.colouring import Mark

TOKENS = {
    "attribute": Name.Attribute, "class": String.Regex, "clause": Keyword, "comment": Comment.Single,
    "connective": Operator.Word, "constant": Keyword.Constant, "declaration": Keyword.Declaration,
    "entity": Name.Class, "escape": String.Escape, "function": Name.Builtin, "hole": String.Interpol,
    "label": Name.Label, "name": Name, "number": Number, "operator": Operator, "punctuation": Punctuation,
    "quantifier": Keyword.Pseudo, "regex-operator": String.Regex, "type": Keyword.Type,
}  # fmt: skip
"""The tokens of Pygments for the roles of marks."""


class SleuthLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types.
    """Rule files of logsleuth."""

    name = "Sleuth"
    aliases: ClassVar = ["sleuth"]
    filenames: ClassVar = ["*.sleuth"]
    url = ""
    version_added = ""

    @classmethod
    def get_tokendefs(cls) -> dict[str, list[Any]]:
        """The states of the lexer; read from the grammar when it is first used, not when it is imported."""
        code = [(r"\s+", Whitespace), (r"`", String.Regex, "regex"), *_rules(colouring.code())]
        verbatim = [(mark.pattern, TOKENS[mark.roles[0]], "verbatim") for mark in colouring.VERBATIM]
        return {
            "root": [*verbatim, *_texts("long", "text"), *code],
            "verbatim": [(r"\n", Whitespace, "#pop"), *_texts("verbatim-long", "verbatim-text"), *code],
            "long": _inside('"""', colouring.HOLES),
            "text": _inside('"', colouring.HOLES),
            "verbatim-long": _inside('"""', ()),
            "verbatim-text": _inside('"', ()),
            "regex": [(r"`|(?=\n)", String.Regex, "#pop"), *_rules(colouring.REGEX), (r"[^`\n]", String.Regex)],
        }


def _rules(marks: Iterable[Mark]) -> list[tuple[Any, ...]]:
    found = []
    for mark in marks:
        tokens = [TOKENS[role] for role in mark.roles]
        found.append((mark.pattern, tokens[0] if len(tokens) == 1 else bygroups(*tokens)))
    return found


def _texts(long: str, short: str) -> list[tuple[Any, ...]]:
    """What opens a text, and the states that it is read in."""
    return [(r'"""', String, long), (r'"', String, short)]


def _inside(quote: str, marks: Iterable[Mark]) -> list[tuple[Any, ...]]:
    end = [(quote, String, "#pop")] if len(quote) > 1 else [(r'"|(?=\n)', String, "#pop")]
    return [*end, *_rules((*colouring.ESCAPES, *marks)), (r'[^\\{}"\n]+|.|\n', String)]
