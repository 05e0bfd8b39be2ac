"""What is wrong with rule files, said well: stable codes, the place with a caret, the reason, the remedy."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from logsleuth.language.aliases import ours
from logsleuth.language.excerpt import excerpt, harmless
from logsleuth.language.syntax import Place

ERROR, WARNING = "error", "warning"
"""Levels of messages: rules with errors cannot be used; those with warnings can, but hardly mean what they say."""


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that is wrong with a rule file."""

    code: str
    place: Place
    text: str
    remedy: str = ""
    level: str = ERROR


class RulesError(Exception):
    """Rule files have errors; ``str()`` is all of them, rendered for a person."""

    def __init__(self, messages: Iterable[Message], texts: Mapping[str, str]) -> None:
        self.messages = in_order(messages)
        super().__init__(report(self.messages, texts))


def report(messages: Sequence[Message], texts: Mapping[str, str]) -> str:
    """All messages, in the order given, and how to read more about them."""
    codes = " ".join(dict.fromkeys(message.code for message in messages))
    rendered = [render(message, texts) for message in messages]
    return "\n\n".join([*rendered, f"`logsleuth explain {codes}` says more."])


def in_order(messages: Iterable[Message]) -> list[Message]:
    """The messages by their places."""
    return sorted(messages, key=lambda m: (m.place.file, m.place.line, m.place.column, m.code, m.text))


def render(message: Message, texts: Mapping[str, str]) -> str:
    """The message with the line that it is about and a caret beneath; ``texts`` maps file names to their contents."""
    place = message.place
    level = f"{WARNING} " if message.level == WARNING else ""
    out = [f"{harmless(place.file)}:{place.line}:{place.column}: {level}{message.code}: {harmless(message.text)}"]
    out += excerpt(texts.get(place.file, ""), place)
    if message.remedy:
        out.append(f"  {harmless(message.remedy)}")
    return "\n".join(out)


_NEAR = 0.1
"""A second name is suggested where it is as close as this to being as close as the first."""


def did_you_mean(name: str, known: Iterable[str], least: float = 0.6) -> str:
    """A suggestion in a sentence, or nothing where no known name is close: ``least`` of 1 is the same name."""
    folded = {word.casefold(): word for word in sorted(set(known))}
    if same := folded.get(name.casefold()):
        return f"Did you mean `{same}`?"
    if alias := [word for word in ours(name) if word in folded.values()]:
        return _suggestion(alias)
    close = difflib.get_close_matches(name.casefold(), folded, n=2, cutoff=least)
    ratios = [difflib.SequenceMatcher(None, word, name.casefold()).ratio() for word in close]
    return _suggestion(folded[word] for word, ratio in zip(close, ratios, strict=True) if ratio > ratios[0] - _NEAR)


def _suggestion(words: Iterable[str]) -> str:
    told = " or ".join(f"`{word}`" for word in words)
    return f"Did you mean {told}?" if told else ""
