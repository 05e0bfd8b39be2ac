"""Lines that were quoted: ``> `` in front of each, as answers to mails have it, or ``| ``."""

import re
from collections.abc import Callable

from logsleuth.layouts.folds import Unfolded
from logsleuth.layouts.steps import Each, Step, share, without

_MAIL = re.compile(rb"(?:> ?)+(?!>)")
_BARS = re.compile(rb"[|\xe2\x94\x82] ?(?=[^|]|$)")
_BAR = re.compile(rb"(?:\||\xe2\x94\x82)(?: |$)")
_MOST_OF = 0.75
_FEWEST = 4


def recognised(lines: list[Unfolded]) -> Callable[[], Step] | None:
    """Makes what takes the quotation off, where these lines are quoted.

    Bars count only where all lines have one, none ends with another, and four have no other: rows of tables have
    several.
    """
    if len(lines) >= _FEWEST and share(lines, lambda text: text.startswith(b">")) >= _MOST_OF:
        # Megatron's own ``> building ...`` is followed by lines of all kinds.
        return lambda: Each(_without_marks)
    barred = [line.text for line in lines if _BAR.match(line.text)]
    if len(barred) >= _FEWEST and share(lines, _BAR.match) == 1.0 and not _is_table(barred):
        return lambda: Each(_without_bar)
    return None


def _is_table(texts: list[bytes]) -> bool:
    if any(len(text) > 2 and text.rstrip().endswith((b"|", "│".encode())) for text in texts):
        return True
    return sum(b" | " not in text[1:] and len(text) > 2 for text in texts) < _FEWEST


def _without_marks(line: Unfolded) -> Unfolded:
    match = _MAIL.match(line.text)
    return without(line, match.end()) if match else line


def _without_bar(line: Unfolded) -> Unfolded:
    match = _BAR.match(line.text)
    return without(line, match.end()) if match else line
