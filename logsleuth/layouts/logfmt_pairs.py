"""Fields that are written as ``name=value`` or ``name="value"``: logfmt, and the labels of Loki."""

import re
from collections.abc import Iterator

from logsleuth.layouts.escapes import unescaped

PAIR = re.compile(rb'([A-Za-z_@][\w.@/-]*)=("(?:[^"\\]|\\.)*+(?:"|$)|[^\s"]*)')
"""A value that nothing closes ends with the line, which was cut."""


def pairs(text: bytes) -> Iterator[tuple[str, str]]:
    """Names, in lower case, and values."""
    for name, value in PAIR.findall(text):
        whole = unescaped(value[1:].removesuffix(b'"')) if value[:1] == b'"' else value
        yield name.decode().lower(), whole.decode("utf-8", "replace")
