"""The grammar as the reference shows it: that of the parser, without what only the parser needs to know.

``python -m tests.pages`` writes it into ``docs/language.md``.
"""

import re
from pathlib import Path

import logsleuth

REFERENCE = Path(__file__).parents[1] / "docs" / "language.md"
GRAMMAR = Path(logsleuth.__file__).parent / "language" / "sleuth.lark"
BLOCK = re.compile(r"^```ebnf\n(.*?)^```$", re.MULTILINE | re.DOTALL)

_HEADING = re.compile(r"// --- (.*?) -+$")
_RULE = re.compile(r"\??([a-z_]+): (.*)")
_KEYWORD = re.compile(r'^([A-Z]+): *("[^"]*")$', re.MULTILINE)
_PHRASE = re.compile(r"^([A-Z]+): */([a-z]+(?:\\s\+[a-z]+)+)/$", re.MULTILINE)


def grammar_text() -> str:
    """Every rule of the grammar as ``name ::= alternatives``, under the headings that it has there."""
    text = GRAMMAR.read_text(encoding="utf-8")
    words = dict(_KEYWORD.findall(text))
    words |= {name: " ".join(f'"{word}"' for word in phrase.split(r"\s+")) for name, phrase in _PHRASE.findall(text)}
    lines: list[str] = []
    for line in text.splitlines():
        rule = re.sub(r"\s*-> \w+", "", line)
        if (heading := _HEADING.match(line)) and heading[1] != "terminals":
            lines += ["", f"(* {heading[1]} *)"]
        elif match := _RULE.match(rule):
            lines.append(f"{match[1]} ::= {_shown(match[2], words)}")
        elif rule.lstrip().startswith("|"):
            lines.append(f"    {_shown(rule.strip(), words)}")
    return "\n".join(lines).strip() + "\n"


def _shown(alternative: str, words: dict[str, str]) -> str:
    """An alternative with the words that have names of their own written out."""
    return re.sub(r'"[^"]*"|[A-Z]+', lambda match: words.get(match[0], match[0]), alternative)


def write() -> None:
    """Writes the grammar into the reference."""
    page = REFERENCE.read_text(encoding="utf-8")
    REFERENCE.write_text(BLOCK.sub(lambda _: f"```ebnf\n{grammar_text()}```", page), encoding="utf-8")
