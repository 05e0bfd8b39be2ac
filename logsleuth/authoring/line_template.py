"""Makes a template of a line: what changes from line to line becomes a typed hole, the rest stays."""

import re
from typing import NamedTuple

from logsleuth.language.program import ORIGIN_FIELDS
from logsleuth.model.event import FieldValue
from logsleuth.tokenize import ansi
from logsleuth.tokenize.framing import frame
from logsleuth.tokenize.types import FIELD_TYPES

LONGEST_SAMPLE = 1_000
"""Characters of a line that are kept as a sample."""
_LONGEST_TEMPLATE = 240
"""Characters of a message that become a template, which need not reach the end of a line."""
_MOST_HOLES = 8
_UNITS = r"(?:ns|us|ms|secs?|seconds|s|minutes|min|hours|h|days|d)(?![\w.])"
_CHANGING = re.compile(
    r"""(?:"(?:msg|message|event|error|err|level|levelname|severity)"[ ]?:[ ]?"|"[\w.@/-]{1,40}"[ ]?:)
    |(?P<device>(?<!\w)(?:[\da-fA-F]{4}|[\da-fA-F]{8}):[\da-fA-F]{2}:[\da-fA-F]{2}(?:\.[\da-f])?(?![\w.]|:[\da-fA-F]))
    |(?P<moment>\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\b)
    |(?P<address>(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|\[[\da-f:]{2,}\]:\d+|[A-Za-z][\w.-]*\d:\d{4,5})(?![\w.:]))
    |(?P<path>(?<![\w.:/])/[\w.+@=-]+(?:/[\w.+@=-]+)+/?)
    |(?P<id>\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,64}\b)
    |(?P<hex>\b0[xX][\dA-Fa-f]{1,16}\b)
    |(?P<bytes>(?<![\w.-])\d+(?:\.\d+)?[ ]?(?:[KMGT]i?B|bytes)(?![A-Za-z]))
    |(?P<duration>(?<![\w.-])(?:\d+(?:\.\d+)?[ ]?"""
    + _UNITS
    + r"""|\d{1,4}:\d\d:\d\d(?![:.\d])))
    |(?P<percent>(?<![\w.-])\d+(?:\.\d+)?[ ]?%)
    |(?P<version>(?<![\w.])v?\d{1,5}(?:\.\d{1,5}){2,3}(?:[.+-]?[A-Za-z]\w{0,15})?(?!\w|\.\d))
    |\b[Rr]ank(?P<tag>\d{1,7})(?![\w.-])
    |(?P<measure>(?<![\w.-])-?\d{1,9}(?:\.\d{1,9})?(?=(?:[kMG]?Hz|m?W|C|V|rpm|[KMG]bps|[KMG]b/s)(?![\w.])))
    |(?P<float>(?<![\w.])-?(?:\d{1,15}\.\d{1,15}(?:[eE][-+]?\d{1,2})?|\d{1,9}[eE][-+]?\d{1,2})(?![\w.]))
    |(?P<int>(?<![\w.])(?<!\w-)-?\d{1,18}(?![\w.%]|[-:]\d))
    |'(?P<single>[^'"`{}]{1,80})'(?!\w)|"(?P<double>(?![ ]?[,:])[^'"`{}]{1,80})"|`(?P<back>[^'"`{}]{1,80})`""",
    re.VERBOSE,
)
"""First are keys of JSON, which stay; so do the texts behind those that tell what has happened."""
_TYPES = {"id": "word", "path": "word", "device": "word", "measure": "float", "tag": "int", "version": "word"}
_QUOTES = ("single", "double", "back")
_DEFAULT_NAMES = {
    "moment": "moment", "device": "device", "measure": "value", "address": "address", "path": "path", "id": "id",
    "hex": "number", "bytes": "size", "duration": "duration", "percent": "share", "float": "value", "int": "number",
    "version": "version",
}  # fmt: skip
_TELLING = frozenset(("address", "bytes", "device", "duration", "moment", "percent", "version"))
"""What is better named by what it is than by a verb before it (``took 12 GiB``)."""
_NAMED = re.compile(r"([A-Za-z][A-Za-z0-9_]{0,30})(?:\([A-Za-z]{1,8}\))?\"?(?:[ ]?[=:#][ ]?|[ ])[\"'`(\[<]?$")
_ABOUT = {"rank": ("rank", "r"), "local_rank": ("local_rank", "l")}
_NO_NAMES = frozenset(
    (
        "a", "about", "after", "all", "an", "and", "are", "as", "at", "be", "been", "before", "between", "by", "every",
        "exactly", "false", "for", "from", "had", "has", "have", "in", "is", "most", "no", "not", "of", "on", "only",
        "or", "over", "seen", "silent", "some", "than", "the", "to", "true", "under", "was", "were", "with", "within",
    )
)  # fmt: skip
"""Words that name nothing; among them are those that cannot be spoken of in a condition."""


class TypedHole(NamedTuple):
    """A part of a line that changes."""

    name: str
    type: str
    text: str
    """What stands there in this line."""

    @property
    def value(self) -> FieldValue | None:
        """Its value in base units; None where it has none."""
        return FIELD_TYPES[self.type].value(self.text)


Piece = str | TypedHole


class LineTemplate(NamedTuple):
    pieces: tuple[Piece, ...]
    """Of the message, in order; the line may go on behind them."""
    about: tuple[tuple[str, str], ...]
    """Whom the line names: a key of ``about``, and the name of a hole."""
    rank: int | None
    """Of the writer, where the framing tells it."""

    @property
    def holes(self) -> list[TypedHole]:
        """What changes."""
        return [piece for piece in self.pieces if isinstance(piece, TypedHole)]

    def bare(self) -> "LineTemplate":
        """The same without holes: the text of this very line."""
        pieces = tuple(piece.text if isinstance(piece, TypedHole) else piece for piece in self.pieces)
        return LineTemplate(pieces, (), self.rank)

    def longest_text(self) -> "LineTemplate":
        """No more than the longest text that does not change."""
        texts = [piece.strip() for piece in self.pieces if isinstance(piece, str)]
        return LineTemplate((max(texts, key=len, default=""),), (), self.rank)


def clean(line: str) -> str:
    """A line as it can stand in a rule file: without colours, cut, and other control characters as blanks."""
    data, _ = ansi.strip(line.encode("utf-8", "replace"))
    text = data.decode("utf-8", "replace")[:LONGEST_SAMPLE]
    return "".join(c if c.isprintable() or c == "\t" else " " for c in text).rstrip()


def template_of(line: str, *, whole: bool = False) -> LineTemplate:
    """The template of a line that ``clean`` has made; its framing is left out, and so is the name of an exception
    before the message, unless the ``whole`` is asked for."""
    data = line.encode()
    framed = frame(data)
    message = data[framed.start if whole else framed.body :].decode("utf-8", "replace").strip()
    pieces, about = _pieces(message[:_LONGEST_TEMPLATE].rstrip())
    return LineTemplate(tuple(pieces), tuple(about), framed.tag.rank)


def _pieces(message: str) -> tuple[list[Piece], list[tuple[str, str]]]:
    pieces: list[Piece] = []
    about: list[tuple[str, str]] = []
    taken: set[str] = set()
    at = 0
    for found in _CHANGING.finditer(message):
        if (kind := found.lastgroup) is None:
            continue
        start, end = found.span(kind)
        if len(taken) == _MOST_HOLES:
            # The rest of the line is not asked for.
            message = message[: found.start()].rstrip()
            break
        if start == at and pieces and not isinstance(pieces[-1], str):
            continue  # Two holes side by side could share what stands there in many ways.
        pieces.append(message[at:start])
        text = message[start:end]
        # ``[rank3] saved``, which is no framing without a colon behind it: whom the line concerns changes too.
        word = "rank" if kind == "tag" else _word_before(message[: found.start()], kind)
        type_of = ("text" if " " in text or "\t" in text else "word") if kind in _QUOTES else _TYPES.get(kind, kind)
        if type_of == "int" and word in _ABOUT and not any(key == _ABOUT[word][0] for key, _ in about):
            key, word = _ABOUT[word]
            about.append((key, word))
        name = _unique(word, taken)
        pieces.append(TypedHole(name, type_of, text))
        at = end
    pieces.append(message[at:])
    return [piece for piece in pieces if piece], about


def _word_before(before: str, kind: str) -> str:
    """The name of a hole: what the text before it calls it, else what it is."""
    named = _NAMED.search(before[-60:])
    if named and kind in _TELLING and not set(named[0]) & set("=:#"):
        named = None
    word = named[1].lower().strip("_") if named else ""
    if word == "rank" and re.search(r"local[ _]rank\W*$", before, re.IGNORECASE):
        word = "local_rank"
    if (
        not word
        or word in _NO_NAMES
        or word.endswith(("error", "exception", "warning"))
        or not re.fullmatch(r"[a-z][a-z0-9_]*", word)
    ):
        return _DEFAULT_NAMES.get(kind, "name")
    return word if word not in ORIGIN_FIELDS or word in _ABOUT else f"{word}_told"


def _unique(word: str, taken: set[str]) -> str:
    word = f"{word}_told" if word in ORIGIN_FIELDS else word
    name, number = word, 2
    while name in taken:
        name, number = f"{word}_{number}", number + 1
    taken.add(name)
    return name
