"""Declarations as they are written in rule files."""

import re
from collections.abc import Mapping

from logsleuth.language.cut import cut


def source_of(name: str, texts: Mapping[str, str]) -> str:
    """Everything that rule files declare or adjust under this name, each behind a comment that says where it stands.

    ``texts`` are rule files without errors, by name. Ends with a newline.
    """
    starts = re.compile(rf"(?:rule|event|wordings[ \t\n]+of|adjust)[ \t\n]+{re.escape(name)}(?![\w.])")
    told = []
    for file, text in texts.items():
        if name not in text:
            continue
        pieces, _ = cut(file, text.replace("\r\n", "\n").removeprefix("\ufeff"))
        told += [f"# {file}:{piece.line}\n{piece.text}\n" for piece in pieces if starts.match(piece.text)]
    return "\n".join(told)
