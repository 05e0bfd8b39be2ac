"""What is wrong with rule files, said well: stable codes, the place with a caret, the reason, the remedy."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from logsleuth.language.syntax import Place

CODES: dict[str, str] = {
    "LS001": "a rule file cannot be read",
    "LS101": "syntax: something else was expected here",
    "LS102": "a text, a regular expression or a brace is not closed",
    "LS103": "a declaration starts with event, wordings, rule, list, test, adjust or disable",
    "LS104": "a declaration is nested too deeply to be read",
    "LS105": "a number has too many digits",
    "LS201": "unknown event",
    "LS202": "unknown field",
    "LS203": "unknown list",
    "LS204": "unknown binding",
    "LS205": "a name is declared twice",
    "LS206": "unknown type",
    "LS207": "unknown cause",
    "LS208": "a word that this clause does not know",
    "LS209": "a clause is missing",
    "LS210": "a pattern without a literal of four characters or more cannot be searched for",
    "LS211": "a regular expression does not compile",
    "LS212": "a template is malformed",
    "LS213": "a clause is given twice",
    "LS214": "a clause that does not fit the others",
    "LS215": "unknown function",
    "LS216": "a function gets what it does not take",
    "LS217": "what is adjusted or disabled is no rule",
    "LS218": "two adjustments of a rule contradict each other",
    "LS219": "a rule has no such let to adjust",
    "LS220": "an adjusted value is of another kind than the rule's own",
    "LS221": "an adjustment can only lower the confidence",
    "LS301": "a sample does not match its event",
    "LS302": "a sample gives other values",
}
"""Every code with what it stands for, in a few words."""


@dataclass(frozen=True, slots=True)
class Message:
    """One error of a rule file."""

    code: str
    place: Place
    text: str
    remedy: str = ""


class RulesError(Exception):
    """Rule files have errors; ``str()`` is all of them, rendered for a person."""

    def __init__(self, messages: Iterable[Message], texts: Mapping[str, str]) -> None:
        self.messages = sorted(messages, key=lambda m: (m.place.file, m.place.line, m.place.column, m.code))
        super().__init__("\n\n".join(render(message, texts) for message in self.messages))


def render(message: Message, texts: Mapping[str, str]) -> str:
    """The message with the line that it is about and a caret beneath; ``texts`` maps file names to their contents."""
    place = message.place
    out = [f"{place.file}:{place.line}:{place.column}: {message.code}: {message.text}"]
    lines = texts.get(place.file, "").split("\n")
    if 1 <= place.line <= len(lines) and lines[place.line - 1].strip():
        line = lines[place.line - 1].rstrip("\r").expandtabs(1)
        number = str(place.line)
        width = max(1, min(place.width, len(line) - place.column + 1))
        out.append(f"  {number} | {line}")
        out.append(f"  {' ' * len(number)} | {' ' * (place.column - 1)}{'^' * width}")
    if message.remedy:
        out.append(f"  {message.remedy}")
    return "\n".join(out)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A suggestion in a sentence, or nothing where no known name is close."""
    close = difflib.get_close_matches(name, sorted(set(known)), n=2, cutoff=0.6)
    return f"Did you mean {' or '.join(close)}?" if close else ""
