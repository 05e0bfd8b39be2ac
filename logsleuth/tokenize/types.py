"""The types of holes: which bytes they match and what value those bytes have."""

from collections.abc import Callable
from typing import NamedTuple

from logsleuth.language.wording_regex import HOLES
from logsleuth.model.event import FieldValue
from logsleuth.model.ranks import parse_ranks
from logsleuth.model.units import BYTES, parse_bytes, parse_duration
from logsleuth.tokenize.stamps import read


class FieldType(NamedTuple):
    pattern: str
    """What matches where text follows in the template: as little as that text allows."""
    last: str
    """What matches at the end of a template: as much as there is."""
    value: Callable[[str], FieldValue | None]
    """The text's value; None where it has none after all (the field is then unknown)."""


def _number(text: str) -> float | None:
    try:
        return float(text.strip("'\"").replace(",", ""))
    except ValueError:
        return None


def _integer(text: str, base: int) -> int | None:
    # The group of a regular expression may hold no number at all; int() refuses absurd lengths with an error.
    try:
        return int(text, base) if len(text) <= 40 else None
    except ValueError:
        return None


def _whole(text: str) -> int | None:
    # A number that fits no counter is garbage.
    number = _integer(text, 10)
    return number if number is not None and -(2**63) <= number < 2**63 else None


def _hex(text: str) -> int | None:
    return _integer(text, 16)


def _shortened(text: str) -> float | None:
    """``8.79K`` -> 8790.0, as programs write numbers for people; also a plain number."""
    factor = _SUFFIXES.get(text[-1:], 1.0)
    number = _number(text.rstrip("KMBGT"))
    return None if number is None else number * factor


def _milliseconds(text: str) -> float | None:
    number = _shortened(text)
    return None if number is None else number / 1000.0


def _mebibytes(text: str) -> float | None:
    number = _number(text)
    return None if number is None else number * BYTES["MiB"]


def _moment(text: str) -> float | None:
    stamp = read(text.encode("ascii", "replace"))
    return stamp.seconds if stamp else None


def _gibibytes(text: str) -> float | None:
    number = _number(text)
    return None if number is None else number * BYTES["GiB"]


def _percent(text: str) -> float | None:
    number = _number(text.rstrip("%").rstrip())
    return None if number is None else number / 100


def _text(text: str) -> str:
    return text.rstrip()


_SUFFIXES = {"K": 1e3, "M": 1e6, "B": 1e9, "G": 1e9, "T": 1e12}
_VALUES: dict[str, Callable[[str], FieldValue | None]] = {
    "int": _whole,
    "float": _number,
    "word": _text,
    "text": _text,
    "bytes": parse_bytes,
    "duration": parse_duration,
    "count": _shortened,
    "ms": _milliseconds,
    "s": _number,
    "mib": _mebibytes,
    "gib": _gibibytes,
    "percent": _percent,
    "address": _text,
    "hex": _hex,
    "ranks": parse_ranks,
    "moment": _moment,
    "exception": _text,
}

FIELD_TYPES = {name: FieldType(*hole, _VALUES[name]) for name, hole in HOLES.items()}
"""Every type of ``logsleuth.language.template.TYPES``."""
