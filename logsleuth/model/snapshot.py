"""A live job as it stands at one moment."""

from typing import NamedTuple

from logsleuth.model.analysis import Analysis
from logsleuth.model.vitals import Vitals


class Snapshot(NamedTuple):
    at: float
    """When it was judged, in seconds since 1970."""
    analysis: Analysis
    """What would be said if the logs ended here."""
    vitals: Vitals
    look_again: float | None = None
    """Seconds after which the passing of time alone may change the analysis; None where only new lines can."""
