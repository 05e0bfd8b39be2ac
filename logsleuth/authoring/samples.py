"""Which sample of an event shows best what a rule asks of it."""

from collections.abc import Collection, Mapping, Sequence

from logsleuth.language import syntax as s


def best_sample(samples: Sequence[s.Sample], asked: s.Node | None, fields: Collection[str] = ()) -> s.Sample | None:
    """The first sample that passes the filter for certain and gives one of these fields, else the one that comes
    nearest to that; None where there is no sample."""
    ranked = {True: 0, None: 1, False: 2}

    def distance(sample: s.Sample) -> tuple[int, bool, bool]:
        gives = dict(sample.gives)
        return ranked[_holds(asked, gives)], bool(fields) and gives.keys().isdisjoint(fields), not gives

    return min(samples, key=distance, default=None)


def _holds(node: s.Node | None, gives: Mapping[str, object]) -> bool | None:
    """Whether a filter holds of what a sample says that it gives; None where that does not tell."""
    match node:
        case None:
            return True
        case s.AllOf():
            return _all([_holds(item, gives) for item in node.items])
        case s.AnyOf():
            return _not(_all([_not(_holds(item, gives)) for item in node.items]))
        case s.Not():
            return _not(_holds(node.item, gives))
        case s.Operation(left=s.Field(name=name)) if name in gives:
            return _compared(node, gives[name])
        case _:
            return None


def _compared(node: s.Operation, got: object) -> bool | None:
    if node.operator == "is known":
        return True
    if isinstance(node.right, s.Values) and node.operator in ("in", "not in"):
        return (got in node.right.items) is (node.operator == "in")
    if not isinstance(node.right, s.Value):
        return None
    asked = node.right.value
    if node.operator in ("==", "!="):
        return (got == asked) is (node.operator == "==")
    if isinstance(got, str) and isinstance(asked, str):
        return {"contains": asked in got, "starts with": got.startswith(asked)}.get(node.operator)
    if isinstance(got, int | float) and isinstance(asked, int | float):
        return {"<": got < asked, "<=": got <= asked, ">": got > asked, ">=": got >= asked}.get(node.operator)
    return None


def _not(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _all(truths: Sequence[bool | None]) -> bool | None:
    if False in truths:
        return False
    return None if None in truths else True
