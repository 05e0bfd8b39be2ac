"""What the fields of a record tell of its writer, in the words of the label that stands in front of its lines."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from logsleuth.ingest.labels import label
from logsleuth.layouts import field_names
from logsleuth.model.label import told

Scalar = str | int | float | None
Fields = Mapping[str, Scalar]
"""By names as in ``field_names``."""


class Writer(NamedTuple):
    """See ``logsleuth.model.label.told``."""

    host: str | None = None
    rank: int | None = None
    local_rank: int | None = None
    pid: int | None = None
    stamp: bytes | None = None
    level: str | None = None

    def label(self) -> bytes:
        return told(**self._asdict())

    def around(self, inner: "Writer") -> "Writer":
        """What both tell; of what both tell, what the inner one does."""
        return self._replace(**{name: value for name, value in inner._asdict().items() if value is not None})


UNKNOWN = Writer()


_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,252}", re.ASCII)
_ALGO = re.compile(r"(?:^|/)(algo-\d{1,4})-\d{6,}$")
"""SageMaker's ``<job>/algo-1-1709632800``: the name is the host's."""
_CONTAINER = re.compile(r"(?:^|[./])containers[./]([a-z0-9][a-z0-9.-]*)_[a-z0-9-]+_")
"""The kubelet's ``/var/log/containers/<pod>_<namespace>_<container>-<id>.log``, and streams named after it."""
_PODS = re.compile(r"/pods/[a-z0-9-]+_([a-z0-9][a-z0-9.-]*)_")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_KIBANA = re.compile(rf"({'|'.join(_MONTHS)}) (\d{{1,2}}), (\d{{4}}) @ (\d\d:\d\d:\d\d\.\d{{3}})", re.ASCII)
_WORDS = re.compile(
    r"trace|debug|info|notice|warn|error|err$|crit|fatal|panic|alert|emerg|success|default", re.IGNORECASE
)
_LETTERS = {
    "trace": "D", "debug": "D", "info": "I", "notice": "I", "success": "I", "default": "I", "warn": "W", "error": "E",
    "err": "E", "crit": "F", "fatal": "F", "panic": "F", "alert": "F", "emerg": "F",
}  # fmt: skip
_SYSLOG = "FFFEWIID"
"""Priorities of syslog and journald, from 0 on."""
_UNITS = (10, 13, 16, 19)
"""Digits of a time since 1970 in seconds, milliseconds, microseconds, nanoseconds, in our days."""


def writer(fields: Fields) -> Writer:
    """What the fields tell; raises nothing."""
    return Writer(
        _host(fields),
        _number(fields, field_names.RANK),
        _number(fields, field_names.LOCAL_RANK),
        # A container's lines reach the journal through a process that writes for all containers.
        None if "container_id" in fields else _number(fields, field_names.PID),
        stamp(_first(fields, field_names.STAMP)),
        _level(fields),
    )


def stream_host(name: str) -> str | None:
    """The host or pod in the name of a stream or of a container's log; None where it holds none."""
    match = _ALGO.search(name) or _CONTAINER.search(name) or _PODS.search(name)
    return match[1] if match else label(name).tag.host


def stamp(value: Scalar) -> bytes | None:
    """A time as ``told`` takes it: a date as it stands, a number as seconds since 1970."""
    if isinstance(value, bool) or value is None:
        return None
    text = str(value).strip()
    whole, _, fraction = text.partition(".")
    if whole.isascii() and whole.isdigit() and (not fraction or fraction.isdigit()):
        if len(whole) not in _UNITS:
            return None
        behind = whole[10:] + fraction[:9]
        return f"{whole[:10]}.{behind}".encode() if behind else whole.encode()
    if match := _KIBANA.fullmatch(text):
        month, day, year, clock = match.groups()
        return f"{year}-{_MONTHS.index(month) + 1:02}-{int(day):02} {clock}".encode()
    return text.encode("ascii", "ignore") if len(text) <= 40 and text[:2].isdigit() else None


def _host(fields: Fields) -> str | None:
    for name in (*field_names.POD, *field_names.HOST):
        host = fields.get(name)
        if isinstance(host, str) and _NAME.fullmatch(host):
            return host
    for name in field_names.STREAM_NAME:
        if isinstance(value := fields.get(name), str) and (host := stream_host(value)):
            return host
    return None


def _number(fields: Fields, names: Sequence[str]) -> int | None:
    value = _first(fields, names)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 8:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _level(fields: Fields) -> str | None:
    for name in field_names.LEVEL:
        value = fields.get(name)
        if name == "priority":
            return _SYSLOG[int(str(value))] if re.fullmatch("[0-7]", str(value)) else None
        if isinstance(value, str) and (match := _WORDS.match(value)):
            return _LETTERS[match[0].lower()]
        if isinstance(value, int) and 10 <= value <= 60:
            # Python's numbers rise to 50; pino's and bunyan's lie ten above in the middle: 30 is info, 50 an error.
            return "DIWEFF"[value // 10 - 1] if name == "levelno" else "DDIWEF"[value // 10 - 1]
    return None


def _first(fields: Fields, names: Sequence[str]) -> Scalar:
    return next((value for name in names if (value := fields.get(name)) is not None and value != ""), None)
