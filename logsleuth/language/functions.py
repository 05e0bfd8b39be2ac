"""The functions of conditions and filters: what each takes."""

from typing import NamedTuple


class Function(NamedTuple):
    arguments: tuple[str, ...]
    """What each argument is: ``number``, ``values`` (a field of events, of a binding or of a set), ``series``,
    ``events`` or ``members``; several kinds are joined by ``|``. The last may repeat where ``repeats`` is true."""
    options: dict[str, str]
    """What each option is: ``seconds``, ``steps`` (or a time), ``number``, ``percent`` or ``series``."""
    gives: str
    """``number``, ``truth``, ``values``, or ``same``: the unit of its first argument."""
    repeats: bool = False
    required: tuple[str, ...] = ()


_AGGREGATE = Function(("values|series",), {}, "same")

FUNCTIONS: dict[str, Function] = {
    "count": Function(("events|members|values",), {"within": "seconds"}, "number"),
    "distinct": Function(("values",), {}, "values"),
    "first": _AGGREGATE,
    "last": _AGGREGATE,
    "mean": _AGGREGATE,
    "median": _AGGREGATE,
    "mode": _AGGREGATE,
    "sum": _AGGREGATE,
    "min": Function(("values|series|number",), {}, "same", repeats=True),
    "max": Function(("values|series|number",), {}, "same", repeats=True),
    "abs": Function(("number",), {}, "same"),
    "isnan": Function(("number|series",), {}, "truth"),
    "peers.mode": Function(("number",), {}, "same"),
    "peers.median": Function(("number",), {}, "same"),
    "outlier": Function(("number",), {"factor": "number"}, "truth"),
}
