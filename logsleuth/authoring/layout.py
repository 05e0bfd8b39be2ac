"""Lays the declarations of a rule file out in the one style that docs/editors/README.md describes.

The layout follows from the tokens, their tree and their comments alone, so that laying out twice changes nothing. It
goes by the shape of the grammar: braces that hold clauses get a line for each, a line that is too long is broken at
``and``, ``or`` and the steps of patterns first, at the commas of brackets last, and texts are never broken.
"""

from itertools import groupby

from logsleuth.authoring.clause_shape import (
    BREAKS_BEFORE,
    CLOSING,
    OPENING,
    WIDTH,
    all_leaves,
    begins_with_text,
    body_start,
    cut_segments,
    hanging_bracket,
    head_of,
    named_value,
    opened,
    runs,
    split_beneath,
    unbroken,
    width_of,
)
from logsleuth.authoring.source_tree import Branch, Leaf, first_leaf

_STEP = 2
_COLUMNED = frozenset(("rule", "adjust"))
"""The declarations whose clauses have their values in one column."""
_WORD = 8
"""The width of a clause's word there; longer words push their value to the right."""


def lay_out(declarations: list[Branch], rest: list[str]) -> str:
    """The text of a file; ``rest`` are the comments behind its last declaration."""
    out: list[str] = []
    word, small = "", False
    for declaration in declarations:
        first = first_leaf(declaration)
        above, first.before = first.before, []
        page = _Page()
        page.declaration(declaration)
        was_small, small = small, len(page.lines) == 1 and "\n" not in page.lines[0]
        # Declarations of one kind and one line each may stand together; all others have a blank line before them.
        if out and above[:1] != [""] and not (small and was_small and first.text == word):
            above = ["", *above]
        out += [*above, *page.lines]
        word = first.text
    out += rest
    text = "\n".join(out).strip("\n")
    return f"{text}\n" if text else ""


class _Page:
    """The lines of one declaration as they grow."""

    def __init__(self) -> None:
        self.lines: list[str] = [""]
        self._indent = 0
        """Where a line that a comment forces begins."""
        self._broken = False
        """Whether a comment stands at the end of the last line."""

    def declaration(self, branch: Branch) -> None:
        columned = first_leaf(branch).text in _COLUMNED
        if hung := hanging_bracket(branch):
            self._hanging_list(branch, hung)
        else:
            self._clause(branch, 0, columned=False, inner_columned=columned, pad=0)

    # Lines and tokens

    @property
    def _column(self) -> int:
        last = self.lines[-1]
        return len(last) - last.rfind("\n") - 1

    def _new_line(self, indent: int) -> None:
        if self.lines[-1].strip():
            self.lines[-1] = self.lines[-1].rstrip(" ") if not self._broken else self.lines[-1]
            self.lines.append("")
        self.lines[-1] = " " * indent
        self._broken = False

    def _lead(self, leaf: Leaf, base: int) -> None:
        """What has to stand before a token: the comments above it, or a line of its own after another's comment."""
        if leaf.before or self._broken:
            comments = [comment for comment in leaf.before if comment]
            if comments or self._broken:
                self._new_line(base)
            for comment in comments:
                self.lines[-1] += comment
                self._new_line(base)
        leaf.before = []

    def _leaf(self, leaf: Leaf, base: int) -> None:
        self._lead(leaf, base)
        self.lines[-1] += ("" if self._fresh or leaf.tight else " ") + leaf.text
        if leaf.after:
            self.lines[-1] += f"  {leaf.after}"
            self._broken = True

    @property
    def _fresh(self) -> bool:
        line = self.lines[-1]
        return not line.strip() or (line.endswith(" ") and not self._broken)

    def _fits(self, parts: list[Leaf | Branch], reserve: int) -> bool:
        width = width_of(parts)
        lead = 0 if self._fresh or first_leaf(parts[0]).tight else 1
        return width is not None and self._column + lead + width + reserve <= WIDTH

    # Clauses

    def _body(self, parts: list[Leaf | Branch], indent: int, columned: bool) -> None:
        """The clauses between braces, and the brace that ends them, which is the last of the parts."""
        clauses, end = parts[:-1], first_leaf(parts[-1])
        for _, group in groupby(runs(clauses), key=lambda item: item[0]):
            run = [clause for _, clause in group]
            named = [clause for clause in run if columned and named_value(clause)]
            pad = max((len(named_value(clause)) for clause in named), default=0) if len(named) == len(run) else 0
            for clause in run:
                self._comments_above(first_leaf(clause), indent + _STEP, opens=clause is clauses[0])
                self._new_line(indent + _STEP)
                branch = clause if isinstance(clause, Branch) else Branch("", [clause])
                self._clause(branch, indent + _STEP, columned, False, pad)
        while end.before and not end.before[-1]:
            end.before.pop()
        end.tight = not clauses
        self._comments_above(end, indent + _STEP, opens=not clauses)
        if clauses or self._broken or self.lines[-1].lstrip().startswith("#"):
            self._new_line(indent)
        self._leaf(end, indent)

    def _comments_above(self, leaf: Leaf, indent: int, opens: bool) -> None:
        """The comments and blank lines before a clause."""
        comments, leaf.before = leaf.before, []
        if opens and comments[:1] == [""]:
            comments = comments[1:]
        for comment in comments:
            self._new_line(indent)
            if comment:
                self.lines[-1] += comment
            else:
                self.lines[-1] = ""
                self.lines.append("")

    def _clause(self, branch: Branch, indent: int, columned: bool, inner_columned: bool, pad: int) -> None:
        main, beneath = split_beneath(opened(branch.parts))
        body = body_start(branch)
        if body:
            main, beneath = branch.parts[:body], []
        self._line(main, indent, columned, pad)
        for part in beneath:
            # A text of several lines has what follows it below.
            beside = first_leaf(part[0]).text == "gives" and not any("\n" in leaf.text for leaf in all_leaves(main))
            if beside and self._fits(part, 0) and not self._broken:
                self._flow(part, indent + _STEP, 0)
            else:
                first = first_leaf(part[0])
                first.before = [comment for comment in first.before if comment]
                self._comments_above(first, indent + _STEP, opens=False)
                self._new_line(indent + _STEP)
                self._line(part, indent + _STEP, False, 0)
        if body:
            self._body(branch.parts[body:], indent, inner_columned)

    def _line(self, parts: list[Leaf | Branch], indent: int, columned: bool, pad: int) -> None:
        """The words of a clause, and what follows them under the first of it."""
        head = head_of(parts)
        continued = indent + _STEP
        for leaf in head:
            self._leaf(leaf, continued)
        if len(head) == len(parts):
            return
        width = sum(len(leaf.text) + 1 for leaf in head) - 1
        width = max(width, _WORD) if columned else width
        base = indent + width + 1
        if not self._broken:
            self.lines[-1] += " " * (base - self._column)
        value = parts[len(head) :]
        equals = next((n for n, part in enumerate(value) if isinstance(part, Leaf) and part.text == "="), None)
        if equals is not None:
            base = self._named(value[: equals + 1], base, pad)
            value = value[equals + 1 :]
        if value and begins_with_text(value):
            for leaf in all_leaves(value):
                self._leaf(leaf, base)
        else:
            self._flow(value, base, 0)

    def _named(self, parts: list[Leaf | Branch], base: int, pad: int) -> int:
        """What is named, at least ``pad`` columns wide, and its ``=``; where what follows goes on."""
        start = self._column
        for part in parts[:-1]:
            self._flow([part], base, 0)
        if pad and not self._broken:
            self.lines[-1] += " " * (start + pad + 1 - self._column)
        self._flow(parts[-1:], base, 0)
        return base if self._broken else max(base, self._column + 1)

    # Breaking what is too long

    def _flow(self, parts: list[Leaf | Branch], base: int, reserve: int) -> None:
        """Parts in a row, broken where they do not fit; ``reserve`` columns are kept for what closes them."""
        if not parts:
            return
        self._lead(first_leaf(parts[0]), base)
        if self._fits(parts, reserve):
            for leaf in all_leaves(parts):
                self._leaf(leaf, base)
            return
        segments = cut_segments(parts)
        if len(segments) == 1:
            self._row(parts, base, reserve)
            return
        for number, segment in enumerate(segments):
            kept = reserve if number == len(segments) - 1 else 0
            if number and not self._broken and not self._fits(segment, kept):
                self._new_line(base)
            self._lead(first_leaf(segment[0]), base)
            if self._fits(segment, kept):
                for leaf in all_leaves(segment):
                    self._leaf(leaf, base)
            else:
                self._row(segment, base, kept)

    def _row(self, parts: list[Leaf | Branch], base: int, reserve: int) -> None:
        """Parts without a place to break between them: what is within each is broken instead."""
        within = base
        for number, part in enumerate(parts):
            if isinstance(part, Branch):
                self._flow(part.parts, within, unbroken(parts[number + 1 :], reserve))
                continue
            self._leaf(part, base if part.text in CLOSING else within)
            if part.text in CLOSING:
                within = base
            elif part.text in OPENING and not self._broken:
                within = self._column
            elif part.text in BREAKS_BEFORE and number == 0 and not self._broken:
                base = within = self._column + 1

    def _hanging_list(self, branch: Branch, opening: int) -> None:
        """A list whose items have lines of their own between its brackets."""
        parts = branch.parts
        self._line(parts[: opening + 1], 0, False, 0)
        self._new_line(_STEP)
        within, end = parts[opening + 1], first_leaf(parts[-1])
        while end.before and not end.before[-1]:
            end.before.pop()
        if within is not parts[-1]:
            self._flow([within], _STEP, 0)
        comments, end.before = [comment for comment in end.before if comment], []
        for comment in comments:
            self._new_line(_STEP)
            self.lines[-1] += comment
        self._new_line(0)
        self._leaf(end, 0)
