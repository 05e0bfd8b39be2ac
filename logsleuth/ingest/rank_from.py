"""Who wrote a log, read from its path by the user's own regular expression: ``--rank-from``.

It is asked of paths alone. In lines a number behind ``rank`` may be a place in a group, the size of a matrix or a
count, so an expression that fits the first lines of a log proves nothing of the others.
"""

import re
from collections.abc import Sequence
from functools import partial

from logsleuth.ingest.labels import label
from logsleuth.model.origin import Source, Tag

GROUPS = ("rank", "local_rank", "host", "task", "attempt")
"""Named groups that say something of the writer."""
_MOST_DIGITS = 9
"""Of a number; what is longer is a date or the number of a job."""
_EXAMPLE = r"worker-(?P<rank>\d+)"


class RankFromError(ValueError):
    """The expression cannot be used; ``str()`` says why and what to write instead."""


def compiled(expression: str) -> re.Pattern[str]:
    """The expression, ready to be searched in paths. Raises RankFromError where it is none, or names no writer."""
    try:
        pattern = re.compile(expression)
    except (re.error, OverflowError, RecursionError) as error:
        raise RankFromError(
            f"'{expression}' is no regular expression: {error}. Write it as Python does, for example '{_EXAMPLE}'."
        ) from None
    unknown = sorted(pattern.groupindex.keys() - set(GROUPS))
    if unknown:
        raise RankFromError(
            f"'{expression}' has a group named '{unknown[0]}', and nothing is called that. "
            f"Groups are {', '.join(GROUPS)}; put (?:...) around what only has to match."
        )
    if "rank" not in pattern.groupindex:
        raise RankFromError(
            f"'{expression}' has no group named rank, so it tells no rank. "
            f"Put (?P<rank>...) around the number, for example '{_EXAMPLE}'."
        )
    return pattern


def asked(sources: Sequence[Source], pattern: re.Pattern[str] | None) -> tuple[Sequence[Source], tuple[str, ...]]:
    """The sources, those in whose path the pattern is found with what it tells there; and what to say about that.

    A pattern that is found in no path at all is worth a word.
    """
    if pattern is None:
        return sources, ()
    told = [_labelled(source, pattern) for source in sources]
    found = [match.groupdict() for source in sources if (match := pattern.search(source.path))]
    if not sources or any(not groups["rank"] or _number(groups, "rank") is not None for groups in found):
        return told, ()
    numberless = " with a number as rank" if found else ""
    return told, (
        f"--rank-from '{pattern.pattern}' was found in no path{numberless}, so it told nothing. "
        f"Paths are searched as they stand here: {sources[0].path}",
    )


def _labelled(source: Source, pattern: re.Pattern[str]) -> Source:
    match = pattern.search(source.path)
    if not match:
        return source
    told = match.groupdict()
    number = partial(_number, told)
    known = label(source.path)
    # Where the user says what a number in the path is, it is nothing else: `worker-3` is then no task.
    tag = Tag(number("rank"), number("local_rank"), number("task"), told.get("host") or known.tag.host, known.tag.pid)
    attempt = number("attempt")
    return source._replace(label=known._replace(tag=tag, attempt=known.attempt if attempt is None else attempt))


def _number(told: dict[str, str | None], group: str) -> int | None:
    """The number that a group matched; None where it matched nothing, or anything else."""
    text = told.get(group) or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None
