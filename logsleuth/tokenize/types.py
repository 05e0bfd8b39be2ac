"""The types of holes: which bytes they match and what value those bytes have."""

from collections.abc import Callable
from typing import NamedTuple

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


def _both(pattern: str, value: Callable[[str], FieldValue | None]) -> FieldType:
    return FieldType(pattern, pattern, value)


_SUFFIXES = {"K": 1e3, "M": 1e6, "B": 1e9, "G": 1e9, "T": 1e12}
_DIGITS = r"[-+]?\d+(?:\.\d+)?"
_EXPONENT = r"(?:[eE][-+]?\d+)?"
_FLOAT = rf"""['"]?[-+]?(?:\d[\d,]*(?:\.\d*)?{_EXPONENT}|\.\d+{_EXPONENT}|[nN][aA][nN]|[iI]nf(?:inity)?)['"]?"""
_DURATION = r"\d[\d.:]*(?: ?(?:[num]?s|secs?|seconds|min|minutes|[mhd]|hours|days)(?![A-Za-z]))?"

FIELD_TYPES: dict[str, FieldType] = {
    "int": _both(r"[-+]?\d+", _whole),
    "float": _both(_FLOAT, _number),
    "word": FieldType(r"\S+?", r"\S+", _text),
    "text": FieldType(r".+?", r".+", _text),
    "bytes": _both(r"[\d.]+ ?(?:bytes?|[KMGT]i?B)(?![A-Za-z])", parse_bytes),
    "duration": _both(_DURATION, parse_duration),
    "count": _both(r"\d[\d,]*(?:\.\d+)?(?:[KMBGT](?![A-Za-z]))?", _shortened),
    "ms": _both(rf"{_DIGITS}(?:[KM](?![A-Za-z]))?", _milliseconds),
    "s": _both(_DIGITS, _number),
    "mib": _both(_DIGITS, _mebibytes),
    "gib": _both(_DIGITS, _gibibytes),
    "percent": _both(_DIGITS + " ?%?", _percent),
    "address": _both(r"(?:\[[\w:.%]+\]|[^\s,;:()<>\[\]]+)(?::\d+|<\d+>)?", _text),
    "hex": _both(r"(?:0[xX])?[0-9A-Fa-f]+", _hex),
    "ranks": _both(r"[\[{(]?[ \t]*\d+(?:[ \t]*[-,][ \t]*\d+)*[ \t]*[\]})]?", parse_ranks),
    "moment": _both(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d", _moment),
    "exception": _both(r"[A-Za-z_][\w.]*", _text),
}
"""Every type of ``logsleuth.language.template.TYPES``."""
