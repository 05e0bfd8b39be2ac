"""How does Prometheus want numbers written?

The text format, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/
"""

import math
from collections.abc import Iterable, Mapping

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
LONGEST_LABEL = 200
"""Characters of a label's value."""

_IN_LABEL = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


class Family:
    """The numbers of one name; of two with equal labels the later one stands."""

    def __init__(self, name: str, kind: str, about: str) -> None:
        """``kind`` is ``gauge`` or ``counter``; ``about`` is one plain sentence."""
        self.name = name
        self._kind = kind
        self._about = about
        self._values: dict[tuple[tuple[str, str], ...], float] = {}

    def add(self, value: float | None, **labels: object) -> "Family":
        """Notes a number; what is unknown (None) is left out."""
        if value is not None:
            key = tuple((name, _cut(str(label))) for name, label in labels.items())
            self._values[key] = value
        return self

    def lines(self) -> Iterable[str]:
        """Nothing where there is no number."""
        if not self._values:
            return
        yield f"# HELP {self.name} {self._about}\n"
        yield f"# TYPE {self.name} {self._kind}\n"
        for key, value in self._values.items():
            labels = ",".join(f'{name}="{label.translate(_IN_LABEL)}"' for name, label in key)
            yield f"{self.name}{{{labels}}} {_number(value)}\n" if labels else f"{self.name} {_number(value)}\n"


def exposition(families: Iterable[Family]) -> bytes:
    """The whole page; what cannot be UTF-8 (half a surrogate pair) is a question mark."""
    return "".join(line for family in families for line in family.lines()).encode("utf-8", "replace")


def counted(family: Family, label: str, numbers: Mapping[str, float], **labels: object) -> Family:
    """Notes one number for each value of a label."""
    for value, number in numbers.items():
        family.add(number, **labels, **{label: value})
    return family


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 3] + "..."


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))
