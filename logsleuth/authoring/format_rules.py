"""Rule text in, the same rules laid out in one style out, and never rules that say something else."""

from typing import NamedTuple

from logsleuth.authoring.layout import lay_out
from logsleuth.authoring.source_tree import Branch, Leaf, Source, leaves, read_source
from logsleuth.language.messages import Message
from logsleuth.language.syntax import Place


class Formatted(NamedTuple):
    text: str
    """The text laid out; as it was where there are errors."""
    errors: list[Message]


class ChangedMeaningError(Exception):
    """Laying out a text would have changed what it says: a defect of the formatter."""


def format_text(file: str, text: str) -> Formatted:
    """A rule file laid out; ``file`` is the name to blame in errors.

    Lines end in ``\\n`` and there is no byte order mark in the end, which is how the language reads every text anyway.
    Raises ChangedMeaningError where the new text would not be the same tokens and comments in the same tree.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    try:
        return _formatted(file, text)
    except RecursionError:
        remedy = "Write a list instead of many terms, or several conditions."
        message = Message("LS104", Place(file, 1, 1), "a declaration of this file is nested too deeply", remedy)
        return Formatted(text, [message])


def _formatted(file: str, text: str) -> Formatted:
    source = read_source(file, text)
    if source.errors:
        return Formatted(text, source.errors)
    said = _said(source)
    new = lay_out(source.declarations, source.rest)
    again = read_source(file, new)
    if again.errors or _said(again) != said:
        raise ChangedMeaningError(f"{file}: laying it out would change what it says")
    return Formatted(new, [])


def _said(source: Source) -> tuple[object, ...]:
    """Everything that a text says: its tree of tokens, its texts and its comments."""
    trees = [_shape(declaration) for declaration in source.declarations]
    comments: list[str] = []
    for declaration in source.declarations:
        for leaf in leaves(declaration):
            comments += [*leaf.before, leaf.after]
    return trees, [comment for comment in [*comments, *source.rest] if comment]


def _shape(part: Leaf | Branch) -> tuple[str, object]:
    return part.kind, part.text if isinstance(part, Leaf) else [_shape(inner) for inner in part.parts]
