"""What is wrong with rule files, said well: stable codes, the place with a caret, the reason, the remedy."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from logsleuth.language.syntax import Place


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
    return "\n".join(map(_printable, out))


def _printable(line: str) -> str:
    """The line as a terminal may show it: rule files are hostile text, and a control character would command it."""
    return line if line.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in line)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A suggestion in a sentence, or nothing where no known name is close."""
    close = difflib.get_close_matches(name, sorted(set(known)), n=2, cutoff=0.6)
    return f"Did you mean {' or '.join(close)}?" if close else ""
