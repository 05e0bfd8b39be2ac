"""Lines with their numbers in front: ``cat -n``, editors, pages of code hosts, ``grep -n`` in one file."""

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from logsleuth.layouts.folds import Unfolded
from logsleuth.layouts.steps import Each, Step, without

_CAT = re.compile(rb" {0,5}(\d{1,9})\t")
_FORMS = (
    _CAT,
    re.compile(rb" {0,8}L?(\d{1,9})\t"),
    re.compile(rb" {0,8}(\d{1,9}) ?(?:\||\xe2\x94\x82)(?: |$)"),
    re.compile(rb" {0,8}(\d{1,9}):(?:  ?|$|(?=[\S\t]))"),
    re.compile(rb"L(\d{1,9})(?::? |:?$)"),
    re.compile(rb" {0,8}(\d{1,9})(?:  | ?$)"),
)
_FEWEST = 6
_ALL = 0.97
_KINDS = 3
"""Different ways in which the text behind the numbers must begin, or it is the rest of rows that count something."""


def recognised(lines: list[Unfolded]) -> Callable[[], Step] | None:
    """Makes what takes the numbers off, where they count the lines one by one."""
    texts = [line.text for line in lines if line.text]
    if texts and all(len(text) > 6 and text.find(b"\t") == 6 for text in texts) and _counts(texts, _CAT, 1):
        # As wide as ``cat -n`` writes numbers: that is plain enough for a log of three lines.
        return partial(_numberless, _CAT)
    if len(texts) < _FEWEST:
        return None
    for form in _FORMS:
        if form.match(texts[0]) and _counts(texts, form):
            return partial(_numberless, form)
    return None


def _numberless(form: re.Pattern[bytes]) -> Each:
    return Each(lambda line: _without_number(line, form))


def _counts(texts: list[bytes], form: re.Pattern[bytes], kinds: int = _KINDS) -> bool:
    found = [match for text in texts if (match := form.match(text))]
    if len(found) < _ALL * len(texts):
        return False
    steps = [int(after[1]) - int(before[1]) for before, after in pairwise(found)]
    if steps.count(1) < _ALL * len(steps):
        return False
    behind = [match.string[match.end() :] for match in found]
    # Labels in front of all lines make them begin alike.
    return len({_opening(text) for text in behind}) >= kinds or len({_words(text) for text in behind}) >= kinds


def _words(text: bytes) -> tuple[bytes, ...]:
    return tuple(word for word in re.findall(rb"[A-Za-z]{3,}", text[:200]) if word.lower() not in (b"nan", b"inf"))


def _opening(text: bytes) -> bytes:
    """How a text begins, whatever its numbers are."""
    return re.sub(rb"\d+", b"0", text[:24])[:8]


def _without_number(line: Unfolded, form: re.Pattern[bytes]) -> Unfolded:
    match = form.match(line.text)
    return without(line, match.end()) if match else line
