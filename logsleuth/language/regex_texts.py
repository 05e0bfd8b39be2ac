"""Of which texts must a line hold one if a regular expression is to match it?

Read from its tree: what stands in a row and can be only few texts is put together (``[Ff]ailed(?: to)? read`` is four),
and every such row gives a set. What is looked at without being taken up neither adds to a row nor ends it.
"""

from collections.abc import Callable, Iterable

from logsleuth.language.regex_tree import Again, Atomic, Chars, Edge, Either, Group, Look, Repeat, Sequence, Tree

MOST = 8
"""Texts that a row is followed into."""
_MOST_ALTERNATIVES = 32
"""Texts of a set of alternatives."""
_MOST_TIMES = 8
"""Repetitions that are written out."""
_ENDS = 1 << 10 | 1 << 13
"""Characters that end a line, so that no line holds them."""

Best = Callable[[list[set[str]]], set[str]]


def texts_of(tree: Tree, best: Best) -> list[set[str]]:
    """Sets of texts, of each of which every line that matches holds one. ``best`` chooses among those of an
    alternative."""
    rows = _Rows(best)
    rows.read(tree)
    return [texts for row in rows.ended() if (texts := {_decoded(text) for text in row}) and "" not in texts]


def _decoded(text: bytes) -> str:
    """The text without parts of characters at its ends; empty where others stand inside."""
    decoded = text.decode(errors="ignore")
    return decoded if decoded.encode() in text else ""


class _Rows:
    """The rows of a tree, found from its start to its end."""

    def __init__(self, best: Best) -> None:
        self._best = best
        self._sets: list[set[bytes]] = []
        self._row = {b""}
        """What a match may have taken up since the row began."""

    def ended(self) -> list[set[bytes]]:
        """All sets, when everything has been read."""
        self._end()
        return self._sets

    def read(self, tree: Tree) -> None:
        """Goes on behind what was read before."""
        texts = _all_texts(tree)
        if texts is not None:
            self._add(texts)
            return
        match tree:
            case Sequence(items):
                for item in items:
                    self.read(item)
            case Group(item) | Atomic(item):
                self.read(item)
            case Either(items):
                self._end()
                self._keep(self._of_alternatives(items))
            case Repeat(item, least) if least > 0:
                # It begins with the first time and ends with the last; what stands between is not followed.
                self.read(item)
                self._end()
                if (last := _all_texts(item)) is not None:
                    self._row = last
            case Look(item, is_ahead=True, is_negative=False):
                self._sets += _inside(item, self._best)
            case _:
                self._end()

    def _add(self, texts: set[bytes]) -> None:
        longer = {before + text for before in self._row for text in texts}
        if len(longer) <= MOST:
            self._row = longer
        else:
            self._end()
            self._row = texts

    def _end(self) -> None:
        self._keep(self._row)
        self._row = {b""}

    def _keep(self, texts: set[bytes]) -> None:
        if texts and b"" not in texts:
            self._sets.append(texts)

    def _of_alternatives(self, items: Iterable[Tree]) -> set[bytes]:
        """A text for each of the alternatives; none where one of them has none."""
        chosen = [{text.encode() for text in self._best(texts_of(item, self._best))} for item in items]
        together = set[bytes]().union(*chosen)
        return together if all(chosen) and len(together) <= _MOST_ALTERNATIVES else set()


def _inside(tree: Tree, best: Best) -> list[set[bytes]]:
    return [{text.encode() for text in texts} for texts in texts_of(tree, best)]


def _all_texts(tree: Tree) -> set[bytes] | None:
    """Everything that a tree may take up, where that is few texts; None where it is not."""
    match tree:
        case Chars(mask):
            mask &= ~_ENDS
            return _characters(mask) if 0 < mask.bit_count() <= MOST else None
        case Group(item) | Atomic(item):
            return _all_texts(item)
        case Edge() | Look(is_negative=True) | Look(is_ahead=False):
            return {b""}
        case Sequence(items):
            return _one_behind_another(items)
        case Either(items):
            found = [_all_texts(item) for item in items]
            together = set[bytes]().union(*(texts for texts in found if texts is not None))
            return together if None not in found and len(together) <= MOST else None
        case Repeat(item, least, most) if most is not None and most <= _MOST_TIMES:
            return _repeated(item, least, most)
        case Look() | Repeat() | Again():
            return None


def _one_behind_another(items: Iterable[Tree]) -> set[bytes] | None:
    row = {b""}
    for item in items:
        texts = _all_texts(item)
        if texts is None:
            return None
        row = {before + text for before in row for text in texts}
        if len(row) > MOST:
            return None
    return row


def _repeated(item: Tree, least: int, most: int) -> set[bytes] | None:
    together = set[bytes]()
    for times in range(least, most + 1):
        texts = _one_behind_another([item] * times)
        if texts is None:
            return None
        together |= texts
    return together if len(together) <= MOST else None


def _characters(mask: int) -> set[bytes]:
    found = set()
    while mask:
        found.add(bytes((mask.bit_length() - 1,)))
        mask ^= 1 << mask.bit_length() - 1
    return found
