"""The functions of conditions and filters: what each takes and gives."""

from typing import NamedTuple


class Function(NamedTuple):
    arguments: int
    """How many it takes without a name."""
    options: tuple[str, ...]
    """What may be given by name."""
    gives: str
    """The unit of its value: ``same`` for that of its first argument, ``percent``, or nothing."""
    repeats: bool = False
    """Whether it takes further arguments."""
    required: tuple[str, ...] = ()
    """Options that must be given."""
    of_series: bool = False
    """Whether its first argument must be a series."""
    of_event: bool = False
    """Whether it must be an event."""
    of_numbers: bool = False
    """Whether its arguments must be numbers, or fields that hold some."""
    is_condition: bool = False
    """Whether it gives true or false, not a value."""


_OF_VALUES = Function(1, ("over",), "same")
"""Of the values of a field (of events, of a binding, over a set) or of a series; ``over`` is for series."""
_OF_LEVEL = Function(1, ("over", "busy"), "same", of_numbers=True)
"""The same; ``busy`` is for series too."""
_TREND = ("over", "at_least", "gain")

FUNCTIONS: dict[str, Function] = {
    "count": Function(1, ("within",), ""),
    "distinct": Function(1, (), "same"),
    "first": _OF_VALUES,
    "last": _OF_VALUES,
    "mean": _OF_LEVEL,
    "median": _OF_LEVEL,
    "mode": Function(1, (), "same"),
    "sum": Function(1, (), "same", of_numbers=True),
    "min": Function(1, ("over",), "same", repeats=True, of_numbers=True),
    "max": Function(1, ("over",), "same", repeats=True, of_numbers=True),
    "known": Function(1, (), "same", repeats=True),
    "abs": Function(1, (), "same", of_numbers=True),
    "isnan": Function(1, (), "", of_numbers=True, is_condition=True),
    "peers.mode": Function(1, (), "same"),
    "peers.median": Function(1, (), "same", of_numbers=True),
    "peers.max": Function(1, (), "same", of_numbers=True),
    "outlier": Function(1, ("factor",), "", of_numbers=True, is_condition=True),
    "slope": Function(1, ("over",), "same", of_series=True),
    "rising": Function(1, (*_TREND, "busy"), "", of_series=True, is_condition=True),
    "falling": Function(1, _TREND, "", of_series=True, is_condition=True),
    "rhythm": Function(1, (), "seconds", of_series=True),
    "quiet": Function(1, (), "seconds", repeats=True, of_event=True),
    "waiting": Function(1, (), "seconds", of_event=True),
    "silence": Function(1, (), "seconds", of_event=True),
    "beat": Function(1, (), "seconds", of_event=True),
    "pause": Function(1, (), "seconds", of_event=True),
    "behind": Function(1, (), "seconds", of_event=True),
    "lag": Function(1, ("of_rank_0",), "seconds", of_event=True),
    "due": Function(1, (), "", of_event=True),
    "climbing": Function(1, _TREND, "", of_series=True, is_condition=True),
    "shift": Function(1, ("over",), "", of_series=True),
    "flat": Function(1, ("over", "at_least"), "", of_series=True, is_condition=True),
    "spike": Function(1, ("factor",), "", required=("factor",), of_series=True, is_condition=True),
    "jump": Function(1, ("factor",), "", required=("factor",), of_series=True, is_condition=True),
    "level": Function(1, ("over", "busy"), "same", of_series=True),
    "baseline": Function(1, ("last",), "same", of_series=True),
    "spikes": Function(1, ("gain", "noise", "longest"), "", of_series=True),
    "departure": Function(1, ("gain", "noise", "at_least"), "", of_series=True),
    "steady": Function(1, ("noise", "at_least"), "", of_series=True, is_condition=True),
    "early": Function(1, ("at_least",), "same", of_series=True),
    "late": Function(1, ("at_least",), "same", of_series=True),
    "outvoted": Function(1, ("at_least",), "", of_series=True, is_condition=True),
    "parted": Function(1, ("at_least",), "", of_series=True),
    "share": Function(1, ("of", "over", "at_least"), "percent", required=("of",), of_series=True),
}
