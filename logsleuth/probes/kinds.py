"""What a probe is: one thing that can be asked of a node without changing it."""

import re
from typing import NamedTuple


class Question(NamedTuple):
    """What a person wants to know about a node before a run."""

    name: str
    title: str
    """A few words: the head of a row."""


class Command(NamedTuple):
    """A tool that reads and prints. It gets no input and no shell."""

    words: tuple[str, ...]
    absent: str
    """What it means where there is no such tool, as the end of a sentence."""
    seconds: float = 10.0
    """After which it is ended."""


class Files(NamedTuple):
    """Files that the kernel writes when they are read."""

    patterns: tuple[str, ...]
    """Absolute. A single file is given as it stands; of several, each line behind ``PATH: ``."""
    absent: str


class Facts(NamedTuple):
    """What no tool has to be asked for; ``logsleuth.probes.facts`` knows how it is found out."""

    words: str
    """What would be typed to see the same."""


class Saved(NamedTuple):
    """An output that is only read: to make it would start a load."""


class Probe(NamedTuple):
    """One thing to ask, and the question that it helps to answer."""

    name: str
    """Names its file: ``HOST/NAME.txt``."""
    question: str
    asks: Command | Files | Facts | Saved
    looks: str = ""
    """A regular expression that a line near the start of such an output matches, where no header tells what it is."""
    may_be_silent: bool = False
    """True where an output with nothing that rules know is good news: a kernel log, a list of what is in the way."""
    beside: tuple[str, str] | None = None
    """Another question, and what a line matches that answers that one instead: a list of all disks has /dev/shm too."""

    def questions(self, text: str) -> tuple[str, ...]:
        """The questions that an output with this text answers."""
        other = [self.beside[0]] if self.beside and re.search(self.beside[1], text, re.MULTILINE) else []
        return self.question, *other

    def question_of(self, line: str) -> str:
        """The question that a line of its output answers."""
        return self.questions(line)[-1]
