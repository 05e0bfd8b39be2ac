"""A rule file as what a formatter needs: every token of every declaration, and the comments that stand between them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from logsleuth.language.messages import Message

TEXTS = frozenset(("STRING", "LONG", "REGEX"))
"""The terminals whose every character counts."""


@dataclass(slots=True)
class Leaf:
    """A token, and the comments around it."""

    kind: str
    """The name of its terminal."""
    text: str
    start: int
    end: int
    """Where it stands in the file's text."""
    tight: bool = False
    """Whether nothing stands between it and the token before it."""
    before: list[str] = field(default_factory=list)
    """Comments on lines of their own before it; an empty text stands for blank lines."""
    after: str = ""
    """The comment that follows on its line."""


@dataclass(slots=True)
class Branch:
    kind: str
    """The rule of the grammar that it stands for."""
    parts: list["Leaf | Branch"]


class Source(NamedTuple):
    declarations: list[Branch]
    rest: list[str]
    """The comments after the last declaration."""
    errors: list[Message]
    """What is wrong with the syntax; the rest is of no use then."""


def read_source(file: str, text: str) -> Source:
    """The tokens and comments of a text whose lines end in ``\\n``; ``file`` is the name to blame in errors."""
    from logsleuth.language.cut import cut
    from logsleuth.language.parse import grammar, parse

    # What is parsed but says nothing sensible can be laid out all the same.
    errors = [error for error in parse(file, text).errors if error.code.startswith("LS1")]
    if errors:
        return Source([], [], errors)
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    declarations = []
    for piece in cut(file, text)[0]:
        tree = grammar(every_token=True).parse(piece.text)
        declarations.append(_branch(tree, starts[piece.line - 1] + piece.column - 1))
    return Source(declarations, _place_comments(text, declarations), [])


def leaves(branch: Branch) -> Iterator[Leaf]:
    """The tokens of a branch, in their order."""
    for part in branch.parts:
        if isinstance(part, Leaf):
            yield part
        else:
            yield from leaves(part)


def first_leaf(part: Leaf | Branch) -> Leaf:
    return part if isinstance(part, Leaf) else next(leaves(part))


def is_hole(branch: Branch) -> bool:
    """Whether the braces of this branch hold a name and not clauses."""
    return any(
        isinstance(part, Leaf) and isinstance(after, Leaf) and part.text == "{" and after.text != "}"
        for part, after in pairwise(branch.parts)
    )


def _branch(tree: Any, offset: int) -> Branch:
    """A tree of lark's; ``offset`` is where its declaration starts."""
    parts: list[Leaf | Branch] = []
    for child in tree.children:
        if isinstance(child, str):
            parts.append(_leaf(child, offset))
        elif child is not None and (branch := _branch(child, offset)).parts:
            parts.append(branch)
    branch = Branch(str(tree.data), _enclose(parts))
    _join(branch)
    return branch


def _enclose(parts: list[Leaf | Branch]) -> list[Leaf | Branch]:
    """The same parts, with what stands between brackets as a branch of its own."""
    shut = next((n for n, part in enumerate(parts) if isinstance(part, Leaf) and part.text in (")", "]")), 0)
    opened = next((n for n, part in enumerate(parts) if isinstance(part, Leaf) and part.text in ("(", "[")), shut)
    if shut - opened < 2:
        return parts
    within = Branch("within", parts[opened + 1 : shut])
    _join(within)
    return [*parts[: opened + 1], within, parts[shut], *_enclose(parts[shut + 1 :])]


def _leaf(token: Any, offset: int) -> Leaf:
    text = str(token) if token.type in TEXTS else " ".join(token.split())
    return Leaf(token.type, text, offset + token.start_pos, offset + token.end_pos)


def _join(branch: Branch) -> None:
    """Marks the tokens of a branch that stand close to what comes before them."""
    hole = is_hole(branch)
    for before, part in pairwise(branch.parts):
        leaf = first_leaf(part)
        opened = isinstance(before, Leaf) and before.text in ("(", "[")
        named = isinstance(before, Leaf) and before.text not in ("=", "in") and before.kind in ("NAME", "DOTTED")
        sign = branch.kind == "negative"
        colon = isinstance(before, Leaf) and before.text == ":"
        closes = isinstance(part, Leaf) and part.text in (")", "]", ",", ":")
        calls = named and isinstance(part, Leaf) and part.text in ("(", "[")
        braces = hole and isinstance(before, Leaf) and (before.text == "{" or leaf.text == "}")
        leaf.tight = leaf.tight or opened or sign or colon or closes or calls or braces


def _place_comments(text: str, declarations: list[Branch]) -> list[str]:
    """Gives each token the comments around it; those after the last one are left over."""
    last: Leaf | None = None
    for declaration in declarations:
        for leaf in leaves(declaration):
            gap = text[last.end if last else 0 : leaf.start]
            after, leaf.before = _comments(gap, last is not None)
            if last:
                last.after = after
            last = leaf
    gap = text[last.end if last else 0 :]
    after, rest = _comments(gap, last is not None)
    if last:
        last.after = after
    return rest


def _comments(gap: str, follows: bool) -> tuple[str, list[str]]:
    """The comment on the line of the token before this gap, and those on lines of their own with an empty text for
    blank lines."""
    lines = [line.strip() for line in gap.split("\n")]
    after = lines.pop(0) if follows else ""
    own = lines[:-1] if len(lines) and not lines[-1] else lines
    out: list[str] = []
    for line in own:
        if line or (out and out[-1]) or not out:
            out.append(line)
    return after, out
