"""Text whose characters were spelled otherwise: HTML's ``&lt;``, and colours without their escape character."""

import re
from collections.abc import Callable

from logsleuth.layouts.folds import Unfolded
from logsleuth.layouts.steps import Each, Step

_ENTITY = re.compile(rb"&(?:lt|gt|amp|quot|apos|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,4});")
_TAG = re.compile(rb"</?(?:br|pre|code|span|div|p|a|td|tr|b|i|em|strong|font)(?: [^<>\n]{0,300})?/?>", re.IGNORECASE)
_BREAKS = re.compile(rb"<br ?/?>[ \t]*$", re.IGNORECASE)
_FEWEST = 2

_LOST = re.compile(
    rb"(?:\^\[|\\x1[bB]|\\0?33|\\u001[bB]|\\e|\xe2\x90\x9b|\xe2\x86\x90)\[[\d;]{0,24}[mKJH]"
    rb"|(?<!\x1b)\[(?:(?:0|0?1|[34]\d|[03]8;5;\d{1,3}|9\d)(?:;\d{1,3}){0,4}m(?!\w{0,3}\])|m(?=\[K|[ \t\r]*$))",
    re.MULTILINE,
)
"""A colour as text. That of a bare ``[31m`` may be nothing else than a colour: ``[30m]`` is a time, and many words in
brackets begin with an m (``[main] ``, ``[missing ranks: 1]``)."""
_MAY_BE_LOST = re.compile(rb"\[[\d;]{0,24}[mKJH]")
"""The same and more, found at the speed of a search for its bracket."""
_FEWEST_COLOURS = 3


def recognised(lines: list[Unfolded]) -> Callable[[], Step] | None:
    """Makes what spells the lines as they were, where these are spelled otherwise.

    A page that was copied as HTML has no ``<``, ``>`` and ``"`` of its own left but those of tags.
    """
    text = b"\n".join(line.text for line in lines)
    if len(_MAY_BE_LOST.findall(text)) >= _FEWEST_COLOURS and len(_LOST.findall(text)) >= _FEWEST_COLOURS:
        return lambda: Each(_without_colours)
    if b"&" in text and len(_ENTITY.findall(text)) >= _FEWEST and not re.search(rb"[<>\"]", _TAG.sub(b"", text)):
        return lambda: Each(_unescaped)
    return None


def _without_colours(line: Unfolded) -> Unfolded:
    return line._replace(text=_LOST.sub(b"", line.text)) if b"m" in line.text else line


def _unescaped(line: Unfolded) -> Unfolded:
    text = line.text
    if b"<" in text:
        text = _TAG.sub(b"", _BREAKS.sub(b"", text))
    if b"&" in text:
        from html import unescape

        said = unescape(text.decode("utf-8", "surrogateescape")).replace("\n", " ").replace("\xa0", " ")
        text = said.encode("utf-8", "surrogateescape")
    return line._replace(text=text)
