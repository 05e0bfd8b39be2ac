"""What a user says about the layout of logs: ``--source-format NAME``, or ``GLOB=NAME`` for some of them."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from logsleuth.layouts.registry import names
from logsleuth.model.origin import Source

_SAID = re.compile(r"(?:(?P<glob>.+)=)?(?P<name>[^=]*)", re.DOTALL)


class SourceFormatError(ValueError):
    """What is said names no layout; a sentence for people."""


class Said(NamedTuple):
    name: str
    glob: str | None
    """The paths that it is said of; None for those of which nothing else is."""


def said(texts: Sequence[str]) -> tuple[Said, ...]:
    """Reads what the option says, each time that it is given; raises SourceFormatError."""
    return tuple(map(_said, texts))


def with_layouts(sources: Sequence[Source], said: Sequence[Said]) -> list[Source]:
    """The sources with the layout that is said of their paths: of several globs that fit, by the last."""
    if not said:
        return list(sources)
    return [source._replace(layout=_layout(source, said)) for source in sources]


def unheard(sources: Sequence[Source], said: Sequence[Said]) -> tuple[str, ...]:
    """What is to be said of patterns that fit no path, which are mistakes of whoever wrote them."""
    paths = [source.path for source in sources]
    return tuple(
        f"--source-format '{item.glob}={item.name}' fits no path, so it told nothing. Paths are compared as they stand "
        f"here, whole or from behind a slash: {paths[0]}"
        for item in said
        if paths and item.glob is not None and not any(_fits(path, item.glob) for path in paths)
    )


def _said(text: str) -> Said:
    match = _SAID.fullmatch(text)
    name = match["name"] if match else text
    if name not in names():
        from difflib import get_close_matches

        close = get_close_matches(name, names(), 3)
        meant = f"; did you mean {' or '.join(close)}?" if close else "."
        raise SourceFormatError(f"'{name}' is no format of sources{meant} There are {', '.join(names())}.")
    return Said(name, match["glob"] if match else None)


def _layout(source: Source, said: Sequence[Said]) -> str | None:
    of_path = [item.name for item in said if item.glob is not None and _fits(source.path, item.glob)]
    of_all = [item.name for item in said if item.glob is None]
    return next(reversed([*of_all, *of_path]), source.layout)


def _fits(path: str, glob: str) -> bool:
    """Whether a pattern is that of the path, or of its end behind a slash."""
    return fnmatchcase(path, glob) or fnmatchcase(path, f"*/{glob}")
