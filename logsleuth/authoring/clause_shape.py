"""What the parts of a clause are to whoever lays it out: its head, its segments, what stands beneath it."""

from logsleuth.authoring.source_tree import TEXTS, Branch, Leaf, first_leaf, is_hole, leaves

WIDTH = 120
_COMPOUND = frozenset((("for", "each"),))
"""Two words that head a clause as one."""
_BENEATH = frozenset(("also", "gives"))
"""The words that go on a line of their own below the clause: ``gives`` only where it finds no room."""
BREAKS_BEFORE = frozenset(("and", "or", "+", "-", "*", "/"))
OPENING = frozenset("([")
CLOSING = frozenset(")]")


def all_leaves(parts: list[Leaf | Branch]) -> list[Leaf]:
    return [leaf for part in parts for leaf in ([part] if isinstance(part, Leaf) else leaves(part))]


def width_of(parts: list[Leaf | Branch]) -> int | None:
    """How wide parts are in one line; None where a comment stands between them."""
    row = all_leaves(parts)
    if any(leaf.after for leaf in row[:-1]) or any(comment for leaf in row[1:] for comment in leaf.before):
        return None
    return sum(len(leaf.text) + (0 if leaf.tight else 1) for leaf in row) - (0 if row and row[0].tight else 1)


def unbroken(parts: list[Leaf | Branch], reserve: int) -> int:
    """The columns that must follow at once: up to the first part that can be broken, or to the end."""
    width = 0
    for part in parts:
        if isinstance(part, Branch) and any(leaf.text in OPENING for leaf in leaves(part)):
            return width
        own = width_of([part]) or 0
        width += own + (0 if first_leaf(part).tight else 1)
    return width + reserve


def cut_segments(parts: list[Leaf | Branch]) -> list[list[Leaf | Branch]]:
    """The parts cut at the places where they may be broken."""
    while len(parts) == 1 and isinstance(parts[0], Branch):
        parts = parts[0].parts
    out: list[list[Leaf | Branch]] = [[]]
    for number, part in enumerate(parts):
        before = parts[number - 1] if number else None
        comma = isinstance(before, Leaf) and before.text == ","
        if out[-1] and (comma or (isinstance(part, Leaf) and part.text in BREAKS_BEFORE) or is_step(part)):
            out.append([])
        out[-1].append(part)
    return out


def is_step(part: Leaf | Branch) -> bool:
    return isinstance(part, Branch) and first_leaf(part).text in ("then", "without")


def head_of(parts: list[Leaf | Branch]) -> list[Leaf]:
    first = parts[0]
    if not isinstance(first, Leaf):
        return []
    second = parts[1] if len(parts) > 1 else None
    if isinstance(second, Leaf) and (first.text, second.text) in _COMPOUND:
        return [first, second]
    return [first]


def body_start(branch: Branch) -> int:
    """The number of the part behind the brace that opens clauses; 0 where there is none."""
    if is_hole(branch):
        return 0
    return next((n + 1 for n, part in enumerate(branch.parts) if isinstance(part, Leaf) and part.text == "{"), 0)


def opened(parts: list[Leaf | Branch]) -> list[Leaf | Branch]:
    """The parts of a clause, where a wording that ends it counts as parts of its own."""
    last = parts[-1]
    if isinstance(last, Branch) and (len(parts) == 1 or len(split_beneath(last.parts)[1])):
        return [*parts[:-1], *opened(last.parts)]
    return parts


def split_beneath(parts: list[Leaf | Branch]) -> tuple[list[Leaf | Branch], list[list[Leaf | Branch]]]:
    """What stands on the clause's own line, and what on lines below it."""
    rows: list[list[Leaf | Branch]] = [[]]
    for part in parts:
        if rows[-1] and first_leaf(part).text in _BENEATH:
            rows.append([])
        rows[-1].append(part)
    return rows[0], [row[0].parts if len(row) == 1 and isinstance(row[0], Branch) else row for row in rows[1:]]


def begins_with_text(parts: list[Leaf | Branch]) -> bool:
    return any(leaf.kind in TEXTS for leaf in all_leaves(parts[:2])[:2])


def named_value(clause: Leaf | Branch) -> str:
    """The name that a clause gives to what follows its ``=``; empty where it gives none."""
    if isinstance(clause, Branch) and len(clause.parts) > 2:
        name, equals = clause.parts[1], clause.parts[2]
        if isinstance(name, Leaf) and isinstance(equals, Leaf) and equals.text == "=":
            return name.text
    return ""


def runs(clauses: list[Leaf | Branch]) -> list[tuple[int, Leaf | Branch]]:
    """The clauses, each with the number of its run: like ones that nothing separates."""
    number, word = 0, ""
    out = []
    for clause in clauses:
        first = first_leaf(clause)
        if first.text != word or first.before:
            number += 1
        word = first.text
        out.append((number, clause))
    return out


def hanging_bracket(branch: Branch) -> int:
    """The number of the bracket of a list that does not fit in a line, or ends in a comma; 0 where there is none."""
    parts = branch.parts
    last, items = parts[-1], parts[-2]
    if not isinstance(last, Leaf) or last.text not in CLOSING:
        return 0
    width = width_of(parts)
    hangs = width is None or width > WIDTH or all_leaves(parts)[-2].text == ","
    return len(parts) - (3 if isinstance(items, Branch) else 2) if hangs else 0
