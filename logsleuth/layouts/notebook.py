"""A Jupyter notebook: what its cells wrote, without their code.

Jupyter writes the JSON of a notebook with one string a line. Those of ``text`` (what a cell wrote) and ``traceback``
are lines of the log; nothing else is.
"""

import json
import re
from collections.abc import Iterable

from logsleuth.layouts.folds import Physical, Unfolded
from logsleuth.model.label import unlabelled

_NOTEBOOK = re.compile(rb'\s*\{\s*\n\s*"(?:cells|metadata|nbformat)": ?[\[{\d]')
_OPENS = re.compile(rb'\s*"(?:text|traceback)": ?\[\s*$')
_ONE = re.compile(rb'\s*"text": ?("(?:[^"\\]|\\.)*"),?\s*$')
_STRING = re.compile(rb'(\s*)("(?:[^"\\]|\\.)*"),?\s*$')
_PART = re.compile(rb"((?:[^\\]|\\[^n])*)(?:\\n|$)")
"""A line in a string of JSON."""

_OF_DOCUMENT = b' \t\r"}]'
"""What lines of the document begin with, or nothing; the first is a bracket by itself."""


def is_notebook(head: bytes) -> bool:
    """Whether a source begins as a notebook does."""
    return bool(_NOTEBOOK.match(head)) and (b'"cell_type":' in head or b'"nbformat":' in head)


class Notebook:
    """Gives the lines that the cells of a notebook wrote."""

    def __init__(self) -> None:
        self._is_output = False

    def feed(self, line: Physical) -> Iterable[Unfolded]:
        if line.text[:1] not in _OF_DOCUMENT and line.text != b"{":
            # No part of the document: it ends where a log goes on in the same file.
            return [Unfolded(line.text, line)]
        if not self._is_output:
            self._is_output = bool(_OPENS.match(line.text))
            one = None if self._is_output else _ONE.match(line.text)
            return _lines(line, one.start(1), one.end(1)) if one else ()
        string = _STRING.match(line.text)
        if string is None:
            self._is_output = False
            return ()
        return _lines(line, string.start(2), string.end(2))

    def finish(self) -> Iterable[Unfolded]:
        return ()


def _lines(line: Physical, start: int, end: int) -> list[Unfolded]:
    """The lines that a string of JSON holds; each is cited as the part of it that says it."""
    found = []
    for match in _PART.finditer(line.text, start + 1, end - 1):
        if match.start() == match.end():
            break
        try:
            text = unlabelled(json.loads(b'"' + match[1] + b'"').encode("utf-8", "surrogatepass"))
        except ValueError:
            text = match[1]
        found.append(Unfolded(text.replace(b"\n", b" ").removesuffix(b"\r"), line, match.start(1), match.end(1)))
    return found
